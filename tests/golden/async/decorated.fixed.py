# graphmend-test: fix --trap=assert-async
"""torch._assert_async in functions that are compiled by decorator; what has run-time values keeps the exact form."""
import torch
from graphmend import runtime as _graphmend
_graphmend.register("decorated:8", lambda: ValueError("NaN"))
_graphmend.register("decorated:10", lambda: ValueError("w must be positive"))
_graphmend.register("decorated:20", lambda: ZeroDivisionError)


@_graphmend.translating(torch.compile)
def run(x: torch.Tensor, w: torch.Tensor):
    _graphmend.assert_async(_graphmend.negate(torch.isnan(x).any()), "decorated:8",
        lambda: ValueError("NaN"))
    _graphmend.assert_async((w > 0).all(), "decorated:10",
        lambda: ValueError("w must be positive"))
    _graphmend.raise_if((x > 9).any(),
        lambda x: ValueError(f"too large: {x.max()}"), x)
    __debug__ and _graphmend.assert_that((w < 9).all(), lambda w_shape: f"{w_shape}", w.shape)
    return x * w


@_graphmend.translating(torch.compile(fullgraph=True))
def other(x: torch.Tensor):
    _graphmend.assert_async(_graphmend.negate(x.sum() == 0), "decorated:20",
        lambda: ZeroDivisionError)
    return x / x.sum()
