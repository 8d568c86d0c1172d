"""Deprecation warnings with a category and a stack level."""

import warnings

import torch

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


ENTRY, EXPECT, SELF_COMPILED = "interpolate", "fixed", True
EXPECT_BREAKS_BEFORE = 1


class OldArgument(FutureWarning):
    pass


@torch.compile
def interpolate(x, factor=2, align=None):
    if align is not None:
        _gm_defer(_gm_warn, f"align={align} is ignored", OldArgument, 61)
    y = x * factor
    _gm_defer(_gm_warn, "the default factor will change", DeprecationWarning, 63)
    return y.relu()


def cases():
    return [((torch.tensor([1.0, -1.0]),), {}), ((torch.tensor([1.0, -1.0]),), {"align": True})]
