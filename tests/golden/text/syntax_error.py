"""One function that the grammar rejects; the others are rewritten."""
import torch


@torch.compile
def broken(x: torch.Tensor):
    print("left as it is", x)
    y = = x
    if x.isnan().any():
        raise ValueError("NaN")
    return y


@torch.compile
def fine(x: torch.Tensor):
    print("recorded", x)
    return x
