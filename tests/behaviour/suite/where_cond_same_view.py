"""One arm gives what it got and a view of it, the other a new tensor: torch.cond gives copies."""
import torch

ENTRY, EXPECT = "work", "fixed"


def work(x, ids):
    if ids.sum() > 6:
        pair = x, x.view(-1)[:4]
    else:
        pair = x, torch.rand(4)
    return x + 1, pair


compiled = torch.compile(work)


def cases():
    x = torch.arange(8.0).reshape(4, 2)
    return [((x, torch.tensor(i)), {}) for i in ([0, 1, 2, 3], [1, 2, 3, 1])]
