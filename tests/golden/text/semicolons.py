"""Statements that share a line, and one-line suites."""
import torch


@torch.compile
def run(x: torch.Tensor, w: torch.Tensor):
    a = x; print("a"); b = w  # three
    if x.isnan().any(): raise ValueError("NaN"); b = x
    for i in range(2): print(i); a = a + i
    c = a; x = x / 2 if x.max() > 1 else x; d = b;
    if w.max() > 1: w = w / 2; w = w + 1
    if w.min() < 0: w = w.abs()
    else: w = w + 1
    while c is None: print("never")
    return x + w + c + d


@torch.compile
def one_line(x: torch.Tensor): print("x", x); return x
