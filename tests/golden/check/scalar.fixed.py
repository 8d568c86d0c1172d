# What reads a tensor as a number: one finding a break, also where several reads stand in one line.
import numpy as np
import torch
from graphmend import runtime as _graphmend

@torch.compile
def numbers(x: torch.Tensor, lengths: torch.Tensor):
    top = x.max().item()
    if top > 3:  # a number by now
        x = x - top
    x = x + int(lengths.sum())
    x = x[: lengths.max()]
    x = x.split(lengths.tolist())[0]
    for step in range(lengths.min()):
        x = x + step
    return x.view(-1, lengths[0]), np.frexp(x.numpy()), str(x)


@torch.compile
def deferred(x: torch.Tensor):
    # Read only to be shown: goes with the print and the guard.
    _graphmend.defer(lambda x_mean: print("mean", x_mean.item()), x.mean())
    _graphmend.raise_if(x.min() < 0,
        lambda x: ValueError(f"negative: {x.min().item()}"), x)
    return [int(a) for a, b in zip(x, x)]
