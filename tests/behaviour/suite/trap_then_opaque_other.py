"""Trap: a custom operator after the guard fails on other data than the guard tests: the guard's exception comes first."""

import torch

ENTRY = "checked_root"
EXPECT = "declined"


@torch.library.custom_op("graphmend_case::other_root", mutates_args=())
def root(x: torch.Tensor) -> torch.Tensor:
    if (x < 0).any():
        raise RuntimeError("no root")
    return x.sqrt()


@root.register_fake
def _(x):
    return torch.empty_like(x)


def checked_root(x, y):
    if (x < 0).any():
        raise ValueError("negative", tuple(x.shape))
    return root(y) + x


compiled = torch.compile(checked_root)


def cases():
    good, bad = torch.tensor([1.0, 4.0]), torch.tensor([1.0, -4.0])
    return [((good, good), {}), ((bad, good), {}), ((good, bad), {}), ((bad, bad), {})]
