"""Token ids are looked at under a static switch; the static part must stay a Python branch."""

import torch
from torch import nn

ENTRY, EXPECT = "Mixer", "fixed"
EXPECT_BREAKS_BEFORE = 1


class Mixer(nn.Module):
    def __init__(self, vocab=11, strict=True):
        super().__init__()
        self.vocab, self.strict = vocab, strict
        self.register_buffer("weights", torch.linspace(0, 1, vocab))

    def forward(self, ids, scale=None):
        if scale is not None:
            if self.strict and not (scale > 0).all():
                raise ValueError("scale must be positive")
        if self.strict and (ids >= self.vocab).any():
            raise IndexError(f"id {ids.max()} is outside of a vocabulary of {self.vocab}")
        out = ids.to(torch.float32) / self.vocab
        return out if scale is None else out * scale


def cases():
    ids = torch.tensor([[1, 4, 10], [0, 2, 3]])
    bad = torch.tensor([[1, 4, 12], [0, 2, 3]])
    up, down = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([1.0, -2.0, 3.0])
    return [((ids,), {}), ((bad,), {}), ((ids, up), {}), ((bad, down), {}), ((bad,), {"scale": up})]
