"""Asserts whose message Dynamo cannot take; constant messages and tests that are static stay."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def check(x: torch.Tensor, name: str):
    assert (x > 0).all(), f"{name}: not positive"
    assert x.isfinite().all(), "not finite: " + name
    assert not x.isnan().any(), ("NaN", x.shape)
    assert (x < 9).all(), "constant"
    assert (x < 8).all()
    assert x.dim() == 2, f"rank {x.dim()}"
    __debug__ and _graphmend.assert_that((x.sum(-1) < 1).all(), lambda sum, x: f"row sums {sum} of {x}", x.sum(-1), x)
    return x
