"""Defer: logging under other names, and the module's own functions, which speak for the root logger."""
import logging as lg
from logging import WARNING as LOUD
from logging import getLogger as gl
from warnings import warn

import torch

ENTRY = "fold"
EXPECT = "fixed"

log = gl("fold.deep")


def fold(x, chunks=2):
    log.warning("folding %s", tuple(x.shape))
    parts = x.chunk(chunks)
    lg.warning("root hears %d parts", len(parts))
    y = torch.stack(parts).sum(0)
    log.log(LOUD, "folded")
    warn("folded once", RuntimeWarning)
    return y


compiled = torch.compile(fold)


def cases():
    return [((torch.arange(4.0),), {}), ((torch.arange(6.0), 3), {})]
