"""MoE-like: an expert runs only when a token asks for it; its gradients stay None otherwise."""

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


ENTRY, EXPECT, GRAD = "TinyMoE", "declined", True


class TinyMoE(nn.Module):
    def __init__(self):
        super().__init__()
        self.shared = nn.Linear(4, 4)
        self.expert = nn.Linear(4, 4)

    def forward(self, x, gate):
        y = self.shared(x)
        y = torch.where(gate.max() > 0.5, y + self.expert(x), y)
        return y


def cases():
    g = torch.Generator().manual_seed(16)
    x = torch.randn(2, 4, generator=g)
    return [((x, torch.tensor([0.1, 0.9])), {}), ((x, torch.tensor([0.1, 0.2])), {})]
