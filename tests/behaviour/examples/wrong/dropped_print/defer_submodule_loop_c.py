"""Prints in a loop and in the forward of a submodule keep their order."""

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


def _p1(i, m):
    print(f"layer {i}: {m:.3f}")


def _p2(s):
    print("last", s.item())


ENTRY, EXPECT = "Stack", "fixed"
EXPECT_BREAKS_BEFORE = 4


class Layer(nn.Module):
    def __init__(self, index):
        super().__init__()
        self.index = index

    def forward(self, x):
        _gm_defer(_p1, self.index, x.mean())
        return x * 2 + self.index


class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Layer(i) for i in range(3))

    def forward(self, x):
        for step, layer in enumerate(self.layers):
            x = layer(x)
        _gm_defer(_p2, x.sum())
        return x


def cases():
    return [((torch.tensor([0.5, 1.5]),), {}), ((torch.tensor([-0.5, 1.5]),), {})]
