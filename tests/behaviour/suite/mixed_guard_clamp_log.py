"""Mixed: log, warn, raise and a data-dependent clamp in the forward of a module and its helper."""

import logging
import warnings

import torch
from torch import nn

ENTRY = "make()"
EXPECT = "fixed"

log = logging.getLogger("codec.quantizer")
log.setLevel(logging.INFO)


class LatentQuantizer(nn.Module):
    def __init__(self, levels=5):
        super().__init__()
        self.levels = levels
        self.register_buffer("step", torch.tensor(0.25))

    def _bounded(self, z):
        limit = self.step * (self.levels // 2)
        if z.abs().max() > limit:
            z = limit * torch.tanh(z / limit)
        return z

    def forward(self, z, strict=False):
        log.info("latent %s", tuple(z.shape))
        if torch.isnan(z).any():
            raise ValueError("latent has NaN")
        if z.dim() == 2:
            warnings.warn("latent without batch", RuntimeWarning)
            z = z[None]
        z = self._bounded(z)
        codes = torch.round(z / self.step)
        if strict and not (codes != 0).any():
            raise RuntimeError(f"only zeros in {self.levels} levels")
        log.info("codes %s", codes.dtype)
        return z + (codes * self.step - z).detach(), codes.long()


def make():
    return LatentQuantizer()


def cases():
    g = torch.Generator().manual_seed(42)
    z = torch.randn(2, 3, 4, generator=g)
    nan = z.clone()
    nan[0, 0, 0] = float("nan")
    return [((z,), {}), ((z * 0.1,), {}), ((nan,), {}), ((z[0],), {}), ((z * 0.01, True), {}), ((z,), {"strict": True})]
