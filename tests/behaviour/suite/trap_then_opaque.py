"""Trap: a custom operator after the guard fails on the same data: the guard's exception must still win."""

import torch

ENTRY = "checked_root"
EXPECT = "declined"


@torch.library.custom_op("graphmend_case::root", mutates_args=())
def root(x: torch.Tensor) -> torch.Tensor:
    if (x < 0).any():
        raise RuntimeError("no root")
    return x.sqrt()


@root.register_fake
def _(x):
    return torch.empty_like(x)


def checked_root(x):
    if (x < 0).any():
        raise ValueError("negative", tuple(x.shape))
    return root(x) + 1


compiled = torch.compile(checked_root)


def cases():
    return [((torch.tensor([1.0, 4.0]),), {}), ((torch.tensor([1.0, -4.0]),), {})]
