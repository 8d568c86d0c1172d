"""The selected tensor is changed in place: its other name must see it."""

import functools
import operator

import torch
import torch.nn.functional as F
from graphmend import runtime as _graphmend

@torch.compile
def run(x: torch.Tensor):
    out = x
    if x.max() > 1:
        out = x * 2
    out.add_(1)
    return out, x


def twice(x):
    h = x * 2
    return h, h.view(-1)


@torch.compile
def items(x: torch.Tensor):
    h, flat = twice(x)
    if h.sum() > 0:
        h = h.clamp(-1, 1)
    flat.add_(1)
    return h


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("state", torch.zeros(3))

    def bump(self):
        self.state.add_(1)

    def forward(self, x):
        h = self.state
        if x.sum() > 0:
            h = h * 2
        self.bump()
        return h + 0


compiled = torch.compile(Net())


relu = torch.nn.ReLU(inplace=True)
stack = torch.nn.Sequential(torch.nn.Identity(), torch.nn.ReLU6(True))
after_linear = torch.nn.Sequential(torch.nn.Linear(3, 3), torch.nn.ReLU(True))
shared = torch.zeros(3)


def bump():
    shared.add_(1)


def by_name(x: torch.Tensor, name: str):
    x = x.clone()
    y = x[:] if x.max() > 1 else x * 2
    getattr(y, name)(2)
    return y * 1, x * 1


def by_bound_method(x: torch.Tensor):
    x = x.clone()
    y = x[:] if x.max() > 1 else x * 2
    double = y.mul_
    double(2)
    return y * 1, x * 1


def by_map(x: torch.Tensor):
    x = x.clone()
    y = x[:] if x.max() > 1 else x * 2
    list(map(lambda t: t.add_(1), [y]))
    return y * 1, x * 1


def by_position(x: torch.Tensor):
    x = x.clone()
    y = x[:] if x.max() > 1 else x * 2
    F.dropout(y, 0.5, True, True)
    return y * 1, x * 1


def by_function(x: torch.Tensor):
    x = x.clone()
    y = x[:] if x.max() > 1 else x * 2
    torch.relu_(y)
    return y * 1, x * 1


def by_operator(x: torch.Tensor):
    x = x.clone()
    y = x[:] if x.max() > 1 else x * 2
    operator.iadd(y, 1)
    return y * 1, x * 1


def by_partial(x: torch.Tensor):
    x = x.clone()
    y = x[:] if x.max() > 1 else x * 2
    functools.partial(torch.Tensor.add_, y)(1)
    return y * 1, x * 1


def by_module(x: torch.Tensor):
    x = x.clone()
    y = x[:] if x.max() > 1 else x * 2
    relu(y)
    return y * 1, x * 1


def by_stack(x: torch.Tensor):
    x = x.clone()
    y = x[:] if x.max() > 1 else x * 2
    stack(y)
    return y * 1, x * 1


def by_attribute(x: torch.Tensor):
    x = x.clone()
    y = x if x.max() > 1 else x * 2
    y.data = torch.zeros(3)
    return y * 1, x * 1


def by_global(x: torch.Tensor):
    y = shared if x.max() > 1 else x * 2
    bump()
    return y * 1


def by_unknown(x: torch.Tensor, act):
    x = x.clone()
    y = x[:] if x.max() > 1 else x * 2
    act(y)
    return y * 1, x * 1


def all_of(*tensors, **named):
    tensors[1].add_(1)
    named["last"].add_(1)


def by_many(x: torch.Tensor):
    x = x.clone()
    y = x[:] if x.max() > 1 else x * 2
    all_of(x * 1, y, last=x * 3)
    return y * 1, x * 1


def by_keywords(x: torch.Tensor):
    x = x.clone()
    y = x[:] if x.max() > 1 else x * 2
    all_of(x * 1, x * 2, last=y)
    return y * 1, x * 1


def by_unpacking(x: torch.Tensor):
    x = x.clone()
    y = x[:] if x.max() > 1 else x * 2
    F.relu(*[y, True])
    return y * 1, x * 1


def by_flag(x: torch.Tensor, flag: bool):
    h = x.clone()
    y = F.relu(h, flag)
    z = y if x.max() > 1 else x * 2
    h.add_(1)
    return z


def by_dict(x: torch.Tensor):
    h = x.clone()
    held = {k: h[k] for k in range(2)}
    part = held[0]
    y = part if x.max() > 1 else x[0] * 2
    h.add_(1)
    return y * 1


def by_repeating(x: torch.Tensor):
    h = x.clone()
    held = [h] * 2
    part = held[0]
    y = part if x.max() > 1 else x * 2
    h.add_(1)
    return y * 1


class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x


def by_autograd_function(x: torch.Tensor):
    y = x if x.max() > 1 else x * 2
    Doubled.apply(x)
    return y * 1, x * 1


def by_statistics(x: torch.Tensor):
    mean = torch.zeros(3)
    y = mean if x.max() > 1 else x[0] * 2
    F.batch_norm(x, mean[:], torch.ones(3), training=True)
    return y * 1, mean * 1


def left_alone(x: torch.Tensor):
    """Nothing changes it: rewritten."""
    x = x.clone()
    y = _graphmend.select(x.max() > 1, lambda: x[:], lambda: x * 2)
    z = getattr(y, "mul")(2) + F.dropout(y, 0.5, False, False) + operator.add(y, 1)
    return after_linear(y) + sum(map(lambda t: t * 3, [y])) + z, x * 1


def no_flag(x: torch.Tensor):
    """The True is keepdim: rewritten."""
    h = x.clone()
    y = torch.sum(h, 0, True)
    z = _graphmend.select(x.max() > 1, lambda: y, lambda: x * 2)
    h.add_(1)
    return z


for function in (by_name, by_bound_method, by_map, by_position, by_function, by_operator, by_partial):
    torch.compile(function)
for function in (by_module, by_stack, by_attribute, by_global, by_unknown, left_alone):
    torch.compile(function)
for function in (by_many, by_keywords, by_unpacking, by_flag, by_dict, by_repeating, no_flag):
    torch.compile(function)
for function in (by_autograd_function, by_statistics):
    torch.compile(function)
