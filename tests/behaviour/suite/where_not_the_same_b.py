"""Arms that differ in dtype, shape or kind: torch.where would change the result."""

import torch

ENTRY = "pick"
EXPECT = "declined"


def pick(x, ids, flag):
    if flag.any():
        a = x
    else:
        a = ids
    if x.sum() > 0:
        b = x[:2]
    else:
        b = x
    if x.sum() > 1:
        c = None
    else:
        c = x
    if x.sum() > 2:
        d = 1.5
    else:
        d = x.mean()
    return a, b, c, d * 2


compiled = torch.compile(pick)


def cases():
    ids = torch.arange(4)
    return [
        ((torch.tensor(v), ids, torch.tensor([f])), {})
        for v in ([1.0, 2, 3, 4], [-1.0, -2, 0, 0])
        for f in (True, False)
    ]
