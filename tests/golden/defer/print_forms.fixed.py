"""Every form of print: keywords, stars, no arguments, several on a line, long ones."""
import sys

import torch
from graphmend import runtime as _graphmend

@torch.compile
def show(x: torch.Tensor, *rest, **more):
    _graphmend.defer(print)
    _graphmend.defer(print, "x", x, sep="=", end="!\n")
    _graphmend.defer(print, x, file=sys.stderr, flush=True)
    _graphmend.defer(print, *rest, **more)
    _graphmend.defer(print, "a"); _graphmend.defer(print, "b")  # two on a line
    if x.dim() > 1: _graphmend.defer(print, "rank", x.dim())
    _graphmend.defer(print,
        "over",  # a comment
        "several lines",
        x.shape,
    )
    return x
