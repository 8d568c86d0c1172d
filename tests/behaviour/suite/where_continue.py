"""Turns of a loop that are skipped: what follows a `continue` is the other arm, also in a while loop and behind an else."""
import torch

ENTRY, EXPECT = "mix", "fixed"


def mix(x: torch.Tensor, y: torch.Tensor, n: int = 3):
    for i in range(n):
        x = x + i
        if x.sum() > 9:
            print("skipped", i)
            continue
        x = x * 2
        y = y + x
    k = 0
    while k < n:
        k += 1
        if y.max() > 20:
            y = y / 2
            continue
        else:
            y = y - 1
        y = y + torch.relu(x)
    return x, y, k


compiled = torch.compile(mix)


def cases():
    x = torch.tensor([0.5, 1.0, -2.0])
    return [((x, x * 2), {}), ((x * 9, x), {}), ((-x, x * 30), {"n": 4}), ((x, x), {"n": 0})]
