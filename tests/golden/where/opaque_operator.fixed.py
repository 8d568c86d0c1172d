import torch
from graphmend import runtime as _graphmend

@torch.library.custom_op("mine::checked", mutates_args=())
def checked(x: torch.Tensor) -> torch.Tensor:
    if (x < 0).any():
        raise RuntimeError("operator")
    return x * 2


@checked.register_fake
def _(x):
    return torch.empty_like(x)


@torch.compile
def raises_in_arm(x):
    y = _graphmend.cond(x.sum() > 0,
        lambda: checked(x),

        lambda: x + 0)
    return y
