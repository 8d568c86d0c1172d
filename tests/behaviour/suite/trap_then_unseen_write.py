"""Trap: what follows the guard uses up an iterator, fills a defaultdict, or runs what was made or hooked elsewhere."""

import collections
import functools
import itertools
import operator

import torch
from _hook_helper import hook
from torch import nn

ENTRY, EXPECT = "make_net()", "declined"
ITERATORS = {kind: iter(tuple(range(1, 100))) for kind in ("list", "loop", "sum", "zip", "star", "map", "in")}
COUNT, RANGE = itertools.count(), iter(range(100))
TABLE = collections.defaultdict(float)
CALLS = []


def keep(module, args, result):
    CALLS.append(type(module).__name__)


class Counter:
    def __init__(self):
        self.at = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.at += 1
        if self.at % 3 == 0:
            raise StopIteration
        return self.at


def listed(net, x):
    if (x > 8).any():
        raise ValueError("large")
    return x + len(list(ITERATORS["list"]))


def looped(net, x):
    if (x > 8).any():
        raise ValueError("large")
    for one in ITERATORS["loop"]:
        if one % 3 == 0:
            break
        x = x + one
    return x


def summed(net, x):
    if (x > 8).any():
        raise ValueError("large")
    return x + sum(ITERATORS["sum"])


def zipped(net, x):
    if (x > 8).any():
        raise ValueError("large")
    for one, two in zip((1.0, 2.0), ITERATORS["zip"]):
        x = x * one + two
    return x


def unpacked(net, x):
    if (x > 8).any():
        raise ValueError("large")
    first, *_ = ITERATORS["star"]
    return x + first


def mapped(net, x):
    if (x > 8).any():
        raise ValueError("large")
    return x + sum(map(operator.neg, ITERATORS["map"]))


def looked_in(net, x):
    if (x > 8).any():
        raise ValueError("large")
    return x + (3 in ITERATORS["in"])


def counted(net, x):
    if (x > 8).any():
        raise ValueError("large")
    return x + sum(itertools.islice(COUNT, 2))


def ranged(net, x):
    if (x > 8).any():
        raise ValueError("large")
    return x + sum(itertools.islice(RANGE, 2))


def sliced(net, x):
    if (x > 8).any():
        raise ValueError("large")
    one, two = itertools.islice(net.mine, 2)
    return x + one + two


def of_class(net, x):
    if (x > 8).any():
        raise ValueError("large")
    for one in net.counter:
        x = x + one
    return x


def filled(net, x):
    if (x > 8).any():
        raise ValueError("large")
    return x + TABLE["b"]


def scaled(net, x):
    if (x > 8).any():
        raise ValueError("large")
    return x * net.scales[x.dim()]


def by_partial(net, x):
    if (x > 8).any():
        raise ValueError("large")
    net.note(x.dim())
    return x * 1


def by_hook(net, x):
    if (x > 8).any():
        raise ValueError("large")
    return net.get_head()(x)


def by_helper(net, x):
    if (x > 8).any():
        raise ValueError("large")
    return net.other(x)


def in_place(net, x):
    if (x > 8).any():
        raise ValueError("large")
    return net.third(x)


def given(net, x, it):
    if (x > 8).any():
        raise ValueError("large")
    for one in it:
        x = x + one
    return x


KINDS = (
    listed,
    looped,
    summed,
    zipped,
    unpacked,
    mapped,
    looked_in,
    counted,
    ranged,
    sliced,
    of_class,
    filled,
    scaled,
    by_partial,
    by_hook,
    by_helper,
    in_place,
)
IT = iter((1.0, 2.0))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head, self.other, self.third = nn.Linear(2, 2), nn.Linear(2, 2), nn.Linear(2, 2)
        for layer in (self.head, self.other, self.third):
            nn.init.ones_(layer.weight)
        self.get_head().register_forward_hook(keep)
        hook(self, "other", keep)
        hook(self, "third", lambda module, args, result: module.seen.add_(1))
        self.third.register_buffer("seen", torch.zeros(2))
        self.note = functools.partial(setattr, self, "noted")
        self.noted, self.mine, self.counter = 0, iter((1.0, 2.0, 3.0, 4.0, 5.0)), Counter()
        self.scales = collections.defaultdict(lambda: 2.0)

    def get_head(self):
        return self.head

    def forward(self, x, kind: int):
        if kind == len(KINDS):
            return given(self, x, IT)
        return KINDS[kind](self, x)


SEEN = []


def make_net():
    SEEN.append(Net().eval())
    return SEEN[-1]


compiled = torch.compile(make_net())
for _kind in KINDS:
    torch.compile(_kind)


def observe():
    left = [operator.length_hint(iterator) for iterator in (*ITERATORS.values(), RANGE, IT)]
    nets = [(net.noted, operator.length_hint(net.mine), net.counter.at, len(net.scales)) for net in SEEN]
    return left, repr(COUNT), dict(TABLE), len(CALLS), nets, [net.third.seen.tolist() for net in SEEN]


def cases():
    return [((torch.tensor([1.0, 9.0]), kind), {}) for kind in range(len(KINDS) + 1)]
