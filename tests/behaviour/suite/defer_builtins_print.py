"""Defer: print by other names: builtins.print, imported from builtins, an alias of the module's own."""
import builtins
from builtins import print as say

import torch

ENTRY = "mix"
EXPECT = "fixed"

show = print


def mix(a, b):
    builtins.print("mixing", a.shape)
    c = a + b
    say("sum", c, sep="=")
    c = c * 2
    show("twice", c.mean())
    return c


compiled = torch.compile(mix)


def cases():
    a = torch.tensor([1.0, 2.0])
    return [((a, a), {}), ((a, -a), {})]
