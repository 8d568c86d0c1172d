"""Linear attention that takes one kind of mask only and says so in every layer, in training and not: MoLFormer's shape."""
import torch
from torch import nn

ENTRY, EXPECT = "build()", "fixed"


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.project = nn.Linear(4, 4)
        self.register_buffer("basis", torch.eye(4))

    def forward(self, hidden, mask):
        rows = mask[:, 0, -1:, :].transpose(-1, -2)
        if not torch.equal(mask, mask[:, :, :1, :].expand_as(mask)):
            raise ValueError("this attention takes no causal mask")
        features = torch.relu(self.project(hidden) @ self.basis) + 1e-3
        return features * rows


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([Attention(), Attention()])

    def forward(self, hidden, mask, train=False):
        for layer in self.layers:
            hidden = hidden + layer(hidden, mask)
        return hidden / 2 if train else hidden


def build():
    torch.manual_seed(4)
    return Model()


compiled = torch.compile(build())


def cases():
    hidden = torch.linspace(-1, 1, 8).reshape(1, 2, 4)
    ones = torch.ones(1, 1, 2, 2)
    return [((hidden, ones), {}), ((hidden, ones.tril()), {}), ((hidden, ones * 0), {"train": True})]
