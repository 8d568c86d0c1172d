"""Several names are read after the branch; names that are not stay inside."""
import torch


@torch.compile
def run(x: torch.Tensor, w: torch.Tensor):
    a, b = x, w
    n = 2
    if (x > w).all():
        t = x * 2
        a, b = t + w, t - w
    else:
        a = x * n
    c = a + b
    if c.sum() > 0:
        total = c.sum()
        c = c / total
        d = total
    else:
        d = c.mean()
    return c, d
