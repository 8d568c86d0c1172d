"""Trap: what makes the exception of a guard logs: the record names the user's function, file and line."""
import logging

import torch

ENTRY = "Checked"
EXPECT = "fixed"

logger = logging.getLogger("checked")


class Rejected(ValueError):
    def __init__(self, why):
        super().__init__(why)
        logger.error("rejected: %s", why)


def noted(why):
    logger.info("noted %s", why)
    return why


class Checked(torch.nn.Module):
    def forward(self, x):
        if (x > 3).any():
            raise ValueError(logger.warning("too big"), noted("so"))
        assert (x > -3).all(), logger.warning("too small")
        if x.sum() > 5:
            raise Rejected("sum")
        return x + 1


def compiled():
    return torch.compile(Checked())


def cases():
    rows = ([1.0, 2.0], [4.0, 0.0], [-5.0, 1.0], [3.0, 2.5])
    return [((torch.tensor(row),), {}) for row in rows]
