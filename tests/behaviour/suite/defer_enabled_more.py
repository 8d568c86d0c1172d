"""Defer, declined: the branch on the logger's level computes, and changes a tensor; another has an else."""
import logging

import torch

ENTRY = "step"
EXPECT = "declined"

logger = logging.getLogger("step.more")
logger.setLevel(logging.INFO)


def step(x, seen):
    if logger.isEnabledFor(logging.INFO):
        seen.add_(1)
        x = x * 2
        logger.info("doubled to %s", x.sum().item())
    if logger.isEnabledFor(logging.DEBUG):
        logger.debug("never %s", x)
    else:
        x = x + 1
    return x, seen * 3


compiled = torch.compile(step)


def cases():
    x = torch.tensor([1.0, 2.0])
    return [((x, torch.zeros(1)), {}), ((-x, torch.ones(1)), {})]
