"""Defer: a tensor under `%`, at which Dynamo gives the whole frame up without logging a break."""
import torch

ENTRY = "stats"
EXPECT = "fixed"


def stats(x):
    low = x.min()
    print("lowest is %s of %d" % (low, x.numel()))
    x = x.clone()
    x.add_(1)
    print("now %r" % x, "rank %d" % x.dim())
    x.mul_(0)
    return x + low


compiled = torch.compile(stats)


def cases():
    return [((torch.tensor([1.0, 5.0]),), {}), ((torch.tensor([[2.0, -5.0]]),), {})]
