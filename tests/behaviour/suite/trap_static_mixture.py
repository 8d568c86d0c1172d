"""Trap: guards behind static if/elif/else, with static and data-dependent parts in one condition."""
import torch
from torch import nn

ENTRY = "make()"
EXPECT = "fixed"


class Clipper(nn.Module):
    def __init__(self, limit=4.0):
        super().__init__()
        self.limit = limit

    def forward(self, x, mode="strict", floor=None):
        if mode == "strict":
            if torch.isnan(x).any():
                raise ValueError("NaN in strict mode")
            bound = self.limit
        elif mode == "soft" and x.dim() == 2:
            if floor is not None and (x < floor).any():
                raise ValueError(f"below {floor}")
            bound = 2 * self.limit
        else:
            assert (x > -1e6).all(), "far too small in mode " + mode
            bound = 10 * self.limit
        if self.training and x.sum() == 0:
            raise RuntimeError("empty batch")
        elif x.numel() > 3 and x.max() > 100:
            raise OverflowError("too large", bound)
        elif bound > 30:
            y = x / bound
        else:
            y = x.clamp(-bound, bound)
        return y


def make():
    return Clipper()


def cases():
    x = torch.tensor([[0.5, -3.0], [2.0, 5.0]])
    nan = x.clone()
    nan[0, 1] = float("nan")
    return [
        ((x,), {}),
        ((nan,), {}),
        ((x, "soft"), {"floor": -4.0}),
        ((x, "soft"), {"floor": 0.0}),
        ((x, "loose"), {}),
        ((x * 1e3, "loose"), {}),
        ((x - x,), {}),
    ]
