"""Defer: all of a branch on the logger's level is asked before any of it is rewritten, and as it would be outside of it."""
import logging

import torch

ENTRY = "step"
EXPECT = "declined"

logger = logging.getLogger("step.parts")
logger.setLevel(logging.INFO)


def step(x, known, level):
    if known:
        count = 3
    if logger.isEnabledFor(logging.INFO):
        logger.info("rows %d", x.shape[0])
        logger.info("count %d", count if known else 0)
    if logger.isEnabledFor(level):
        logger.info("level %d", level)
        logger.info("rows %d", x.shape[0])
    level = logging.NOTSET
    try:
        raise KeyError(x.shape[0])
    except KeyError:
        if logger.isEnabledFor(logging.INFO):
            logger.info("handled %d", x.shape[0], exc_info=True)
    return x + level


compiled = torch.compile(step)


def cases():
    x = torch.tensor([1.0, 2.0])
    return [((x, False, 20), {}), ((-x, True, 10), {}), ((x, True, 40), {})]
