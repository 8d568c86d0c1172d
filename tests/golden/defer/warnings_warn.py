"""warnings.warn: categories, stack levels, aliases."""
import warnings
from warnings import warn

import torch


@torch.compile
def run(x: torch.Tensor):
    warnings.warn("plain")
    warnings.warn(f"{x.shape}", FutureWarning)
    warnings.warn("level", UserWarning, 2)
    warnings.warn("level", category=UserWarning, stacklevel=3)
    warn("imported", stacklevel=1)
    warn(DeprecationWarning("an instance"))
    return x
