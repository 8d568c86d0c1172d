"""The loop is left in more than one way, or from below another statement."""
import torch


@torch.compile
def run(x: torch.Tensor, flag: bool):
    for _ in range(3):
        if x.max() > 1:
            break
        x = x * 2
        if x.min() < 0:
            break
    for _ in range(3):
        if flag:
            if x.max() > 2:
                break
        x = x * 2
    for _ in range(3):
        if x.max() > 3:
            break
        if flag:
            continue
        x = x * 2
    return x
