"""Where, declined: the name that the arm binds is shared with inner functions, which read it before and after."""
import torch

ENTRY = "running"
EXPECT = "declined"


def running(x):
    y = x
    total = 0

    def read():
        return y * 2

    def bump():
        nonlocal total
        total = total + 1
        return total

    before = read()
    if x.max() > 1:
        y = x / 2
        total = 10
    bump()
    return before, read(), total, y


compiled = torch.compile(running)


def cases():
    x = torch.tensor([0.5, 0.25])
    return [((x,), {}), ((x * 8,), {}), ((-x,), {})]
