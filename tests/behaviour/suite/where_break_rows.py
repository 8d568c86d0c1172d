"""Loops over rows, lists and modules; the break stands in an else, below a static test in `and`, and before anything else."""
import torch
from torch import nn

ENTRY, EXPECT = "build()", "fixed"


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(2)])

    def forward(self, x: torch.Tensor, early=True):
        total = torch.zeros(4)
        for row in x:
            if row.sum() < 4:
                total = total + row
            else:
                total = total - 1
                break
        for scale in [1.0, 0.5]:
            if total.abs().max() < 2:
                break
            total = total * scale
        for i, layer in enumerate(self.layers):
            x = layer(x) / (i + 1)
            if early and x.norm() > 1.5:
                break
        return x, total


def build():
    torch.manual_seed(11)
    return Net().eval().requires_grad_(False)


compiled = torch.compile(build())


def cases():
    x = torch.arange(12, dtype=torch.float32).reshape(3, 4)
    return [((x,), {}), ((x / 9,), {}), ((x - 8, False), {})]
