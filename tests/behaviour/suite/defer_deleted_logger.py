"""Defer: the logger has several names, one of which is deleted in the module and one in the function."""
import logging

import torch

ENTRY = "score"
EXPECT = "fixed"
SINCE = "2.13"  # before, Dynamo knows no type of a logger

logger = logging.getLogger("score.card")
log = logger
del logger


def score(x):
    local = log
    local.warning("scoring %d", x.numel())
    del local
    y = x.softmax(-1)
    log.error("best %s", y.max())
    return y


compiled = torch.compile(score)


def cases():
    return [((torch.tensor([1.0, 2.0]),), {}), ((torch.tensor([[1.0, 2.0, 3.0]]),), {})]
