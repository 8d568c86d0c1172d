"""Guards in functions and methods that compiled code calls, and in loops."""
import torch
from torch import nn
from graphmend import runtime as _graphmend

def require_finite(x: torch.Tensor, name):
    _graphmend.raise_unless(torch.isfinite(x).all(),
        lambda name: ValueError(f"{name} is not finite"), name)
    return x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])

    def _check(self, x: torch.Tensor, i):
        _graphmend.raise_if((x.abs() > 1e4).any(),
            lambda i: OverflowError(f"layer {i}"), i)

    def forward(self, x: torch.Tensor):
        require_finite(x, "input")
        for i, layer in enumerate(self.layers):
            x = layer(x)
            self._check(x, i)
            _graphmend.raise_if((x == 0).all(),
                lambda i, layers: ValueError(f"layer {i} of {len(layers)} is dead"), i, self.layers)
        return x
