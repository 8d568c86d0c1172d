"""Comments everywhere in replaced statements; none is lost."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def run(x: torch.Tensor, w: torch.Tensor):
    # before the guard
    _graphmend.raise_if((  # opening
        x.isnan()  # the call
        .any()
    ),  # colon
        # before raise
        lambda x_shape: ValueError(  # call
            "NaN",  # argument
            # alone
            x_shape,
        ), x.shape)  # closing
        # after raise
    # between
    w = _graphmend.select(w.max() > 1,  # w is large
        # first
        lambda: w / 2,  # halve
        # last of the arm
        # it is not
        # nothing much
        lambda: w + 1)
    # behind
    _graphmend.defer(print,  # opening
        # inside
        x,
        # last
    )  # closing
    y = _graphmend.select(  # opening
        # first
        # middle
        x.max() > 1, lambda: x,  # test
        lambda: w  # second
    )  # closing
    return y
