"""Defer: a print under is_compiling() is heard only when compiled, one under its negation only when not."""
import torch

ENTRY = "attend"
EXPECT = "declined"


def attend(q, k):
    if torch.compiler.is_compiling():
        print("compiled attention", q.shape[0])
    else:
        print("eager attention", q.shape[0])
    scores = q @ k.t()
    if not torch.compiler.is_compiling() and torch.isnan(scores).any():
        raise ValueError("NaN scores")
    return scores.softmax(-1)


compiled = torch.compile(attend)


def cases():
    g = torch.Generator().manual_seed(127)
    return [((torch.randn(2, 3, generator=g), torch.randn(4, 3, generator=g)), {})]
