"""Deprecation warnings with a category and a stack level."""

import warnings

import torch

ENTRY, EXPECT, SELF_COMPILED = "interpolate", "fixed", True
EXPECT_BREAKS_BEFORE = 1


class OldArgument(FutureWarning):
    pass


@torch.compile
def interpolate(x, factor=2, align=None):
    if align is not None:
        warnings.warn(f"align={align} is ignored", OldArgument)
    y = x * factor
    warnings.warn("the default factor will change", DeprecationWarning, stacklevel=2)
    return y.relu()


def cases():
    return [((torch.tensor([1.0, -1.0]),), {}), ((torch.tensor([1.0, -1.0]),), {"align": True})]
