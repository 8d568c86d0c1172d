"""Trap: what follows the guard, a gather and a scatter, fails by itself on the data that the guard refuses."""
import torch

ENTRY = "route"
EXPECT = "declined"


def route(tokens, expert, experts):
    if (expert >= experts).any() or (expert < 0).any():
        raise KeyError("no such expert")
    counts = torch.zeros(experts).scatter_add_(0, expert, torch.ones(expert.shape[0]))
    share = counts.gather(0, expert)
    return tokens / share.unsqueeze(-1)


compiled = torch.compile(route)


def cases():
    t = torch.arange(8.0).view(4, 2)
    good = torch.tensor([0, 1, 1, 2])
    return [((t, good, 3), {}), ((t, good + 1, 3), {}), ((t, good - 1, 3), {})]
