"""Strings that look like code, raw and concatenated ones, and braces in f-strings."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def run(x: torch.Tensor):
    _graphmend.defer(print, "print('x') # no comment", r"\d", b"bytes", u"u")
    _graphmend.defer(lambda x: print("a" "b" f"{x}" 'c'), x)
    _graphmend.defer(lambda x_mean, x: print(f"{{{x_mean}}} {x!r:>{10}} {'nested'}"), x.mean(), x)
    _graphmend.defer(lambda x_mean: print(f'''{
        x_mean
    } lines'''), x.mean())
    _graphmend.defer(print, """three
    lines""", x)
    _graphmend.defer(lambda x: print("%(a)s" % {"a": x}), x)
    return x
