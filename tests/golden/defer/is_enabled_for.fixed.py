"""Branches on a logger's level."""
import logging

import torch
from graphmend import runtime as _graphmend

logger = logging.getLogger(__name__)


@torch.compile
def run(x: torch.Tensor):
    _graphmend.defer(lambda x: logger.isEnabledFor(logging.DEBUG)
        and logger.debug("x %s", x), x)
    _graphmend.defer(lambda x: logger.isEnabledFor(logging.INFO)
        # two records
        and logger.info("mean %s", x.mean()), x)
    _graphmend.defer(lambda x_shape: logger.isEnabledFor(logging.INFO) and logger.info("shape %s", x_shape), x.shape)
    _graphmend.defer(lambda: logger.isEnabledFor(10) and logger.debug("short"))
    return x
