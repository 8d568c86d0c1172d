"""The names that a rewrite would take are the user's already."""
import torch

_graphmend = "mine"


def _if_true():
    return _graphmend


@torch.compile
def run(x: torch.Tensor, _if_false: torch.Tensor):
    if x.sum() > 0:
        a = x + 1
        x = a * _if_false
    else:
        b = x - 1
        x = b * 2
    print(f"{x.mean()}", x_mean := 3)
    return x
