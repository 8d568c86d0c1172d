"""Defer: prints before early returns, and one after a call whose result is returned from several places."""

import torch

ENTRY = "resize_positions"
EXPECT = "fixed"


def resize_positions(table, length, mode="linear"):
    current = table.shape[0]
    if length == current:
        print("nothing to resize")
        return table
    if length < current:
        print("cutting", current - length, "rows")
        return table[:length]
    print("growing with", mode)
    if mode == "repeat":
        times = -(-length // current)
        return table.repeat(times, 1)[:length]
    grown = torch.nn.functional.interpolate(table.t()[None], size=length, mode=mode, align_corners=True)
    try:
        return grown[0].t()
    finally:
        print("grown to", length)


compiled = torch.compile(resize_positions)


def cases():
    g = torch.Generator().manual_seed(40)
    table = torch.randn(4, 3, generator=g)
    return [((table, 4), {}), ((table, 2), {}), ((table, 7), {}), ((table, 9), {"mode": "repeat"})]
