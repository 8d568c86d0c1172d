"""The raise stands in the else; the arm that goes on is no longer indented."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def head(x: torch.Tensor, w: torch.Tensor):
    _graphmend.raise_unless((w > 0).all(), lambda: ValueError("w must be positive"))
    # the usual case
    y = x / w

    z = y.exp()  # positive


    return y + z


@torch.compile
def only_pass(x: torch.Tensor):
    _graphmend.raise_unless(x.max() < 10,


        lambda: ValueError("large"))
    return x
