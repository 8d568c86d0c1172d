"""Exceptions of the user's own, with arguments that are read when the guard fails."""
import torch
from torch import nn
from graphmend import runtime as _graphmend

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
        _graphmend.raise_if((x > self.limit).any(),
            lambda x_shape, limit: ShapeError("too large", rows=x_shape, limit=limit), x.shape[0], self.limit)
        _graphmend.raise_if((x * scale > self.limit).any(),
            lambda len_x, limit, scale: ShapeError(
                "too large when scaled",  # by the caller
                rows=len_x,
                limit=limit / scale,
            ), len(x), self.limit, scale)
        return x
