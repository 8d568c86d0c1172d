"""Trap: as trap_place_in_other, but one of the tensors is shorter: the guard's exception still comes first."""

import torch

ENTRY, EXPECT = "run", "fixed"


def run(x, rows, kind: int):
    if not torch.isfinite(x).all():
        raise ValueError("not finite")
    if kind == 0:
        return torch.gather(rows, 1, x.topk(2, dim=1)[1])
    if kind == 1:
        return rows.index_select(0, x.argmax(dim=0))
    best, at = x.sort(dim=1)
    return torch.take_along_dim(rows, at, dim=1) * best


compiled = torch.compile(run)


def cases():
    x = torch.tensor([[3.0, 1.0, 2.0], [3.0, 2.5, 0.5]])
    worse = torch.tensor([[0.0, 0.0, float("inf")], [-2.0, 0.0, 1.0]])
    wide, short, rows = torch.ones(2, 3), torch.ones(2, 2), torch.ones(1, 3)
    found = [((x, rows, 1), {}), ((worse.flip(0), rows, 1), {})]
    pairs = [(x, wide), (worse, wide), (x, short), (worse, short)]
    return found + [((a, b, kind), {}) for kind in range(3) for a, b in pairs]
