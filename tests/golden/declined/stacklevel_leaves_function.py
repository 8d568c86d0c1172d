"""The warning is meant for a caller that is inlined."""
import warnings

import torch


def old(x: torch.Tensor):
    warnings.warn("old is old", DeprecationWarning, stacklevel=2)
    return x


@torch.compile
def run(x: torch.Tensor):
    return old(x)
