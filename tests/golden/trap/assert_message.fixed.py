"""Asserts whose message Dynamo cannot take; constant messages and tests that are static stay."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def check(x: torch.Tensor, name: str):
    assert (x < 9).all(), "constant"
    assert (x < 8).all()
    assert x.dim() == 2, f"rank {x.dim()}"
    __debug__ and _graphmend.assert_that((x > 0).all(), lambda name: f"{name}: not positive", name)
    __debug__ and _graphmend.assert_that(x.isfinite().all(), lambda name: "not finite: " + name, name)
    __debug__ and _graphmend.assert_that(_graphmend.negate(x.isnan().any()), lambda x_shape: ("NaN", x_shape), x.shape)
    __debug__ and _graphmend.assert_that((x.sum(-1) < 1).all(), lambda x: f"row sums {x.sum(-1)} of {x}", x)
    return x
