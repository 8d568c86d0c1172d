"""A comment says that the print in the arm is to be left alone."""
import torch


@torch.compile
def run(x: torch.Tensor):
    if x.max() > 1:
        print("large")  # graphmend: ignore[GM301]
        x = x / 2
    return x
