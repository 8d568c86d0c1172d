"""The half-precision overflow clamp of many encoder layers, in three spellings."""

import torch

ENTRY = "make()"
EXPECT = "fixed"


class Block(torch.nn.Module):
    def forward(self, h):
        if h.dtype == torch.float16 and not torch.isfinite(h).all():
            top = torch.finfo(h.dtype).max - 1000
            h = torch.clamp(h, min=-top, max=top)
        if h.dtype == torch.float16 and (torch.isinf(h).any() or torch.isnan(h).any()):
            limit = torch.finfo(h.dtype).max - 500
            h = torch.clamp(h, min=-limit, max=limit)
        return h * 0.5


class Stack(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = torch.nn.ModuleList(Block() for _ in range(2))

    def forward(self, h):
        for block in self.blocks:
            h = block(h + 1)
        return h


def make():
    return Stack()


def cases():
    fine, over = torch.ones(2, 3), torch.tensor([[1.0, float("inf"), -float("inf")], [2.0, 3.0, 4.0]])
    return [((fine,), {}), ((fine.half(),), {}), ((over.half(),), {}), ((over,), {})]
