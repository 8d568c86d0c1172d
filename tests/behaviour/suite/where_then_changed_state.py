"""Where: what a selection may hand on is changed later by an autograd.Function, or as running statistics."""

import torch
import torch.nn.functional as F
from torch import nn

ENTRY, EXPECT = "build()", "declined"


class Doubled(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        x.mul_(2)
        ctx.mark_dirty(x)
        return x

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


class Split(torch.autograd.Function):
    @staticmethod
    def forward(x):
        return x.mul_(2)

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.mark_dirty(*inputs)

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


double = Doubled.apply


def by_function(x, y):
    h = x if x.sum() > 0 else y * 1
    z = Doubled.apply(x)
    return h, z


def by_name(x, y):
    if x.sum() > 0:
        h = x
    else:
        h = y * 1
    double(x)
    return h * 1, x


def by_selected(x, y):
    h = x if x.sum() > 0 else y * 1
    Split.apply(h)
    return h, x


def by_view(x, y):
    h = x[0] if x.sum() > 0 else y[0] * 1
    Split.apply(x)
    return h, x


def batch_norm(x, y):
    means = torch.zeros(2, 3)
    mean = means[0]
    h = mean if x.sum() > 0 else y[0] * 1
    z = F.batch_norm(x, means[0], torch.ones(3), training=True)
    return h, z


def instance_norm(x, y):
    state = torch.ones(6)
    if x.sum() > 0:
        h = state
    else:
        h = y.reshape(-1) * 1
    z = F.instance_norm(x[None], running_mean=state[:2], running_var=state[2:4], use_input_stats=True)
    return h, z


def handed_out(x, y):
    state = torch.ones(3)
    h = state if x.sum() > 0 else y[0] * 1
    F.batch_norm(x, state, torch.ones(3), None, None, True)
    return h, state


class Norm(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(3)

    def forward(self, x, y):
        h = self.norm.running_mean if x.sum() > 0 else y[0] * 1
        z = self.norm(x)
        return h * 1, z


KINDS = [by_function, by_name, by_selected, by_view, batch_norm, instance_norm, handed_out]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.last = Norm()

    def forward(self, x, y, kind: int):
        if kind == 7:
            return self.last(x, y)
        return KINDS[kind](x * 1, y * 1)


def build():
    return Net().train()


compiled = torch.compile(build())


def cases():
    y = torch.full((2, 3), 5.0)
    x = torch.tensor([[1.0, 2.0, 3.0], [2.0, 4.0, 0.0]])
    return [((x * sign, y, kind), {}) for kind in range(8) for sign in (1, -1)]
