"""Prints with sep, end and file, of tensors and lists that change afterwards."""

import sys

import torch

ENTRY = "trace"
EXPECT = "fixed"


def trace(x):
    seen = [x.shape[0]]
    h = x.sin()
    print("h", h, sep="=", end=";\n")
    print(f"mean {h.mean():.3f}", seen)
    h.mul_(100)
    seen.append("later")
    print("warn", h.max(), file=sys.stderr)
    for i in range(2):
        print("round", i, h[i])
        h = h + 1
    return h.cos()


compiled = torch.compile(trace)


def cases():
    torch.manual_seed(6)
    return [((torch.randn(3),), {})]
