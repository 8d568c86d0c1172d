"""A name that has a value before the branch gets another in the arm that returns: it must not become a local of the arm."""
import torch

ENTRY, EXPECT = "settle", "fixed"


def settle(x, y):
    h = x * 1
    if x.mean() > 0:
        h = y + h
        return h - y, h
    h = h * 2
    return h, y


compiled = torch.compile(settle)


def cases():
    x, y = torch.tensor([0.5, -1.0, 2.0]), torch.tensor([1.0, 2.0, 3.0])
    return [((x, y), {}), ((-x, y), {})]
