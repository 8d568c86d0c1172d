"""Guards whose exception is caught inside the region, in the same function and by a caller."""

import torch

ENTRY = "robust"
EXPECT = "declined"


def check(x):
    if x.min() < 0:
        raise ValueError("negative energy")
    return x.sqrt()


def robust(x):
    try:
        root = check(x)
    except ValueError:
        root = torch.zeros_like(x)
    try:
        if x.max() > 10:
            raise OverflowError("too large")
        scaled = root * 2
    except OverflowError:
        scaled = root
    return root + scaled


compiled = torch.compile(robust)


def cases():
    return [((torch.tensor([1.0, 4.0]),), {}), ((torch.tensor([-1.0, 4.0]),), {}), ((torch.tensor([1.0, 40.0]),), {})]
