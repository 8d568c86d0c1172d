"""Reached from compiled code only through imports."""
from .. import _graphmend_runtime as _graphmend

def require(x, name):
    _graphmend.raise_if(x.isnan().any(),
        lambda name: ValueError(f"{name} has NaN"), name)
    return x


def unused(x):
    print("unused", x)
