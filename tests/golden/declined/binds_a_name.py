"""A walrus would bind its name at another time, or elsewhere."""
import torch


@torch.compile
def run(x: torch.Tensor):
    if x.isnan().any():
        raise ValueError(f"{(n := x.shape[0])} rows")
    y = (half := x / 2) if x.max() > 1 else x
    return y
