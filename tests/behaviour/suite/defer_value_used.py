"""Defer: the value of the call is used: bound, returned, passed on, tested."""
import logging

import torch

ENTRY = "outcome"
EXPECT = "declined"

logger = logging.getLogger("outcome")


def outcome(x):
    shown = print("first")
    kept = [print("in a list"), logger.warning("and a log")]
    y = x + len(kept)
    if not print("tested"):
        y = y * 2
    assert logger.warning("asserted") is None
    return y, shown, kept, (lambda: print("lambda"))()


compiled = torch.compile(outcome)


def cases():
    return [((torch.tensor([1.0, 2.0]),), {})]
