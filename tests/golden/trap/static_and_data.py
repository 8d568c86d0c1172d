"""A part that is decided while tracing keeps Python's own operator."""
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, check: bool = True):
        super().__init__()
        self.check = check

    def forward(self, x: torch.Tensor, mask=None):
        if self.check and torch.isnan(x).any():
            raise ValueError("NaN")
        if x.dim() == 3 and self.training and (x < 0).any():
            raise ValueError("negative")
        if mask is not None and mask.shape[-1] != x.shape[-1] or (x > 9).any():
            raise ValueError("mask or size")
        if self.check:
            if (x == 0).all():
                raise ZeroDivisionError("all zero")
        return x * 2
