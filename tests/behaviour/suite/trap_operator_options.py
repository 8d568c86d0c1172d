"""Trap: operators that fail on what a guard rejects only with some options: the guard's exception comes first."""

import torch

ENTRY, EXPECT = "run", "declined"


def spectral(x):
    if not torch.isfinite(x).all():
        raise ValueError(f"{x.isnan().sum()} are NaN")
    return x / torch.linalg.norm(x, ord=2, dim=(-2, -1))


def whitened(x):
    if (torch.diagonal(x) <= 0).any():
        raise ValueError("not positive")
    return torch.linalg.cholesky_ex(x, check_errors=True)[0]


def weighted(x):
    weights = x[0].long()
    if (weights < 0).any():
        raise ValueError("negative weights", weights.min())
    return torch.cov(x, fweights=weights)


def by_order(x):
    order = x[0].long() % 5
    if (order >= 3).any():
        raise ValueError("no such place")
    return torch.searchsorted(x[0], x[1], sorter=order)


def filled(x):
    level = x.sum()
    if level > 255:
        raise OverflowError("too bright")
    return torch.zeros(3, dtype=torch.uint8).masked_fill(x[0] > 0, level)


def harmless(x):
    if not torch.isfinite(x).all():
        raise ValueError("not finite")
    return x / torch.linalg.norm(x, ord=2, dim=-1) + torch.linalg.cholesky_ex(x)[0]


KINDS = (spectral, whitened, weighted, by_order, filled, harmless)
for _kind in KINDS:
    torch.compile(_kind)


def run(x, kind: int):
    return KINDS[kind](x)


def cases():
    inputs = (torch.eye(3), -torch.eye(3), torch.full((3, 3), float("nan")), torch.eye(3) * 300, torch.full((3, 3), 3.0))
    return [((x, kind), {}) for kind in range(len(KINDS)) for x in inputs]
