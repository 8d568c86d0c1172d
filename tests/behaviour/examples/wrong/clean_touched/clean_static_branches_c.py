"""Branches that look at shapes, None, types, dtypes and flags: nothing here breaks a graph."""

import torch
from torch import nn

import types as _gm_types, warnings as _gm_warnings

import torch._dynamo as _gm_dynamo


class _GmSink(_gm_types.ModuleType):  # after prototypes/sink.py
    @property
    def tail(self):
        return None

    @tail.setter
    @_gm_dynamo.disable  # else Dynamo traces the setter's own frame in default mode, and breaks there
    def tail(self, chain):
        entries = []
        while chain is not None:
            chain, kind, payload = chain
            entries.append((kind, payload))
        for kind, payload in reversed(entries):
            if kind == "call":
                payload[0](*payload[1])
            elif payload[0]:
                raise payload[1](*payload[2])


_gm_sink = _GmSink("_gm_sink")


def _gm_defer(function, *args):
    _gm_sink.tail = (_gm_sink.tail, "call", (function, args))


def _gm_raise_if(failed, make, *args):
    _gm_sink.tail = (_gm_sink.tail, "raise", (failed, make, args))


def _gm_log(logger, level, line, function, message, *args):
    if logger.isEnabledFor(level):
        logger.handle(logger.makeRecord(logger.name, level, __file__, line, message, args, None, function))


def _gm_warn(message, category, line):
    _gm_warnings.warn_explicit(message, category, __file__, line, __name__)


ENTRY, EXPECT = "Positions", "clean"


class Positions(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.dim = dim
        self.proj = nn.Linear(dim, dim)

    def forward(self, x, offset=None):
        if x.shape[-1] != self.dim:
            raise ValueError(f"expected {self.dim} features, got {x.shape[-1]}")
        if offset is None:
            offset = torch.zeros(1)
        elif isinstance(offset, (int, float)):
            offset = torch.tensor([float(offset)])
        if self.training and x.dtype is torch.float32:
            x = x * 1.5
        if not torch.is_tensor(offset) or x.size(0) > 100:
            return x
        return self.proj(x + offset)


def cases():
    g = torch.Generator().manual_seed(24)
    x = torch.randn(2, 4, generator=g)
    return [((x,), {}), ((x, 2), {}), ((x, torch.ones(1)), {})]
