"""Names that may have no value in the arms or behind them: the exception stays an UnboundLocalError, and its text."""
import torch

ENTRY, EXPECT = "mix", "declined"


def mix(x, flag, other):
    if flag:
        bias = x.mean()
    if x.sum() > 0:
        x = x + bias
    if x.max() > 3:
        if other:
            scale = x.min()
    else:
        scale = x.max()
    kept = (bias if x.min() < -1 else x) * 2
    return kept * scale


compiled = torch.compile(mix)


def cases():
    x = torch.tensor([0.5, -1.0, 2.0])
    return [
        ((x, True, True), {}), ((x, False, True), {}), ((-x, False, True), {}), ((-x * 4, False, True), {}),
        ((x * 3, True, False), {}), ((x * 3, True, True), {}),
    ]
