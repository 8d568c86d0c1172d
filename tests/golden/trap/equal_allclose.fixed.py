"""torch.equal and torch.allclose read values; the runtime has forms that stay tensors."""
import torch
from torch import allclose
from graphmend import runtime as _graphmend

@torch.compile
def compare(x: torch.Tensor, y: torch.Tensor):
    _graphmend.raise_if(_graphmend.later(lambda x, y: torch.equal(x, y), x, y),
        lambda: ValueError("equal"))
    _graphmend.raise_unless(_graphmend.later(lambda x, y: torch.allclose(x, y, atol=1e-4), x, y),
        lambda x_shape: ValueError(f"apart: {x_shape}"), x.shape)
    _graphmend.raise_unless(_graphmend.later(lambda x_double, y_double: allclose(x_double, y_double, rtol=1e-3, equal_nan=True), x.double(), y.double()),
        lambda: ValueError("apart in double"))
    return x - y
