"""not, and, or and chains of comparisons between tensors."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def guards(x: torch.Tensor, w: torch.Tensor):
    _graphmend.raise_if(_graphmend.either(x.isnan().any(), lambda: w.isnan().any()),
        lambda: ValueError("NaN"))
    _graphmend.raise_if(_graphmend.both(_graphmend.both(x.min() > 0, lambda: w.min() > 0), lambda: (x == w).all()),
        lambda: ValueError("the same"))
    if 0 < x.max() < 1:
        raise ValueError("small")
    if not 0 <= w.min() <= 1:
        raise ValueError("outside")
    _graphmend.raise_if(_graphmend.both(x.max() > 9, lambda: _graphmend.negate(_graphmend.either(w.max() > 9, lambda: w.min() < -9))),
        lambda: ValueError("x alone"))
    _graphmend.raise_if(x.sum(),
        lambda: ValueError("nonzero sum"))
    return x + w
