"""One arm runs a layer, the other does not; only one arm defines a local."""

import torch

ENTRY = "make()"
EXPECT = "fixed"


class Skip(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.mix = torch.nn.Linear(4, 4)
        self.bias = torch.nn.Parameter(torch.ones(4))

    def forward(self, h):
        if torch.any(h > 2):
            mixed = self.mix(h)
            h = mixed + self.bias
        return torch.tanh(h)


def make():
    return Skip().eval()


def cases():
    torch.manual_seed(5)
    return [((torch.randn(3, 4),), {}), ((torch.randn(3, 4) + 4,), {})]
