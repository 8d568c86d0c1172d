"""Progress output with sep, end and another stream."""

import sys

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


def _p1(a, b):
    print("in", a, b, sep=" x ", end=";")


def _p2(s):
    print(" out", s, flush=True)


def _p3(t):
    print("peak", t, file=sys.stderr)


ENTRY, EXPECT = "Upsample", "fixed"
EXPECT_BREAKS_BEFORE = 3


class Upsample(nn.Module):
    def forward(self, x):
        _gm_defer(_p1, x.shape[0], x.shape[1])
        y = x.repeat_interleave(2, dim=-1)
        _gm_defer(_p2, tuple(y.shape))
        _gm_defer(_p3, y.max())
        return y - 1


def cases():
    return [((torch.arange(6.0).reshape(2, 3),), {})]
