"""raise ... from: the cause is made with the exception."""
import torch


class Bad(Exception):
    pass


@torch.compile
def decode(x: torch.Tensor, reason: Exception):
    if (x < 0).any():
        raise ValueError("negative") from reason
    if (x > 9).any():
        raise Bad(f"max {x.max()}") from OverflowError("9")
    if (x == 5).any():
        raise ValueError("five") from None
    return x
