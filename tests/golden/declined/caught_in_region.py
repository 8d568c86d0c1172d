"""The guard's exception is handled by the compiled code itself."""
import torch


@torch.compile
def run(x: torch.Tensor):
    try:
        if x.isnan().any():
            raise ValueError("NaN")
    except ValueError:
        x = torch.nan_to_num(x)
    return x
