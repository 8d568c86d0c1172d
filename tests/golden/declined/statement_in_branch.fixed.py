"""The arm holds statements that no selection can hold."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def run(x: torch.Tensor):
    for i in range(3):
        if x.max() > 1:
            break
        x = x * 2
    if x.min() < 0:
        with torch.inference_mode():
            x = x + 1
    if x.min() < 1:
        del i
    if x.min() < 2:
        return x
    _graphmend.defer(print, "end")
