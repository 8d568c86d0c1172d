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


def _fix(graphmend: Path, source: Path, out: Path) -> tuple[float, float]:
    """Wall and CPU seconds of `graphmend fix SOURCE -o OUT`."""
    command = [str(graphmend), "fix", "--isolated", "--quiet", str(source), "-o", str(out)]
    environment = os.environ | {"GRAPHMEND_CACHE_DIR": ""}  # its work is timed, not what it remembers
    start = time.monotonic()
    with tempfile.TemporaryFile("w+", errors="replace") as log:
        process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode not in (0, 1):
            log.seek(0)
            raise Failed(f"{' '.join(command)}: exit {process.returncode}\n{log.read()[-2000:]}")
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime


def prepare_patched(graphmend: Path, packages: Sequence[Path], root: Path) -> dict[str, float]:
    """Writes ROOT/NAME for each package, as graphmend rewrites it; wall seconds of each."""
    shutil.rmtree(root, ignore_errors=True)
    root.mkdir(parents=True)
    return {package.name: _fix(graphmend, package, root / package.name)[0] for package in packages}


def prepare_own_time(graphmend: Path, files: Sequence[Path], repeats: int = 3) -> dict[str, float]:
    """Wall and CPU seconds of rewriting these files, each alone: the least of some times."""
    times = []
    for _ in range(repeats):
        with tempfile.TemporaryDirectory(prefix="graphmend-bench-") as folder:
            each = [_fix(graphmend, file, Path(folder) / file.name) for file in files]
            times.append((sum(wall for wall, _ in each), sum(cpu for _, cpu in each)))
    return {"seconds": min(wall for wall, _ in times), "cpu": min(cpu for _, cpu in times)}
