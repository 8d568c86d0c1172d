"""A function that an attribute holds works in place: what it is given must be the object, not a copy."""

import torch
import torch.nn.functional as F
from torch import nn
from graphmend import runtime as _graphmend

ACTS = {"relu": F.relu_, "tanh": torch.tanh_}


class OfFunction(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = F.relu_

    @torch.compile
    def forward(self, x: torch.Tensor):
        h = x.clone()
        if h.sum() > 0:
            a = h[0]
        else:
            a = h[1]
        self.act(a)
        return h * 1


class OfSeveral(nn.Module):
    def __init__(self, inplace: bool):
        super().__init__()
        self.act = F.relu_ if inplace else F.relu

    @torch.compile
    def forward(self, x: torch.Tensor):
        h = x.clone()
        if h.sum() > 0:
            a = h[0]
        else:
            a = h[1]
        self.act(a)
        return h * 1


class OfTable(nn.Module):
    def __init__(self, name: str):
        super().__init__()
        self.act = ACTS[name]

    @torch.compile
    def forward(self, x: torch.Tensor):
        h = x.clone()
        if h.sum() > 0:
            a = h[0]
        else:
            a = h[1]
        self.act(a)
        return h * 1


class OfLambda(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = lambda t: t.relu_()

    @torch.compile
    def forward(self, x: torch.Tensor):
        h = x.clone()
        a = h[0] if h.sum() > 0 else h[1]
        self.act(a)
        return h * 1


class OfMethod(nn.Module):
    def __init__(self):
        super().__init__()
        self.act = torch.Tensor.relu_
        self.calm = F.relu

    @torch.compile
    def forward(self, x: torch.Tensor):
        h = x.clone()
        a = h[0] if h.sum() > 0 else h[1]
        self.act(a)
        return h * 1

    @torch.compile
    def without(self, x: torch.Tensor):
        h = x.clone()
        a = _graphmend.cond(h.sum() > 0, lambda: h[0], lambda: h[1])
        self.calm(a)
        return h * 1
