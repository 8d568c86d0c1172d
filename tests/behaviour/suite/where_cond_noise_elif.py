"""Two of three arms draw random numbers, of different kinds."""
import torch
import torch.nn.functional as F

ENTRY, EXPECT = "work", "fixed"


def work(x):
    y = x * 2
    if x.mean() > 0.5:
        y = F.dropout(y, 0.5)
    elif x.mean() < -0.5:
        y = y + 0.1 * torch.randn_like(y)
    return y * torch.rand(1)


compiled = torch.compile(work)


def cases():
    x = torch.linspace(-1, 1, 12).reshape(3, 4)
    return [((x,), {}), ((x + 2,), {}), ((x - 0.7,), {})]
