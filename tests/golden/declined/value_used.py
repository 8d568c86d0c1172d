"""The value of the call is used."""
import torch


@torch.compile
def run(x: torch.Tensor):
    shown = print("x", x)
    return x, shown
