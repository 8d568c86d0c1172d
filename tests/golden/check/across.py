# Facts cross functions: what callers pass, what functions return, what lists and modules hold.
import torch
from torch import nn


def total_of(lengths):
    return lengths.sum()


def padded(x, sizes):
    left, right = sizes
    return nn.functional.pad(x, (left, right))


class Windows(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("stride", torch.tensor(2))
        self.width = 4

    def forward(self, x: torch.Tensor, lengths: torch.Tensor, positions=None):
        if positions is None:
            positions = torch.arange(x.shape[1])
        room = torch.zeros(total_of(lengths))
        x = padded(x, (self.stride // 2, self.stride))
        x = padded(x, (1, 2))
        sizes = [None] * 2
        for i in range(2):
            sizes[i] = lengths[i] * self.width
        parts = x.split(sizes)
        known = []
        known.append(x.shape[0])
        return parts, x.split(known), x[..., : positions[-1] + 1], room
