"""Blank lines with white space, form feeds and lines that only hold a comment."""
import torch
from graphmend import runtime as _graphmend


@torch.compile
def run(x: torch.Tensor):
    _graphmend.raise_if(x.isnan().any(),

        lambda: ValueError("NaN"))
	
    # comment
  # less indented
    def _if_true(x):
        y = x / 2

        # inside

        x = y + 1
        return x
    x = _graphmend.select(x.max() > 1, _if_true, lambda x: x, x)
# not indented
    return x

