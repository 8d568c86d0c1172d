"""`not` at the top of a test turns raise_if into raise_unless; deeper it stays a negation."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def normalize(x: torch.Tensor, w: torch.Tensor):
    _graphmend.raise_unless(torch.isfinite(x).all(),
        lambda: ValueError("x is not finite"))
    _graphmend.raise_unless(_graphmend.negate((w > 0).all()),
        lambda: ValueError("w is positive"))
    _graphmend.raise_if(_graphmend.either(_graphmend.negate((x > 0).all()), lambda: (w > 9).any()),
        lambda: ValueError("one or the other"))
    return x / w.abs().sum()
