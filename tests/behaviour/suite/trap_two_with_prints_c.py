"""Two checks with progress prints in between: what was printed before the raise stays printed, the rest is not."""

import torch

ENTRY, EXPECT, SELF_COMPILED = "step", "fixed", True
EXPECT_BREAKS_BEFORE = 5


def run_step(x, lengths):
    print("enter", tuple(x.shape))
    if (lengths <= 0).any():
        raise ValueError("empty sequence")
    y = x.cumsum(-1)
    print("after the first check")
    if (y > 100).any():
        raise OverflowError("sum too large", 100)
    print("done")
    return y / lengths[:, None]


step = torch.compile(run_step)


def cases():
    x, n = torch.ones(2, 3), torch.tensor([3, 2])
    return [((x, n), {}), ((x * 90, n), {}), ((x * 90, n - 2), {})]
