"""Defer: prints under redirect_stdout, and a print to a file object that is read in the same function."""
import contextlib
import io

import torch

ENTRY = "captured"
EXPECT = "declined"


def captured(x):
    buffer = io.StringIO()
    with contextlib.redirect_stdout(buffer):
        print("inside", x.shape[0])
    other = io.StringIO()
    print("to a file", file=other)
    print("outside")
    return x * 2, buffer.getvalue(), other.getvalue()


compiled = torch.compile(captured)


def cases():
    return [((torch.tensor([1.0, 2.0]),), {})]
