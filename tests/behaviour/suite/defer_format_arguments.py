"""Defer: str.format and str() in the arguments, with tensors that change afterwards."""
import torch

ENTRY = "stats"
EXPECT = "fixed"
SINCE = "2.13"  # before, Dynamo knows no type of a string that it formats late


def stats(x):
    low, high = x.min(), x.max()
    print("{} to {}".format(low, high), "{:>4}".format(x.dim()))
    print("{0} {name}".format(x.sum(), name=tuple(x.shape)))
    text = f"mean {x.mean()} of {tuple(x.shape)}"
    x = x.clone()
    print("before", str(x.numel()), x)
    x.add_(1)
    print(text, "now {!r}".format(x))
    x.mul_(0)
    return x + low + high


compiled = torch.compile(stats)


def cases():
    return [((torch.tensor([1.0, 5.0]),), {}), ((torch.tensor([[2.0, -5.0]]),), {})]
