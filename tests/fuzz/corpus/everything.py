from __future__ import annotations
import torch as t, a.b.c as d
from .x import (y as z, w,)
from . import *
type A[T] = list[T]
@t.compile(fullgraph=True)
async def f[T: int](a, /, b: int = 1, *c, d, e=2, **g) -> None:
    global h; nonlocal_ = 0
    async with a as b, c as (d, *e): await f()
    async for x in y: yield x
    else: yield from z
    match a:
        case [1, *r] | {'k': v, **o} if r: pass
        case C(x, y=1) as q: pass
        case -1 | 'a' 'b' | None | a.b: pass
        case _: pass
    try: pass
    except* (A, B) as e: raise
    del a[1:2, ..., ::3], b.c
    x: int = (y := 3)
    return lambda *a, k=1, **kw: [i async for i in a if i for j in i], {**a, 'b': 1}, {*a}, not -~+a @ b // c ** -d << 2, a < b <= c is not d not in e
