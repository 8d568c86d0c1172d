"""Returns below a static test and a with: the rest of the suite is the other arm."""
import torch


@torch.compile
def run(x: torch.Tensor, flag: bool):
    if flag:
        if x.max() > 1:
            return x * 2
        y = x + 1
        return y
    with torch.no_grad():
        if x.min() < 0:
            return -x
        x = x * 3
        return x
