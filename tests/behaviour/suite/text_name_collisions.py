"""Text: the file uses for itself every name that a rewriter might like to emit."""
import torch

ENTRY = "collide"
EXPECT = "fixed"

_graphmend = 3
_graphmend_sink = {"tail": None}
graphmend_runtime = "mine"
_gm = _graphmend_runtime = sink = 1
_gm_sys = _gm_torch = _gm_types = None


def _graphmend_defer(x):
    return x + _graphmend


def collide(x, _graphmend_0=2, _gm0=1):
    types, sys, warnings, logging = 1, 2, 3, 4
    print("collide", graphmend_runtime, _graphmend_sink, types + sys + warnings + logging)
    if (x > 50).any():
        raise ValueError(f"{_graphmend_runtime} {_gm}")
    torch_ = _graphmend_defer(x) * _graphmend_0
    return torch_ + _gm0 + sink


compiled = torch.compile(collide)


def observe():
    return [_graphmend, _graphmend_sink, graphmend_runtime, _gm, _gm_sys]


def cases():
    return [((torch.tensor([1.0, 2.0]),), {}), ((torch.tensor([1.0, 99.0]),), {}), ((torch.tensor([1.0]), 5), {})]
