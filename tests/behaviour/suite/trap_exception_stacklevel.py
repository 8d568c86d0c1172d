"""Trap: a log call in a guard's exception names a caller of the function."""
import logging

import torch

ENTRY = "checked"
EXPECT = "declined"

logger = logging.getLogger("checked")


def checked(x):
    if (x > 3).any():
        raise ValueError(logger.warning("too big", stacklevel=2))
    return x + 1


compiled = torch.compile(checked)


def cases():
    return [((torch.tensor(row),), {}) for row in ([1.0, 2.0], [4.0, 0.0])]
