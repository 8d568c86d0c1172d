"""Trap: a custom operator after the guard prints: nothing may appear where the guard fails."""

import torch

ENTRY = "checked_root"
EXPECT = "declined"


@torch.library.custom_op("graphmend_case::told", mutates_args=())
def root(x: torch.Tensor) -> torch.Tensor:
    print("root")
    return x.abs()


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
