"""Trap: after the guard a caller's tensor is changed by a function that something else gets it for."""

import functools

import torch
from torch.utils.checkpoint import checkpoint

ENTRY, EXPECT = "run", "declined"

relu = torch.nn.ReLU(inplace=True)


def by_partial(x, h):
    if (x < 0).any():
        raise ValueError("negative")
    functools.partial(torch.Tensor.add_, h)(1)
    return x * 2


def by_checkpoint(x, h):
    if (x < 0).any():
        raise ValueError("negative")
    checkpoint(relu, h, use_reentrant=False)
    return x * 2


KINDS = (by_partial, by_checkpoint)
for _kind in KINDS:
    torch.compile(_kind)


def run(x, h, kind: int):
    return KINDS[kind](x, h)


def cases():
    values = ([-1.0, 2.0], [1.0, 2.0])
    return [((torch.tensor(value), -torch.ones(2), kind), {}) for kind in range(len(KINDS)) for value in values]
