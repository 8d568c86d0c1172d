"""Statements that share a line, and one-line suites."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def run(x: torch.Tensor, w: torch.Tensor):
    a = x; _graphmend.defer(print, "a"); b = w  # three
    _graphmend.raise_if(x.isnan().any(), lambda: ValueError("NaN"))
    for i in range(2): _graphmend.defer(print, i); a = a + i
    c = a; x = _graphmend.select(x.max() > 1, lambda: x / 2, lambda: x); d = b;
    def _if_true(w):
        w = w / 2
        w = w + 1
        return w
    w = _graphmend.select(w.max() > 1, _if_true, lambda w: w, w, smooth=True)
    w = _graphmend.select(w.min() < 0, lambda: w.abs(),
        lambda: w + 1)
    while c is None: _graphmend.defer(print, "never")
    return x + w + c + d


@torch.compile
def one_line(x: torch.Tensor): _graphmend.defer(print, "x", x); return x
