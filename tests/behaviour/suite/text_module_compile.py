"""Text: module.compile() inside the factory; nothing in the file spells torch.compile."""
import torch
from torch import nn

ENTRY, EXPECT, SELF_COMPILED = "make_mlp", "fixed", True


class Mlp(nn.Module):
    def __init__(self):
        super().__init__()
        self.up, self.down = nn.Linear(2, 4), nn.Linear(4, 2)

    def forward(self, x):
        h = self.up(x)
        print("hidden", h.shape)
        if h.abs().max() > 1e3:
            raise OverflowError("hidden state is too large")
        return self.down(h.relu())


def make_mlp():
    mlp = Mlp()
    mlp.compile(dynamic=False)
    return mlp


def cases():
    x = torch.tensor([[1.0, 2.0]])
    return [((x,), {}), ((x * 1e5,), {})]
