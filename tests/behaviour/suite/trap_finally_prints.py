"""Trap: a finally body calls functions that print, at once or further in, or through a method."""
import logging

import torch

ENTRY = "Closing"
EXPECT = "declined"

logger = logging.getLogger("closing")


def show(x):
    logger.info("shape %s", tuple(x.shape))


def close(x):
    for _ in range(2):
        show(x)


class Closing(torch.nn.Module):
    def forward(self, x):
        try:
            if (x > 3).any():
                raise ValueError("too big")
        finally:
            close(x)
        try:
            x = self.check(x)
        finally:
            self.done(x.shape)
        return x + 1

    def check(self, x):
        if (x < -3).any():
            raise ValueError("too small")
        return x * 2

    def done(self, shape):
        print("done", len(shape))


def compiled():
    return torch.compile(Closing())


def cases():
    return [((torch.tensor(row),), {}) for row in ([1.0, 2.0], [4.0, 0.0], [-5.0, 1.0])]
