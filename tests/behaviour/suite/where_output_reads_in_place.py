"""The arguments of a print in a branch change a tensor, or draw random numbers, when they are evaluated."""
import torch

ENTRY, EXPECT = "audit", "declined"


def audit(x):
    x = x * 1
    if x.sum() > 0:
        print(f"clamped to {x.clamp_(max=1.0)}")
    if x.sum() > 1:
        print("noise %.2f" % torch.rand(1).item())
    return x


compiled = torch.compile(audit)


def cases():
    x = torch.tensor([0.5, -1.0, 2.0])
    return [((x,), {}), ((-x,), {}), ((x + 3,), {})]
