"""warnings.warn: categories, stack levels, aliases."""
import warnings
from warnings import warn

import torch
from graphmend import runtime as _graphmend

@torch.compile
def run(x: torch.Tensor):
    _graphmend.defer(lambda: warnings.warn("plain"))
    _graphmend.defer(lambda x_shape: warnings.warn(f"{x_shape}", FutureWarning), x.shape)
    _graphmend.defer(lambda: warnings.warn("level", UserWarning, _graphmend.stacklevel(2)))
    _graphmend.defer(lambda: warnings.warn("level", category=UserWarning, stacklevel=_graphmend.stacklevel(3)))
    _graphmend.defer(lambda: warn("imported", stacklevel=_graphmend.stacklevel(1)))
    _graphmend.defer(lambda value: warn(value), DeprecationWarning("an instance"))
    return x
