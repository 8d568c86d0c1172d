"""Where: an arm changes an object that only this function knows, and that it reads after the branch."""

import functools

import torch
import torch.nn.functional as F

ENTRY, EXPECT = "run", "declined"

table = torch.arange(4.0)
third = functools.partial(torch.div, rounding_mode="floor")


def by_position(x, i):
    h = x.clone()
    if x.sum() > 0:
        F.silu(h, True)
        z = x * 2
    else:
        z = x * 3
    return z, h * 1


def after_a_return(x, i):
    h = x.clone()
    if x.sum() < 0:
        return x * 3, h
    F.leaky_relu(h, 0.1, True)
    return x * 2, h


def beside_a_look_up(x, i):
    h = x.clone()
    if x.sum() > 0:
        h.add_(table[i])
        z = x * 2
    else:
        z = x * 3
    return z, h * 1


def by_look_up_and_position(x, i):
    h = x.clone()
    if x.sum() > 0:
        z = F.relu(table[i] + h)
        F.elu(h, 1.0, True)
    else:
        z = x * 3
    return z, h * 1


def given(x, i):
    h = x.clone()
    z = h.add_(table[i]) if x.sum() > 0 else x * 3
    return z, h * 1


def appended(x, i):
    rows = [x]
    if x.sum() > 0:
        rows.append(table[i])
    else:
        rows.append(table[i] * 2)
    return torch.stack(rows)


def one_appended(x, i):
    rows = [x]
    if x.sum() > 0:
        rows.append(table[i])
        z = x * 2
    else:
        z = x * 3
    return z, len(rows)


def by_partial(x, i):
    if x.sum() > 0:
        z = third(i, i - 1)
    else:
        z = i * 1
    return z * 2


KINDS = (
    by_position,
    after_a_return,
    beside_a_look_up,
    by_look_up_and_position,
    given,
    appended,
    one_appended,
    by_partial,
)
for _kind in KINDS:
    torch.compile(_kind)


def run(x, i, kind: int):
    return KINDS[kind](x, i)


def cases():
    i = torch.tensor([1, 2, 3])
    return [((torch.full((3,), value), i, kind), {}) for kind in range(len(KINDS)) for value in (1.0, -1.0)]
