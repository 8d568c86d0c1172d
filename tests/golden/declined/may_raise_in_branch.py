"""The arm may raise, and a shape that depends on values breaks the graph."""
import torch


@torch.compile
def run(x: torch.Tensor, names: dict):
    if x.max() > 1:
        x = x[x > 0]
    y = names["scale"] if x.min() < 0 else 1
    return x * y
