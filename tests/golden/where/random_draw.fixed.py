"""A draw that is compared with a rate; draws that could be anything by then."""

import torch
from torch import nn
from graphmend import runtime as _graphmend

class Stack(nn.Module):
    def forward(self, x, noise):
        for layer in self.layers:
            draw = torch.rand([])
            if self.training and _graphmend.rand_below(draw, self.layerdrop):
                continue
            x = layer(x)
        if _graphmend.rand_below(torch.rand(()), self.rate):
            self.skipped = True
        shifted = torch.rand([])
        shifted.sub_(1)
        if shifted < self.rate:
            self.skipped = True
        kept = torch.rand([], out=noise)
        if kept < self.rate:
            self.skipped = True
        either = torch.rand([]) if self.training else noise
        if either < self.rate:
            self.skipped = True
        above = torch.rand([])
        if above > self.rate:
            self.skipped = True
        return x
