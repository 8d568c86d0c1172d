"""A file that was fixed before and has grown: the runtime is there already."""
import torch
from graphmend import runtime as _graphmend


@torch.compile
def run(x: torch.Tensor):
    _graphmend.defer(print, "old", x)
    _graphmend.defer(print, "new", x)
    return x
