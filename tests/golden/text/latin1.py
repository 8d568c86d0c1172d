# -*- coding: latin-1 -*-
# graphmend-test: exit 2
"""Grüße in Latin-1."""
import torch


@torch.compile
def run(x: torch.Tensor, w: torch.Tensor):
    # guard
    if x.isnan().any():
        raise ValueError("keine Größe")  # trailing
    print(
        "x",  # first
        x.shape,
    )

    if (w > 0).all():
        y = x * 2
        y = y + w
    else:
        y = x
    return y
