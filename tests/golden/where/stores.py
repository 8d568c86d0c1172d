# Arms that change in place a tensor which only one name knows.
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.proj = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor, pad: torch.Tensor):
        h = self.proj(x)
        mask = h.isnan()
        if mask.any():
            h[mask] = 0.0
        scores = h @ h.T
        if (pad == 0).sum() > 0:
            scores[:, 1:] = float("-inf")
            scores[..., 0] += 1
        else:
            scores *= 2
        count = scores.sum(-1)
        if torch.any(count == 0):
            count.masked_fill_(count == 0, 1)
            print("empty rows")
        if not pad.any():
            return scores
        scores /= count
        return scores
