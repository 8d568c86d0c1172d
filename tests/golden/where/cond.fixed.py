"""Arms that must not both run: torch.cond runs the one that is taken."""
import torch
import torch.nn.functional as F
from torch import nn
from graphmend import runtime as _graphmend

@torch.compile
class Noisy(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.1)
        self.table = nn.Embedding(10, 4)

    def forward(self, x: torch.Tensor, ids: torch.Tensor, names: dict):
        x = _graphmend.cond(x.std() < 0.1,
            lambda: x + torch.randn_like(x), lambda: x, random=True)
        def _if_false(x):
            def _if_false_2(x):
                scale = names["scale"]
                x = x * scale
                return x
            x = _graphmend.cond(x.min() < -1, lambda x: F.dropout(x, 0.2), _if_false_2, x, random=True)
            return x
        x = _graphmend.cond(x.max() > 1, lambda x: self.drop(x), _if_false, x, random=True)
        y = _graphmend.cond((found := ids.sum()) > 3,
            lambda: _graphmend.cond(x.mean() > 0,
                lambda: self.table(ids - 3),

                lambda: x),

            lambda: x * found)
        z = _graphmend.cond((ids >= 0).all(), lambda: x[ids], lambda: x)
        return _graphmend.cond(y.sum() > 0,
            lambda: (y[ids], z),
            lambda: (y, z))


@torch.compile
class Plain(nn.Module):
    """Both arms may run: torch.where is enough."""

    def forward(self, x: torch.Tensor):
        x = _graphmend.select(x.max() > 1,
            lambda: x.clamp(max=1), lambda: x, smooth=True)
        return x
