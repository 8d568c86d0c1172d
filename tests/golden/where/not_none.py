"""In the arm the mask is no None: the test says so."""
import torch
from torch import nn


class Mixer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inward = nn.Linear(4, 4)

    def forward(self, hidden: torch.Tensor, mask=None):
        if mask is not None and not torch.all(mask == 1):
            hidden = hidden * mask.unsqueeze(-1)
        out = self.inward(hidden)  # a new tensor, which may be changed
        out += 1
        return out
