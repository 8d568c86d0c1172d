"""An elif chain on tensor values, and one with a static test."""
import torch


@torch.compile
def run(x: torch.Tensor, mode: str):
    if x.max() > 10:
        y = x / 10
    elif x.max() > 1:
        y = x * 0.5
    else:
        y = x
    if mode == "raw":
        z = y
    elif y.min() < 0:
        z = y.abs()
    else:
        z = y.sqrt()
    return z
