"""The runner's own test: it accepts every right rewrite and sees what is wrong with every wrong one."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
sys.path.append(str(HERE))

from runner.judge import Judge, Options, Verdict

RIGHT = sorted((HERE / "examples" / "right").glob("*.py"))
WRONG = sorted((HERE / "examples" / "wrong").glob("*/*.py"))

pytestmark = pytest.mark.slow


def judge(mended: Path, folder: Path, **options: object) -> Verdict:
    """The verdict on a case if the compiler answered with the file `mended`."""
    fix = f"{sys.executable} {HERE / 'examples' / 'substitute.py'} {mended.parent} {{in}} {{out}}"
    return Judge(str(HERE / "suite" / mended.name), Options(fix=fix, **options), str(folder)).judge()


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(HERE / "run.py"), *arguments, str(HERE / "suite")]
    return subprocess.run(command, capture_output=True, text=True, timeout=600)


@pytest.mark.parametrize("mended", RIGHT, ids=lambda path: path.stem)
def test_a_right_rewrite_passes(mended: Path, tmp_path: Path) -> None:
    assert judge(mended, tmp_path).reasons == []


@pytest.mark.parametrize("mended", WRONG, ids=lambda path: path.parent.name)
def test_a_wrong_rewrite_is_caught(mended: Path, tmp_path: Path) -> None:
    reasons = judge(mended, tmp_path).reasons
    # It ran, and something other than remaining breaks is held against it.
    assert [r for r in reasons if "breaks remain" not in r and "cannot run" not in r], reasons


def test_a_wrong_rewrite_is_caught_where_only_behaviour_counts(tmp_path: Path) -> None:
    mended = HERE / "examples" / "wrong" / "dropped_print" / "defer_submodule_loop_c.py"
    assert judge(mended, tmp_path, behaviour_only=("defer_", "trap_")).verdict == "fail"


def test_breaks_are_tolerated_where_only_behaviour_counts() -> None:
    strict = run("--only", "where_ternary")
    assert strict.returncode == 1
    assert strict.stdout.splitlines()[-1] == "0 passed, 1 failed"
    done = run("--only", "where_ternary", "--behaviour-only", "where_,mixed_")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "1 passed, 0 failed"


def test_selection_and_jobs() -> None:
    done = run("--prefix", "clean_static,clean_async", "--jobs", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines()[-1] == "4 passed, 0 failed"
    assert run("--prefix", "nothing_").returncode == 2
