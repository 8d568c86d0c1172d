"""Defer: named tuples and what torch returns as one are shown as they were."""
import typing

import torch

ENTRY = "step"
EXPECT = "fixed"


class Pair(typing.NamedTuple):
    a: torch.Tensor
    b: list


def step(x):
    pair = Pair(x * 2, [1])
    print(pair, x.max(dim=0))
    pair.b.append(2)
    pair.a.add_(1)
    return pair.a


compiled = torch.compile(step)


def cases():
    return [((torch.tensor([-1.0, 9.0]),), {})]
