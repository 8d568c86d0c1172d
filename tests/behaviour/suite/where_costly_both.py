"""Costly arms that torch.cond does not take: strides, no tensor, output, in activation checkpointing: both run, as cheap ones do."""
import torch
from torch.utils.checkpoint import checkpoint

ENTRY, EXPECT = "work", "fixed"


def block(x):
    y = x * 1
    if x.sum() > 0:
        y = y @ y
    return y * 2


def work(x):
    y = (x @ x).t() if x.max() > 1 else x.t()
    n = x.sort().values.dim() if x.min() < 0 else 2
    if x.mean() > 0.5:
        y = (x @ x).t()
        print("product")
    return y + checkpoint(block, x, use_reentrant=False), n


compiled = torch.compile(work)


def cases():
    x = torch.arange(9.0).reshape(3, 3) / 9
    return [((v,), {}) for v in (-x, x * 2)]
