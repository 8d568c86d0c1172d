import torch


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
    if x.sum() > 0:
        y = checked(x)
    else:
        y = x + 0
    return y
