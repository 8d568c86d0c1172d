"""An early return for a masked-out batch."""

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


ENTRY, EXPECT = "Pool", "fixed"
EXPECT_BREAKS_BEFORE = 1


class Pool(nn.Module):
    def forward(self, tokens, mask):
        kept = mask.to(tokens.dtype).unsqueeze(-1)
        weighted = tokens * kept
        return torch.where(mask.sum() == 0, tokens.mean(dim=1), weighted.sum(dim=1))


def cases():
    g = torch.Generator().manual_seed(13)
    t = torch.randn(2, 3, 4, generator=g)
    return [((t, torch.tensor([[1, 1, 0], [1, 0, 0]])), {}), ((t, torch.zeros(2, 3, dtype=torch.long)), {})]
