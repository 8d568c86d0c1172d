"""What stands behind `if is_compiling(): return` does not run in the region: it is no write after the guard."""
import torch
from graphmend import runtime as _graphmend

REGISTERED = set()


def register(kind: type):
    if torch.compiler.is_compiling():
        return
    REGISTERED.add(kind)


def register_unless_small(kind: type, x: torch.Tensor):
    if torch.compiler.is_compiling() and x.dim() == 1:
        return
    REGISTERED.add(kind)


def count(x: torch.Tensor):
    if not torch.compiler.is_compiling():
        REGISTERED.add(type(x))
    else:
        return x + 1
    REGISTERED.clear()
    return x


@torch.compile
def behind(x: torch.Tensor):
    _graphmend.raise_if((x > 3).any(),
        lambda: ValueError("too big"))
    register(type(x))
    return count(x)


@torch.compile
def in_its_own_suite(x: torch.Tensor):
    _graphmend.raise_if((x > 3).any(),
        lambda: ValueError("too big"))
    if x.dim() == 2:
        if torch.compiler.is_compiling():
            return x
        REGISTERED.add(type(x))
    return x * 2


@torch.compile
def on_some_paths(x: torch.Tensor):
    if (x > 3).any():
        raise ValueError("too big")
    register_unless_small(type(x), x)
    return x
