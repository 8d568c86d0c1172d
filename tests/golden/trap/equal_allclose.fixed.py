"""torch.equal and torch.allclose read values; the runtime has forms that stay tensors."""
import torch
from torch import allclose
from graphmend import runtime as _graphmend

@torch.compile
def compare(x: torch.Tensor, y: torch.Tensor):
    _graphmend.raise_if(_graphmend.equal(x, y),
        lambda: ValueError("equal"))
    _graphmend.raise_unless(_graphmend.allclose(x, y, atol=1e-4),
        lambda x_shape: ValueError(f"apart: {x_shape}"), x.shape)
    _graphmend.raise_unless(_graphmend.allclose(x.double(), y.double(), rtol=1e-3, equal_nan=True),
        lambda: ValueError("apart in double"))
    return x - y
