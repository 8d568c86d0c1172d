"""Text: tabs, a one-line `if c: raise E("m")`, and no newline at the end of the file."""

import torch

EXPECT = "fixed"
ENTRY = "focal_loss"


def cases():
    g = torch.Generator().manual_seed(52)
    logits = torch.randn(4, 3, generator=g)
    labels = torch.tensor([0, 2, 1, 1])
    return [((logits, labels), {}), ((logits, labels - 1), {}), ((logits / 0, labels), {}), ((logits, labels, 0.0), {})]


def focal_loss(logits, labels, gamma=2.0):
    if (labels < 0).any():
        raise ValueError("negative label")
    if not torch.isfinite(logits).all():
        raise FloatingPointError("logits are not finite", gamma)
    log_p = logits.log_softmax(dim=-1)
    if gamma:
        mask = torch.nn.functional.one_hot(labels.clamp_min(0), logits.shape[-1])
        if log_p.max() > -0.05:
            log_p = log_p - 0.05
        picked = (log_p * mask).sum(dim=-1)
        return -((1 - picked.exp()) ** gamma * picked).mean()
    else:
        return -log_p.mean()


compiled = torch.compile(focal_loss)
