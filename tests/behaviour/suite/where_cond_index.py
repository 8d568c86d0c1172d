"""Indices that are only valid where the arm is taken, also nested, as an early return and of two results."""
import torch
import torch.nn.functional as F

ENTRY, EXPECT = "look_up", "fixed"

TABLE = torch.arange(12.0).reshape(4, 3)


def look_up(x, ids):
    if (ids < 4).all():
        y = F.embedding(ids, TABLE)
    else:
        y = x
    if (top := ids.max()) < x.shape[0]:
        if ids.min() >= 1:
            y = y + x[ids - 1]
        else:
            y = y * top
    if ids.sum() > 100:
        return y, ids - 100
    return x[ids.clamp(max=2)] + y, x.long()[0, ids % 3]


compiled = torch.compile(look_up)


def cases():
    x = torch.arange(9.0).reshape(3, 3) / 10
    ids = ([0, 1, 2], [1, 2, 2], [1, 2, 3], [7, 1, 0], [99, 2, 1])
    return [((x, torch.tensor(i)), {}) for i in ids]
