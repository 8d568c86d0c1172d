"""torch.compile as a decorator, under each of its names."""
import functools

import torch
import torch as t
from torch import compile
from torch import compile as jit
from graphmend import runtime as _graphmend

optimize = torch.compile


@torch.compile
def plain(x: torch.Tensor):
    _graphmend.defer(print, "plain")
    return x


@torch.compile(backend="eager", fullgraph=False)
def with_arguments(x: torch.Tensor):
    _graphmend.defer(print, "with arguments")
    return x


@t.compile
def module_alias(x: torch.Tensor):
    _graphmend.defer(print, "module alias")
    return x


@compile
def imported(x: torch.Tensor):
    _graphmend.defer(print, "imported")
    return x


@jit(dynamic=True)
def imported_alias(x: torch.Tensor):
    _graphmend.defer(print, "imported alias")
    return x


@optimize
def assigned(x: torch.Tensor):
    _graphmend.defer(print, "assigned")
    return x


@functools.partial(torch.compile, backend="eager")
def partially(x: torch.Tensor):
    _graphmend.defer(print, "partial")
    return x


@functools.lru_cache
def not_compiled(x: torch.Tensor):
    print("not compiled")
    return x
