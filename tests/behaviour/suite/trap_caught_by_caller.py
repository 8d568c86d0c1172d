"""Trap: a helper raises and its caller catches and goes on: deferring past the caller would change the result."""

import torch
from torch import nn

ENTRY = "make()"
EXPECT = "declined"


class EnergyGate(nn.Module):
    def __init__(self):
        super().__init__()
        self.gain = nn.Parameter(torch.tensor(2.0))

    def _validated(self, frame):
        energy = frame.square().mean(dim=-1)
        if torch.isnan(energy).any():
            raise ValueError("NaN in frame")
        return energy

    def forward(self, frame):
        try:
            energy = self._validated(frame)
        except ValueError:
            frame = torch.nan_to_num(frame)
            energy = frame.square().mean(dim=-1)
        gate = torch.sigmoid(self.gain * energy)
        return frame * gate.unsqueeze(-1)


def make():
    return EnergyGate()


def cases():
    g = torch.Generator().manual_seed(31)
    frame = torch.randn(3, 6, generator=g)
    holes = frame.clone()
    holes[1, 4] = float("nan")
    return [((frame,), {}), ((holes,), {})]
