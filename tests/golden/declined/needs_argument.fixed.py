"""Branches that may do something else before they look into what is None, or are likely to be given it."""

import torch
from graphmend import runtime as _graphmend

COUNT = 0


def show(x=None, *more):
    _graphmend.defer(print, x, *more)
    return x


class Model(torch.nn.Module):
    def __init__(self, config):
        super().__init__()
        self.start, self.lost = 5, torch.nn.Linear(2, 2)
        if config:
            self.rows = torch.nn.Linear(2, 2)

    def drop(self):
        del self.lost

    def forward(self, ids: torch.Tensor, info=None):
        if (ids == 1).any():
            _graphmend.defer(print, self.rows(info["not set on all ways"]))
        if (ids == 2).any():
            _graphmend.defer(print, self.lost(info["deleted elsewhere"]))
        if (ids == 3).any():
            _graphmend.defer(print, self.start.unknown(info["no such attribute is known"]))
        return ids


class Other(Model):
    def __init__(self):
        torch.nn.Module.__init__(self)


class Based(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.rows = torch.nn.Linear(2, 2)

    def forward(self, ids: torch.Tensor, info=None):
        if (ids == 1).any():
            _graphmend.defer(print, self.rows(info["not set by all subclasses"]))
        return ids


class Own(Based):
    def __init__(self):
        torch.nn.Module.__init__(self)


models = torch.compile(Model(0)), torch.compile(Other()), torch.compile(Own())


@torch.compile
def before(ids: torch.Tensor, mask, info=None, rows: torch.Tensor = None):
    if (ids == 0).any():
        _graphmend.defer(print, "output")
        _graphmend.defer(print, info["output before it"])
    if (ids == 1).any():
        _graphmend.defer(print, ids.view(7, -1), info["an exception of its own"])
    if (ids == 2).any():
        _graphmend.defer(print, -"x", info["an exception of its own"])
    if (ids == 3).any():
        _graphmend.defer(print, mask.shape, info["mask may be anything"])
    if (ids == 4).any():
        places = torch.nonzero(mask)
        _graphmend.defer(print, places, info["mask may be anything"])
    if (ids == 5).any():
        ids = ids.float()
        _graphmend.defer(print, torch.nonzero(ids == 5), info["ids is another"])
    if (ids == 6).any():
        _graphmend.defer(print, show(x=info["the starred list is evaluated first"], *show([1])))
    if (ids == 7).any():
        _graphmend.defer(print, show(**rows, x=info["rows may be no mapping"]))
    if (ids == 8).any():
        _graphmend.defer(print, unbound, info["no such name"])
    return ids


@torch.compile
def perhaps(ids: torch.Tensor, flag: bool, info=None, rows=None):
    if (ids == 0).any():
        _graphmend.defer(print, info["not evaluated"] if flag else 1)
    if (ids == 1).any():
        _graphmend.defer(print, flag and info["not evaluated"])
    if (ids == 2).any():
        if flag:
            _graphmend.defer(print, info["not evaluated"])
    if (ids == 3).any():
        _graphmend.defer(print, rows.__class__, rows["None has a class"])
    if (ids == 4).any():
        _graphmend.defer(print, [info[k] for k in ids.shape])
    if (ids == 5).any() or (ids == 6).any():
        places = torch.nonzero(ids == 6)
        _graphmend.defer(print, places, info["perhaps ids == 6 was not evaluated"])
    return ids


@torch.compile
def given(ids: torch.Tensor, info=None, rows=None, scale=1.0, other=None):
    _graphmend.defer(print, info["is looked into before"])
    if (ids == 0).any():
        _graphmend.defer(print, info["given"])
    if rows is not None and (ids == 1).any():
        _graphmend.defer(print, rows["given"])
    if (ids == 2).any():
        _graphmend.defer(print, scale["is not None"])
    if other is None:
        other = {}
    if (ids == 3).any():
        _graphmend.defer(print, other["bound to something else"])
    if (ids == 4).any():
        _graphmend.defer(print, ids[0], COUNT["no parameter"])
    return ids


@torch.compile
def writes(ids: torch.Tensor, info=None):
    global COUNT
    count = 0

    def counted():
        return count

    if (ids == 0).any():
        COUNT = 1
        _graphmend.defer(print, info["a global is set before"])
    if (ids == 1).any():
        count = 1
        _graphmend.defer(print, info["a variable of others is set before"], counted)
    return ids


@torch.compile
def then(ids: torch.Tensor, state: list, info=None):
    if (ids == 0).any():
        _graphmend.defer(print, info["state is written after"])
    state[0] = 1
    return ids


@torch.compile
def then_there(ids: torch.Tensor, info=None):
    rows = None
    if (ids == 0).any():
        rows = info["rows may be bound otherwise"]
        _graphmend.defer(print, rows)
    else:
        rows = ids
    if rows is not None:
        ids.add_(1)
    return ids


@torch.compile
def caught(ids: torch.Tensor, info=None):
    try:
        if (ids == 0).any():
            print(info["is caught"])
    except TypeError:
        return ids + 1
    return ids


@torch.compile
def in_finally(ids: torch.Tensor, info=None):
    places = None
    try:
        if (ids == 0).any():
            places = ids == 0
            _graphmend.defer(print, info["places are seen in finally"])
    finally:
        assert places is None
    return ids


@torch.compile
def scalar(ids: torch.Tensor, info=None):
    if ids.sum().item() == 0:
        _graphmend.defer(print, info["the test reads a number"])
    if (ids == 1).any() and ids[7] == 2:
        _graphmend.defer(print, info["the test may raise"])
    if torch.any(found := ids == 3):
        _graphmend.defer(print, info["the test binds a name"], found)
    return ids


@torch.compile
def generated(ids: torch.Tensor, info=None):
    def rows(info=None):
        if (ids == 0).any():
            yield info["in a generator"]

    return list(rows())
