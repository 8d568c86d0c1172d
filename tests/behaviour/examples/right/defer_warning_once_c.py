"""The cached logger of a model library: the second call says nothing."""

import torch
from torch import nn
from transformers.utils import logging

logger = logging.get_logger(__name__)

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


ENTRY, EXPECT = "Cacheless", "fixed"
EXPECT_BREAKS_BEFORE = 1


class Cacheless(nn.Module):
    def forward(self, x, use_cache=True):
        if use_cache and not self.training:
            pass
        elif use_cache:
            _gm_defer(
                logger.warning_once, "`use_cache=True` does not go with checkpointing. Setting `use_cache=False`..."
            )
            use_cache = False
        return x.cos() if use_cache else x.sin()


def cases():
    return [((torch.ones(3),), {}), ((torch.ones(3), False), {})]
