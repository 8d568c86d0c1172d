"""Measures the rows of rows.json, original against patched, and writes a report.

    python bench/run.py --quick                 small models on the CPU: breaks, behaviour, one cold start each
    python bench/run.py --full [--device cuda]  more variants, warm starts, repeats, models of the published sizes
    python bench/run.py --quick --missing       what an earlier run of this kind had no time for

Each measurement is a job in a fresh process of graphmend-host; original and patched run in turns or side by side. Exit
status: 0 all as it must be, 1 a row that must be whole is not, behaviour differs or GraphMend takes too long, 2 it
could not run. Results are written as they come, so that a run that is cut short leaves what it has.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import breakdown
import report
import speed
from jobs import Jobs
from prepare import MODELS, Failed, prepare_patched
from registry import Variant, registry_load

ROOT = Path(__file__).resolve().parent.parent
QUICK = [Variant("float32", "eval"), Variant("float16", "eval"), Variant("float32", "train")]
FULL = [*QUICK, Variant("float16", "train")]


def _cpu_name() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


def _machine(options: argparse.Namespace) -> dict[str, Any]:
    """What the run ran on; the versions as the host's Python has them."""
    code = (
        "import _graphmend_native as n, json, sys, torch, transformers as t; print(json.dumps(dict("
        "python=sys.version.split()[0], torch=torch.__version__, transformers=t.__version__, "
        "tree=t.__path__[0], gpu=n.cuda_device() if n.cuda_available() else None)))"
    )
    with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
        script.write(code)
        script.flush()
        done = subprocess.run([*options.host, script.name], capture_output=True, text=True)
    if done.returncode:
        raise Failed(f"{' '.join(options.host)}: exit {done.returncode}\n{done.stderr[-2000:]}")
    versions = json.loads(done.stdout.splitlines()[-1])
    graphmend = subprocess.run([options.graphmend, "--version"], capture_output=True, text=True, check=True).stdout
    commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True).stdout
    return versions | {
        "name": options.machine,
        "cpu": _cpu_name(),
        "cores": os.cpu_count(),
        "system": platform.platform(),
        "graphmend": f"{graphmend.split()[-1]} ({commit.strip() or 'no commit'})",
        "host": Path(options.host[-1]).name,
        "date": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
        "load": os.getloadavg()[0],
    }


class Results:
    """The one JSON of a run, kept on disk as it grows; threads add to it."""

    def __init__(self, folder: Path, machine: dict[str, Any], setting: dict[str, Any]) -> None:
        self.folder = folder
        self.found: dict[str, Any] = {"machine": machine, "setting": setting, "builders": {}, "full_size": {}}
        self._lock = threading.Lock()

    def add(self, place: dict[str, Any], found: dict[str, Any], shown: str) -> None:
        """Puts what was found in its place within `found`, and says so."""
        with self._lock:
            place.update(found)
            self.save()
            print(shown, flush=True)

    def save(self) -> None:
        part = self.folder / "results.json.part"
        part.write_text(json.dumps(self.found, indent=1) + "\n")
        part.rename(self.folder / "results.json")


def keep_earlier(options: argparse.Namespace, results: Results) -> None:
    """Takes over the builders that OUT's results have times of, and leaves the others to this run."""
    found = json.loads((options.out / "results.json").read_text())
    kept = {name: builder for name, builder in found["builders"].items() if report.report_share(builder) is not None}
    for earlier in found.get("earlier", []):
        earlier["builders"] = [name for name in earlier["builders"] if name in kept]
    before = {name for earlier in found.get("earlier", []) for name in earlier["builders"]}
    this = {key: found["machine"][key] for key in ("date", "graphmend", "torch", "transformers")}
    this |= {"seconds": found.get("seconds", 0), "builders": [name for name in kept if name not in before]}
    results.found["earlier"] = [*found.get("earlier", []), this]
    results.found["builders"] = kept
    options.rows = [name for name in options.rows or registry_load().builders if name not in kept]


