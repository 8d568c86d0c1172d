"""The record holds the exception that is being handled."""
import logging

import torch

logger = logging.getLogger(__name__)


@torch.compile
def run(x: torch.Tensor):
    try:
        y = x + 1
    except RuntimeError:
        logger.exception("failed")
        y = x
    logger.warning("where", stack_info=True)
    return y
