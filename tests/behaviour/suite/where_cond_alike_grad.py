"""In training: arms that reach the same tensors by one way: an index that may fail, derivatives that are not finite."""
import torch
import torch.nn.functional as F
from torch import nn

ENTRY, EXPECT, GRAD = "make()", "declined", True


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = nn.Linear(3, 3)

    def forward(self, x, ids):
        h = self.mix(x)
        y = h[ids] if ids.max() < 3 else h * 2
        if y.mean() > 0:
            y = self.mix(y).log()
        else:
            y = F.silu(self.mix(y))
        return y + h


def make():
    torch.manual_seed(1)
    return Net()


def cases():
    x = torch.arange(9.0).reshape(3, 3) / 5 - 0.5
    return [((v.clone().requires_grad_(), torch.tensor(i)), {}) for v, i in ((x, [0, 1, 1]), (-x * 4, [3, 1, 0]))]
