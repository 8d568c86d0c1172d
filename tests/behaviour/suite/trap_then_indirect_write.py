"""Trap: what the guard stands before, or around it, writes by way of map(), operator, a decorator; output in a finally body."""
import functools
import operator

import torch
from torch import nn

ENTRY = "make_net"
EXPECT = "declined"
SEEN = []


def counted(function):
    @functools.wraps(function)
    def wrapper(*args):
        SEEN.append("call")
        return function(*args)

    return wrapper


@counted
def checked(x):
    if x.sum() > 3:
        raise ValueError("large")
    return x + 1


class Net(nn.Module):
    def through_map(self, x):
        if x.sum() > 3:
            raise ValueError("large")
        list(map(SEEN.append, [1, 2]))
        return x + 1

    def through_operator(self, x):
        if x.sum() > 3:
            raise ValueError("large")
        operator.iadd(x, 1)
        return x

    def with_finally(self, x):
        try:
            if x.sum() > 3:
                raise ValueError("large")
        finally:
            print("done")
        return x + 1

    def forward(self, x, kind):
        if kind == "map":
            return self.through_map(x)
        if kind == "operator":
            return self.through_operator(x)
        if kind == "finally":
            return self.with_finally(x)
        return checked(x)


def make_net():
    return Net()


compiled = torch.compile(make_net())


def observe():
    return list(SEEN)


def cases():
    return [((torch.tensor([-1.0, 9.0]), kind), {}) for kind in ("map", "operator", "finally", "decorator")]
