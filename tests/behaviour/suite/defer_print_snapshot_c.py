"""What was printed is the value at that moment: the tensor and the list change afterwards."""

import torch

ENTRY, EXPECT, SELF_COMPILED = "accumulate", "fixed", True
EXPECT_BREAKS_BEFORE = 1


@torch.compile
def accumulate(x):
    total = torch.zeros(2)
    seen = []
    for i in range(x.shape[0]):
        total += x[i]
        seen.append(i)
        print("step", i, total, seen)
    total.mul_(10)
    return total


def cases():
    return [((torch.tensor([[1.0, 2.0], [3.0, 4.0]]),), {}), ((torch.tensor([[5.0, 2.0], [3.0, -4.0]]),), {})]
