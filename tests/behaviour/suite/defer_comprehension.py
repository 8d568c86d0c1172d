"""Defer: prints inside a comprehension, a generator expression, a generator function and a lambda."""
import torch

ENTRY = "rows"
EXPECT = "declined"


def each(x):
    for i in range(x.shape[0]):
        print("yield", i)
        yield x[i] * i
    print("exhausted")


def rows(x):
    [print("row", i) for i in range(2)]
    total = sum(each(x))
    any(print("any", i) for i in range(2))
    list(map(lambda i: print("map", i), range(2)))
    return total


compiled = torch.compile(rows)


def cases():
    return [((torch.tensor([[1.0], [2.0]]),), {}), ((torch.tensor([[1.0], [2.0], [3.0]]),), {})]
