"""Breaks and behaviour of every builder in its small size, original against patched: what goes into the report of each.

Also GraphMend's own time for a builder: that of rewriting the files in which its graphs broke.
"""

from __future__ import annotations

import argparse
import functools
import os
import time
from pathlib import Path
from typing import Any

from jobs import Jobs, jobs_each
from judge import judge_differences
from prepare import prepare_own_time
from registry import Variant

SIDES = ("original", "patched")


def _sites(breaks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Break events by site."""
    sites: dict[tuple[Any, ...], int] = {}
    for event in breaks:
        key = (event["file"], event["line"], event["category"], event["gb_id"], event["source_line"])
        sites[key] = sites.get(key, 0) + 1
    names = ("file", "line", "category", "gb_id", "source")
    return [dict(zip(names, key), events=count) for key, count in sorted(sites.items(), key=str)]


def _summary(original: dict[str, Any], patched: dict[str, Any], folders: Any) -> dict[str, Any]:
    differences = judge_differences(original, patched, folders)
    refused = original["runs"]["eager"]["exception"]
    if refused:  # e.g. an operator that the CPU does not have in half precision
        return {"cannot_run": ": ".join(refused)[:300], "differences": differences}
    pair = (original, patched)
    return {
        "graphs": [side.get("graphs", 0) for side in pair],
        "breaks": [max(0, side.get("graphs", 0) - 1) for side in pair],
        "events": [len(side.get("breaks", [])) for side in pair],
        "fullgraph": [side.get("fullgraph", False) for side in pair],
        "sites": [_sites(side.get("breaks", [])) for side in pair],
        "differences": differences,
    }


def _own_time(graphmend: Path, variants: dict[str, Any], folders: dict[str, str]) -> dict[str, Any]:
    sites = [site for found in variants.values() for site in found.get("sites", [[]])[0]]
    files = sorted({site["file"] for site in sites if site["file"].split("/")[0] in folders})
    paths = [Path(os.path.join(folders[file.split("/")[0]], file)) for file in files]
    return {"files": files, **prepare_own_time(graphmend, paths)}


def breakdown_builder(answers: list[dict[str, Any]], graphmend: Path) -> dict[str, Any]:
    """What a report needs of both sides' answers to a "breaks" job."""
    for side, answer in zip(SIDES, answers):
        if "error" in answer:
            return {"error": f"{side}: {answer['error']}"}
    original, patched = answers
    folders = (original["folders"], patched["folders"])
    variants = {
        name: _summary(found, patched["variants"][name], folders) for name, found in original["variants"].items()
    }
    return {"variants": variants, "own": _own_time(graphmend, variants, folders[0])}


def measure(
    jobs: Jobs,
    patched: Path,
    builders: dict[str, Any],
    variants: list[Variant],
    results: Any,
    options: argparse.Namespace,
) -> None:
    pairs = [[variant.dtype, variant.mode] for variant in variants]

    def side(name: str, root: Path | None) -> dict[str, Any]:
        if time.monotonic() - options.started > options.budget:
            return {"error": "not measured: the time was up"}
        builder = builders[name]
        return jobs.run(
            "breaks",
            root,
            builder=builder,
            sizes=builder["small"],
            inputs=builder["inputs"],
            variants=pairs,
            environment={"CUBLAS_WORKSPACE_CONFIG": ":4096:8"},  # cuBLAS then gives the same bits each time
        )

    def one(name: str, place: dict[str, Any]) -> None:
        start = time.monotonic()
        answers = jobs_each([functools.partial(side, name, root) for root in (None, patched)], len(SIDES))
        found = breakdown_builder(answers, options.graphmend) | {"seconds": time.monotonic() - start}
        shown = found.get("error") or ", ".join(
            f"{variant} {' -> '.join(map(str, each.get('breaks', ['cannot run'])))}"
            for variant, each in found["variants"].items()
        )
        results.add(place, found, f"breaks {name}: {shown}")

    places = results.found["builders"]
    places.update({name: {} for name in builders})
    jobs_each([functools.partial(one, name, places[name]) for name in builders], max(1, options.jobs // len(SIDES)))
