"""Attention scores are checked; NaN and overflow are told apart by own exception classes."""

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


class NonFiniteError(ArithmeticError):
    def __init__(self, layer, kind):
        super().__init__(layer, kind)
        self.layer, self.kind = layer, kind


class OverflowInScores(NonFiniteError):
    pass


ENTRY, EXPECT = "Scores", "fixed"
EXPECT_BREAKS_BEFORE = 2


class Scores(nn.Module):
    def __init__(self, layer=3):
        super().__init__()
        self.layer = layer

    def forward(self, q, k):
        scores = q @ k.transpose(-1, -2)
        _gm_raise_if(torch.isnan(scores).any(), NonFiniteError, self.layer, "nan")
        _gm_raise_if(torch.isinf(scores).any(), NonFiniteError, self.layer, "inf")
        return torch.softmax(scores, dim=-1)


def cases():
    g = torch.Generator().manual_seed(2)
    q, k = torch.randn(2, 3, 4, generator=g), torch.randn(2, 3, 4, generator=g)
    nan, inf = q.clone(), q.clone()
    nan[0, 0, 0], inf[1] = float("nan"), 3e38
    return [((q, k), {}), ((nan, k), {}), ((inf, k.abs() + 5), {})]
