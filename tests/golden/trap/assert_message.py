"""Asserts whose message Dynamo cannot take; constant messages and tests that are static stay."""
import torch


@torch.compile
def check(x: torch.Tensor, name: str):
    assert (x < 9).all(), "constant"
    assert (x < 8).all()
    assert x.dim() == 2, f"rank {x.dim()}"
    assert (x > 0).all(), f"{name}: not positive"
    assert x.isfinite().all(), "not finite: " + name
    assert not x.isnan().any(), ("NaN", x.shape)
    assert (x.sum(-1) < 1).all(), f"row sums {x.sum(-1)} of {x}"
    return x
