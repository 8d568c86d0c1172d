"""The names that a rewrite would take are the user's already."""
import torch
from graphmend import runtime as _graphmend_2

_graphmend = "mine"


def _if_true():
    return _graphmend


@torch.compile
def run(x: torch.Tensor, _if_false: torch.Tensor):
    def _if_true_2(x):
        a = x + 1
        x = a * _if_false
        return x
    def _if_false_2(x):
        b = x - 1
        x = b * 2
        return x
    x = _graphmend_2.select(x.sum() > 0, _if_true_2, _if_false_2, x)
    _graphmend_2.defer(lambda x_mean, value: print(f"{x_mean}", value), x.mean(), (x_mean := 3))
    return x
