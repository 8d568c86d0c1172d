#!/usr/bin/env python
# -*- coding: utf-8 -*-
"""Text: byte order mark, shebang, coding cookie, identifiers and messages outside ASCII."""

from __future__ import annotations

import torch

ENTRY = "rausch_plan"
EXPECT = "fixed"


def rausch_plan(σ: torch.Tensor, größe: float = 1.0) -> torch.Tensor:
    """Gibt den Plan zurück – mit „Anführung“."""
    ᾱ = torch.cumprod(1 - σ, dim=0)
    if (σ >= 1).any():
        raise ValueError(f"σ muss unter 1 bleiben, Größe {größe}, Länge {σ.shape[0]} – 値")
    print("größe →", größe, "✓ 𝛼")
    ñ = σ * größe if ᾱ[-1] < 0.5 else σ / 2
    return ᾱ.sqrt() * ñ


compiled = torch.compile(rausch_plan)


def cases():
    return [
        ((torch.linspace(0.01, 0.4, 6),), {}),
        ((torch.linspace(0.01, 0.02, 6),), {"größe": 2.0}),
        ((torch.linspace(0.5, 1.5, 6), 3.0), {}),
    ]
