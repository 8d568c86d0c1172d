"""Tensors by their bytes. graphmend-host brings this in C; elsewhere, as in tests/behaviour, torch does the same."""

from __future__ import annotations

import hashlib
import math

import torch


def _bytes(t: torch.Tensor) -> bytes:
    plain = t.detach().resolve_conj().resolve_neg().cpu().contiguous()
    return plain.reshape(-1).view(torch.uint8).numpy().tobytes()


def _bits_equal(a: torch.Tensor, b: torch.Tensor) -> bool:
    return a.dtype == b.dtype and a.shape == b.shape and _bytes(a) == _bytes(b)


def _checksum(t: torch.Tensor) -> int:
    return int.from_bytes(hashlib.blake2b(_bytes(t), digest_size=8).digest(), "little")


def _doubles(t: torch.Tensor) -> torch.Tensor:
    t = t.detach().cpu()
    return torch.view_as_real(t.resolve_conj().cdouble()) if t.is_complex() else t.double()


def _close(a: torch.Tensor, b: torch.Tensor, rtol: float, atol: float) -> tuple[bool, float, float]:
    if a.dtype != b.dtype or a.shape != b.shape:
        return False, math.inf, math.inf
    x, y = _doubles(a), _doubles(b)
    differ = (x != y) & ~(x.isnan() & y.isnan())
    x, y = x[differ], y[differ]
    if x.numel() == 0:
        exact = a.is_floating_point() or a.is_complex() or _bits_equal(a, b)
        return exact, 0.0, 0.0
    gap = (x - y).abs()
    if not gap.isfinite().all():
        return False, math.inf, math.inf
    close = bool((gap <= atol + rtol * y.abs()).all()) and (a.is_floating_point() or a.is_complex())
    return close, gap.max().item(), (gap / y.abs()).max().item()


def _seed(number: int) -> None:
    torch.manual_seed(number)


try:
    from _graphmend_native import bits_equal, checksum, close, seed
except ImportError:
    bits_equal, checksum, close, seed = _bits_equal, _checksum, _close, _seed
