"""What makes the exception logs: the lambda stands for the function."""
import logging

import torch

log = logging.getLogger("checks")


@torch.compile
def run(x: torch.Tensor):
    if (x > 3).any():
        raise ValueError(log.warning("too big"))
    return x + 1
