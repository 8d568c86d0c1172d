"""A loss with an assert whose message is computed."""

import torch
from torch import nn
import torch.nn.functional as F

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


ENTRY, EXPECT = "SmoothedLoss", "fixed"
EXPECT_BREAKS_BEFORE = 1


class SmoothedLoss(nn.Module):
    def __init__(self, smoothing: float = 0.1):
        super().__init__()
        self.smoothing = smoothing

    def forward(self, logits: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        classes = logits.shape[-1]
        log_probs = F.log_softmax(logits, dim=-1)
        _gm_raise_if(
            ~(target < 2.0).all(),
            AssertionError,
            f"weights above two in a batch of {target.shape[0]} with {classes} classes",
        )
        smooth = target * (1 - self.smoothing) + self.smoothing / classes
        return -(smooth * log_probs).sum(-1).mean()


def cases():
    g = torch.Generator().manual_seed(5)
    logits, target = torch.randn(4, 5, generator=g), torch.rand(4, 5, generator=g)
    return [((logits, target), {}), ((logits, target + 2), {})]
