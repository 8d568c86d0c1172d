"""Where: a True by position that is no in-place flag: the sum is new, whatever happens to what was summed."""

import torch

ENTRY, EXPECT = "run", "fixed"


def run(x):
    h = x.clone()
    total = torch.sum(h, 0, True)
    if x.sum() > 0:
        total = total.clamp(-1, 1)
    h.add_(1)
    return total, h * 1


compiled = torch.compile(run)


def cases():
    x = torch.tensor([[1.0, -2.0], [3.0, 0.5]])
    return [((value,), {}) for value in (x, -x)]
