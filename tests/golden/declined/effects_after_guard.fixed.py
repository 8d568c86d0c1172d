"""What comes after the guard changes a tensor of the caller."""

import collections
import functools
import operator
import random
import sys

import torch
import torch.nn.functional as F
from graphmend import runtime as _graphmend

@torch.compile
def run(x: torch.Tensor, total: torch.Tensor):
    if x.isnan().any():
        raise ValueError("NaN")
    total.add_(x.sum())
    return x


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("state", torch.zeros(2))
        self.table = {"a": torch.zeros(2)}

    def same(self, x):
        return x

    def forward(self, x: torch.Tensor):
        if x.sum() > 3:
            raise ValueError("large")
        y = self.same(self.state)
        y.add_(1)
        return x + y

    def by_get(self, x: torch.Tensor):
        if x.sum() > 4:
            raise ValueError("large")
        self.table.get("a").add_(1)
        return x

    def by_function(self, x: torch.Tensor):
        if x.sum() > 5:
            raise ValueError("large")
        torch.atleast_2d(self.state).add_(1)
        return x


net = Net()
compiled = [torch.compile(net), torch.compile(net.by_get), torch.compile(net.by_function)]


def seen(value, into=[]):  # noqa: B006
    into.append(value)
    return into


class Table:
    size = 0


numbers = [0]
queue = collections.deque(range(5))
batches = iter(range(100))
table = Table()
layer = torch.nn.Linear(2, 2)
mean, variance = torch.zeros(2), torch.ones(2)


def by_default(x: torch.Tensor):
    if x.sum() > 3:
        raise ValueError("large")
    seen(1)
    return x


def by_next(x: torch.Tensor):
    if x.sum() > 3:
        raise ValueError("large")
    next(batches)
    return x


def by_popleft(x: torch.Tensor):
    if x.sum() > 3:
        raise ValueError("large")
    queue.popleft()
    return x


def by_bound_method(x: torch.Tensor):
    if x.sum() > 3:
        raise ValueError("large")
    add = numbers.append
    add(1)
    return x


def by_partial(x: torch.Tensor):
    if x.sum() > 3:
        raise ValueError("large")
    functools.partial(numbers.append, 3)()
    return x


def by_vars(x: torch.Tensor):
    if x.sum() > 3:
        raise ValueError("large")
    vars(table)["rows"] = 1
    return x


def by_class(x: torch.Tensor):
    if x.sum() > 3:
        raise ValueError("large")
    type(table).size = 9
    return x


def by_setattr(x: torch.Tensor):
    if x.sum() > 3:
        raise ValueError("large")
    (again := table).__setattr__("rows", again)
    return x


def by_operator(x: torch.Tensor):
    if x.sum() > 3:
        raise ValueError("large")
    operator.__iadd__(numbers, [1])
    return x


def by_statistics(x: torch.Tensor):
    if x.sum() > 3:
        raise ValueError("large")
    F.batch_norm(x, mean, variance, training=True)
    return x


def by_position(x: torch.Tensor):
    if x.sum() > 3:
        raise ValueError("large")
    F.dropout(mean, 0.5, False, True)
    return x


def by_register(x: torch.Tensor):
    if x.sum() > 3:
        raise ValueError("large")
    layer.register_buffer("more", torch.ones(1))
    return x


def by_train(x: torch.Tensor):
    if x.sum() > 3:
        raise ValueError("large")
    layer.train()
    return x


def by_setting(x: torch.Tensor):
    if x.sum() > 3:
        raise ValueError("large")
    torch.set_grad_enabled(False)
    return x


def by_seed(x: torch.Tensor):
    if x.sum() > 3:
        raise ValueError("large")
    torch.manual_seed(0)
    return x


def by_key(x: torch.Tensor):
    if x.sum() > 3:
        raise ValueError("large")
    sorted([1, 2], key=numbers.append)
    return x


def by_reduction(x: torch.Tensor):
    if x.sum() > 3:
        raise ValueError("large")
    functools.reduce(operator.iadd, [numbers, [1]])
    return x


def by_path(x: torch.Tensor):
    if x.sum() > 3:
        raise ValueError("large")
    sys.path.append("more")
    return x


def by_shuffle(x: torch.Tensor):
    if x.sum() > 3:
        raise ValueError("large")
    random.shuffle(numbers)
    return x


class Counting:
    def __enter__(self):
        self.entered = True

    def __exit__(self, *reason):
        pass


counting = Counting()


def by_context(x: torch.Tensor):
    if x.sum() > 3:
        raise ValueError("large")
    with counting:
        x = x + 1
    return x


def by_gradient(x: torch.Tensor):
    if x.sum() > 3:
        raise ValueError("large")
    x.sum().backward()
    return x


def restored(x: torch.Tensor):
    """Nothing is left: rewritten."""
    _graphmend.raise_if(x.sum() > 3,
        lambda: ValueError("large"))
    with torch.set_grad_enabled(False):
        y = F.batch_norm(x, mean, variance)
    kept = [y]
    add = kept.append
    add(x)
    own = iter(kept)
    next(own)
    return kept


for function in (by_default, by_next, by_popleft, by_bound_method, by_partial, by_vars, by_class, by_setattr):
    torch.compile(function)
for function in (by_operator, by_statistics, by_position, by_register, by_train, by_setting, by_seed, restored):
    torch.compile(function)
for function in (by_key, by_reduction, by_path, by_shuffle, by_context, by_gradient):
    torch.compile(function)
