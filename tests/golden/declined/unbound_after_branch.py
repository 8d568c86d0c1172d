"""A name has a value after one arm only."""
import torch


@torch.compile
def run(x: torch.Tensor, flag: bool):
    if x.max() > 1:
        y = x * 2
    if flag:
        return y
    return x
