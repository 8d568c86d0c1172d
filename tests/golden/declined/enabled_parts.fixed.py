"""All of a branch on the logger's level is asked before any of it is rewritten."""
import logging

import torch
from graphmend import runtime as _graphmend

logger = logging.getLogger(__name__)


@torch.compile
def run(x: torch.Tensor, known, level):
    if known:
        count = 3
    if logger.isEnabledFor(logging.INFO):
        _graphmend.defer(lambda x_shape: logger.info("rows %d", x_shape), x.shape[0])
        _graphmend.defer(lambda count: logger.info("count %d", count), count)
    if logger.isEnabledFor(level):
        _graphmend.defer(lambda: logger.info("level"))
        _graphmend.defer(lambda: logger.info("level again"))
    if logger.isEnabledFor(logging.INFO):
        logger.info("rows %d", x.shape[0], exc_info=True)
    if logger.isEnabledFor(logging.INFO):
        logger.info("rows")  # graphmend: ignore[GM302]
    return x
