"""What was printed is the value at that moment: the tensor and the list change afterwards."""

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


ENTRY, EXPECT, SELF_COMPILED = "accumulate", "fixed", True
EXPECT_BREAKS_BEFORE = 1


@torch.compile
def accumulate(x):
    total = torch.zeros(2)
    seen = []
    for i in range(x.shape[0]):
        total += x[i]
        seen.append(i)
        _gm_defer(print, "step", i, total, list(seen))
    total.mul_(10)
    return total


def cases():
    return [((torch.tensor([[1.0, 2.0], [3.0, 4.0]]),), {}), ((torch.tensor([[5.0, 2.0], [3.0, -4.0]]),), {})]
