"""Module-level logger with %-arguments, levels that are off, and a guard."""

import logging

import torch
from torch import nn

logger = logging.getLogger("field.model")
logger.setLevel(logging.INFO)

ENTRY, EXPECT = "Head", "fixed"
EXPECT_BREAKS_BEFORE = 7


class Head(nn.Module):
    def forward(self, hidden):
        logger.debug("never shown %s", hidden.shape)
        logger.info("hidden %s of %d rows", tuple(hidden.shape), hidden.shape[0])
        pooled = hidden.amax(dim=0)
        if logger.isEnabledFor(logging.WARNING):
            logger.warning("pooled mean %.3f", pooled.mean())
        logger.error(
            "plain text with a %% sign",
        )
        return pooled.softmax(-1)


def cases():
    return [((torch.arange(8.0).reshape(2, 4),), {}), ((torch.arange(8.0).reshape(2, 4) * -1,), {})]
