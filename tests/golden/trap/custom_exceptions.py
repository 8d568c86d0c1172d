"""Exceptions of the user's own, with arguments that are read when the guard fails."""
import torch
from torch import nn


class ShapeError(ValueError):
    def __init__(self, message, *, rows, limit=None):
        super().__init__(message)
        self.rows = rows
        self.limit = limit


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.limit = 4.0

    def error(self, x):
        return ShapeError("from a method", rows=x.shape[0])

    def forward(self, x: torch.Tensor, scale: float = 1.0):
        if (x > self.limit).any():
            raise ShapeError("too large", rows=x.shape[0], limit=self.limit)
        if (x * scale > self.limit).any():
            raise ShapeError(
                "too large when scaled",  # by the caller
                rows=len(x),
                limit=self.limit / scale,
            )
        return x
