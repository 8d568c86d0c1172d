# ruff: noqa: B009, B015, B018
"""Functions of the project that run without a call by name have effects."""

import functools

import torch


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


@torch.compile
def guard_class_method(x: torch.Tensor):
    if (x < 0).any():
        raise ValueError("negative")
    Meter.make()
    return x * 2


@torch.compile
def guard_property(x: torch.Tensor):
    if (x < 0).any():
        raise ValueError("negative")
    meter.size
    return x * 2


@torch.compile
def guard_descriptor(x: torch.Tensor):
    if (x < 0).any():
        raise ValueError("negative")
    meter.described
    return x * 2


@torch.compile
def guard_getattr(x: torch.Tensor):
    if (x < 0).any():
        raise ValueError("negative")
    meter.missing
    return x * 2


@torch.compile
def guard_subscript(x: torch.Tensor):
    if (x < 0).any():
        raise ValueError("negative")
    meter["k"]
    return x * 2


@torch.compile
def guard_operator(x: torch.Tensor):
    if (x < 0).any():
        raise ValueError("negative")
    meter + 1
    return x * 2


@torch.compile
def guard_reflected(x: torch.Tensor):
    if (x < 0).any():
        raise ValueError("negative")
    1 + meter
    return x * 2


@torch.compile
def guard_inplace(x: torch.Tensor):
    if (x < 0).any():
        raise ValueError("negative")
    local = meter
    local += 1
    return x * 2


@torch.compile
def guard_unary(x: torch.Tensor):
    if (x < 0).any():
        raise ValueError("negative")
    -meter
    return x * 2


@torch.compile
def guard_compare(x: torch.Tensor):
    if (x < 0).any():
        raise ValueError("negative")
    meter < 1
    return x * 2


@torch.compile
def guard_contains(x: torch.Tensor):
    if (x < 0).any():
        raise ValueError("negative")
    1 in meter
    return x * 2


@torch.compile
def guard_len(x: torch.Tensor):
    if (x < 0).any():
        raise ValueError("negative")
    len(meter)
    return x * 2


@torch.compile
def guard_iteration(x: torch.Tensor):
    if (x < 0).any():
        raise ValueError("negative")
    for _ in meter:
        pass
    return x * 2


@torch.compile
def guard_unpacking(x: torch.Tensor):
    if (x < 0).any():
        raise ValueError("negative")
    list(meter)
    return x * 2


@torch.compile
def guard_test(x: torch.Tensor):
    if (x < 0).any():
        raise ValueError("negative")
    if meter:
        pass
    return x * 2


@torch.compile
def guard_with(x: torch.Tensor):
    if (x < 0).any():
        raise ValueError("negative")
    with meter:
        pass
    return x * 2


@torch.compile
def guard_text(x: torch.Tensor):
    if (x < 0).any():
        raise ValueError("negative")
    str(meter)
    return x * 2


@torch.compile
def guard_formatted(x: torch.Tensor):
    if (x < 0).any():
        raise ValueError("negative")
    f"{meter}"
    return x * 2


@torch.compile
def guard_key(x: torch.Tensor):
    if (x < 0).any():
        raise ValueError("negative")
    sorted([2, 1], key=numbers.append)
    return x * 2


@torch.compile
def guard_reduce(x: torch.Tensor):
    if (x < 0).any():
        raise ValueError("negative")
    functools.reduce(keep, [1, 2])
    return x * 2


@torch.compile
def guard_map(x: torch.Tensor):
    if (x < 0).any():
        raise ValueError("negative")
    list(map(numbers.append, [1]))
    return x * 2


@torch.compile
def guard_result(x: torch.Tensor):
    if (x < 0).any():
        raise ValueError("negative")
    known().append(3)
    return x * 2


@torch.compile
def guard_constant(x: torch.Tensor):
    if (x < 0).any():
        raise ValueError("negative")
    getattr(meter, "size")
    return x * 2


@torch.compile
def arm_class_method(x: torch.Tensor):
    if x.sum() > 0:
        Meter.make()
        y = x * 2
    else:
        y = x * 3
    return y


@torch.compile
def arm_property(x: torch.Tensor):
    if x.sum() > 0:
        meter.size
        y = x * 2
    else:
        y = x * 3
    return y


@torch.compile
def arm_descriptor(x: torch.Tensor):
    if x.sum() > 0:
        meter.described
        y = x * 2
    else:
        y = x * 3
    return y


@torch.compile
def arm_getattr(x: torch.Tensor):
    if x.sum() > 0:
        meter.missing
        y = x * 2
    else:
        y = x * 3
    return y


@torch.compile
def arm_subscript(x: torch.Tensor):
    if x.sum() > 0:
        meter["k"]
        y = x * 2
    else:
        y = x * 3
    return y


@torch.compile
def arm_operator(x: torch.Tensor):
    if x.sum() > 0:
        meter + 1
        y = x * 2
    else:
        y = x * 3
    return y


@torch.compile
def arm_reflected(x: torch.Tensor):
    if x.sum() > 0:
        1 + meter
        y = x * 2
    else:
        y = x * 3
    return y


@torch.compile
def arm_unary(x: torch.Tensor):
    if x.sum() > 0:
        -meter
        y = x * 2
    else:
        y = x * 3
    return y


@torch.compile
def arm_compare(x: torch.Tensor):
    if x.sum() > 0:
        meter < 1
        y = x * 2
    else:
        y = x * 3
    return y


@torch.compile
def arm_contains(x: torch.Tensor):
    if x.sum() > 0:
        1 in meter
        y = x * 2
    else:
        y = x * 3
    return y


@torch.compile
def arm_len(x: torch.Tensor):
    if x.sum() > 0:
        len(meter)
        y = x * 2
    else:
        y = x * 3
    return y


@torch.compile
def arm_unpacking(x: torch.Tensor):
    if x.sum() > 0:
        list(meter)
        y = x * 2
    else:
        y = x * 3
    return y


@torch.compile
def arm_text(x: torch.Tensor):
    if x.sum() > 0:
        str(meter)
        y = x * 2
    else:
        y = x * 3
    return y


@torch.compile
def arm_formatted(x: torch.Tensor):
    if x.sum() > 0:
        f"{meter}"
        y = x * 2
    else:
        y = x * 3
    return y


@torch.compile
def arm_key(x: torch.Tensor):
    if x.sum() > 0:
        sorted([2, 1], key=numbers.append)
        y = x * 2
    else:
        y = x * 3
    return y


@torch.compile
def arm_reduce(x: torch.Tensor):
    if x.sum() > 0:
        functools.reduce(keep, [1, 2])
        y = x * 2
    else:
        y = x * 3
    return y


@torch.compile
def arm_map(x: torch.Tensor):
    if x.sum() > 0:
        list(map(numbers.append, [1]))
        y = x * 2
    else:
        y = x * 3
    return y


@torch.compile
def arm_result(x: torch.Tensor):
    if x.sum() > 0:
        known().append(3)
        y = x * 2
    else:
        y = x * 3
    return y


@torch.compile
def arm_constant(x: torch.Tensor):
    if x.sum() > 0:
        getattr(meter, "size")
        y = x * 2
    else:
        y = x * 3
    return y
