"""Trap: the handler stands two callers above the guard, and turns the exception into a fallback."""
import torch
from torch import nn

ENTRY = "make()"
EXPECT = "declined"


class Whitening(nn.Module):
    def _factor(self, cov):
        if (cov.diagonal() <= 0).any():
            raise ArithmeticError("covariance is not positive")
        return cov.diagonal().rsqrt()

    def _scale(self, x):
        cov = x.t() @ x / x.shape[0]
        return x * self._factor(cov)

    def forward(self, x):
        try:
            y = self._scale(x)
        except (ArithmeticError, LookupError):
            y = torch.zeros_like(x)
        return y + 1


def make():
    return Whitening()


def cases():
    g = torch.Generator().manual_seed(101)
    x = torch.randn(5, 3, generator=g)
    flat = x.clone()
    flat[:, 1] = 0.0
    return [((x,), {}), ((flat,), {})]
