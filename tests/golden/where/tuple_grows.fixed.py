"""+= with a tuple and an item of a list change no tensor."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def run(x: torch.Tensor, more: bool):
    x = _graphmend.select(x.max() > 1,
        lambda: x / 2, lambda: x, smooth=True)
    kept = [x, None]
    kept[1] = x + 1
    outputs = (x,)
    if more:
        outputs += (kept[1],)
    return outputs
