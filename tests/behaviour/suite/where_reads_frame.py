"""Where, declined: the arms call super() and locals(), which depend on the function that they stand in."""
import torch
from torch import nn

ENTRY = "make()"
EXPECT = "declined"


class Base(nn.Module):
    def scale(self, x):
        return x * 2


class Scaler(Base):
    def scale(self, x):
        return x * 100

    def forward(self, x):
        if x.max() > 1:
            y = super().scale(x)
        else:
            y = self.scale(x)
        z = super().scale(y) if y.sum() > 10 else y
        return y, z, self.named(z)

    def named(self, x):
        seen = 1
        if x.min() < 0:
            seen = len(locals())
        return x + seen


def make():
    return Scaler()


def cases():
    x = torch.tensor([0.5, 0.25])
    return [((x,), {}), ((x * 8,), {}), ((-x,), {})]
