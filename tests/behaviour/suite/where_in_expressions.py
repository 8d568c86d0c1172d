"""Where: conditional expressions on data wherever an expression may stand."""

import contextlib

import torch

ENTRY, EXPECT = "run", "declined"


def named(value):
    return lambda function: function


def given(x, k=None):
    return x if k is None else x * k


def argument(x):
    return given(x if x.sum() > 0 else x**-1)


def argument_of_torch(x):
    return torch.relu(x if x.sum() > 0 else x**-1)


def keyword(x):
    return given(x, k=1 if x.sum() > 0 else 2)


def subscripts(x):
    rows = [x, x + 1]
    return rows[0 if x.sum() > 0 else 1] + x[0 if x.sum() > 0 else 1] + x[: 1 if x.sum() > 0 else 2].sum()


def elements(x):
    listed = [x if x.sum() > i else -x for i in range(3)]
    mapped = {i: x if x.sum() > i else -x for i in range(3)}
    return sum(listed) + mapped[1] * 2 + sum(x if x.sum() > i else -x for i in range(2))


def conditions(x):
    kept = [i for i in range(3) if (x.sum() > i if i else x.max() > 0)]
    return x + len(kept) + len([i for i in ([1] if x.sum() > 0 else [2, 3])])


def text(x):
    print(f"{1 if x.sum() > 0 else 2}", x if x.sum() > 0 else -x)
    return x, f"{1 if x.sum() > 0 else 2}"


def returned(x):
    return x, (x + 1 if x.sum() > 0 else x - 1), x if x.sum() > 0 else (x + 2 if x.max() > 3 else x - 2)


def in_test(x):
    y = x + 1 if (x.sum() > 0 if x.min() > 1 else x.max() > 0) else x - 1
    if x.sum() > 3 if y.max() > 0 else x.min() > 0:
        y = y * 2
    return y


def functions(x):
    add = lambda t: t + 1 if t.sum() > 0 else t - 1  # noqa: E731
    default = lambda y=x + 1 if x.sum() > 0 else x - 1: y  # noqa: E731

    @named(x + 1 if x.sum() > 0 else x - 1)
    def inner(y=x * 2 if x.sum() > 0 else x * 3):
        return y

    return add(x) + default() + inner()


def displays(x):
    kept = {"a": x + 1 if x.sum() > 0 else x - 1, 1 if x.sum() > 0 else 2: x}
    chosen = {1 if x.sum() > 0 else 2}
    return [x + 1 if x.sum() > 0 else x - 1], kept, sorted(chosen), (x * 2 if x.sum() > 0 else x, x)


def starred(x):
    return torch.stack([*([x] if x.sum() > 0 else [-x, x])]), given(x, **({"k": 3} if x.sum() > 0 else {}))


def augmented(x):
    y, rows = x * 1, [x, x + 1]
    y += x if x.sum() > 0 else -x
    rows[0 if x.sum() > 0 else 1] += 1
    y[0 if x.sum() > 0 else 1] = 5
    del rows[0 if x.sum() > 0 else 1]
    return y, rows


def managed(x):
    with torch.no_grad() if x.sum() > 0 else contextlib.nullcontext():
        return x + 1


def asserted(x):
    assert x.sum() > 0 if x.max() > 0 else x.min() > -9, "first"
    assert x.sum() > -5, "a" if x.max() > -4 else "b"
    if x.sum() > 6:
        raise ValueError("a" if x.max() > 3 else "b")
    return x


def loops(x):
    for i in [1, 2] if x.sum() > 0 else [3]:
        x = x + i
    while x.sum() > 0 if x.max() > 2 else x.min() > 0:
        x = x - 1
    return x


def operands(x):
    y = (x if x.sum() > 0 else -x).abs() + (1 if x.sum() > 0 else 2)
    return y > (x.max() if x.sum() > 0 else x.min()), (torch.sin if x.sum() > 0 else torch.cos)(x)


def bound(x):
    if (y := x + 1 if x.sum() > 0 else x - 1) is not None:
        x = y
    z: torch.Tensor = x + 1 if x.sum() > 0 else x - 1
    return z


def in_class(x):
    class Kept:
        by = 2
        value = x * by if x.sum() > 0 else x - by
        values = [x * i if x.sum() > 0 else x - i for i in (by, by + 1)]
        both = value if x.sum() > 0 and by else x

        def method(self, y=x + 1 if x.sum() > 0 else x - 1):
            return y

    return Kept.value + Kept().method() + Kept.values[0] + Kept.both


KINDS = (
    argument,
    argument_of_torch,
    keyword,
    subscripts,
    elements,
    conditions,
    text,
    returned,
    in_test,
    functions,
    displays,
    starred,
    augmented,
    managed,
    asserted,
    loops,
    operands,
    bound,
    in_class,
)
for _kind in KINDS:
    torch.compile(_kind)


def run(x, kind: int):
    return KINDS[kind](x)


def cases():
    values = [(kind, [-1.0, 0.5]) for kind in range(len(KINDS))]
    values += [(KINDS.index(kind), [1.0, 2.0]) for kind in (elements, functions, asserted, in_class)]
    return [((torch.tensor(value), kind), {}) for kind, value in values]
