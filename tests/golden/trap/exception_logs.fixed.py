"""What makes the exception logs: the lambda stands for the function."""
import logging

import torch
from graphmend import runtime as _graphmend

log = logging.getLogger("checks")


@torch.compile
def run(x: torch.Tensor):
    _graphmend.raise_if((x > 3).any(),
        lambda: ValueError(log.warning("too big")))
    return x + 1
