"""Arms of an elif chain that raise; what follows the first guard becomes a statement of its own."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def pick(x: torch.Tensor, mode: str):
    if mode == "strict":
        _graphmend.raise_if(x.min() < 0,
            lambda: ValueError("negative"))
        _graphmend.raise_if(x.max() > 1,
            lambda: ValueError("too large"))  # more than one
        y = x * 2
    else:
        _graphmend.raise_if(mode == "sum" and x.sum() == 0, lambda: ZeroDivisionError("sum is 0"))
        if mode == "mean":
            y = x.mean()
        else:
            y = x
    return y


@torch.compile
def two_kinds(x: torch.Tensor):
    _graphmend.raise_if(x.isnan().any(),
        lambda: ValueError("NaN"))
    _graphmend.raise_if(x.isinf().any(),
        lambda: OverflowError("Inf"))
    return x + 1
