"""Where: an arm reduces a tensor that may have no elements, which is an error only if the arm is taken."""

import torch

ENTRY, EXPECT = "run", "declined"


def largest(x, n):
    z = x[:n]
    if z.sum() > 0:
        y = z.max()
    else:
        y = x.min()
    return y


def by_dim(x, n):
    z = x[:n].reshape(n, 1)
    y = x[0] * 1
    if z.sum() > 0:
        y = torch.median(z, dim=0).values[0]
    return y


def by_name(x, n):
    z = x[:n]
    if z.sum() > 0:
        y = z.argmax()
    else:
        y = torch.min(x).long()
    return y


torch.compile(largest)
torch.compile(by_dim)
torch.compile(by_name)
KINDS = (largest, by_dim, by_name)


def run(x, kind: int, n: int):
    return KINDS[kind](x, n)


def cases():
    return [((torch.ones(3), kind, n), {}) for kind in range(3) for n in (0, 2)]
