# -*- coding: utf-8 -*-
"""A byte order mark and a coding line have to stay in front of whatever is inserted."""

from __future__ import annotations

import torch

ENTRY, EXPECT, SELF_COMPILED = "f", "fixed", True
EXPECT_BREAKS_BEFORE = 1
TEXT = {"bom": True, "cookie": True, "keep": ["größe", "# señal\n"]}


@torch.compile
def f(x: torch.Tensor) -> torch.Tensor:
    größe = x.shape[0]  # señal
    print("Größe", größe, "→")
    return x * größe


def cases():
    return [((torch.ones(3),), {})]
