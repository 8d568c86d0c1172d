"""The overflow guard of encoder layers in half precision."""

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


ENTRY, EXPECT = "EncoderLayer", "fixed"
EXPECT_BREAKS_BEFORE = 2
NOT_FOR = ["inductor"]  # it keeps half-precision sums in float32, so that the overflow never shows


class EncoderLayer(nn.Module):
    def forward(self, hidden_states, residual):
        hidden_states = residual + hidden_states
        if hidden_states.dtype == torch.float16:
            bad = torch.isinf(hidden_states).any() | torch.isnan(hidden_states).any()
            # keep clear of the largest value
            clamp_value = torch.finfo(hidden_states.dtype).max - 1000
            hidden_states = torch.where(
                bad, torch.clamp(hidden_states, min=-clamp_value, max=clamp_value), hidden_states
            )
        return hidden_states * 0.5


def cases():
    g = torch.Generator().manual_seed(10)
    h, r = torch.randn(2, 3, generator=g).half(), torch.randn(2, 3, generator=g).half()
    big = h.clone()
    big[0, 0] = 60000.0
    return [((h, r), {}), ((big, big), {}), ((h.float(), r.float()), {}), ((big.float() * 1e38, big.float()), {})]
