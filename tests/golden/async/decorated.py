# graphmend-test: fix --trap=assert-async
"""torch._assert_async in functions that are compiled by decorator; what has run-time values keeps the exact form."""
import torch


@torch.compile
def run(x: torch.Tensor, w: torch.Tensor):
    if torch.isnan(x).any():
        raise ValueError("NaN")
    if not (w > 0).all():
        raise ValueError("w must be positive")
    if (x > 9).any():
        raise ValueError(f"too large: {x.max()}")
    assert (w < 9).all(), f"{w.shape}"
    return x * w


@torch.compile(fullgraph=True)
def other(x: torch.Tensor):
    if x.sum() == 0:
        raise ZeroDivisionError
    return x / x.sum()