def _measure(options: argparse.Namespace, jobs: Jobs, results: Results, patched: Path) -> None:
    registry = registry_load()
    names = [name for name in registry.builders if options.rows is None or name in options.rows]
    variants = FULL if options.full else QUICK
    builders = {name: registry.builders[name] for name in names}
    breakdown.measure(jobs, patched, builders, variants, results, options)
    wanted = {name: options.time or [registry.rows_of(name)[0].counted] for name in names}
    speed.measure_small(jobs, patched, builders, wanted, results, options)
    if options.full_size:
        # Each builder's first row before any second one: the time may not be enough for all.
        rows = sorted(registry.rows, key=lambda row: registry.rows_of(row.builder).index(row))
        rows = [row for row in rows if row.builder in builders]
        speed.measure_full(jobs, patched, builders, rows, results, options)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--quick", action="store_true")
    which.add_argument("--full", action="store_true")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--rows", type=lambda text: text.split(","), metavar="A,B", help="builders; default: all")
    parser.add_argument("--missing", action="store_true", help="only what OUT's results have no times of")
    parser.add_argument("--full-size", action="store_true", help="models of the published sizes too")
    parser.add_argument(
        "--time",
        type=lambda text: [Variant(*name.split("-")) for name in text.split(",")],
        metavar="A,B",
        help="variants to time, as float16-eval; default: that in which a row's breaks were counted",
    )
    parser.add_argument("--rounds", type=int, default=1, metavar="N", help="cold starts of each side")
    parser.add_argument("--warm", action="store_true", help="warm starts too")
    parser.add_argument("--budget", type=float, default=870, metavar="S", help="start nothing that would take longer")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), metavar="N", help="processes at a time")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="torch's threads in each")
    parser.add_argument("--timeout", type=float, default=300, metavar="S", help="of one process")
    parser.add_argument("--steady-seconds", type=float, default=1.0, metavar="S", help="spent on each steady state")
    parser.add_argument("--graphmend", type=Path, default=ROOT / "build/verify/graphmend")
    parser.add_argument("--host", type=lambda text: text.split(), default=[str(ROOT / "build/verify/graphmend-host")])
    parser.add_argument("--work", type=Path, default=ROOT / "build/bench-work", help="for what is not kept")
    parser.add_argument("--out", type=Path, help="default: bench/results/MACHINE-DATE")
    parser.add_argument("--machine", default=f"{platform.machine()}-{os.cpu_count()}-core", help="its name")
    parser.add_argument("--note", default="", metavar="TEXT", help="said in the report")
    options = parser.parse_args()
    options.started = time.monotonic()
    today = time.strftime("%Y-%m-%d", time.gmtime())
    options.work = options.work.resolve()  # inductor's compilers are started in other folders
    options.out = options.out or ROOT / "bench/results" / f"{options.machine}-{today}"
    return options


def main() -> None:
    options = _options()
    try:
        machine = _machine(options)
        shutil.rmtree(options.work, ignore_errors=True)
        options.work.mkdir(parents=True)
        options.out.mkdir(parents=True, exist_ok=True)
        keys = ("quick", "device", "jobs", "threads", "rounds", "warm", "steady_seconds", "budget", "note")
        results = Results(options.out, machine, {key: getattr(options, key) for key in keys})
        if options.missing:
            keep_earlier(options, results)
        patched = options.work / "patched"
        results.found["fix_seconds"] = prepare_patched(options.graphmend, [Path(machine.pop("tree")), MODELS], patched)
        jobs = Jobs(options.host, options.work, options.device, options.threads, options.timeout)
        _measure(options, jobs, results, patched)
        order = list(registry_load().builders)
        results.found["builders"] = dict(sorted(results.found["builders"].items(), key=lambda b: order.index(b[0])))
        results.found["seconds"] = time.monotonic() - options.started
        results.found["load_after"] = os.getloadavg()[0]
        results.save()
    except (Failed, OSError, subprocess.SubprocessError) as error:  # a program that is missing, or that fails
        print(error, file=sys.stderr)
        sys.exit(2)
    faults = report.report_write(options.out)
    if importlib.util.find_spec("matplotlib"):
        import plots

        plots.plots_write(options.out)
    else:
        print("no plots: matplotlib is not installed (bench/requirements.txt)")
    print(f"{options.out}: {time.monotonic() - options.started:.0f} s")
    for fault in faults:
        print("FAULT", fault)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
