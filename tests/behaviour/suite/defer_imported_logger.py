"""Defer: the logger is another module's, under its own name and as an attribute of that module."""
import _shared_log
import torch
from _shared_log import logger as shared

ENTRY = "ema"
EXPECT = "fixed"


def ema(value, average, decay=0.9):
    shared.info("decay %s", decay)
    new = decay * average + (1 - decay) * value
    _shared_log.logger.warning("average of %d values", value.numel())
    return new


compiled = torch.compile(ema)


def cases():
    v = torch.tensor([1.0, 2.0])
    return [((v, v * 0), {}), ((v, v), {"decay": 0.5})]
