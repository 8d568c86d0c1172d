"""Defer: warnings inside catch_warnings, silenced or collected: replayed later they would escape."""
import warnings

import torch

ENTRY = "legacy"
EXPECT = "declined"


def resize(x):
    warnings.warn("resize is old", DeprecationWarning, stacklevel=2)
    return x.repeat(2)


def legacy(x):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y = resize(x)
        warnings.warn("never heard")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        warnings.warn("collected")
    warnings.warn(f"heard, after {len(caught)}")
    return y


compiled = torch.compile(legacy)


def cases():
    return [((torch.tensor([1.0, 2.0]),), {})]
