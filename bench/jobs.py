"""Runs jobs (drive.py) in fresh processes of graphmend-host, some at a time, each with a time limit."""

from __future__ import annotations

import concurrent.futures
import itertools
import json
import os
import signal
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

DRIVE = Path(__file__).resolve().parent / "drive.py"


@dataclass
class Jobs:
    host: list[str]  # the command that runs a script
    work: Path
    device: str = "cpu"
    threads: int = 1
    timeout: float = 300
    _numbers: itertools.count = field(default_factory=itertools.count)

    def run(self, task: str, root: Path | None, **more: Any) -> dict[str, Any]:
        """The job's answer; {"error": ...} where there is none."""
        path = self.work / f"job-{next(self._numbers)}.json"
        answer = path.with_suffix(".answer.json")
        job = {
            "task": task,
            "root": str(root or ""),
            "device": self.device,
            "threads": self.threads,
            "environment": {},
            "answer": str(answer),
        }
        path.write_text(json.dumps(job | more))
        log = path.with_suffix(".log")
        outcome = self._process([*self.host, str(DRIVE), str(path)], log)
        if answer.exists():
            return json.loads(answer.read_text())
        return {"error": f"{outcome}: {log.read_text(errors='replace')[-600:]}"}

    def _process(self, command: list[str], log: Path) -> str:
        with log.open("w") as file:
            process = subprocess.Popen(command, stdout=file, stderr=file, start_new_session=True)
            try:
                return f"exit {process.wait(self.timeout)}"
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                return f"stopped after {self.timeout:.0f} s"


def jobs_each(calls: Iterable[Any], workers: int) -> list[Any]:
    """The results of functions without arguments, so many at a time, in their order."""
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        return [future.result() for future in [pool.submit(call) for call in calls]]
