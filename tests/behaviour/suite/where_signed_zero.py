"""Where: arms that give zeros of opposite sign. What follows must not take one for the other."""
import torch

ENTRY = "scale"
EXPECT = "declined"


@torch.compile
def scale(x):
    if x.sum() > 0:
        y, k = x * 2, 0.0
    else:
        y, k = x * 3, -0.0
    return y * k


def cases():
    x = torch.tensor([1.0, 2.0])
    return [((x,), {}), ((-x,), {}), ((x + 1,), {})]
