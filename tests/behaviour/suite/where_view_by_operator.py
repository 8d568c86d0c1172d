"""Where: an arm gives a view of a tensor, or the tensor itself, that is changed in place afterwards: by a permuting einsum, +h,
an autograd.Function."""

import torch
from torch import nn

ENTRY, EXPECT = "Net", "declined"


class Straight(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.view(x.shape)

    @staticmethod
    def backward(ctx, grad):
        return grad


def permuted(x):
    h = x * 2
    if x.sum() > 0:
        v = torch.einsum("ij->ji", h)
    else:
        v = h.t() * 3
    h.add_(1)
    return v * 2, h


def diagonal(x):
    h = x * 2
    v = torch.einsum("ii->i", h) if x.sum() > 0 else h[0] * 3
    h.add_(1)
    return v * 2, h


def plus(x):
    h = x * 2
    if x.sum() > 0:
        v = +h
    else:
        v = h * 3
    h.add_(1)
    return v * 2, h


def plus_changed(x):
    h = x * 2
    if x.sum() > 0:
        v = h
    else:
        v = h * 3
    w = +v
    w.add_(1)
    return v * 2, h


def straight(x):
    h = x * 2
    if x.sum() > 0:
        v = Straight.apply(h)
    else:
        v = h * 3
    h.add_(1)
    return v * 2, h


def bound(x):
    h = x * 2
    if x.sum() > 0:
        v = h
    else:
        v = h * 3
    flat = getattr(h, "view")
    flat(-1).add_(1)
    return v * 2, h


KINDS = [permuted, diagonal, plus, plus_changed, straight, bound]


class Net(nn.Module):
    def forward(self, x, kind: int):
        return KINDS[kind](x)


compiled = torch.compile(Net())


def cases():
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    return [((x * sign, kind), {}) for kind in range(len(KINDS)) for sign in (1, -1)]
