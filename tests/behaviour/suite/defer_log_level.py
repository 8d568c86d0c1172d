"""Defer: logger.log with a level that is computed, critical, extra=, and a level of the project's own."""
import logging

import torch

ENTRY = "anneal"
EXPECT = "fixed"

NOTICE = 25
logging.addLevelName(NOTICE, "NOTICE")
logger = logging.getLogger("anneal")
logger.setLevel(logging.INFO)


def anneal(x, step, verbose=False):
    level = logging.INFO if verbose else logging.DEBUG
    logger.log(level, "step %d", step)
    y = x * 0.5**step
    logger.log(NOTICE, "norm is %s", y.norm())
    logger.log(logging.INFO + 10 * (step > 2), "late" if step > 2 else "early")
    logger.critical("done", extra={"step": step})
    return y


compiled = torch.compile(anneal)


def cases():
    x = torch.tensor([3.0, 4.0])
    return [((x, 1), {}), ((x, 3), {"verbose": True})]
