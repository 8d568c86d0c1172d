"""Augmented and tuple assignments inside a data-dependent branch of a beam-score update."""

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


ENTRY, EXPECT, SELF_COMPILED = "update", "fixed", True
EXPECT_BREAKS_BEFORE = 1


@torch.compile
def update(scores, penalty, best):
    scores = scores * 1.0
    hit = (scores > best).any()
    less = scores - penalty
    scores, best, penalty = (
        torch.where(hit, less, scores),
        torch.where(hit, less.amax(), best),
        torch.where(hit, penalty * 2.0, penalty),
    )
    return scores, best, penalty


def cases():
    s = torch.tensor([0.5, 1.5, 2.5])
    return [
        ((s, torch.tensor(0.25), torch.tensor([1.0]).sum()), {}),
        ((s, torch.tensor(0.25), torch.tensor([9.0]).sum()), {}),
    ]
