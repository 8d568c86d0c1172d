"""The grammar reads an assignment to an attribute of type(x) as a type alias."""
import torch
from graphmend import runtime as _graphmend

class Config:
    calls = 0


@torch.compile
def run(x: torch.Tensor, configs: list[Config], at: slice):
    type(configs[at.start]).calls = 1
    _graphmend.defer(print, "x", x)
    return x
