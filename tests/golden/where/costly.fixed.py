"""Arms that may both run, but cost: torch.cond runs one where it can, as far as selections stand in each other."""
import torch
import torch.nn.functional as F
from torch import nn
from graphmend import runtime as _graphmend

def attend(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor):
    return torch.softmax(q @ k.transpose(-1, -2), -1) @ v


def scale(x: torch.Tensor):
    return x * 2


@torch.compile
class Costly(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(4, 4)
        self.norm = nn.LayerNorm(4)

    def forward(self, x: torch.Tensor):
        x = x * 1
        x = _graphmend.select_one(x.max() > 0,
            lambda: self.mix(x), lambda: x)
        x = _graphmend.select(x.max() > 2,
            lambda: self.norm(x), lambda: x)
        y = _graphmend.select_one(x.min() < 0, lambda: attend(x, x, x), lambda: x)
        z = _graphmend.select(x.min() < 1, lambda: scale(x), lambda: x)
        def _if_true(x):
            for _ in range(3):
                x = x + 1
            return x
        x = _graphmend.select_one(x.sum() > 1, _if_true, lambda x: x, x)
        def _if_true_2(x):
            x = F.conv1d(x[None], self.mix.weight[..., None])[0]
            _graphmend.defer(print, "not in torch.cond")
            return x
        x = _graphmend.select(x.sum() > 2, _if_true_2, lambda x: x, x)
        x = _graphmend.select(x.sum() > 3,
            lambda: x.sort().values,
            lambda: _graphmend.select_one(x.sum() > 4,
                lambda: torch.einsum("ij,jk->ik", x, x),
                lambda: _graphmend.select_one(x.sum() > 5,
                    lambda: torch.kron(x, x),
                    lambda: _graphmend.select_one(x.sum() > 6,
                        lambda: x.mm(x), lambda: x))))
        return _graphmend.select_one(x.sum() > 7,
            lambda: x,
            lambda: self.mix(x) + y + z)
