"""Branches on a logger's level."""
import logging

import torch

logger = logging.getLogger(__name__)


@torch.compile
def run(x: torch.Tensor):
    if logger.isEnabledFor(logging.DEBUG):
        logger.debug("x %s", x)
    if logger.isEnabledFor(logging.INFO):
        # two records
        logger.info("mean %s", x.mean())
        logger.info("shape %s", x.shape)
    if logger.isEnabledFor(10): logger.debug("short")
    return x
