"""Defer: prints as arms of a conditional expression and of and/or."""
import torch

ENTRY = "trace"
EXPECT = "declined"


def trace(x, verbose=True, level=0):
    print("on") if verbose else None
    y = x * 2
    verbose and print("doubled", y)
    level or print("level is zero")
    (print("left"), print("right"))
    return y if print("leaving") is None else x


compiled = torch.compile(trace)


def cases():
    x = torch.tensor([1.0, 2.0])
    return [((x,), {}), ((x, False), {}), ((x,), {"level": 2})]
