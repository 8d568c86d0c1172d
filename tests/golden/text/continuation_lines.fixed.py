"""Backslashes and brackets inside what is replaced."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def run(x: torch.Tensor, w: torch.Tensor):
    _graphmend.raise_if(_graphmend.either(x.isnan().any(),
            lambda: w.isnan().any()),
        lambda: ValueError("NaN in x or "
                         "in w"))
    _graphmend.defer(print, "a",
          "b")
    y = _graphmend.select(
        (x > w).all(), lambda: x,
        lambda: w)
    _graphmend.raise_if((x.sum(
        ) > 0), lambda x: ValueError(
            f"""sum
            of {x}
"""), x)
    __debug__ and _graphmend.assert_that(x.min() > 0,
        lambda x_shape: f"{x_shape}", x.shape)
    return y
