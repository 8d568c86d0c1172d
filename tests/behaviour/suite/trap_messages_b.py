"""Guards whose messages carry a shape, a value and two exception arguments, one of them nested under a static if."""

import torch

ENTRY = "make()"
EXPECT = "fixed"


class ScaleError(Exception):
    def __init__(self, name, limit):
        super().__init__(f"{name} exceeds {limit}")
        self.name, self.limit = name, limit


class Quantiser(torch.nn.Module):
    def __init__(self, strict=True):
        super().__init__()
        self.strict = strict
        self.register_buffer("scale", torch.full((4,), 0.5))

    def _check(self, x):
        if (x != x).any():
            raise ValueError(f"NaN in a tensor of shape {tuple(x.shape)}")
        peak = x.abs().max()
        if self.strict and peak > 100:
            raise ScaleError("peak", 100)
        elif peak > 50:
            raise RuntimeError(f"peak {peak} is too large")

    def forward(self, x):
        self._check(x)
        return torch.round(x / self.scale).clamp(-128, 127)


def make():
    return Quantiser()


def cases():
    torch.manual_seed(2)
    x = torch.randn(2, 4)
    bad = x.clone()
    bad[0, 0] = float("nan")
    return [((x,), {}), ((bad,), {}), ((x * 1000,), {}), ((torch.full((2, 4), 60.0),), {})]
