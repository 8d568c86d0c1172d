"""Token ids are looked at under a static switch; the static part must stay a Python branch."""

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


def _t1(m, v):
    return IndexError(f"id {m} is outside of a vocabulary of {v}")


ENTRY, EXPECT = "Mixer", "fixed"
EXPECT_BREAKS_BEFORE = 1


class Mixer(nn.Module):
    def __init__(self, vocab=11, strict=True):
        super().__init__()
        self.vocab, self.strict = vocab, strict
        self.register_buffer("weights", torch.linspace(0, 1, vocab))

    def forward(self, ids, scale=None):
        if scale is not None:
            if self.strict:
                _gm_raise_if(~(scale > 0).all(), ValueError, "scale must be positive")
        if self.strict:
            _gm_raise_if((ids >= self.vocab).any(), _t1, ids.max(), self.vocab)
        out = ids.to(torch.float32) / self.vocab
        return out if scale is None else out * scale


def cases():
    ids = torch.tensor([[1, 4, 10], [0, 2, 3]])
    bad = torch.tensor([[1, 4, 12], [0, 2, 3]])
    up, down = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([1.0, -2.0, 3.0])
    return [((ids,), {}), ((bad,), {}), ((ids, up), {}), ((bad, down), {}), ((bad,), {"scale": up})]
