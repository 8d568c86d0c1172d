"""Trap: after the guard what others see is changed in place by way of what a call may have handed back."""

import torch
from torch import nn

ENTRY, EXPECT = "make_net()", "declined"


def first(things):
    return things[0]


def pair(x):
    return [x], 1


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("state", torch.zeros(2))
        self.table = {"a": torch.zeros(2)}
        self.drop = nn.Dropout(0.5)

    def same(self, x):
        return x

    def maybe(self, x, flag):
        return x if flag else x * 2

    def by_method(self, x):
        if x.sum() > 3:
            raise ValueError("large")
        y = self.same(self.state)
        y.add_(1)
        return x + y

    def by_choice(self, x):
        if x.sum() > 3:
            raise ValueError("large")
        y = self.maybe(self.state, True)
        y.add_(1)
        return x + y

    def by_get(self, x):
        if x.sum() > 3:
            raise ValueError("large")
        y = self.table.get("a")
        y.add_(1)
        return x + y

    def by_function(self, x):
        if x.sum() > 3:
            raise ValueError("large")
        y = torch.atleast_2d(self.state)
        y.add_(1)
        return x + y

    def by_meshgrid(self, x):
        if x.sum() > 3:
            raise ValueError("large")
        y, z = torch.meshgrid(self.state, x, indexing="ij")
        y.select(1, 0).add_(1)
        return x + z

    def by_second(self, x):
        if x.sum() > 3:
            raise ValueError("large")
        _, y = torch.broadcast_tensors(x, self.state)
        y.add_(1)
        return x + y

    def by_sum(self, x):
        if x.sum() > 3:
            raise ValueError("large")
        y = self.state.sum_to_size(2)
        y.add_(1)
        return x + y

    def by_list(self, x):
        if x.sum() > 3:
            raise ValueError("large")
        first([self.state]).add_(1)
        return x + 1

    def by_pair(self, x):
        if x.sum() > 3:
            raise ValueError("large")
        things, one = pair(self.state)
        things[0].add_(one)
        return x + 1

    def by_default(self, x):
        if x.sum() > 3:
            raise ValueError("large")
        y = getattr(self, "state").view(-1) if x.dim() else x
        y.add_(1)
        return x + 1

    def by_dropout(self, x):
        if x.sum() > 3:
            raise ValueError("large")
        y = self.drop(self.state)
        y.add_(1)
        return x + y

    def by_next(self, x):
        if x.sum() > 3:
            raise ValueError("large")
        y = next(iter([self.state]))
        y.add_(1)
        return x + y

    def by_tuple(self, x):
        if x.sum() > 3:
            raise ValueError("large")
        parts = (x * 2,)
        parts += (self.state,)
        y, z = parts
        z.add_(1)
        return y + z

    def forward(self, x, kind: str):
        if kind == "method":
            return self.by_method(x)
        if kind == "choice":
            return self.by_choice(x)
        if kind == "get":
            return self.by_get(x)
        if kind == "function":
            return self.by_function(x)
        if kind == "meshgrid":
            return self.by_meshgrid(x)
        if kind == "second":
            return self.by_second(x)
        if kind == "sum":
            return self.by_sum(x)
        if kind == "list":
            return self.by_list(x)
        if kind == "pair":
            return self.by_pair(x)
        if kind == "default":
            return self.by_default(x)
        if kind == "dropout":
            return self.by_dropout(x)
        if kind == "next":
            return self.by_next(x)
        return self.by_tuple(x)


SEEN = []


def make_net():
    SEEN.append(Net().eval())
    return SEEN[-1]


compiled = torch.compile(make_net())


def observe():
    return [(net.state.tolist(), net.table["a"].tolist()) for net in SEEN]


def cases():
    kinds = ("method", "choice", "get", "function", "meshgrid", "second", "sum", "list", "pair", "default", "dropout")
    return [((torch.tensor([-1.0, 9.0]), kind), {}) for kind in (*kinds, "next", "tuple")]
