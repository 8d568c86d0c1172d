"""Output in loops, with statements of torch, try and nested functions."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def run(x: torch.Tensor, n: int):
    def inner(y):
        _graphmend.defer(print, "inner", y.shape)
        return y

    for i in range(n):
        _graphmend.defer(print, "loop", i)
    with torch.no_grad():
        _graphmend.defer(print, "no grad", x)
    try:
        _graphmend.defer(print, "try")
    finally:
        _graphmend.defer(print, "finally")
    match n:
        case 1:
            _graphmend.defer(print, "one")
        case _:
            _graphmend.defer(print, "many")
    return inner(x)
