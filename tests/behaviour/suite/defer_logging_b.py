"""Loggers at all levels, a method cached so that it speaks once, and warnings.warn."""

import functools
import logging
import warnings

import torch

ENTRY = "make()"
EXPECT = "fixed"

logger = logging.getLogger("model.norm")
logger.setLevel(logging.INFO)


@functools.lru_cache(None)
def warning_once(self, *args, **kwargs):
    self.warning(*args, **kwargs)


logging.Logger.warning_once = warning_once


class Norm(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(3))

    def forward(self, x):
        variance = x.pow(2).mean(-1, keepdim=True)
        logger.debug("not shown %s", variance)
        logger.info("variance %s of %d", variance.sum(), x.shape[-1])
        logger.warning_once("the fused kernel is missing")
        x = x * torch.rsqrt(variance + 1e-6)
        variance.add_(100)
        logger.error("after")
        warnings.warn("slow path", FutureWarning)
        return self.weight * x


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norms = torch.nn.ModuleList(Norm() for _ in range(2))

    def forward(self, x):
        for norm in self.norms:
            x = norm(x)
        return x


def make():
    return Model()


def cases():
    torch.manual_seed(7)
    return [((torch.randn(2, 3),), {})]
