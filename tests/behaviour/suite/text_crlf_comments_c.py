"""CRLF line ends, comments between the statements of a mended function."""

import torch

ENTRY, EXPECT, SELF_COMPILED = "fn", "fixed", True
EXPECT_BREAKS_BEFORE = 2
TEXT = {"newline": "crlf", "keep": ["# one: above", "# two: at the end of a line", "# three: below", "x  +  1"]}


@torch.compile
def fn(x):
    y = x + 1
    # one: above
    print("y", y.shape)  # two: at the end of a line
    # three: below
    if y.max() > 5:
        raise ValueError("too large")
    return y * 2


def cases():
    return [((torch.ones(2),), {}), ((torch.ones(2) * 9,), {})]
