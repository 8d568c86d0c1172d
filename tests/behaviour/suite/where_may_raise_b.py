"""An arm that may fail where it is not taken: a division, a look-up, an index."""

import torch

ENTRY = "route"
EXPECT = "declined"

TABLE = {1: 2.0}


def route(x, n, key):
    if x.sum() > 0:
        y = x * (10 // n)
    else:
        y = x
    if x.max() > 1:
        y = y + TABLE[key]
    else:
        y = y - 1
    if x.min() > -5:
        z = x[n + 1]
    else:
        z = y[0]
    return y * z


compiled = torch.compile(route)


def cases():
    return [
        ((torch.tensor(v), n, k), {})
        for v, n, k in (
            ([1.0, 2, 3], 1, 1),
            ([-1.0, 0, 0], 0, 5),
            ([-9.0, 0, 0], 7, 1),
            ([1.0, 2, 3], 0, 1),
            ([1.0, 2, 3], 1, 9),
        )
    ]
