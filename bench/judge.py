"""Holds what two processes saw of a model against each other: the original's runs and the patched one's.

Eager is held against eager, and both compiled runs of the patched code against the original's compiled in default mode.
Tensors are equal if their checksums are; a record's place is the same if it is the same statement.
"""

from __future__ import annotations

import functools
import os
import sys
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[1] / "src" / "verify"))

from graphmend_verify.places import Places, same_place

_places = functools.lru_cache(maxsize=64)(Places)


def _full_path(place: list[Any], folders: dict[str, str]) -> str:
    package = place[0].split("/")[0]
    return os.path.join(folders.get(package, ""), place[0])


def _same_statement(a: list[Any], b: list[Any], folders: tuple[dict[str, str], dict[str, str]]) -> bool:
    if a[0] != b[0]:
        return False
    left, right = _full_path(a, folders[0]), _full_path(b, folders[1])
    return same_place((left, *a[1:]), (right, *b[1:]), _places(left), _places(right))


def _said_differently(
    kind: str, base: list[Any], other: list[Any], folders: tuple[dict[str, str], dict[str, str]]
) -> list[str]:
    """The first difference of two lists of records or warnings; the last part of each is its place."""
    for number, (a, b) in enumerate(zip(base, other)):
        if a[:-1] != b[:-1]:
            return [f"{kind} {number}: {a[:-1]} -> {b[:-1]}"]
        if not _same_statement(a[-1], b[-1], folders):
            return [f"{kind} {number}: {a[-1]} -> {b[-1]}"]
    return [] if len(base) == len(other) else [f"{kind}: {len(base)} -> {len(other)}"]


def judge_differences(
    original: dict[str, Any], patched: dict[str, Any], folders: tuple[dict[str, str], dict[str, str]]
) -> list[str]:
    """What differs between the runs of one variant."""
    runs, others = original["runs"], patched["runs"]
    found = [f"{label}: no longer runs" for label in runs if label not in others]
    for label, other in others.items():
        base = runs.get("default" if label == "fullgraph" else label)
        if base is None:
            continue
        for part in ("outputs", "gradients", "state", "exception", "text"):
            if base[part] != other[part]:
                found.append(f"{label}: {part} differ")
        for kind in ("records", "warnings"):
            found += [f"{label}: {said}" for said in _said_differently(kind, base[kind], other[kind], folders)]
    return found
