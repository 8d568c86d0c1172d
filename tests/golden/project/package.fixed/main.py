import torch

from .net import Net, check

model = torch.compile(Net())


@torch.compile
def run(x: torch.Tensor):
    check(x, "input")
    return model(x)
