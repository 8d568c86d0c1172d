"""A bare raise has no exception of its own."""
import torch


@torch.compile
def run(x: torch.Tensor):
    try:
        y = torch.linalg.cholesky(x)
    except RuntimeError:
        if x.isnan().any():
            raise
        y = x
    return y
