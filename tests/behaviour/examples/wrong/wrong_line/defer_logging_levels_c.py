"""Module-level logger with %-arguments, levels that are off, and a guard."""

import logging

import torch
from torch import nn

logger = logging.getLogger("field.model")
logger.setLevel(logging.INFO)

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


ENTRY, EXPECT = "Head", "fixed"
EXPECT_BREAKS_BEFORE = 7


class Head(nn.Module):
    def forward(self, hidden):
        _gm_defer(_gm_log, logger, 10, 60, "forward", "never shown %s", hidden.shape)
        _gm_defer(_gm_log, logger, 20, 3, "forward", "hidden %s of %d rows", tuple(hidden.shape), hidden.shape[0])
        pooled = hidden.amax(dim=0)
        if True:
            _gm_defer(_gm_log, logger, 30, 64, "forward", "pooled mean %.3f", pooled.mean())
        _gm_defer(
            _gm_log,
            logger,
            40,
            65,
            "forward",
            "plain text with a %% sign",
        )
        return pooled.softmax(-1)


def cases():
    return [((torch.arange(8.0).reshape(2, 4),), {}), ((torch.arange(8.0).reshape(2, 4) * -1,), {})]
