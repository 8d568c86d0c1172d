"""Arms that must not both run: torch.cond runs the one that is taken."""
import torch
import torch.nn.functional as F
from torch import nn


@torch.compile
class Noisy(nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = nn.Dropout(0.1)
        self.table = nn.Embedding(10, 4)

    def forward(self, x: torch.Tensor, ids: torch.Tensor, names: dict):
        if x.std() < 0.1:
            x = x + torch.randn_like(x)
        if x.max() > 1:
            x = self.drop(x)
        elif x.min() < -1:
            x = F.dropout(x, 0.2)
        else:
            scale = names["scale"]
            x = x * scale
        if (found := ids.sum()) > 3:
            if x.mean() > 0:
                y = self.table(ids - 3)
            else:
                y = x
        else:
            y = x * found
        z = x[ids] if (ids >= 0).all() else x
        if y.sum() > 0:
            return y[ids], z
        return y, z


@torch.compile
class Plain(nn.Module):
    """Both arms may run: torch.where is enough."""

    def forward(self, x: torch.Tensor):
        if x.max() > 1:
            x = x.clamp(max=1)
        return x
