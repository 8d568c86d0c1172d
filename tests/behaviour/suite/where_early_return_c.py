"""An early return for a masked-out batch."""

import torch
from torch import nn

ENTRY, EXPECT = "Pool", "fixed"
EXPECT_BREAKS_BEFORE = 1


class Pool(nn.Module):
    def forward(self, tokens, mask):
        kept = mask.to(tokens.dtype).unsqueeze(-1)
        if mask.sum() == 0:
            return tokens.mean(dim=1)
        weighted = tokens * kept
        return weighted.sum(dim=1)


def cases():
    g = torch.Generator().manual_seed(13)
    t = torch.randn(2, 3, 4, generator=g)
    return [((t, torch.tensor([[1, 1, 0], [1, 0, 0]])), {}), ((t, torch.zeros(2, 3, dtype=torch.long)), {})]
