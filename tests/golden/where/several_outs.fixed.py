"""Several names are read after the branch; names that are not stay inside."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def run(x: torch.Tensor, w: torch.Tensor):
    a, b = x, w
    n = 2
    def _if_true(a, b):
        t = x * 2
        a, b = t + w, t - w
        return a, b
    def _if_false(a, b):
        a = x * n
        return a, b
    a, b = _graphmend.select((x > w).all(), _if_true, _if_false, a, b)
    c = a + b
    def _if_true_2(c):
        total = c.sum()
        c = c / total
        d = total
        return c, d
    def _if_false_2(c):
        d = c.mean()
        return c, d
    c, d = _graphmend.select(c.sum() > 0, _if_true_2, _if_false_2, c)
    return c, d
