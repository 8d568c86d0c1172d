"""Mixed: trap, print, trap, print: a failing first check prints nothing, a failing second one the first line only."""

import torch

ENTRY = "bce_with_weights"
EXPECT = "fixed"


def bce_with_weights(probability, label, weight):
    if ((probability < 0) | (probability > 1)).any():
        raise ValueError("probabilities must lie in [0, 1]")
    print("checked probabilities of shape", tuple(probability.shape))
    log_p = torch.log(probability.clamp_min(1e-6))
    log_q = torch.log((1 - probability).clamp_min(1e-6))
    if weight.sum() == 0:
        raise ZeroDivisionError(f"all {weight.numel()} weights are zero")
    print("weight total", weight.sum().item())
    loss = -(label * log_p + (1 - label) * log_q) * weight
    return loss.sum() / weight.sum()


compiled = torch.compile(bce_with_weights)


def cases():
    g = torch.Generator().manual_seed(41)
    p = torch.rand(6, generator=g)
    y = (torch.rand(6, generator=g) > 0.5).float()
    w = torch.rand(6, generator=g)
    return [((p, y, w), {}), ((p + 0.9, y, w), {}), ((p, y, w * 0), {}), ((p - 1, y, w * 0), {})]
