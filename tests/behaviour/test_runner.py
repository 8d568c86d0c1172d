"""The runner's own test: it accepts every right rewrite and sees what is wrong with every wrong one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
RIGHT = HERE / "examples" / "right"
WRONG = sorted(path for path in (HERE / "examples" / "wrong").iterdir() if path.is_dir())

pytestmark = pytest.mark.slow


def run(folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    fix = f"{sys.executable} {HERE / 'examples' / 'substitute.py'} {folder} {{in}} {{out}}"
    names = [word for path in sorted(folder.glob("*.py")) for word in ("--only", path.stem)]
    command = [sys.executable, str(HERE / "run.py"), "--fix", fix, *names, *more, str(HERE / "suite")]
    return subprocess.run(command, capture_output=True, text=True, timeout=600)


def test_every_right_rewrite_passes() -> None:
    done = run(RIGHT, "--jobs", "2")
    count = len(list(RIGHT.glob("*.py")))
    assert done.stdout.splitlines()[-1] == f"{count} passed, 0 failed", done.stdout + done.stderr
    assert done.returncode == 0


@pytest.mark.parametrize("folder", WRONG, ids=lambda path: path.name)
def test_a_wrong_rewrite_is_caught(folder: Path) -> None:
    done = run(folder)
    assert done.returncode == 1, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "0 passed, 1 failed"
    # It ran, and something other than remaining breaks is held against it.
    faults = [line for line in done.stdout.splitlines() if line.startswith("       -")]
    assert any("breaks remain" not in fault and "cannot run" not in fault for fault in faults), done.stdout


def test_wrong_rewrites_stay_wrong_where_only_behaviour_counts() -> None:
    done = run(HERE / "examples" / "wrong" / "dropped_print", "--behaviour-only", "defer_,trap_")
    assert done.returncode == 1, done.stdout + done.stderr


def test_breaks_are_tolerated_where_only_behaviour_counts() -> None:
    command = [sys.executable, str(HERE / "run.py"), "--only", "where_ternary", str(HERE / "suite")]
    assert subprocess.run(command, capture_output=True).returncode == 1
    done = subprocess.run([*command, "--behaviour-only", "where_,mixed_"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "1 passed, 0 failed"
