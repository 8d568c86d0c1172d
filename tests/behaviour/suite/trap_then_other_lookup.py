"""Trap: look-ups and losses after a check, by other data than it tests: where both are bad, the check comes first."""

import torch
from torch import nn
from torch.nn import functional as F

ENTRY, EXPECT, GRAD = "Net", "fixed", True


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.emb, self.head = nn.Embedding(6, 4), nn.Linear(4, 6)

    def forward(self, ids, mask, labels):
        if (mask < 0).any():
            raise ValueError("mask")
        hidden = self.emb(ids) * mask
        hidden = hidden + self.head.weight.gather(0, ids[:, None].expand(3, 4))
        logits = self.head(hidden)
        loss = F.cross_entropy(logits, labels) + F.nll_loss(logits.log_softmax(-1), labels, ignore_index=2)
        return loss, F.cross_entropy(logits, logits.detach().softmax(-1))


compiled = torch.compile(Net())


def cases():
    good, bad = torch.tensor([0, 1, 2]), torch.tensor([1, 9, 2])
    up, down = torch.ones(1), -torch.ones(1)
    return [((ids, mask, labels), {}) for ids in (good, bad) for mask in (up, down) for labels in (good, bad)]
