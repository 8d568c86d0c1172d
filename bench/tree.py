"""Times graphmend on the whole transformers tree against a bare single-threaded parse of the same files.

    python bench/tree.py [TREE]

The goals: check and fix no slower than that parse, a second run under a tenth of it, in under 500 MB.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "release"


def default_tree() -> Path:
    spec = find_spec("transformers")
    assert spec and spec.submodule_search_locations
    return Path(spec.submodule_search_locations[0])


def measure(title: str, command: list[str], environment: dict[str, str] | None = None) -> float:
    """Wall seconds; prints them with the CPU time and peak memory of the command."""
    start = time.monotonic()
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=os.environ | (environment or {})
    )
    assert process.stderr
    errors = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - start
    code = os.waitstatus_to_exitcode(status)
    cpu = usage.ru_utime + usage.ru_stime
    print(f"{title:28} {wall:7.2f} s wall {cpu:7.2f} s CPU {usage.ru_maxrss / 1024:7.0f} MB  exit {code}")
    if code not in (0, 1):
        sys.exit(errors.decode(errors="replace")[-2000:])
    return wall


def bare_parse(files: list[Path]) -> float:
    names = "".join(f"{file}\n" for file in files)
    answer = subprocess.run([BUILD / "bench_parse"], input=names, text=True, capture_output=True, check=True).stdout
    print(f"{'bare tree-sitter parse':28} {answer.strip()}")
    return float(answer.split()[-2])


def main() -> None:
    tree = Path(sys.argv[1]) if len(sys.argv) > 1 else default_tree()
    graphmend = str(BUILD / "graphmend")
    files = sorted(tree.rglob("*.py"))
    bare_parse(files)  # fills the page cache
    yardstick = bare_parse(files)
    with tempfile.TemporaryDirectory(prefix="graphmend-bench-") as folder:
        cache = {"GRAPHMEND_CACHE_DIR": f"{folder}/cache"}
        copy = Path(folder) / tree.name
        shutil.copytree(tree, copy, ignore=lambda _, names: [n for n in names if n == "__pycache__"])
        check = [graphmend, "check", str(copy)]
        times = {}
        times["check, no cache"] = measure("check --no-cache", [*check, "--no-cache"], cache)
        times["check, empty cache"] = measure("check, empty cache", check, cache)
        times["check, filled cache"] = measure("check, filled cache", check, cache)
        times["fix"] = measure("fix --in-place", [graphmend, "fix", "--in-place", str(copy)], cache)
    for name, wall in times.items():
        print(f"{name:28} {wall / yardstick:7.2f} of the bare parse")


if __name__ == "__main__":
    main()
