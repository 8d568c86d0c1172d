"""After the guard something is changed that others have: through what **options hold, an array that is no copy, the
tensor that an autograd function gets, a row of the caller's tensor, a checkpointed layer, a view's values."""

import numpy as np
import torch
from torch import nn

ENTRY, EXPECT = "run", "declined"


class Change(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        x.add_(1)
        return x * scale

    @staticmethod
    def backward(ctx, grad):
        return grad, None


class ChangeSecond(torch.autograd.Function):
    @staticmethod
    def forward(x, y):
        y.add_(1)
        return x * 2

    @staticmethod
    def setup_context(ctx, inputs, output):
        pass

    @staticmethod
    def backward(ctx, grad):
        return grad, None


change = Change.apply


def changes_option(x, **options):
    options["into"].add_(1)
    return x


def fills(x, **options):
    options["seen"].append(1)
    return x


class Adds(nn.Module):
    def forward(self, x):
        x.add_(1)
        return x * 2


class Holder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = Adds()
        setattr(self, "_gradient" + "_checkpointing_func", lambda function, *args: function(*args))
        self.seen = []
        self.register_buffer("total", torch.zeros(2, 4))
        self.array = np.zeros(3)
        self.nans = np.full(3, np.nan)


holder = Holder()


def by_function(x):
    if (x > 100).any():
        raise ValueError("large")
    return Change.apply(x, x + 1)


def by_name(x):
    if (x > 100).any():
        raise ValueError("large")
    return change(x, x + 1)


def by_second(x):
    if (x > 100).any():
        raise ValueError("large")
    return ChangeSecond.apply(x + 1, x)


def by_option(x):
    if (x > 100).any():
        raise ValueError("large")
    return changes_option(x + 1, into=holder.total)


def by_list(x):
    if (x > 100).any():
        raise ValueError("large")
    return fills(x + 1, seen=holder.seen)


def by_array(x):
    if (x > 100).any():
        raise ValueError("large")
    np.asarray(holder.array)[0] = 1.0
    return x + 1


def by_out(x):
    if (x > 100).any():
        raise ValueError("large")
    np.add(np.ones(3), np.ones(3), out=holder.array)
    return x + 1


def by_position(x):
    if (x > 100).any():
        raise ValueError("large")
    np.add(np.ones(3), np.ones(3), holder.array)
    return x + 1


def by_nan(x):
    if (x > 100).any():
        raise ValueError("large")
    np.nan_to_num(holder.nans, False)
    return x + 1


def by_row(x):
    if (x > 100).any():
        raise ValueError("large")
    for row, other in zip(x, torch.ones_like(x)):
        row.add_(other)
    return x + 1


def by_layer(x):
    if (x > 100).any():
        raise ValueError("large")
    return holder._gradient_checkpointing_func(holder.layer.__call__, x)


def by_values(x):
    if (x.real > 100).any():
        raise ValueError("large")
    rows = x[:, None]
    rows.real = torch.ones_like(rows)
    return x + 1


WAYS = {
    "by_function": by_function,
    "by_name": by_name,
    "by_second": by_second,
    "by_option": by_option,
    "by_list": by_list,
    "by_array": by_array,
    "by_out": by_out,
    "by_position": by_position,
    "by_nan": by_nan,
    "by_row": by_row,
    "by_layer": by_layer,
    "by_values": by_values,
}
for _way in (by_function, by_name, by_second, by_option, by_list, by_array):
    torch.compile(_way)
for _way in (by_out, by_position, by_nan, by_row, by_layer, by_values):
    torch.compile(_way)


def run(x, way):
    return WAYS[way](x)


def cases():
    return [((torch.full((2, 4), value), way), {}) for way in WAYS for value in (1.0, 200.0)]


def observe():
    return len(holder.seen), holder.total.tolist(), holder.array.tolist(), holder.nans.tolist()
