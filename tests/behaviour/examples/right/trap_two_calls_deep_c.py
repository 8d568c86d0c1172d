"""A shape-and-value check that sits two helper methods below forward."""

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


ENTRY, EXPECT = "Router", "fixed"
EXPECT_BREAKS_BEFORE = 3


class Router(nn.Module):
    def __init__(self, experts=4):
        super().__init__()
        self.experts = experts

    def _require(self, probs, what):
        total = probs.sum(-1)
        _gm_raise_if(~((total - 1).abs() < 1e-4).all(), RuntimeError, what, probs.shape[-1])

    def _validate(self, probs):
        if probs.dim() != 2:
            raise TypeError("two dimensions wanted")
        self._require(probs, "rows must sum to one")

    def forward(self, probs):
        self._validate(probs)
        top, at = probs.topk(2, dim=-1)
        return top / top.sum(-1, keepdim=True), at


def cases():
    g = torch.Generator().manual_seed(6)
    p = torch.softmax(torch.randn(3, 4, generator=g), -1)
    return [((p,), {}), ((p * 2,), {})]
