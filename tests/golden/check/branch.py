# Every way to decide on values; what is known while tracing decides nothing.
import torch


@torch.compile
def decide(x: torch.Tensor, n: int, mask=None):
    if n > 3 and mask is not None:
        x = x * mask
    if n > 3 and x.any():
        print("some")
    while x.sum() > 1:
        x = x / 2
    y = x if x.mean() > 0 else -x
    z = x.any() or y.any()
    inside = 0 < x.sum() < 4
    flags = any(x > 0), 3 in x, not x.all()
    rows = [row for row in x if row.sum() > 0]
    match x.argmax():
        case 0:
            y = y + 1
        case other:
            y = y - 1
    return y, z, inside, flags, rows, max(x.sum(), y.sum())
