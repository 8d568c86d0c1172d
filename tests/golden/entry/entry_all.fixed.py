# graphmend-test: fix --entry=all
# graphmend-test: check --entry=all
"""--entry=all: every function may be compiled."""
import torch
from graphmend import runtime as _graphmend

def first(x: torch.Tensor):
    _graphmend.defer(print, "first")
    return x


class Plain:
    def method(self, x: torch.Tensor):
        _graphmend.raise_if(x.isnan().any(),
            lambda: ValueError("NaN"))
        return x
