"""torch.equal and torch.allclose read values; the runtime has forms that stay tensors."""
import torch
from torch import allclose


@torch.compile
def compare(x: torch.Tensor, y: torch.Tensor):
    if torch.equal(x, y):
        raise ValueError("equal")
    if not torch.allclose(x, y, atol=1e-4):
        raise ValueError(f"apart: {x.shape}")
    if not allclose(x.double(), y.double(), rtol=1e-3, equal_nan=True):
        raise ValueError("apart in double")
    return x - y
