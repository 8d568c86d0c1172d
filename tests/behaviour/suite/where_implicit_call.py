# ruff: noqa: B009, B015, B018
"""Where: an arm runs functions that nothing calls by name: operators, properties, callbacks."""

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


def arm_class_method(x):
    if x.sum() > 0:
        Meter.make()
        y = x * 2
    else:
        y = x * 3
    return y


def arm_property(x):
    if x.sum() > 0:
        meter.size
        y = x * 2
    else:
        y = x * 3
    return y


def arm_descriptor(x):
    if x.sum() > 0:
        meter.described
        y = x * 2
    else:
        y = x * 3
    return y


def arm_getattr(x):
    if x.sum() > 0:
        meter.missing
        y = x * 2
    else:
        y = x * 3
    return y


def arm_subscript(x):
    if x.sum() > 0:
        meter["k"]
        y = x * 2
    else:
        y = x * 3
    return y


def arm_operator(x):
    if x.sum() > 0:
        meter + 1
        y = x * 2
    else:
        y = x * 3
    return y


def arm_reflected(x):
    if x.sum() > 0:
        1 + meter
        y = x * 2
    else:
        y = x * 3
    return y


def arm_unary(x):
    if x.sum() > 0:
        -meter
        y = x * 2
    else:
        y = x * 3
    return y


def arm_compare(x):
    if x.sum() > 0:
        meter < 1
        y = x * 2
    else:
        y = x * 3
    return y


def arm_contains(x):
    if x.sum() > 0:
        1 in meter
        y = x * 2
    else:
        y = x * 3
    return y


def arm_len(x):
    if x.sum() > 0:
        len(meter)
        y = x * 2
    else:
        y = x * 3
    return y


def arm_unpacking(x):
    if x.sum() > 0:
        list(meter)
        y = x * 2
    else:
        y = x * 3
    return y


def arm_text(x):
    if x.sum() > 0:
        str(meter)
        y = x * 2
    else:
        y = x * 3
    return y


def arm_formatted(x):
    if x.sum() > 0:
        f"{meter}"
        y = x * 2
    else:
        y = x * 3
    return y


def arm_key(x):
    if x.sum() > 0:
        sorted([2, 1], key=numbers.append)
        y = x * 2
    else:
        y = x * 3
    return y


def arm_reduce(x):
    if x.sum() > 0:
        functools.reduce(keep, [1, 2])
        y = x * 2
    else:
        y = x * 3
    return y


def arm_map(x):
    if x.sum() > 0:
        list(map(numbers.append, [1]))
        y = x * 2
    else:
        y = x * 3
    return y


def arm_result(x):
    if x.sum() > 0:
        known().append(3)
        y = x * 2
    else:
        y = x * 3
    return y


def arm_constant(x):
    if x.sum() > 0:
        getattr(meter, "size")
        y = x * 2
    else:
        y = x * 3
    return y


WAYS = {
    "class_method": arm_class_method,
    "property": arm_property,
    "descriptor": arm_descriptor,
    "getattr": arm_getattr,
    "subscript": arm_subscript,
    "operator": arm_operator,
    "reflected": arm_reflected,
    "unary": arm_unary,
    "compare": arm_compare,
    "contains": arm_contains,
    "len": arm_len,
    "unpacking": arm_unpacking,
    "text": arm_text,
    "formatted": arm_formatted,
    "key": arm_key,
    "reduce": arm_reduce,
    "map": arm_map,
    "result": arm_result,
    "constant": arm_constant,
}
for _way in (
    arm_class_method,
    arm_property,
    arm_descriptor,
    arm_getattr,
    arm_subscript,
    arm_operator,
    arm_reflected,
    arm_unary,
):
    torch.compile(_way)
for _way in (arm_compare, arm_contains, arm_len, arm_unpacking, arm_text, arm_formatted, arm_key, arm_reduce):
    torch.compile(_way)
for _way in (arm_map, arm_result, arm_constant):
    torch.compile(_way)


def run(x, way):
    return WAYS[way](x)


def cases():
    return [((value, way), {}) for way in WAYS for value in (torch.ones(3), -torch.ones(3))]


def observe():
    return len(meter.seen), len(Meter.made), len(numbers)
