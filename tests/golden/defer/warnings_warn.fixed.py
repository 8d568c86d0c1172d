"""warnings.warn: categories, stack levels, aliases."""
import warnings
from warnings import warn

import torch
from graphmend import runtime as _graphmend

@torch.compile
def run(x: torch.Tensor):
    _graphmend.defer_warning(lambda: warnings.warn("plain"))
    _graphmend.defer_warning(lambda x_shape: warnings.warn(f"{x_shape}", FutureWarning), x.shape)
    _graphmend.defer_warning(lambda: warnings.warn("level", UserWarning, _graphmend.stacklevel(2)))
    _graphmend.defer_warning(lambda: warnings.warn("level", category=UserWarning, stacklevel=_graphmend.stacklevel(3)))
    _graphmend.defer_warning(lambda: warn("imported", stacklevel=_graphmend.stacklevel(1)))
    _graphmend.defer_warning(lambda value: warn(value), DeprecationWarning("an instance"))
    return x
