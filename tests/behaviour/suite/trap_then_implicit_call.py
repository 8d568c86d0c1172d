# ruff: noqa: B009, B015, B018
"""Trap: after the guard functions run that nothing calls by name: operators, properties, callbacks."""

import functools

import torch

ENTRY, EXPECT = "run", "declined"


class Descriptor:
    def __get__(self, owner, kind=None):
        owner.seen.append("get")
        return 1


class Meter:
    made = []
    described = Descriptor()

    def __init__(self):
        self.seen = []

    @classmethod
    def make(cls):
        cls.made.append(1)

    @property
    def size(self):
        self.seen.append("size")
        return 1

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        self.seen.append(name)
        return 1

    def __getitem__(self, key):
        self.seen.append(key)
        return 1

    def __add__(self, other):
        self.seen.append("add")
        return 1

    def __radd__(self, other):
        self.seen.append("radd")
        return 1

    def __iadd__(self, other):
        self.seen.append("iadd")
        return self

    def __neg__(self):
        self.seen.append("neg")
        return 1

    def __lt__(self, other):
        self.seen.append("lt")
        return True

    def __contains__(self, item):
        self.seen.append("contains")
        return True

    def __len__(self):
        self.seen.append("len")
        return 1

    def __iter__(self):
        self.seen.append("iter")
        return iter((1,))

    def __enter__(self):
        self.seen.append("enter")
        return self

    def __exit__(self, *_):
        return False

    def __str__(self):
        self.seen.append("str")
        return "meter"


meter = Meter()
numbers = [0]


def keep(one, two):
    numbers.append(two)
    return one


def known():
    return numbers


def guard_class_method(x):
    if (x < 0).any():
        raise ValueError("negative")
    Meter.make()
    return x * 2


def guard_property(x):
    if (x < 0).any():
        raise ValueError("negative")
    meter.size
    return x * 2


def guard_descriptor(x):
    if (x < 0).any():
        raise ValueError("negative")
    meter.described
    return x * 2


def guard_getattr(x):
    if (x < 0).any():
        raise ValueError("negative")
    meter.missing
    return x * 2


def guard_subscript(x):
    if (x < 0).any():
        raise ValueError("negative")
    meter["k"]
    return x * 2


def guard_operator(x):
    if (x < 0).any():
        raise ValueError("negative")
    meter + 1
    return x * 2


def guard_reflected(x):
    if (x < 0).any():
        raise ValueError("negative")
    1 + meter
    return x * 2


def guard_inplace(x):
    if (x < 0).any():
        raise ValueError("negative")
    local = meter
    local += 1
    return x * 2


def guard_unary(x):
    if (x < 0).any():
        raise ValueError("negative")
    -meter
    return x * 2


def guard_compare(x):
    if (x < 0).any():
        raise ValueError("negative")
    meter < 1
    return x * 2


def guard_contains(x):
    if (x < 0).any():
        raise ValueError("negative")
    1 in meter
    return x * 2


def guard_len(x):
    if (x < 0).any():
        raise ValueError("negative")
    len(meter)
    return x * 2


def guard_iteration(x):
    if (x < 0).any():
        raise ValueError("negative")
    for _ in meter:
        pass
    return x * 2


def guard_unpacking(x):
    if (x < 0).any():
        raise ValueError("negative")
    list(meter)
    return x * 2


def guard_test(x):
    if (x < 0).any():
        raise ValueError("negative")
    if meter:
        pass
    return x * 2


def guard_with(x):
    if (x < 0).any():
        raise ValueError("negative")
    with meter:
        pass
    return x * 2


def guard_text(x):
    if (x < 0).any():
        raise ValueError("negative")
    str(meter)
    return x * 2


def guard_formatted(x):
    if (x < 0).any():
        raise ValueError("negative")
    f"{meter}"
    return x * 2


def guard_key(x):
    if (x < 0).any():
        raise ValueError("negative")
    sorted([2, 1], key=numbers.append)
    return x * 2


def guard_reduce(x):
    if (x < 0).any():
        raise ValueError("negative")
    functools.reduce(keep, [1, 2])
    return x * 2


def guard_map(x):
    if (x < 0).any():
        raise ValueError("negative")
    list(map(numbers.append, [1]))
    return x * 2


def guard_result(x):
    if (x < 0).any():
        raise ValueError("negative")
    known().append(3)
    return x * 2


def guard_constant(x):
    if (x < 0).any():
        raise ValueError("negative")
    getattr(meter, "size")
    return x * 2


WAYS = {
    "class_method": guard_class_method,
    "property": guard_property,
    "descriptor": guard_descriptor,
    "getattr": guard_getattr,
    "subscript": guard_subscript,
    "operator": guard_operator,
    "reflected": guard_reflected,
    "inplace": guard_inplace,
    "unary": guard_unary,
    "compare": guard_compare,
    "contains": guard_contains,
    "len": guard_len,
    "iteration": guard_iteration,
    "unpacking": guard_unpacking,
    "test": guard_test,
    "with": guard_with,
    "text": guard_text,
    "formatted": guard_formatted,
    "key": guard_key,
    "reduce": guard_reduce,
    "map": guard_map,
    "result": guard_result,
    "constant": guard_constant,
}
for _way in (
    guard_class_method,
    guard_property,
    guard_descriptor,
    guard_getattr,
    guard_subscript,
    guard_operator,
    guard_reflected,
    guard_inplace,
):
    torch.compile(_way)
for _way in (
    guard_unary,
    guard_compare,
    guard_contains,
    guard_len,
    guard_iteration,
    guard_unpacking,
    guard_test,
    guard_with,
):
    torch.compile(_way)
for _way in (guard_text, guard_formatted, guard_key, guard_reduce, guard_map, guard_result, guard_constant):
    torch.compile(_way)


def run(x, way):
    return WAYS[way](x)


def cases():
    return [((value, way), {}) for way in WAYS for value in (torch.ones(3), -torch.ones(3))]


def observe():
    return len(meter.seen), len(Meter.made), len(numbers)
