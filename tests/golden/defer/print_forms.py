"""Every form of print: keywords, stars, no arguments, several on a line, long ones."""
import sys

import torch


@torch.compile
def show(x: torch.Tensor, *rest, **more):
    print()
    print("x", x, sep="=", end="!\n")
    print(x, file=sys.stderr, flush=True)
    print(*rest, **more)
    print("a"); print("b")  # two on a line
    if x.dim() > 1: print("rank", x.dim())
    print(
        "over",  # a comment
        "several lines",
        x.shape,
    )
    return x
