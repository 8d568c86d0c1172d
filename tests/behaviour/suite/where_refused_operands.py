"""An arm whose operands only fit where it is taken: the compiler meets them, and must not fail where the original does not."""
import torch

ENTRY, EXPECT = "work", "declined"

WEIGHT = torch.ones(3, 3)


def work(x, y):
    if x.max() > 1:
        x = x @ WEIGHT
    if x.min() < -1:
        x = x + y
    if x.sum() < -20:
        x = x[5]
    return x * 2


compiled = torch.compile(work)


def cases():
    inputs = (2, 4, 0.5, 3), (2, 3, 2.0, 4), (6, 3, -2.0, 3), (2, 4, -2.0, 3)
    return [((torch.full((rows, columns), value), torch.ones(n)), {}) for rows, columns, value, n in inputs]
