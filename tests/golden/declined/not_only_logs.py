"""The branch on the logger's level computes something."""
import logging

import torch

logger = logging.getLogger(__name__)


@torch.compile
def run(x: torch.Tensor):
    if logger.isEnabledFor(logging.DEBUG):
        x = x * 2
        logger.debug("doubled")
    return x
