"""Trap: places that topk() finds in one tensor are looked up in another after the guard: the runtime sees that it is as
long."""

import torch
from torch import nn

ENTRY, EXPECT = "Head", "fixed"


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.score, self.box = nn.Linear(3, 2), nn.Linear(3, 4)

    def forward(self, x):
        if x.isnan().any():
            raise ValueError("NaN")
        boxes = self.box(x)
        values, places = self.score(x).max(-1)[0].topk(2, dim=1)
        return values, torch.gather(boxes, 1, places.unsqueeze(-1).repeat(1, 1, 4))


compiled = torch.compile(Head())


def cases():
    x = torch.arange(24.0).view(2, 4, 3) / 10
    return [((x,), {}), ((x.sin(),), {}), ((x * float("nan"),), {})]
