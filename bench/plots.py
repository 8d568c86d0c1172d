"""The plots of a run, as SVG: breaks before and after, and how many times as fast cold starts and steady states became.

python bench/plots.py FOLDER
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parent))

import matplotlib

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "graphmend"  # the same file for the same figures
from matplotlib import pyplot
from registry import Registry, registry_load

Found = dict[str, Any]


def _save(figure: Any, path: Path) -> None:
    figure.savefig(path, format="svg", bbox_inches="tight", metadata={"Date": None})
    pyplot.close(figure)


def _breaks(results: Found, registry: Registry, path: Path) -> None:
    rows = [
        (row, results["builders"][row.builder]["variants"][str(row.counted)])
        for row in registry.rows
        if "variants" in results["builders"].get(row.builder, {})
    ]
    rows = [(row, found) for row, found in rows if "breaks" in found]
    if not rows:
        return
    figure, axes = pyplot.subplots(figsize=(8, 0.32 * len(rows) + 1))
    places = range(len(rows))
    series = [
        ("paper, before", [row.paper[0] for row, _ in rows], "#cccccc"),
        ("before", [found["breaks"][0] for _, found in rows], "#d95f02"),
        ("after", [found["breaks"][1] for _, found in rows], "#1b9e77"),
    ]
    for i, (label, values, colour) in enumerate(series):
        axes.barh([place + 0.27 * (i - 1) for place in places], values, 0.26, label=label, color=colour)
    axes.set_yticks(list(places), [row.name for row, _ in rows])
    axes.invert_yaxis()
    axes.set_xlabel("graph breaks of one call")
    axes.legend()
    _save(figure, path)


def _gains(results: Found, kind: str) -> list[tuple[str, float]]:
    """(name, times as fast) of what was timed on both sides; kind is "cold" or "steady"."""
    timings = [
        (f"{name} {timing['variant']} {timing['compile_mode']}", timing)
        for name, builder in results["builders"].items()
        for timing in builder.get("timing", [])
    ]
    timings += [(f"{n} {mode}", t) for n, modes in results["full_size"].items() for mode, t in modes.items()]
    part = "first_call" if kind == "cold" else "median"
    return [
        (name, timing["original"][kind][part] / timing["patched"][kind][part])
        for name, timing in timings
        if all(kind in timing.get(side, {}) for side in ("original", "patched"))
    ]


def _speed(results: Found, kind: str, path: Path) -> None:
    gains = _gains(results, kind)
    if not gains:
        return
    figure, axes = pyplot.subplots(figsize=(8, 0.28 * len(gains) + 1))
    axes.barh([name for name, _ in gains], [gain for _, gain in gains], color="#7570b3")
    axes.axvline(1, color="black", linewidth=0.8)
    axes.invert_yaxis()
    axes.set_xlabel(f"{kind} {'start' if kind == 'cold' else 'state'}: original / patched")
    _save(figure, path)


def plots_write(folder: Path) -> None:
    """Writes breaks.svg, cold.svg and steady.svg beside FOLDER/results.json, as far as there is something to show."""
    results = json.loads((folder / "results.json").read_text())
    _breaks(results, registry_load(), folder / "breaks.svg")
    for kind in ("cold", "steady"):
        _speed(results, kind, folder / f"{kind}.svg")


if __name__ == "__main__":
    plots_write(Path(sys.argv[1]))
