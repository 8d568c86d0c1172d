"""Arms that draw, and differ in dtype, shape, strides, kind or constants: torch.cond cannot pick, the branch stays."""
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
    n = (torch.rand(()), 1) if x.max() > 1 else (torch.zeros(()), 2)
    if x.min() > -2:
        z = x @ torch.ones(5, 5) + torch.rand(5) if kind == 9 else x + torch.rand_like(x)
    else:
        z = x[1:2, :1].expand(2, 2)
    return y, n, z, torch.rand(1)


compiled = torch.compile(work)


def cases():
    x = torch.tensor([[0.5, 1.0], [0.25, 2.0]])
    return [((x, 0), {}), ((-x, 9), {}), *(((-3 * x, kind), {}) for kind in range(4))]
