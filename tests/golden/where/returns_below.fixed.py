"""Returns below a static test and a with: the rest of the suite is the other arm."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def run(x: torch.Tensor, flag: bool):
    if flag:
        def _if_false():
            y = x + 1
            return y
        return _graphmend.select(x.max() > 1, lambda: x * 2, _if_false)
    with torch.no_grad():
        def _if_false_2(x):
            x = x * 3
            return x
        return _graphmend.select(x.min() < 0, lambda x: -x, _if_false_2, x)
