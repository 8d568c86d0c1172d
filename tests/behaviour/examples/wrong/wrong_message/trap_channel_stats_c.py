"""Image normalisation of a vision pipeline: a zero standard deviation is refused."""

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


def _t1(std, shape):
    return ValueError(f"std has a zero entry, std={std.tolist()}, image of shape {shape}")


ENTRY, EXPECT, SELF_COMPILED = "normalize", "fixed", True
EXPECT_BREAKS_BEFORE = 1


@torch.compile
def normalize(image, mean, std):
    scaled = image / 255.0
    _gm_raise_if((std == 0).any(), _t1, std.clone(), tuple(std.shape))
    return (scaled - mean[:, None, None]) / std[:, None, None]


def cases():
    g = torch.Generator().manual_seed(1)
    image, mean = torch.rand(3, 4, 5, generator=g) * 255, torch.tensor([0.4, 0.5, 0.6])
    return [((image, mean, torch.tensor([0.2, 0.3, 0.4])), {}), ((image, mean, torch.tensor([0.2, 0.0, 0.4])), {})]
