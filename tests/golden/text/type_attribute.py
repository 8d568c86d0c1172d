"""The grammar reads an assignment to an attribute of type(x) as a type alias."""
import torch


class Config:
    calls = 0


@torch.compile
def run(x: torch.Tensor, configs: list[Config], at: slice):
    type(configs[at.start]).calls = 1
    print("x", x)
    return x
