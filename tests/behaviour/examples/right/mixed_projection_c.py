"""A check, a guard and a log line in one method that a parent class inherits to its child."""

import logging

import torch
from torch import nn

log = logging.getLogger("mixed.projection")
log.setLevel(logging.DEBUG)

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


ENTRY, EXPECT = "Child", "fixed"
EXPECT_BREAKS_BEFORE = 10


class Base(nn.Module):
    eps = 1e-3

    def check(self, x):
        _gm_raise_if((x != x).any(), ValueError, "NaN in the input", tuple(x.shape))
        return x

    def forward(self, x):
        _gm_defer(_gm_log, log, 10, 66, "forward", "base forward on %s", list(x.shape))
        x = self.check(x)
        peak = x.abs().max()
        x = torch.where(peak > 10.0, x * 0.1, x)
        _gm_defer(_gm_log, log, 20, 70, "forward", "peak %.2f", peak)
        return x + self.eps


class Child(Base):
    def forward(self, x):
        _gm_defer(print, "child")
        y = super().forward(x)
        _gm_defer(print, "child done")
        return y.relu()


def cases():
    x = torch.tensor([1.0, -2.0, 3.0])
    return [((x,), {}), ((x * 100,), {}), ((x / 0 * 0,), {})]
