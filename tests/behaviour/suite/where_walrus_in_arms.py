"""Names bound by := in the test: rebound in the arm, bound by a nested test, bound behind `and`."""
import torch

ENTRY, EXPECT = "damp", "declined"


def damp(x, flag):
    if (peak := x.max()) > 1:
        peak = peak * 0.5
    if x.sum() > 0:
        x = x * 2
    elif (low := x.min()) < -2:
        x = x - low
    else:
        low = x.mean()
    if flag and (top := x.max()) > 3:
        x = x / top
    return x, peak, low


compiled = torch.compile(damp)


def cases():
    x = torch.tensor([0.5, -1.0, 2.0])
    return [((-x, True), {}), ((-x * 3, False), {}), ((-x * 0.1, True), {}), ((x, True), {}), ((x + 3, True), {})]
