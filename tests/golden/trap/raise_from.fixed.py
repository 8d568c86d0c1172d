"""raise ... from: the cause is made with the exception."""
import torch
from graphmend import runtime as _graphmend

class Bad(Exception):
    pass


@torch.compile
def decode(x: torch.Tensor, reason: Exception):
    _graphmend.raise_if((x < 0).any(),
        lambda reason: _graphmend.caused(ValueError("negative"), reason), reason)
    _graphmend.raise_if((x > 9).any(),
        lambda x: _graphmend.caused(Bad(f"max {x.max()}"), OverflowError("9")), x)
    _graphmend.raise_if((x == 5).any(),
        lambda: _graphmend.caused(ValueError("five"), None))
    return x
