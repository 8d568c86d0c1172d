"""bool() around a test, named results of operators, a mode of autograd in an arm, nested boolean operators."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def run(x: torch.Tensor, w: torch.Tensor):
    x = _graphmend.select(x.max() > 1,
        lambda: x * 2, lambda: x, smooth=True)
    w = _graphmend.select(_graphmend.both(_graphmend.negate(w.isnan().any()), lambda: _graphmend.negate(_graphmend.either(x.min() < 0, lambda: (x > 9).any()))),
        lambda: w * 2, lambda: w, smooth=True)
    x = _graphmend.select_one(x.max() > 2,
        lambda: x.sort().values, lambda: x)
    def _if_true(x):
        with torch.no_grad():
            x = x * 2
        return x
    x = _graphmend.select(x.max() > 4, _if_true, lambda x: x, x)
    x = _graphmend.select_one(x.max() > 7,
        lambda: torch.topk(x, 3).values + x, lambda: x)
    _loop = None
    for _ in range(2):
        def _turn(x):
            _ends = x.sum() > 3
            x = _graphmend.select(_ends, lambda: x, lambda: x + 1)
            return _ends, x
        _loop, x = _graphmend.turn(_loop, lambda: (x,), _turn, x)
        if _graphmend.ended(_loop):
            break
    return x, w
