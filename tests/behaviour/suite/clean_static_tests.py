"""Clean: tests on shape, dtype, None, type, training flag and attributes are static, and so are their raises."""

import torch
from torch import nn

ENTRY = "make()"
EXPECT = "clean"


class GroupRMS(nn.Module):
    def __init__(self, width=6, groups=2, eps=1e-6):
        super().__init__()
        self.groups, self.eps = groups, eps
        self.weight = nn.Parameter(torch.ones(width))

    def forward(self, x, residual=None, scale=1.0):
        if x.shape[-1] % self.groups != 0:
            raise ValueError(f"width {x.shape[-1]} does not split into {self.groups} groups")
        if x.dim() not in (2, 3) or x.numel() == 0:
            raise ValueError("expected two or three dimensions", x.dim())
        if residual is not None:
            x = x + residual
        if isinstance(scale, torch.Tensor):
            x = x * scale.unsqueeze(-1)
        elif scale != 1.0:
            x = x * scale
        wide = x.float() if x.dtype == torch.float16 else x
        grouped = wide.unflatten(-1, (self.groups, -1))
        rms = grouped.square().mean(dim=-1, keepdim=True).add(self.eps).rsqrt()
        out = (grouped * rms).flatten(-2).to(x.dtype)
        while out.dim() < 3:
            out = out.unsqueeze(0)
        return out * self.weight if self.training else out


def make():
    return GroupRMS()


def cases():
    g = torch.Generator().manual_seed(43)
    x = torch.randn(2, 6, generator=g)
    return [
        ((x,), {}),
        ((x.half(), x.half()), {}),
        ((x,), {"scale": torch.tensor([0.5, 2.0])}),
        ((x,), {"scale": 3.0}),
        ((x[:, :5],), {}),
        ((x[0],), {}),
    ]
