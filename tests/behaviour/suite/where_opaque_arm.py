"""Where: a custom operator that fails on the data of the other arm: only the arm that is taken may run."""

import torch

ENTRY = "root_or_same"
EXPECT = "fixed"
SINCE = "2.13"  # before, such arms break the graph


@torch.library.custom_op("graphmend_case::arm_root", mutates_args=())
def root(x: torch.Tensor) -> torch.Tensor:
    if (x < 0).any():
        raise RuntimeError("no root")
    return x.sqrt()


@root.register_fake
def _(x):
    return torch.empty_like(x)


def root_or_same(x):
    if x.sum() > 0:
        y = root(x)
    else:
        y = x * 2
    return y + 1


compiled = torch.compile(root_or_same)


def cases():
    return [
        ((torch.tensor([1.0, 4.0]),), {}),
        ((torch.tensor([1.0, -4.0]),), {}),
        ((torch.tensor([5.0, -4.0]),), {}),
    ]
