"""The layers of ARCHITECTURE.md: a file includes those before its own, never those behind."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DIAGRAM = re.search(r"^    (base < .*)$", (ROOT / "ARCHITECTURE.md").read_text(), re.MULTILINE)
assert DIAGRAM
LAYERS = DIAGRAM[1].split(" < ")
LOOKS_DEEPER = {"cmd_dump.c"}
FOR_THE_PROGRAM = {"base/nearest.h", "rules/rules.h", "pipeline/diff.h", "syntax/toml.h"}


def included(path: Path) -> list[str]:
    return re.findall(r'^#include "(\w+/[\w.]+)"', path.read_text(), re.MULTILINE)


def files() -> list[Path]:
    return [path for layer in LAYERS for path in sorted((ROOT / "src" / layer).glob("*.[ch]"))]


def test_no_layer_knows_one_behind_it() -> None:
    assert len(files()) > 100
    behind = [
        (path.name, name)
        for path in files()
        for name in included(path)
        if (layer := name.split("/")[0]) in LAYERS and LAYERS.index(layer) > LAYERS.index(path.parent.name)
    ]
    assert behind == []


def test_the_build_has_the_layers_in_this_order() -> None:
    built = re.search(r"set\(layers ([\w ]+)\)", (ROOT / "CMakeLists.txt").read_text())
    assert built and built[1].split() == LAYERS[: LAYERS.index("api")]


def test_the_program_stands_on_the_api() -> None:
    deeper = [
        (path.name, name)
        for path in files()
        if path.parent.name == "cli" and path.name not in LOOKS_DEEPER
        for name in included(path)
        if name.split("/")[0] not in ("cli", "graphmend") and name not in FOR_THE_PROGRAM
    ]
    assert deeper == []
