"""The report of a run: results.json as tables in Markdown, row by row beside the published figures.

    python bench/report.py FOLDER

Also the judge of a run: report_faults lists what must not be: breaks left in a row that must be whole, behaviour that
differs, a row that could not be measured, GraphMend's own time at 2 % of a cold start or more.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parent))

from registry import Registry, Row, registry_load

OWN_SHARE = 0.02
Found = dict[str, Any]


def _arrow(pair: list[Any] | tuple[Any, ...]) -> str:
    return f"{pair[0]} → {pair[1]}"


def _table(header: list[str], rows: list[list[str]]) -> list[str]:
    line = "|".join(" --- " if i == 0 else " ---: " for i in range(len(header)))
    return [f"| {' | '.join(header)} |", f"|{line}|", *(f"| {' | '.join(row)} |" for row in rows), ""]


def _ratio(before: float, after: float) -> str:
    return f"{before / after:.2f}"


# ---- judging


def report_share(builder: Found) -> float | None:
    """GraphMend's own time as a part of the original's cold start; None where none was measured.

    In CPU time, of the shortest start by the clock or by CPU time: on a busy machine the clock flatters, and with many
    cores the CPU time does.
    """
    colds = [timing.get("original", {}).get("cold") for timing in builder.get("timing", [])]
    seconds = [min(cold["first_call"], cold["first_call_cpu"]) for cold in colds if cold]
    return builder["own"]["cpu"] / min(seconds) if seconds and "own" in builder else None


def _variant_faults(name: str, variant: str, found: Found, whole: bool) -> list[str]:
    faults = [f"{name} {variant}: {difference}" for difference in found["differences"]]
    if whole and variant.endswith("-eval") and "cannot_run" not in found:
        if found["breaks"][1] or found["events"][1]:
            faults.append(f"{name} {variant}: {found['breaks'][1]} breaks left, {found['events'][1]} events")
        if not found["fullgraph"][1]:
            faults.append(f"{name} {variant}: fullgraph=True fails")
    return faults


def report_faults(results: Found, registry: Registry) -> list[str]:
    faults = []
    for name, builder in results["builders"].items():
        if "error" in builder or "variants" not in builder:
            faults.append(f"{name}: {builder.get('error', 'not measured')}")
            continue
        whole = any(row.whole for row in registry.rows_of(name))
        for variant, found in builder["variants"].items():
            faults += _variant_faults(name, variant, found, whole)
        for row in registry.rows_of(name):
            if "cannot_run" in builder["variants"].get(str(row.counted), {}):
                faults.append(f"{row.name}: {builder['variants'][str(row.counted)]['cannot_run']}")
        share = report_share(builder)
        if share is not None and share >= OWN_SHARE:
            faults.append(f"{name}: GraphMend takes {100 * share:.1f} % of the cold start")
    return faults


# ---- tables


def _count(found: Found, key: str) -> str:
    return "cannot run" if "cannot_run" in found else _arrow(found[key])


def _variant_cell(row: Row, variant: str, found: Found) -> str:
    text = _count(found, "breaks")
    return f"**{text}**" if variant == str(row.counted) else text


def _row_cells(row: Row, builder: Found, variants: list[str]) -> list[str]:
    own = f" ({row.builder})" if row.builder.endswith("-like") else ""
    cells = [row.name + own, _arrow(row.paper), _arrow(row.artifact)]
    if "variants" not in builder:
        return [*cells, "not measured", *[""] * (len(variants) + 2)]
    found = builder["variants"]
    counted = found[str(row.counted)]
    same = not any(one["differences"] for one in found.values())
    full = "" if "cannot_run" in counted else _arrow(["yes" if ok else "no" for ok in counted["fullgraph"]])
    breaks = [_variant_cell(row, variant, found[variant]) for variant in variants]
    return [*cells, *breaks, _count(counted, "events"), full, "equal" if same else "DIFFERS"]


def _total(title: str, pairs: list[Any]) -> str:
    return title.format(_arrow([sum(pair[i] for pair in pairs) for i in (0, 1)]))


def _breaks_table(results: Found, registry: Registry) -> list[str]:
    builders = results["builders"]
    rows = [row for row in registry.rows if row.builder in builders]
    variants = list(next((b["variants"] for b in builders.values() if "variants" in b), {}))
    counted = [
        builders[row.builder].get("variants", {}).get(str(row.counted), {}).get("breaks", [0, 0]) for row in rows
    ]
    total = [
        "all, as counted",
        _total("{}", [row.paper for row in rows]),
        _total("{}", [row.artifact for row in rows]),
        _total("**{}**", counted),
        *[""] * (len(variants) + 2),
    ]
    return [
        "## Breaks",
        "",
        "Breaks are graphs - 1 of one call, as published, original → patched in each variant; bold is the variant in",
        "which they were counted. Of that, events are what Dynamo logs (one that ends a frame leaves no graph behind",
        "it) and fullgraph says whether fullgraph=True passes. Behaviour is equal where outputs, gradients, buffers,",
        "exceptions, log records, warnings and printed text are in all variants, bit for bit and line for line.",
        "Where a name ends in -like the model is our own (bench/models), with the break shapes of the published one.",
        "",
        *_table(
            ["row", "paper", "artifact", *variants, "events", "fullgraph", "behaviour"],
            [*(_row_cells(row, builders[row.builder], variants) for row in rows), total],
        ),
    ]


def _refused(results: Found) -> list[str]:
    """Variants that the original cannot run either, and why."""
    lines = [
        f"- {name} {variant} cannot run: {found['cannot_run'].splitlines()[0]}"
        for name, builder in results["builders"].items()
        for variant, found in builder.get("variants", {}).items()
        if "cannot_run" in found
    ]
    return [*lines, ""] if lines else []


def _left_table(results: Found, registry: Registry) -> list[str]:
    rows = []
    for name, builder in results["builders"].items():
        counted = str(registry.rows_of(name)[0].counted)
        for site in builder.get("variants", {}).get(counted, {}).get("sites", [[], []])[1]:
            place = f"{site['file'].removeprefix('transformers/models/')}:{site['line']}"
            source = site["source"].replace("|", "\\|")
            rows.append([name, f"`{source}`", place, site["category"], site["gb_id"] or "", str(site["events"])])
    header = ["builder", "statement", "place", "kind", "id", "events"]
    return ["## What is left", "", *_table(header, rows)] if rows else []


def _seconds(timing: Found, kind: str, part: str) -> str:
    return _arrow([f"{timing[side][kind][part]:.2f}" for side in ("original", "patched")])


def _both(timing: Found, key: str) -> bool:
    return all(key in timing.get(side, {}) for side in ("original", "patched"))


def _timing_cells(timing: Found) -> list[str]:
    if not _both(timing, "steady"):
        error = next((timing[s]["error"] for s in ("original", "patched") if "error" in timing.get(s, {})), "")
        return [error.splitlines()[0][:120] if error else "not measured", *[""] * (len(TIMES) - 1)]
    old, new = timing["original"], timing["patched"]
    steady = [f"{1e3 * side['steady']['median']:.3g}" for side in (old, new)]
    spread = [f"{1e3 * side['steady']['tenth']:.3g}-{1e3 * side['steady']['ninetieth']:.3g}" for side in (old, new)]
    warm = _both(timing, "warm")
    return [
        _seconds(timing, "cold", "first_call"),
        f"**{_ratio(old['cold']['first_call'], new['cold']['first_call'])}**",
        *(_seconds(timing, "cold", part) for part in ("first_call_cpu", "dynamo", "backend", "first_run")),
        _seconds(timing, "warm", "first_call") if warm else "",
        f"{_arrow(steady)} ({_arrow(spread)})",
        f"**{_ratio(old['steady']['median'], new['steady']['median'])}**",
        _arrow([f"{side['throughput']:.4g}" for side in (old, new)]),
        _arrow([f"{side['memory'] / 2**20:.0f}" for side in (old, new)]),
    ]


TIMES = ["cold start, s", "×", "CPU", "Dynamo", "backend", "first run", "warm start, s", "steady, ms (10-90 %)", "×"]
TIMES += ["items/s", "memory"]


def _timing_rows(results: Found) -> list[list[str]]:
    rows = []
    for name, builder in results["builders"].items():
        share = report_share(builder)
        for timing in builder.get("timing", []):
            own = f"{100 * share:.2f} %" if share is not None else ""
            rows.append([name, timing["variant"], timing["compile_mode"], *_timing_cells(timing), own])
    return rows


def _launch_cells(timing: Found) -> list[str]:
    pair = [timing[side]["launches"] for side in ("original", "patched")]
    peak = [f"{timing[side]['cuda_peak'] / 2**20:.0f}" for side in ("original", "patched")]
    return [_arrow([one["kernels"] for one in pair]), _arrow([one["graphs"] for one in pair]), _arrow(peak)]


def _gpu_table(results: Found) -> list[str]:
    small = [(name, timing) for name, b in results["builders"].items() for timing in b.get("timing", [])]
    timings = [(name, timing["variant"], timing["compile_mode"], timing) for name, timing in small]
    timings += [(n, "full size", mode, t) for n, modes in results["full_size"].items() for mode, t in modes.items()]
    rows = [[name, variant, mode, *_launch_cells(t)] for name, variant, mode, t in timings if _both(t, "launches")]
    header = ["model", "variant", "mode", "kernel launches", "CUDA graph launches", "CUDA peak, MB"]
    return ["## Launches of one call", "", *_table(header, rows)] if rows else []


def _speed_tables(results: Found, registry: Registry) -> list[str]:
    setting = results["setting"]
    lines = [
        "## Time, small models",
        "",
        "inductor; original → patched, and how many times as fast the patched code is. A cold start is the first call",
        "in a fresh process with an empty cache of graphs; both sides start side by side, in "
        f"{setting['rounds']} round(s). CPU is",
        "its time on all cores, the C++ compiler's with it: on a busy machine the better measure. GraphMend's part of",
        "that is what rewriting the files takes in which the graphs broke. Memory is the host's peak, in MB.",
        "",
        *_table(["builder", "variant", "mode", *TIMES, "GraphMend"], _timing_rows(results)),
    ]
    unknown = [name for name, builder in results["builders"].items() if report_share(builder) is None]
    if unknown:
        lines += [f"GraphMend's part was not measured of: {', '.join(unknown)}.", ""]
    if results["full_size"]:
        rows = [[n, mode, *_timing_cells(t)] for n, modes in results["full_size"].items() for mode, t in modes.items()]
        lines += ["## Time, published sizes", "", *_table(["row", "mode", *TIMES], rows)]
    return [
        *lines,
        f"Published: {registry.speed['paper']} (paper); {registry.speed['artifact']} (artifact).",
        "",
    ]


def _earlier(results: Found) -> list[str]:
    """The runs whose rows this one took over."""
    return [
        f"Of an earlier run, {run['date']}, GraphMend {run['graphmend']}, torch {run['torch']}, transformers "
        f"{run['transformers']}, {run['seconds']:.0f} s: {', '.join(run['builders'])}."
        for run in results.get("earlier", [])
        if run["builders"]
    ]


def _heading(results: Found, registry: Registry) -> list[str]:
    machine, setting = results["machine"], results["setting"]
    gpu = f", {machine['gpu']['name']}" if machine.get("gpu") else ""
    fix = results["fix_seconds"]
    return [
        f"# {machine['name']}, {machine['date']}",
        "",
        f"{machine['cpu']}, {machine['cores']} cores{gpu}; {machine['system']}; Python {machine['python']}, torch "
        f"{machine['torch']}, transformers {machine['transformers']}; GraphMend {machine['graphmend']}.",
        f"Run by {machine['host']} on {setting['device']}, {setting['jobs']} processes at a time, {setting['threads']} "
        f"thread(s) each; "
        f"{results.get('seconds', 0):.0f} s in all; load average {machine['load']:.1f} before and "
        f"{results.get('load_after', 0):.1f} after.",
        *([setting["note"]] if setting.get("note") else []),
        *_earlier(results),
        f"`graphmend fix` of the whole transformers tree: {fix['transformers']:.1f} s.",
        "",
        *(f"- {key}: {text}" for key, text in registry.sources.items()),
        "",
    ]


def report_write(folder: Path) -> list[str]:
    """Writes FOLDER/report.md from FOLDER/results.json; the faults found."""
    registry = registry_load()
    results = json.loads((folder / "results.json").read_text())
    faults = report_faults(results, registry)
    lines = [
        *_heading(results, registry),
        *(["## Faults", "", *(f"- {fault}" for fault in faults), ""] if faults else ["No faults.", ""]),
        *_breaks_table(results, registry),
        *_refused(results),
        *_left_table(results, registry),
        *_speed_tables(results, registry),
        *_gpu_table(results),
    ]
    (folder / "report.md").write_text("\n".join(lines).rstrip("\n") + "\n")
    return faults


if __name__ == "__main__":
    found = report_write(Path(sys.argv[1]))
    print(*found, sep="\n")
    sys.exit(1 if found else 0)
