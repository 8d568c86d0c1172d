"""The name is shared with an inner function."""
import torch


@torch.compile
def run(x: torch.Tensor):
    y = x

    def read():
        return y * 2

    if x.max() > 1:
        y = x / 2
    return read()
