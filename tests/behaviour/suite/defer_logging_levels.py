"""Defer: %-style logging at several levels through module loggers, with levels that are switched off."""

import logging

import torch
from torch import nn

ENTRY = "make()"
EXPECT = "fixed"

logger = logging.getLogger("vision.patchify")
logger.setLevel(logging.DEBUG)
quiet = logging.getLogger("vision.quiet")
quiet.setLevel(logging.ERROR)


class Patchify(nn.Module):
    def __init__(self, patch=2, width=4):
        super().__init__()
        self.patch = patch
        self.proj = nn.Conv2d(1, width, patch, stride=patch)

    def forward(self, image):
        logger.debug("image %s with patch %d", tuple(image.shape), self.patch)
        if image.shape[-1] % self.patch:
            logger.error("width %(width)d is not a multiple", {"width": image.shape[-1]})
            image = nn.functional.pad(image, (0, self.patch - image.shape[-1] % self.patch))
        quiet.info("never seen %s", image.dtype)
        tokens = self.proj(image).flatten(2)
        logger.info("tokens: %.1f%% of pixels", 100.0 / self.patch**2)
        logger.log(logging.WARNING, "batch of %d", image.shape[0])
        quiet.critical("seen")
        return tokens.transpose(1, 2)


def make():
    return Patchify()


def cases():
    g = torch.Generator().manual_seed(35)
    return [((torch.randn(2, 1, 4, 4, generator=g),), {}), ((torch.randn(1, 1, 4, 5, generator=g),), {})]
