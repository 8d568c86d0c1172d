"""Where: an arm calls modules that hooks are set on; an embedding with max_norm scales its weight after a guard."""

import torch

ENTRY, EXPECT = "Net", "declined"

calls = []


def keep(module, args, result):
    calls.append(type(module).__name__)


class Inner(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_forward_hook(keep)

    def forward(self, x):
        return x * 2


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.act = torch.nn.Tanh()
        self.table = torch.nn.Embedding(4, 3, max_norm=0.1)
        torch.nn.init.ones_(self.table.weight).requires_grad_(False)
        for module in (self.act, self.table):
            module.register_forward_pre_hook(lambda module, args: keep(module, args, None))

    def forward(self, x, at):
        if x.sum() > 0:
            y = self.inner(x)
        else:
            y = x * 3
        if x.sum() > 4:
            y = self.act(y)
        if x.isnan().any():
            raise ValueError("NaN")
        return y + self.table(at)


def observe():
    return len(calls)


def cases():
    at = torch.tensor([0, 1])
    return [((torch.full((2, 3), value), at), {}) for value in (1.0, 0.1, -1.0, float("nan"))]
