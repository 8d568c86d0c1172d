"""Where: a selected value is changed in place later, or shown for the object that it is, in other ways than by a statement."""

import functools
import operator

import torch
import torch.nn.functional as F

ENTRY, EXPECT = "run", "declined"

relu = torch.nn.ReLU(inplace=True)
stack = torch.nn.Sequential(torch.nn.Identity(), torch.nn.ReLU6(True))


def by_name(x):
    x = x.clone()
    y = x[:] if x.max() > -2 else x * 2
    getattr(y, "mul_")(2)
    return y * 1, x * 1


def by_bound_method(x):
    x = x.clone()
    y = x[:] if x.max() > -2 else x * 2
    double = y.mul_
    double(2)
    return y * 1, x * 1


def by_map(x):
    x = x.clone()
    y = x[:] if x.max() > -2 else x * 2
    list(map(lambda t: t.add_(1), [y]))
    return y * 1, x * 1


def by_comprehension(x):
    if x.sum() > 0:
        y = x
    else:
        y = x * 2
    [t.add_(1) for t in (y,)]
    return y * 1, x * 1


def by_position(x):
    if x.sum() > 0:
        y = x
    else:
        y = x * 2
    F.threshold(y, 5.0, 7.0, True)
    return y * 1, x * 1


def by_function(x):
    x = x.clone()
    y = x[:] if x.max() > -2 else x * 2
    torch.relu_(y)
    return y * 1, x * 1


def by_operator(x):
    x = x.clone()
    y = x[:] if x.max() > -2 else x * 2
    operator.iadd(y, 1)
    return y * 1, x * 1


def by_partial(x):
    x = x.clone()
    y = x[:] if x.max() > -2 else x * 2
    functools.partial(torch.Tensor.add_, y)(1)
    return y * 1, x * 1


def by_module(x):
    x = x.clone()
    y = x[:] if x.max() > -2 else x * 2
    relu(y)
    return y * 1, x * 1


def by_stack(x):
    x = x.clone()
    y = x[:] if x.max() > -2 else x * 2
    stack(y)
    return y * 1, x * 1


def shows_place(x):
    if x.sum() > 0:
        y = x
    else:
        y = x * 2
    return y + (1 if y.data_ptr() == x.data_ptr() else 5)


def shows_base(x):
    x = x.clone()
    y = x[:] if x.max() > -2 else x * 2
    return y + (1 if y._base is None else 2)


def shows_offset(x):
    x = x.clone()
    y = x[1:] if x.max() > -2 else x[1:] * 2
    return y + y.storage_offset()


def shows_object(x):
    x = x.clone()
    y = x if x.max() > -2 else x * 2
    return y + (1 if operator.is_(y, x) else 2)


KINDS = (by_name, by_bound_method, by_map, by_comprehension, by_position, by_function, by_operator, by_partial)
KINDS += (by_module, by_stack, shows_place, shows_base, shows_offset, shows_object)
for _kind in (by_name, by_bound_method, by_map, by_comprehension, by_position, by_function, by_operator, by_partial):
    torch.compile(_kind)
for _kind in (by_module, by_stack, shows_place, shows_base, shows_offset, shows_object):
    torch.compile(_kind)


def run(x, kind: int):
    return KINDS[kind](x)


def cases():
    return [((torch.full((3,), value), kind), {}) for kind in range(len(KINDS)) for value in (1.0, -1.0, -3.0)]
