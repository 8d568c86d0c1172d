"""A log call while the exception is made names a caller: the lambda is called by the runtime."""
import logging

import torch
from graphmend import runtime as _graphmend

log = logging.getLogger("checks")


@torch.compile
def run(x: torch.Tensor):
    if (x > 3).any():
        raise ValueError(log.warning("too big", stacklevel=2))
    __debug__ and _graphmend.assert_that((x < 9).all(), lambda: log.info("bigger", stacklevel=1))
    return x + 1
