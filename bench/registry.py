"""rows.json as objects: published rows, how each is built, and in which variants it is run.

A builder's sizes are a configuration of its class; {"repeat": v, "times": n} in it stands for a list. Its inputs name
for each argument one kind of tensor and a shape: ids (random integers), normal, ones, zeros (integers) or true.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

REGISTRY = Path(__file__).resolve().parent / "rows.json"
DTYPES, MODES = ("float32", "float16"), ("eval", "train")


@dataclass(frozen=True)
class Variant:
    dtype: str = "float32"
    mode: str = "eval"

    def __str__(self) -> str:
        return f"{self.dtype}-{self.mode}"


VARIANTS = [Variant(dtype, mode) for mode in MODES for dtype in DTYPES]


@dataclass(frozen=True)
class Row:
    """A published row: its numbers, its builder, and the variant in which they were counted."""

    name: str
    builder: str
    paper: tuple[int, int]
    artifact: tuple[int, int]
    causes: str
    whole: bool  # no break may be left when it is evaluated
    full: dict[str, Any]
    full_inputs: dict[str, Any]
    counted: Variant
    note: str = ""


@dataclass(frozen=True)
class Registry:
    rows: list[Row]
    builders: dict[str, dict[str, Any]]
    sources: dict[str, str]
    speed: dict[str, str] = field(default_factory=dict)

    def rows_of(self, builder: str) -> list[Row]:
        return [row for row in self.rows if row.builder == builder]


def registry_load(path: Path = REGISTRY) -> Registry:
    found = json.loads(path.read_text())
    rows = [
        Row(
            name=row["name"],
            builder=row["builder"],
            paper=tuple(row["paper"]),
            artifact=tuple(row["artifact"]),
            causes=row["causes"],
            whole=row.get("whole", False),
            full=row["full"],
            full_inputs=row.get("full_inputs", found["builders"][row["builder"]]["full_inputs"]),
            counted=Variant(row.get("dtype", "float32")),
            note=row.get("note", ""),
        )
        for row in found["rows"]
    ]
    return Registry(rows, found["builders"], found["sources"], found["speed"])
