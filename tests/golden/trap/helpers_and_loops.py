"""Guards in functions and methods that compiled code calls, and in loops."""
import torch
from torch import nn


def require_finite(x: torch.Tensor, name):
    if not torch.isfinite(x).all():
        raise ValueError(f"{name} is not finite")
    return x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])

    def _check(self, x: torch.Tensor, i):
        if (x.abs() > 1e4).any():
            raise OverflowError(f"layer {i}")

    def forward(self, x: torch.Tensor):
        require_finite(x, "input")
        for i, layer in enumerate(self.layers):
            x = layer(x)
            self._check(x, i)
            if (x == 0).all():
                raise ValueError(f"layer {i} of {len(self.layers)} is dead")
        return x
