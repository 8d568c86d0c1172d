"""Arms that draw, and differ in dtype, shape, strides or kind: torch.cond cannot pick, the branch stays."""
import torch

ENTRY, EXPECT = "work", "declined"


def work(x, kind):
    if x.sum() > 0:
        y = x + torch.rand_like(x)
    elif kind == 0:
        y = x.double()
    elif kind == 1:
        y = x[:1]
    elif kind == 2:
        y = x.t()
    elif kind == 3:
        y = x[0]
    else:
        y = None
    return y, torch.rand(1)


compiled = torch.compile(work)


def cases():
    x = torch.tensor([[0.5, 1.0], [0.25, 2.0]])
    return [((x, 0), {}), *(((-x, kind), {}) for kind in (0, 1, 2, 3, 9))]
