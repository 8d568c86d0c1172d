"""A part that is decided while tracing keeps Python's own operator."""
import torch
from torch import nn
from graphmend import runtime as _graphmend

class Net(nn.Module):
    def __init__(self, check: bool = True):
        super().__init__()
        self.check = check

    def forward(self, x: torch.Tensor, mask=None):
        _graphmend.raise_if(self.check and torch.isnan(x).any(),
            lambda: ValueError("NaN"))
        _graphmend.raise_if(x.dim() == 3 and self.training and (x < 0).any(),
            lambda: ValueError("negative"))
        _graphmend.raise_if(mask is not None and mask.shape[-1] != x.shape[-1] or (x > 9).any(),
            lambda: ValueError("mask or size"))
        if self.check:
            _graphmend.raise_if((x == 0).all(),
                lambda: ZeroDivisionError("all zero"))
        return x * 2
