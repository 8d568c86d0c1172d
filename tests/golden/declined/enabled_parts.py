"""All of a branch on the logger's level is asked before any of it is rewritten."""
import logging

import torch

logger = logging.getLogger(__name__)


@torch.compile
def run(x: torch.Tensor, known, level):
    if known:
        count = 3
    if logger.isEnabledFor(logging.INFO):
        logger.info("rows %d", x.shape[0])
        logger.info("count %d", count)
    if logger.isEnabledFor(level):
        logger.info("level")
        logger.info("level again")
    if logger.isEnabledFor(logging.INFO):
        logger.info("rows %d", x.shape[0], exc_info=True)
    if logger.isEnabledFor(logging.INFO):
        logger.info("rows")  # graphmend: ignore[GM302]
    return x
