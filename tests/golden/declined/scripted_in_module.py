import torch


def helper(x):
    print("helper")
    return x


@torch.compile
def scale(x):
    return helper(x) * 2


scripted = torch.jit.script(helper)
