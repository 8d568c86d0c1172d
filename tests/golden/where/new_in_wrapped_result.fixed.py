"""What a layer returns is new through a decorator, too, that gives just what the function gives; and when taken by its place."""
import functools

import torch
from torch import nn
from graphmend import runtime as _graphmend

def renames(old, new):
    def wrap(function):
        name = function.__name__

        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            if old in kwargs:
                _graphmend.defer(print, name, old)
                kwargs[new] = kwargs.pop(old)
            return function(*args, **kwargs)

        return wrapper

    return wrap


def passes_on(function):
    def wrapper(*args):
        return function(*args)

    return wrapper


def keeps(function):
    kept = []

    def wrapper(*args):
        result = function(*args)
        kept.append(result)
        return result

    return wrapper


def gives_others(function):
    def wrapper(self, hidden, cache):
        if hidden.dim() == 2:
            return function(self, hidden, cache)
        return hidden, cache

    return wrapper


def rebinds(function):
    function = kept_function(function)

    def wrapper(*args):
        return function(*args)

    return wrapper


def kept_function(function):
    return lambda self, hidden, cache: (self.kept, cache)


class Layer(nn.Module):
    @renames("past", "cache")
    def renamed(self, hidden: torch.Tensor, cache=None):
        cache.add_(1)
        return hidden * 2, cache

    @passes_on
    def plain(self, hidden: torch.Tensor, cache):
        cache.add_(1)
        return hidden * 2, cache

    @keeps
    def kept(self, hidden: torch.Tensor, cache):
        cache.add_(1)
        return hidden * 2, cache

    @gives_others
    def others(self, hidden: torch.Tensor, cache):
        cache.add_(1)
        return hidden * 2, cache

    @rebinds
    def rebound(self, hidden: torch.Tensor, cache):
        cache.add_(1)
        return hidden * 2, cache

    def bare(self, hidden: torch.Tensor, cache):
        cache.add_(1)
        return hidden * 2, cache


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = Layer()


class Renamed(Block):
    def forward(self, hidden, cache):
        outputs = self.layer.renamed(hidden, cache=cache)
        hidden = outputs[0]
        rest = outputs[1:]
        hidden = _graphmend.select(torch.isinf(hidden).any(),
            lambda: torch.clamp(hidden, -1e4, 1e4), lambda: hidden, smooth=True, alone=hidden)
        hidden.add_(1)
        return hidden, rest


class Plain(Block):
    def forward(self, hidden, cache):
        outputs = self.layer.plain(hidden, cache)
        hidden, cache = outputs[:2]
        hidden = _graphmend.select(torch.isinf(hidden).any(),
            lambda: torch.clamp(hidden, -1e4, 1e4), lambda: hidden, smooth=True, alone=hidden)
        hidden.add_(1)
        return hidden, cache


class Kept(Block):
    def forward(self, hidden, cache):
        hidden, cache = self.layer.kept(hidden, cache)
        if torch.isinf(hidden).any():
            hidden = torch.clamp(hidden, -1e4, 1e4)
        hidden.add_(1)
        return hidden, cache


class Others(Block):
    def forward(self, hidden, cache):
        hidden, cache = self.layer.others(hidden, cache)
        if torch.isinf(hidden).any():
            hidden = torch.clamp(hidden, -1e4, 1e4)
        hidden.add_(1)
        return hidden, cache


class Rebound(Block):
    def forward(self, hidden, cache):
        hidden, cache = self.layer.rebound(hidden, cache)
        if torch.isinf(hidden).any():
            hidden = torch.clamp(hidden, -1e4, 1e4)
        hidden.add_(1)
        return hidden, cache


class SecondItem(Block):
    def forward(self, hidden, cache):
        outputs = self.layer.bare(hidden, cache)
        changed = outputs[1]
        if torch.isinf(changed).any():
            changed = torch.clamp(changed, -1e4, 1e4)
        changed.add_(1)
        return changed


class Twice(Block):
    def forward(self, hidden, cache):
        outputs = self.layer.bare(hidden, cache)
        hidden = outputs[0]
        again = outputs[0]
        if torch.isinf(hidden).any():
            hidden = torch.clamp(hidden, -1e4, 1e4)
        hidden.add_(1)
        return hidden, again


class AnyItem(Block):
    def forward(self, hidden, cache, place: int):
        outputs = self.layer.bare(hidden, cache)
        item = outputs[place]
        if torch.isinf(item).any():
            item = torch.clamp(item, -1e4, 1e4)
        item.add_(1)
        return item
