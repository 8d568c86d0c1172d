"""An index that is only valid where the arm is taken, in what follows an early return, of two results."""
import torch

ENTRY, EXPECT = "look_up", "fixed"


def look_up(x, ids):
    if ids.sum() > 100:
        return x * 2, ids - 100
    return x[ids.clamp(max=2)] + x, x.long()[0, ids % 3]


compiled = torch.compile(look_up)


def cases():
    x = torch.arange(9.0).reshape(3, 3) / 10
    return [((x, torch.tensor(i)), {}) for i in ([0, 1, 2], [7, 1, 0], [99, 2, 1])]
