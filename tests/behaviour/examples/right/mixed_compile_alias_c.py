"""torch.compile under another name; a print that no compiled code reaches has to stay as it is."""

from torch import compile as tc
import torch as t

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


ENTRY, EXPECT, SELF_COMPILED = "go", "fixed", True
EXPECT_BREAKS_BEFORE = 2
TEXT = {"keep": ['    print("report", sum(values), sep=": ")\n', 'print("loaded", __name__)\n']}

print("loaded", __name__)


def report(values):
    print("report", sum(values), sep=": ")


def inner(x):
    y = t.nn.functional.gelu(x)
    _gm_defer(print, "inner", y.shape)
    return y


@tc
def go(x):
    return inner(x) * 2


def cases():
    return [((t.tensor([1.0, 2.0]),), {})]
