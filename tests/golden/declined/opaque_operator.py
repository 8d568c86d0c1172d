import torch


@torch.library.custom_op("mine::checked", mutates_args=())
def checked(x: torch.Tensor) -> torch.Tensor:
    if (x < 0).any():
        raise RuntimeError("operator")
    return x * 2


@checked.register_fake
def _(x):
    return torch.empty_like(x)


@torch.library.custom_op("mine::shown", mutates_args=())
def shown(x: torch.Tensor) -> torch.Tensor:
    print("shown")
    return torch.zeros(2)


@torch.library.custom_op("mine::doubled", mutates_args=("x",))
def doubled(x: torch.Tensor) -> None:
    x.mul_(2)


def outside(x):
    return x * 2


wrapped = torch.compiler.allow_in_graph(outside)


@torch.compile
def raises(x):
    if (x < 0).any():
        raise ValueError("negative")
    return checked(x)


@torch.compile
def prints(x, y):
    if (x < 0).any():
        raise ValueError("negative")
    return shown(y)


@torch.compile
def changes(x, y):
    if (x < 0).any():
        raise ValueError("negative")
    doubled(y)
    return y


@torch.compile
def raises_by_name(x):
    x = x + 0
    if (x < 0).any():
        raise ValueError("negative")
    return torch.ops.mine.checked(x * 2)


@torch.compile
def calls_wrapped(x):
    x = x + 0
    if (x < 0).any():
        raise ValueError("negative")
    return wrapped(x * 2)


@torch.compile
def prints_in_arm(x):
    if x.sum() > 0:
        y = shown(x)
    else:
        y = x + 0
    return y
