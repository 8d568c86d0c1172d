import torch


@torch.library.custom_op("mine::checked", mutates_args=())
def checked(x: torch.Tensor) -> torch.Tensor:
    if (x < 0).any():
        raise RuntimeError("operator")
    return x * 2


@checked.register_fake
def _(x):
    return torch.empty_like(x)


@torch.library.custom_op("mine::plain", mutates_args=())
def plain(x: torch.Tensor) -> torch.Tensor:
    return x * 2


@torch.compile
def raises_on_other(x, y):
    if (x < 0).any():
        raise ValueError("negative")
    return checked(y)


@torch.compile
def cannot_raise(x):
    if (x < 0).any():
        raise ValueError("negative")
    return plain(x)
