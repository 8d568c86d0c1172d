"""Which turn was the last is read after the loop; or the loop binds its own variable."""
import torch


@torch.compile
def run(x: torch.Tensor, rows: torch.Tensor):
    for i in range(3):
        if x.max() > 1:
            break
        x = x * 2
    for row in rows:
        row = row + x
        if row.max() > 2:
            break
        x = x + row
    return x * i
