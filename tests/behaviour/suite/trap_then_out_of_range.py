"""Trap: what follows the guard looks up by an index that only seems to be bounded: clamped on one side, beyond the table,
a place in another tensor, a place with a number added, or made in an arm that the guard's data do not take."""

import torch
import torch.nn.functional as F
from torch import nn

ENTRY, EXPECT = "Net", "declined"


def clamp_below(x, ids):
    if (ids > 2).any():
        raise ValueError("bad")
    return x[ids.clamp(min=0)]


def clamp_above(x, ids):
    if (ids < 0).any():
        raise ValueError("bad")
    return F.one_hot(ids.clamp(max=2), 3)


def clamp_beyond(x, ids):
    if (ids > 2).any():
        raise ValueError("bad")
    return F.one_hot(ids.clamp(0, 5), 3)


def clamp_named(x, ids):
    if (ids > 2).any():
        raise ValueError("bad")
    last = len(x)
    return x[torch.clamp(ids, 0, last)]


def remainder(x, ids):
    if (ids > 2).any():
        raise ValueError("bad")
    return x[ids % 7]


def change_of_bounded(x, ids):
    if (ids > 2).any():
        raise ValueError("bad")
    index = ids.clamp(0, len(x) - 1)
    index += ids
    return x[index]


def place_of_class(x, ids):
    if (~torch.isfinite(x)).any():
        raise ValueError("bad")
    return F.one_hot(x.argmax(1), 2)


def place_in_table(x, ids):
    if (~torch.isfinite(x)).any():
        raise ValueError("bad")
    return F.embedding(x.argmax(1), torch.ones(2, 4))


def place_and_one(x, ids):
    if (~torch.isfinite(x)).any():
        raise ValueError("bad")
    return x.gather(0, x.argmax(0, keepdim=True) + 1)


def place_along_other(x, ids):
    if (~torch.isfinite(x)).any():
        raise ValueError("bad")
    return x[:2].gather(0, x.argmax(1, keepdim=True))


def place_in_narrow(x, ids):
    if (~torch.isfinite(x)).any():
        raise ValueError("bad")
    return torch.gather(x[:, :2], 1, x.topk(1, dim=1)[1])


def arm_of_index(x, ids):
    if (x > 0).all():
        index = torch.arange(2)
    elif (x > -1).any():
        index = -torch.arange(2)
    else:
        raise ValueError("bad")
    return F.embedding(index, torch.ones(3, 2))


KINDS = [
    clamp_below,
    clamp_above,
    clamp_beyond,
    clamp_named,
    remainder,
    change_of_bounded,
    place_of_class,
    place_in_table,
    place_and_one,
    place_along_other,
    place_in_narrow,
    arm_of_index,
]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(3, 2)

    def forward(self, x, ids, kind: int):
        if kind == len(KINDS):
            if (ids > 2).any():
                raise ValueError("ids")
            return self.emb(ids.clamp(min=0))
        return KINDS[kind](x, ids)


compiled = torch.compile(Net())


def cases():
    x = torch.tensor([[3.0, 1.0, 2.0], [1.0, 0.5, 0.5], [2.0, 1.5, 1.0]])
    worse = torch.tensor([[0.0, 0.0, float("inf")], [-2.0, 0.0, 1.0], [0.0, 1.0, float("inf")]])
    good, high, low = torch.tensor([0, 1, 2]), torch.tensor([1, 99, 5]), torch.tensor([1, -3, 0])
    found = [((x, ids, kind), {}) for kind in range(len(KINDS) + 1) for ids in (good, high, low)]
    return found + [((rows, good, kind), {}) for kind in range(6, 12) for rows in (worse, torch.full((3, 3), -2.0))]
