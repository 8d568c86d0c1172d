"""bool() around a test, named results of operators, a mode of autograd in an arm, nested boolean operators."""
import torch


@torch.compile
def run(x: torch.Tensor, w: torch.Tensor):
    if bool(x.max() > 1):
        x = x * 2
    if not bool(w.isnan().any()) and not (bool(x.min() < 0) or (x > 9).any()):
        w = w * 2
    if x.max() > 2:
        x = x.sort().values
    if x.max() > 4:
        with torch.no_grad():
            x = x * 2
    if x.max() > 7:
        x = torch.topk(x, 3).values + x
    for _ in range(2):
        if bool(x.sum() > 3):
            break
        x = x + 1
    return x, w
