"""Arms that may both run, but cost: torch.cond runs one where it can, as far as selections stand in each other."""
import torch
import torch.nn.functional as F
from torch import nn


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
        if x.max() > 0:
            x = self.mix(x)
        if x.max() > 2:
            x = self.norm(x)
        y = attend(x, x, x) if x.min() < 0 else x
        z = scale(x) if x.min() < 1 else x
        if x.sum() > 1:
            for _ in range(3):
                x = x + 1
        if x.sum() > 2:
            x = F.conv1d(x[None], self.mix.weight[..., None])[0]
            print("not in torch.cond")
        if x.sum() > 3:
            x = x.sort().values
        elif x.sum() > 4:
            x = torch.einsum("ij,jk->ik", x, x)
        elif x.sum() > 5:
            x = torch.kron(x, x)
        elif x.sum() > 6:
            x = x.mm(x)
        if x.sum() > 7:
            return x
        return self.mix(x) + y + z
