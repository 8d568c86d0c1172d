"""Runs one case in a forked child: eager, compiled in default mode and, on request, under fullgraph=True."""

from __future__ import annotations

import os
import pickle
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from graphmend_verify import scenarios
from graphmend_verify.program import FileProgram
from graphmend_verify.scenarios import Scenario

CONSTANTS = ("ENTRY", "EXPECT", "EXPECT_BREAKS_BEFORE", "GRAD", "TEXT", "SINCE", "NOT_FOR", "__doc__")


@dataclass
class Outcome:
    """What the child sends back."""

    constants: dict[str, Any] = field(default_factory=dict)
    modes: dict[str, list[Scenario]] = field(default_factory=dict)
    crash: str | None = None


def _work(path: str, modes: Sequence[str], backend: str, singly: bool, result: str) -> None:
    scenarios.prepare(backend)
    sys.path.insert(0, os.path.dirname(path))
    program, outcome = FileProgram(path), Outcome()
    try:
        program.load()
        module = sys.modules[os.path.splitext(os.path.basename(path))[0]]
        outcome.constants = {k: getattr(module, k, None) for k in CONSTANTS}
        for mode in modes:
            outcome.modes[mode] = scenarios.run_all(program, mode, backend, singly)
    except BaseException:
        outcome.crash = traceback.format_exc()[-2500:]
    with open(result, "wb") as file:
        pickle.dump(outcome, file)


def run_in_child(path: str, modes: Sequence[str], backend: str, singly: bool, limit: float) -> Outcome:
    fd, result = tempfile.mkstemp(suffix=".pickle")
    os.close(fd)
    pid = os.fork()
    if pid == 0:
        try:
            _work(path, modes, backend, singly, result)
        finally:
            os._exit(0)
    end = time.time() + limit
    while time.time() < end:
        done, _ = os.waitpid(pid, os.WNOHANG)
        if done:
            break
        time.sleep(0.02)
    else:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.unlink(result)
        return Outcome(crash=f"timeout after {limit} s")
    try:
        with open(result, "rb") as file:
            return pickle.load(file)
    except Exception as error:
        return Outcome(crash=f"the child left no result ({error})")
    finally:
        os.unlink(result)
