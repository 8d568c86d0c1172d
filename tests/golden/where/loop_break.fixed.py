"""A loop that a test on data ends: traced to its last turn, what it binds carried on from the turn that ended it."""
import torch
from torch import nn
from graphmend import runtime as _graphmend

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])

    def forward(self, x: torch.Tensor, early: bool):
        for layer in self.layers:
            x = layer(x)
            if early and x.norm() > 3:
                break
        return x


@torch.compile
def refine(x: torch.Tensor):
    # Newton's steps
    _loop = None
    for _ in range(4):
        def _turn(x):
            nxt = 0.5 * (x + 2.0 / x)  # a step
            _ends = (nxt - x).abs().max() < 1e-3
            def _if_true(nxt, x):
                _graphmend.defer(print, "near enough")
                return nxt, x
            def _if_false(nxt, x):
                nxt = _graphmend.select(nxt.min() < 0,
                    lambda: -nxt, lambda: nxt, smooth=True)
                x = nxt
                return nxt, x
            nxt, x = _graphmend.select(_ends, _if_true, _if_false, nxt, x)
            return _ends, nxt, x
        _loop, nxt, x = _graphmend.turn(_loop, lambda: (nxt, x), _turn, x)
        if _graphmend.ended(_loop):
            break
    return x, nxt


@torch.compile
def sweep(rows: torch.Tensor):
    total = torch.zeros(4)
    _loop = None
    for i, row in enumerate(rows):
        def _turn(total):
            _ends = _graphmend.negate(row.sum() < 4)
            total = _graphmend.select(_ends, lambda: total - 1, lambda: total + row * i)
            return _ends, total
        _loop, total = _graphmend.turn(_loop, lambda: (total,), _turn, total)
        if _graphmend.ended(_loop):
            break
    for scale in (1.0, 0.5):
        total = _graphmend.select(total.max() > 2, lambda: total,

            lambda: total * scale)
    return total
