"""Zeichen: Grüße, 形状, 🙂."""
import torch
from graphmend import runtime as _graphmend

@torch.compile
def run(x: torch.Tensor, w: torch.Tensor):
    # guard
    _graphmend.raise_if(x.isnan().any(),
        lambda: ValueError("NaN"))  # trailing
    _graphmend.defer(print,
        "形状",  # first
        x.shape,
    )

    def _if_true():
        y = x * 2
        _graphmend.defer(lambda x: print(f"🙂 {x}"), x)
        y = y + w
        return y
    y = _graphmend.select((w > 0).all(), _if_true, lambda: x)
    return y
