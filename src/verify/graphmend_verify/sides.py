"""Runs the original and the patched side, each in a forked process, and prints the verdict.

    main.py --original P --patched P --name NAME --beside FOLDER [--entry NAME] [--inputs FILE] --backend B --format F

Exit 0 or 1 with the verdict on standard output (see judge.py), or 2 with what is wrong there: its first line says it,
the rest may be a traceback. Forking imports torch once; nothing has started a thread or CUDA by then.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import signal
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from . import record, report
from .compare import Tolerance
from .judge import Judge
from .record import Record

TIMEOUT = 600.0


class Failed(Exception):
    """One side did not run to its end; why, in words."""


@dataclass(eq=False)
class Side:
    path: str
    folder: Path  # for what the process leaves
    pid: int = 0

    def start(self, options: argparse.Namespace) -> None:
        self.folder.mkdir()
        self.pid = os.fork()
        if self.pid == 0:
            code = 2
            try:
                self._redirect()
                code = record.run(self.path, self.folder / "record", self.folder / "failure", options)
            finally:
                os._exit(code)

    def _redirect(self) -> None:
        """What C code writes goes to a file: standard output is for the verdict."""
        out = os.open(self.folder / "output", os.O_WRONLY | os.O_CREAT, 0o600)
        os.dup2(out, 1)
        os.dup2(out, 2)

    def ended(self, wait: bool = False) -> int | None:
        """The status with which it ended."""
        pid, status = os.waitpid(self.pid, 0 if wait else os.WNOHANG)
        return status if pid else None

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        self.ended(wait=True)

    def why(self, status: int) -> str | None:
        """What went wrong, if something did."""
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            said = (self.folder / "output").read_text(errors="replace")[-2000:]
            return f"{self.path}: the process died of signal {number} ({signal.strsignal(number)})\n{said}"
        failure = self.folder / "failure"
        if failure.exists():
            return f"{self.path} cannot be run: {failure.read_text()}"
        return None if (self.folder / "record").exists() else f"{self.path}: the process ended by itself"

    def record(self) -> Record:
        return pickle.loads((self.folder / "record").read_bytes())


def _wait(original: Side, patched: Side, limit: float) -> None:
    """Until both have ended. An original that fails says why, even if the patched side was the first to."""
    running, end = [original, patched], time.monotonic() + limit
    failures: dict[Side, str] = {}
    while running and original not in failures:
        time.sleep(0.02)
        for side in list(running):
            status = side.ended()
            if status is not None:
                running.remove(side)
                failure = side.why(status)
                if failure:
                    failures[side] = failure
        if running and time.monotonic() > end:
            failures.setdefault(running[0], f"{running[0].path} takes longer than {limit:g} s (see --timeout)")
            break
    for side in running:
        side.kill()
    if failures:
        raise Failed(failures.get(original) or failures[patched])


def _records(options: argparse.Namespace) -> list[Record]:
    with tempfile.TemporaryDirectory(prefix="graphmend-verify-") as folder:
        sides = [Side(options.original, Path(folder, "original")), Side(options.patched, Path(folder, "patched"))]
        for side in sides:
            side.start(options)
        _wait(*sides, options.timeout)
        return [side.record() for side in sides]


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    for name in ("--original", "--patched", "--name", "--beside", "--backend", "--format"):
        parser.add_argument(name, required=True)
    for name in ("--entry", "--inputs"):
        parser.add_argument(name)
    for name in ("--rtol", "--atol"):
        parser.add_argument(name, type=float)
    parser.add_argument("--timeout", type=float, default=TIMEOUT)
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    options = _parse(arguments)
    torch.set_num_threads(1)
    try:
        original, patched = _records(options)
    except Failed as failure:
        print(failure)
        return 2
    tolerance = None if options.backend == "eager" else Tolerance(options.rtol, options.atol)
    document = Judge(original, patched, tolerance).document()
    print(report.text(document) if options.format == "text" else json.dumps(document, indent=1) + "\n", end="")
    return 1 if document["differences"] else 0
