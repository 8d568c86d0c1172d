"""Cold, warm and steady times of models under inductor, original and patched in turns.

A cold start is a fresh process with an empty cache folder; a warm start is a fresh process with the folder that a cold
one has filled. In each round the two sides run side by side, so that whatever else the machine does slows both.
"""

from __future__ import annotations

import argparse
import functools
import os
import statistics
import time
from pathlib import Path
from typing import Any

from jobs import Jobs, jobs_each
from registry import Row, Variant

SIDES = ("original", "patched")
COMPILE_MODES = {"cpu": ["default"], "cuda": ["default", "reduce-overhead"]}
PARTS = ("first_call", "first_call_cpu", "dynamo", "backend", "first_run")


def speed_summary(starts: list[dict[str, Any]]) -> dict[str, Any]:
    """One side's processes: medians of the starts' parts, and the steady times of all together."""
    good = [start for start in starts if "error" not in start]
    if not good:
        return {"error": starts[0]["error"] if starts else "not measured"}
    answer: dict[str, Any] = {}
    for kind in ("cold", "warm"):
        some = [start for start in good if start["kind"] == kind]
        if some:
            answer[kind] = {part: statistics.median(start[part] for start in some) for part in PARTS}
            answer[kind]["processes"] = len(some)
            answer[kind]["cache"] = some[-1]["cache"]
    steady = sorted(seconds for start in good for seconds in start["steady"])
    answer["steady"] = {
        "median": statistics.median(steady),
        "tenth": steady[len(steady) // 10],
        "ninetieth": steady[len(steady) * 9 // 10],
        "calls": len(steady),
    }
    last = good[-1]
    answer["throughput"] = statistics.median(start["throughput"] for start in good)
    answer["memory"] = max(start["memory"]["host"] for start in good)
    for key in ("launches", "cuda_peak", "distance"):
        if key in last:
            answer[key] = last[key]
    return answer


class Timing:
    """What is timed in one pair of sides: one model in one variant and one mode of torch.compile."""

    def __init__(
        self, jobs: Jobs, patched: Path, builder: dict[str, Any], config: dict[str, Any], options: argparse.Namespace
    ) -> None:
        self.jobs, self.patched, self.builder, self.config, self.options = jobs, patched, builder, config, options

    def _start(self, side: str, kind: str, cache: Path, pair: str) -> dict[str, Any]:
        share = max(1, (os.cpu_count() or 1) // self.options.jobs)
        environment = {"TORCHINDUCTOR_CACHE_DIR": str(cache), "TORCHINDUCTOR_COMPILE_THREADS": str(share)}
        answer = self.jobs.run(
            "time",
            self.patched if side == "patched" else None,
            builder=self.builder,
            environment=environment,
            pair_lock=str(self.jobs.work / f"{pair}.lock"),
            steady_lock=str(self.jobs.work / "steady.lock"),
            steady_seconds=self.options.steady_seconds,
            **self.config,
        )
        return answer | {"kind": kind}

    def run(self, name: str) -> dict[str, Any]:
        found: dict[str, list[dict[str, Any]]] = {side: [] for side in SIDES}
        kinds = ["cold", "warm"] if self.options.warm else ["cold"]
        for number in range(self.options.rounds):
            order = SIDES if number % 2 == 0 else SIDES[::-1]
            for kind in kinds:
                caches = [self.jobs.work / "caches" / f"{name}-{side}-{number}" for side in order]
                pair = f"{name}-{number}-{kind}"
                calls = [functools.partial(self._start, side, kind, cache, pair) for side, cache in zip(order, caches)]
                for side, answer in zip(order, jobs_each(calls, min(2, self.options.jobs))):
                    found[side].append(answer)
        return {side: speed_summary(found[side]) for side in SIDES}


def _shown(found: dict[str, Any]) -> str:
    texts = []
    for side in SIDES:
        one = found[side]
        if "error" in one:
            texts.append(f"{side} {one['error'][:200]}")
        else:
            texts.append(
                f"{side} cold {one['cold']['first_call']:.2f} s, steady {1e3 * one['steady']['median']:.2f} ms"
            )
    return "; ".join(texts)


Todo = tuple[str, Timing, dict[str, Any], float]  # a name, where its answer goes, and how long its breaks took to find


def _measure(todo: list[Todo], results: Any, options: argparse.Namespace) -> None:
    """As many pairs at a time as there are processes for, while the next one, going as those before, ends in time."""
    slowness = [0.0]

    def one(name: str, timing: Timing, place: dict[str, Any], cost: float) -> None:
        start = time.monotonic()
        if start - options.started + cost * max(slowness) > options.budget:
            found = {side: {"error": "not measured: the time was up"} for side in SIDES}
        else:
            found = timing.run(name)
            slowness.append((time.monotonic() - start) / cost if cost else 0.0)
        results.add(place, found, f"time {name}: {_shown(found)}")

    jobs_each([functools.partial(one, *item) for item in todo], max(1, options.jobs // len(SIDES)))


def measure_small(
    jobs: Jobs,
    patched: Path,
    builders: dict[str, Any],
    wanted: dict[str, list[Variant]],
    results: Any,
    options: argparse.Namespace,
) -> None:
    """Every builder in its small size; answers go to its `timing`."""
    jobs.run("headers", None)
    todo = []
    for name, builder in builders.items():
        timing: list[dict[str, Any]] = results.found["builders"].setdefault(name, {}).setdefault("timing", [])
        for variant in wanted[name]:
            for mode in COMPILE_MODES[options.device]:
                place: dict[str, Any] = {"variant": str(variant), "compile_mode": mode}
                timing.append(place)
                config = {
                    "sizes": builder["small"],
                    "inputs": builder["inputs"],
                    "variant": [variant.dtype, variant.mode],
                    "compile_mode": mode,
                }
                task = Timing(jobs, patched, builder, config, options)
                todo.append(
                    (f"{name}-{variant}-{mode}", task, place, results.found["builders"][name].get("seconds", 0.0))
                )
    todo.sort(key=lambda item: item[3])  # the dear ones last: should the time not be enough, few are missing
    _measure(todo, results, options)


def measure_full(
    jobs: Jobs,
    patched: Path,
    builders: dict[str, Any],
    rows: list[Row],
    results: Any,
    options: argparse.Namespace,
) -> None:
    """Rows in their published sizes, in half precision; answers go to `full_size` by row and mode."""
    todo = []
    for row in rows:
        for mode in COMPILE_MODES[options.device]:
            place = results.found["full_size"].setdefault(row.name, {}).setdefault(mode, {})
            config = {
                "sizes": row.full,
                "inputs": row.full_inputs,
                "variant": ["float16" if options.device == "cuda" else "float32", "eval"],
                "compile_mode": mode,
            }
            timing = Timing(jobs, patched, builders[row.builder], config, options)
            todo.append((f"{row.name}-full-{mode}", timing, place, 0.0))
    _measure(todo, results, options)
