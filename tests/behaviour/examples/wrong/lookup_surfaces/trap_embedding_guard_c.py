"""The lookup behind the check fails by itself on bad ids: the check's exception has to surface, not the lookup's."""

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


ENTRY, EXPECT = "Lookup", "declined"


class Lookup(nn.Module):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(6, 4)

    def forward(self, ids):
        _gm_raise_if(
            (ids.min() < 0) | (ids.max() >= self.table.num_embeddings),
            ValueError,
            f"ids must be in [0, {self.table.num_embeddings})",
        )
        return self.table(ids).sum(dim=-2)


def cases():
    return [
        ((torch.tensor([[0, 5], [2, 3]]),), {}),
        ((torch.tensor([[0, 6], [2, 3]]),), {}),
        ((torch.tensor([[-1, 1]]),), {}),
    ]
