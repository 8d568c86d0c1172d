"""Hooks run with the modules that they are set on, and an embedding with max_norm scales its weight."""

import torch
import torch.nn.functional as F
from graphmend import runtime as _graphmend

HEAD = torch.nn.Identity()
HEADS = torch.nn.ModuleList([torch.nn.Tanh(), torch.nn.Tanh()])
PLAIN = torch.nn.Tanh()
SCALED = torch.nn.Embedding(4, 2, max_norm=0.1).requires_grad_(False)
CALLS = []


def keep(module, args, result):
    CALLS.append(1)


HEAD.register_forward_hook(keep)
for head in HEADS:
    head.register_forward_pre_hook(lambda module, args: CALLS.append(2))


@torch.compile
def by_name(x: torch.Tensor):
    if x.sum() > 0:
        y = HEAD(x)
    else:
        y = x * 3
    return y


@torch.compile
def in_list(x: torch.Tensor):
    if x.sum() > 0:
        y = HEADS[0](x)
    else:
        y = x * 3
    return y


@torch.compile
def not_hooked(x: torch.Tensor):
    y = _graphmend.select(x.sum() > 0,
        lambda: PLAIN(x),

        lambda: x * 3)
    return y


@torch.compile
def renormed_by_name(x: torch.Tensor, at: torch.Tensor):
    if x.isnan().any():
        raise ValueError("NaN")
    return SCALED(at) + x


class Inner(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_full_backward_hook(keep)

    def forward(self, x):
        return x * 2


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()
        self.act = torch.nn.Tanh()
        self.table = torch.nn.Embedding(4, 2, max_norm=0.1)
        self.bag = torch.nn.EmbeddingBag(4, 2, None)
        self.watch()

    def watch(self):
        act = self.act
        act.register_forward_hook(keep)

    @torch.compile
    def forward(self, x: torch.Tensor):
        if x.sum() > 0:
            y = self.inner(x)
        else:
            y = x * 3
        return y

    @torch.compile
    def by_attribute(self, x: torch.Tensor):
        if x.sum() > 0:
            y = self.act(x)
        else:
            y = x * 3
        return y

    @torch.compile
    def renormed(self, x: torch.Tensor, at: torch.Tensor):
        if x.isnan().any():
            raise ValueError("NaN")
        return self.table(at) + x

    @torch.compile
    def renormed_by_function(self, x: torch.Tensor, at: torch.Tensor):
        if x.isnan().any():
            raise ValueError("NaN")
        return F.embedding(at, self.bag.weight, None, 0.1) + x

    @torch.compile
    def not_renormed(self, x: torch.Tensor, at: torch.Tensor):
        _graphmend.raise_if(x.isnan().any(),
            lambda: ValueError("NaN"), places=True)
        return F.embedding(at, self.bag.weight) + x
