"""print under other names; a local function that is called print is none."""
import builtins
from builtins import print as say

import torch

show = print


def outer(x: torch.Tensor):
    def print(*args):
        return args

    print(x)
    return x


@torch.compile
def run(x: torch.Tensor):
    builtins.print("dotted", x)
    say("imported", x)
    show("assigned", x)
    return outer(x)
