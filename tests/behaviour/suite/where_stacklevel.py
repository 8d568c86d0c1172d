"""Where: stacklevel in an arm, an arm of an arm and a loop's body counts from the function that they are in."""

import logging
import warnings

import torch

ENTRY = "step"
EXPECT, SELF_COMPILED = "fixed", True

logger = logging.getLogger(__name__)


@torch.compile
def forward(x: torch.Tensor):
    if x.sum() > 0:
        warnings.warn("positive", stacklevel=2)
        logger.warning("positive", stacklevel=2)
        if x.max() > 1:
            warnings.warn("large", FutureWarning, stacklevel=2)
    else:
        logger.warning("negative", stacklevel=3)
    y = x
    for i in range(3):
        y = y + x
        warnings.warn("turn", UserWarning, 2)
        if y.sum() > 5:
            break
        x = x + 1
    return y


def step(x):
    return forward(x)


def cases():
    return [((torch.ones(3) * n,), {}) for n in (1, 2, -1, 0)]
