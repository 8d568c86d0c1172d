"""Defer: prints inside a loop over layers and inside the submodules that the loop calls."""

import torch
from torch import nn

ENTRY = "make()"
EXPECT = "fixed"


class GatedConv(nn.Module):
    def __init__(self, channels, dilation):
        super().__init__()
        self.dilation = dilation
        self.conv = nn.Conv1d(channels, 2 * channels, 3, padding=dilation, dilation=dilation)

    def forward(self, x):
        print("  dilation", self.dilation)
        a, b = self.conv(x).chunk(2, dim=1)
        return x + torch.tanh(a) * torch.sigmoid(b)


class WaveStack(nn.Module):
    def __init__(self, channels=2, depth=3):
        super().__init__()
        self.layers = nn.ModuleList(GatedConv(channels, 2**i) for i in range(depth))

    def forward(self, x, stop=None):
        skips = []
        for number, layer in enumerate(self.layers):
            if number == stop:
                print("stopped early at", number)
                break
            print(f"layer {number}")
            x = layer(x)
            skips.append(x)
        print("collected", len(skips))
        return torch.stack(skips).sum(dim=0)


def make():
    return WaveStack()


def cases():
    g = torch.Generator().manual_seed(37)
    x = torch.randn(1, 2, 8, generator=g)
    return [((x,), {}), ((x, 2), {}), ((x,), {"stop": 1})]
