"""Defer: sys.stdout, a logger and the print options are changed between two calls of the region."""
import io
import logging
import sys

import torch

ENTRY = "step"
EXPECT = "declined"
log = logging.getLogger("case")


def shown(x):
    print(x / 3)


def step(x, kind):
    if kind == "stdout":
        print("one")
        old = sys.stdout
        sys.stdout = io.StringIO()
        print("two")
        sys.stdout = old
    elif kind == "options":
        print(x / 3)
        torch.set_printoptions(precision=1)
        shown(x)
        torch.set_printoptions(profile="default")
    else:
        log.warning("one")
        log.disabled = True
        log.warning("two")
        log.disabled = False
    return x + 1


compiled = torch.compile(step)


def cases():
    return [((torch.tensor([1.0, 2.0]), kind), {}) for kind in ("stdout", "options", "log")]
