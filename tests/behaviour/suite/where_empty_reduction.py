"""Where: an arm would fail when it runs (a reduction of no elements and others) though tracing accepts it."""

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


def beyond(x, n):
    y = x * 2
    if x.sum() > 30:
        y = x.as_strided((5,), (1,)).sum() + x
    return y


def of_floats(x, n):
    y = x * 2
    if x.sum() > 30:
        y = x & x
    return y


def spread(x, n):
    y = x * 2
    if x.sum() > 30:
        y = x[:n].std() + x
    return y


torch.compile(largest)
torch.compile(by_dim)
torch.compile(by_name)
torch.compile(beyond)
torch.compile(of_floats)
torch.compile(spread)
KINDS = (largest, by_dim, by_name, beyond, of_floats, spread)


def run(x, kind: int, n: int):
    return KINDS[kind](x, n)


def cases():
    return [((torch.ones(3), kind, n), {}) for kind in range(6) for n in ((0, 2) if kind < 3 else (0,))]
