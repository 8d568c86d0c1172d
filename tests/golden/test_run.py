"""The golden runner's own test, with a stand-in for the compiler that turns `print` into `say`."""

from __future__ import annotations

import stat
import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).with_name("run.py")
FAKE = """#!{python}
import os, sys
command, *options, name = sys.argv[1:]
if os.path.isdir(name):
    if command == "check":
        sys.exit()
    out = options[options.index("-o") + 1]
    for folder, _, files in os.walk(name):
        os.makedirs(os.path.join(out, os.path.relpath(folder, name)), exist_ok=True)
        for file in files:
            path = os.path.join(folder, file)
            with open(path) as source, open(os.path.join(out, os.path.relpath(path, name)), "w") as target:
                target.write(source.read().replace("print(", "say("))
    sys.exit()
text = open(name, "rb").read()
if command == "fix":
    if b"unparsable" in text:
        sys.exit(2)
    text = text.replace(b"print(", b"say(")
    if "--shout" in options:
        text = text.upper()
    sys.stdout.buffer.write(text)
else:
    for number, line in enumerate(text.split(b"\\n"), 1):
        if b"print(" in line:
            print(f"{{os.path.abspath(name)}}:{{number}}: GM300 print")
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    binary = tmp_path / "fake"
    binary.write_text(FAKE.format(python=sys.executable))
    binary.chmod(binary.stat().st_mode | stat.S_IXUSR)
    topic = tmp_path / "topics" / "output"
    topic.mkdir(parents=True)
    (topic / "changed.py").write_bytes(b"x = 1\r\nprint(x)\r\n")
    (topic / "changed.fixed.py").write_bytes(b"x = 1\r\nsay(x)\r\n")
    (topic / "changed.check.txt").write_text("changed.py:2: GM300 print\n")
    (topic / "same.py").write_text("x = 1\n")
    (topic / "_helper.py").write_text("print(1)\n")
    return tmp_path


def run(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(RUN), "--binary", str(root / "fake"), "--root", str(root / "topics"), *arguments]
    return subprocess.run(command, capture_output=True, text=True)


def last_line(done: subprocess.CompletedProcess[str]) -> str:
    return done.stdout.splitlines()[-1]


def test_what_matches_passes(root: Path) -> None:
    done = run(root, "--idempotent")
    assert (done.returncode, last_line(done)) == (0, "2 passed, 0 failed"), done.stdout + done.stderr


def test_a_difference_is_shown(root: Path) -> None:
    (root / "topics/output/changed.fixed.py").write_bytes(b"x = 1\nsay(x)\n")
    done = run(root)
    assert (done.returncode, last_line(done)) == (1, "1 passed, 1 failed")
    assert "fail output/changed.py" in done.stdout and "+say(x)\\r" in done.stdout


def test_without_expectation_nothing_may_change(root: Path) -> None:
    (root / "topics/output/changed.fixed.py").unlink()
    done = run(root)
    assert done.returncode == 1 and "-print(x)" in done.stdout


def test_findings_are_compared(root: Path) -> None:
    (root / "topics/output/changed.check.txt").write_text("changed.py:3: GM300 print\n")
    done = run(root, "output/changed.py")
    assert last_line(done) == "0 passed, 1 failed" and "+changed.py:2: GM300 print" in done.stdout


def test_options_and_status_stand_in_the_case(root: Path) -> None:
    case = root / "topics/output/shouted.py"
    case.write_text("# graphmend-test: fix --shout\nx = 1\n")
    (root / "topics/output/shouted.fixed.py").write_text("# GRAPHMEND-TEST: FIX --SHOUT\nX = 1\n")
    assert last_line(run(root, "output/shouted.py")) == "1 passed, 0 failed"
    case.write_text("# graphmend-test: exit 2\nunparsable\n")
    assert last_line(run(root, "output/shouted.py")) == "0 passed, 1 failed"
    (root / "topics/output/shouted.fixed.py").write_text("")
    assert last_line(run(root, "output/shouted.py")) == "1 passed, 0 failed"
    case.write_text("unparsable\n")
    done = run(root, "output/shouted.py")
    assert last_line(done) == "0 passed, 1 failed" and "exit status 2" in done.stdout


def test_update_writes_and_removes(root: Path) -> None:
    topic = root / "topics/output"
    (topic / "changed.fixed.py").write_text("old\n")
    (topic / "same.fixed.py").write_text("old\n")
    (topic / "changed.check.txt").unlink()
    assert run(root, "--update").returncode == 0
    assert (topic / "changed.fixed.py").read_bytes() == b"x = 1\r\nsay(x)\r\n"
    assert not (topic / "same.fixed.py").exists()
    assert (topic / "changed.check.txt").read_text() == "changed.py:2: GM300 print\n"
    assert last_line(run(root)) == "2 passed, 0 failed"


def test_a_folder_is_a_case(root: Path) -> None:
    topic = root / "topics/project"
    for name in ("two/a.py", "two/sub/b.py", "two.fixed/a.py", "two.fixed/sub/b.py"):
        (topic / name).parent.mkdir(parents=True, exist_ok=True)
        (topic / name).write_text("say(1)\n" if "fixed" in name else "print(1)\n")
    done = run(root, "--idempotent", "project")
    assert last_line(done) == "1 passed, 0 failed", done.stdout + done.stderr
    (topic / "two.fixed/sub/b.py").unlink()
    (topic / "two.fixed/a.py").write_text("print(1)\n")
    done = run(root, "project/two")
    assert last_line(done) == "0 passed, 1 failed"
    assert "sub/b.py is not expected" in done.stdout and "+say(1)" in done.stdout
    assert run(root, "--update", "project").returncode == 0
    assert last_line(run(root, "project")) == "1 passed, 0 failed"


def test_an_unknown_topic_is_an_error(root: Path) -> None:
    done = run(root, "nothing")
    assert done.returncode == 1 and "no such topic" in done.stderr
