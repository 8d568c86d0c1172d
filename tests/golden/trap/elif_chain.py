"""Arms of an elif chain that raise; what follows the first guard becomes a statement of its own."""
import torch


@torch.compile
def pick(x: torch.Tensor, mode: str):
    if mode == "strict":
        if x.min() < 0:
            raise ValueError("negative")
        elif x.max() > 1:
            raise ValueError("too large")  # more than one
        else:
            y = x * 2
    elif mode == "sum" and x.sum() == 0:
        raise ZeroDivisionError("sum is 0")
    elif mode == "mean":
        y = x.mean()
    else:
        y = x
    return y


@torch.compile
def two_kinds(x: torch.Tensor):
    if x.isnan().any():
        raise ValueError("NaN")
    elif x.isinf().any():
        raise OverflowError("Inf")
    return x + 1
