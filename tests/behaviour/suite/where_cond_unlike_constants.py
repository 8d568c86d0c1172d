"""Arms that draw, and differ in a constant, or of which one does not fit its operands, or gives an expanded tensor."""
import torch

ENTRY, EXPECT = "work", "declined"


def work(x, kind):
    n = (torch.rand(()), 1) if x.max() > 1 else (torch.zeros(()), 2)
    if x.min() > -2:
        z = x @ torch.ones(5, 5) + torch.rand(5) if kind == 9 else x + torch.rand_like(x)
    else:
        z = x[1:2, :1].expand(2, 2)
    return n, z, torch.rand(1)


compiled = torch.compile(work)


def cases():
    x = torch.tensor([[0.5, 1.0], [0.25, 2.0]])
    return [((x, 0), {}), ((-3 * x, 9), {}), ((-3 * x, 0), {})]
