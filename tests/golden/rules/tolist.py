"""GM402: tolist. That of an array is none of ours when nothing is compiled from it."""
import torch


@torch.compile
def run(x: torch.Tensor):
    sizes = x.tolist()
    return torch.stack([x, x]), sizes


def eager(x: torch.Tensor):
    return x.tolist()
