"""Where: the half-precision overflow clamp of encoder blocks; static test first, tensor test second."""

import torch
from torch import nn

ENTRY = "make()"
EXPECT = "fixed"


class FeedForward(nn.Module):
    def __init__(self, width=6):
        super().__init__()
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)

    def forward(self, hidden_states, widen=False):
        residual = hidden_states
        inner = torch.relu(self.up(hidden_states.float()))
        hidden_states = self.down(inner).to(residual.dtype) + residual
        if hidden_states.dtype == torch.float16 and not torch.isfinite(hidden_states).all():
            clamp_value = torch.finfo(hidden_states.dtype).max - 1000
            hidden_states = torch.clamp(hidden_states, min=-clamp_value, max=clamp_value)
        if widen:
            hidden_states = hidden_states.float()
        return hidden_states


def make():
    return FeedForward()


def cases():
    g = torch.Generator().manual_seed(1)
    x = torch.randn(2, 3, 6, generator=g)
    half = x.half()
    hot = half.clone()
    hot[0, 1, 2] = float("inf")
    hot[1, 2, 0] = 65000.0
    return [((x,), {}), ((half,), {}), ((hot,), {}), ((hot,), {"widen": True}), ((half, True), {})]
