"""Defer: warnings.warn in a helper with stacklevel=2 names the caller's line; by category, by instance, by message."""
import warnings

import torch
from torch import nn

ENTRY = "make()"
EXPECT = "declined"


def deprecated(name, since=None):
    warnings.warn(f"`{name}` is deprecated since {since}", FutureWarning, stacklevel=2)


class Pooler(nn.Module):
    def _pool(self, x, dim):
        warnings.warn("pooling over everything", stacklevel=1)
        return x.mean(dim)

    def forward(self, x, dim=None):
        if dim is not None:
            deprecated("dim", since="2.0")
        y = self._pool(x, 0 if dim is None else dim)
        warnings.warn(UserWarning("an instance"))
        return y


def make():
    return Pooler()


def cases():
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    return [((x,), {}), ((x, 1), {}), ((x,), {"dim": 0})]
