"""The arm calls what nothing is known of."""
import torch
from somewhere import process


@torch.compile
def run(x: torch.Tensor):
    if x.max() > 1:
        x = process(x)
    return x
