"""Augmented and tuple assignments inside a data-dependent branch of a beam-score update."""

import torch

ENTRY, EXPECT, SELF_COMPILED = "update", "fixed", True
EXPECT_BREAKS_BEFORE = 1


@torch.compile
def update(scores, penalty, best):
    scores = scores * 1.0
    if (scores > best).any():
        scores = scores - penalty
        best, penalty = scores.amax(), penalty * 2.0
    return scores, best, penalty


def cases():
    s = torch.tensor([0.5, 1.5, 2.5])
    return [
        ((s, torch.tensor(0.25), torch.tensor([1.0]).sum()), {}),
        ((s, torch.tensor(0.25), torch.tensor([9.0]).sum()), {}),
    ]
