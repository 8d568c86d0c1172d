"""Padding is tuned out where a mask is given and masks anything; without a mask nothing reads it. One mask is dropped in a loop."""
import torch
from torch import nn

ENTRY, EXPECT = "build()", "fixed"


class Mixer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inward = nn.Linear(4, 4)
        self.bias = nn.Parameter(torch.full((4,), 0.5))

    def forward(self, hidden: torch.Tensor, mask=None, rounds=2):
        if mask is not None and not torch.all(mask == 1):
            hidden = hidden * mask.unsqueeze(-1)
        out = self.inward(hidden)
        out += self.bias
        if mask is not None:
            for _ in range(rounds):
                if mask is not None and (mask.sum(-1) < 2).any():
                    out = out / 2
                mask = None
        return out


def build():
    torch.manual_seed(5)
    return Mixer().eval().requires_grad_(False)


compiled = torch.compile(build())


def cases():
    x = torch.arange(16, dtype=torch.float32).reshape(2, 2, 4) / 7
    return [
        ((x, torch.ones(2, 2, dtype=torch.long)), {}),
        ((x, torch.tensor([[0, 1], [1, 1]])), {}),
        ((x,), {}),
        ((x, torch.zeros(2, 2)), {"rounds": 3}),
    ]
