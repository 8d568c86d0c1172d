"""Trap: after the guard state is changed in other ways than by an assignment, or a division may fail first."""

import collections
import functools
import operator

import torch
import torch.nn.functional as F

ENTRY, EXPECT = "run", "declined"


class Table:
    size = 0

    def __enter__(self):
        self.entered = True

    def __exit__(self, *reason):
        pass


numbers = [0]
queue = collections.deque(range(50))
batches = iter(range(100))
table = Table()
layer = torch.nn.Linear(2, 2).eval()
mean, variance = torch.zeros(3), torch.ones(3)


def seen(value, into=[]):  # noqa: B006
    into.append(value)
    return into


def by_default(x):
    if (x < 0).any():
        raise ValueError("negative")
    seen(1)
    return x * 2


def by_next(x):
    if (x < 0).any():
        raise ValueError("negative")
    next(batches)
    return x * 2


def by_popleft(x):
    if (x < 0).any():
        raise ValueError("negative")
    queue.popleft()
    return x * 2


def by_bound_method(x):
    if (x < 0).any():
        raise ValueError("negative")
    add = numbers.append
    add(1)
    return x * 2


def by_partial(x):
    if (x < 0).any():
        raise ValueError("negative")
    functools.partial(numbers.append, 3)()
    return x * 2


def by_vars(x):
    if (x < 0).any():
        raise ValueError("negative")
    vars(table)["rows"] = 1
    return x * 2


def by_class(x):
    if (x < 0).any():
        raise ValueError("negative")
    type(table).size = 9
    return x * 2


def by_setattr(x):
    if (x < 0).any():
        raise ValueError("negative")
    (again := table).__setattr__("columns", 2 if again else 3)
    return x * 2


def by_operator(x):
    if (x < 0).any():
        raise ValueError("negative")
    operator.iadd(numbers, [1])
    return x * 2


def by_statistics(x):
    if (x < 0).any():
        raise ValueError("negative")
    F.batch_norm(x.view(1, 3).repeat(2, 1), mean, variance, training=True)
    return x * 2


def by_train(x):
    if (x < 0).any():
        raise ValueError("negative")
    layer.train()
    return x * 2


def by_key(x):
    if (x < 0).any():
        raise ValueError("negative")
    max([1, 2], key=lambda value: numbers.append(value) or value)
    return x * 2


def by_context(x):
    if (x < 0).any():
        raise ValueError("negative")
    with table:
        return x * 2


def by_division(x):
    if (x <= 0).any():
        raise ValueError("not positive")
    return torch.div(torch.ones_like(x).long(), x.long(), rounding_mode="floor")


def by_method(x):
    y = x.long()
    if (y <= 0).any():
        raise ValueError("not positive")
    return (y + 1).div(y, rounding_mode="trunc")


def by_floordiv(x):
    y = x.long()
    if (y <= 0).any():
        raise ValueError("not positive")
    return operator.floordiv(y + 1, y)


KINDS = (by_default, by_next, by_popleft, by_bound_method, by_partial, by_vars, by_class, by_setattr)
KINDS += (by_operator, by_statistics, by_train, by_key, by_context, by_division, by_method, by_floordiv)
for _kind in (by_default, by_next, by_popleft, by_bound_method, by_partial, by_vars, by_class, by_setattr):
    torch.compile(_kind)
for _kind in (by_operator, by_statistics, by_train, by_key, by_context, by_division, by_method, by_floordiv):
    torch.compile(_kind)


def run(x, kind: int):
    return KINDS[kind](x)


def observe():
    state = [len(seen.__defaults__[0]), batches.__reduce__()[2], len(queue), list(numbers), sorted(vars(table))]
    return [*state, Table.size, layer.training, mean.tolist(), variance.tolist()]


def cases():
    values = ([-1.0, 0.0, 2.0], [1.0, 2.0, 3.0], [0.0, 1.0, 2.0])
    return [((torch.tensor(value), kind), {}) for kind in range(len(KINDS)) for value in values]
