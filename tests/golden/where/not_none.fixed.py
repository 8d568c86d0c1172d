"""In the arm the mask is no None: the test says so."""
import torch
from torch import nn
from graphmend import runtime as _graphmend

class Mixer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inward = nn.Linear(4, 4)

    def forward(self, hidden: torch.Tensor, mask=None):
        hidden = _graphmend.select(mask is not None and _graphmend.negate(torch.all(mask == 1)),
            lambda: hidden * mask.unsqueeze(-1), lambda: hidden)
        out = self.inward(hidden)  # a new tensor, which may be changed
        out += 1
        return out
