"""A log call while the exception is made names a caller: the lambda is called by the runtime."""
import logging

import torch

log = logging.getLogger("checks")


@torch.compile
def run(x: torch.Tensor):
    if (x > 3).any():
        raise ValueError(log.warning("too big", stacklevel=2))
    assert (x < 9).all(), log.info("bigger", stacklevel=1)
    return x + 1
