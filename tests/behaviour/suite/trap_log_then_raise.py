"""Trap: the body of the guard logs and prints before it raises: heard only when it fails, and before the exception."""
import logging

import torch

ENTRY = "decode"
EXPECT = "declined"

logger = logging.getLogger("decoder")


def decode(logits):
    if torch.isnan(logits).any():
        logger.error("NaN in %d logits", logits.numel())
        print("giving up")
        raise ValueError("cannot decode")
    return logits.argmax(dim=-1)


compiled = torch.compile(decode)


def cases():
    x = torch.tensor([[0.1, 0.9], [0.8, 0.2]])
    return [((x,), {}), ((x * float("nan"),), {})]
