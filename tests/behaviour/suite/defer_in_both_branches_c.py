"""Each branch of a data-dependent if says something: only the taken one may be heard."""

import torch

ENTRY, EXPECT, SELF_COMPILED = "select", "declined", True


@torch.compile
def select(x):
    if x.sum() > 0:
        print("positive batch")
        y = x.sqrt()
    else:
        print("other batch")
        y = x.square()
    return y + 1


def cases():
    return [((torch.tensor([4.0, 9.0]),), {}), ((torch.tensor([-4.0, -9.0]),), {})]
