"""Trap: what follows the guard writes into the caller's tensors or into buffers through +x, a permuting einsum, a NumPy array,
several outputs, or an overload of an operator in place."""

import torch
from torch import nn

ENTRY, EXPECT = "Net", "declined"


class Plus(nn.Module):
    def forward(self, x):
        if torch.isnan(x).any():
            raise ValueError("NaN")
        y = +x
        y.zero_()
        return y * 2


class Permuted(nn.Module):
    def forward(self, x):
        if torch.isnan(x).any():
            raise ValueError("NaN")
        y = torch.einsum("ij->ji", x)
        y.zero_()
        return x * 2


class Diagonal(nn.Module):
    def forward(self, x):
        if torch.isnan(x).any():
            raise ValueError("NaN")
        y = torch.einsum("ii->i", [x])
        y += 1
        return x * 2


class Array(nn.Module):
    def forward(self, x):
        if torch.isnan(x).any():
            raise ValueError("NaN")
        y = torch.from_numpy(x.detach().numpy())
        y.zero_()
        return x * 2


class Outputs(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("best", torch.zeros(2))
        self.register_buffer("at", torch.zeros(2, dtype=torch.long))

    def forward(self, x):
        if torch.isnan(x).any():
            raise ValueError("NaN")
        torch.max(x, 0, out=(self.best, self.at))
        return self.best + x


class Overload(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(()))

    def forward(self, x):
        if torch.isnan(x).any():
            raise ValueError("NaN")
        torch.ops.aten.add_.Tensor(self.calls, torch.ones(()))
        return x * self.calls


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.plus, self.permuted, self.diagonal, self.array = Plus(), Permuted(), Diagonal(), Array()
        self.outputs, self.overload = Outputs(), Overload()

    def forward(self, x, kind: int):
        if kind == 0:
            return self.plus(x)
        if kind == 1:
            return self.permuted(x)
        if kind == 2:
            return self.diagonal(x)
        if kind == 3:
            return self.array(x)
        return self.outputs(x) if kind == 4 else self.overload(x)


compiled = torch.compile(Net())


def cases():
    nan = float("nan")
    return [((torch.tensor([[1.0, n], [2.0, 3.0]]), kind), {}) for kind in range(6) for n in (4.0, nan)]
