"""print under other names; a local function that is called print is none."""
import builtins
from builtins import print as say

import torch
from graphmend import runtime as _graphmend

show = print


def outer(x: torch.Tensor):
    def print(*args):
        return args

    print(x)
    return x


@torch.compile
def run(x: torch.Tensor):
    _graphmend.defer(lambda x: builtins.print("dotted", x), x)
    _graphmend.defer(lambda x: say("imported", x), x)
    _graphmend.defer(lambda x: show("assigned", x), x)
    return outer(x)
