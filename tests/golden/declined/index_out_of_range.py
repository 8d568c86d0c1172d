"""An index that only seems to be bounded: on one side, beyond the table, a place in another tensor, of an arm."""

import torch
import torch.nn.functional as F


@torch.compile
def below(table: torch.Tensor, ids: torch.Tensor):
    if (ids >= len(table)).any():
        raise ValueError("unknown id")
    return table[ids.clamp(min=0)]


@torch.compile
def beyond(ids: torch.Tensor):
    if (ids > 2).any():
        raise ValueError("unknown id")
    return F.one_hot(ids.clamp(0, 3), 3)


@torch.compile
def of_class(x: torch.Tensor):
    if x.isnan().any():
        raise ValueError("NaN")
    return F.one_hot(x.argmax(1), 2)


@torch.compile
def and_one(x: torch.Tensor):
    if x.isnan().any():
        raise ValueError("NaN")
    return x[x.argsort(0) + 1]


@torch.compile
def of_arm(table: torch.Tensor, x: torch.Tensor):
    if (x > 0).all():
        index = torch.arange(2)
    elif (x > -1).any():
        index = -torch.arange(2)
    else:
        raise ValueError("bad")
    return table[index]
