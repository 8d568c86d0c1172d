"""Text: torch.compile bound to a name, called with arguments, in a list of decorators."""
import torch

ENTRY, EXPECT, SELF_COMPILED = "entry", "fixed", True

c = torch.compile


@c
def inner(x):
    print("inner", x.shape)
    return x * 2


@torch.compile(dynamic=False, mode="default")
@torch.no_grad()
def entry(x):
    if (x > 9).any():
        raise OverflowError("above nine")
    return inner(x) + 1


def cases():
    return [((torch.tensor([1.0, 2.0]),), {}), ((torch.tensor([1.0, 20.0]),), {})]
