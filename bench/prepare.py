"""What is needed before anything is measured: the patched packages, and GraphMend's own time for a row's files."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

MODELS = Path(__file__).resolve().parent / "models"


class Failed(Exception):
    """A step could not be run."""


def _fix(graphmend: Path, source: Path, out: Path) -> float:
    """Seconds of `graphmend fix SOURCE -o OUT`."""
    command = [str(graphmend), "fix", "--isolated", "--quiet", str(source), "-o", str(out)]
    environment = os.environ | {"GRAPHMEND_CACHE_DIR": ""}  # its work is timed, not what it remembers
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    seconds = time.monotonic() - start
    if done.returncode not in (0, 1):
        raise Failed(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr[-2000:]}")
    return seconds


def prepare_patched(graphmend: Path, packages: Sequence[Path], root: Path) -> dict[str, float]:
    """Writes ROOT/NAME for each package, as graphmend rewrites it; seconds of each."""
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    return {package.name: _fix(graphmend, package, root / package.name) for package in packages}


def prepare_own_time(graphmend: Path, files: Sequence[Path], repeats: int = 3) -> float:
    """The least of some times of rewriting these files alone."""
    times = []
    for _ in range(repeats):
        with tempfile.TemporaryDirectory(prefix="graphmend-bench-") as folder:
            times.append(sum(_fix(graphmend, file, Path(folder) / file.name) for file in files))
    return min(times)
