"""Where results go: what stands in the way is left alone, and no file ever stands without the runtime it imports."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

FIXABLE = """import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        print("sum", x.sum())
        return x * 2
"""


def in_the_way(path: Path, what: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if what == "folder":
        path.mkdir()
    elif what == "pipe":
        os.mkfifo(path)
    elif what == "broken link":
        path.symlink_to("/proc/nowhere/x")
    else:
        path.write_text("mine = 1\n")


@pytest.mark.parametrize("what", ["folder", "pipe", "broken link", "file"])
def test_a_file_is_not_written_without_its_runtime(run, write, tmp_path: Path, what: str) -> None:
    write("m.py", FIXABLE)
    in_the_way(tmp_path / "out/graphmend_runtime.py", what)
    done = run("fix", "m.py", "--runtime=module", "-o", "out/o.py", code=2)
    assert "error: out/o.py: not written, as its runtime is missing" in done.err and "0 fixed, 1 left" in done.err
    assert os.listdir(tmp_path / "out") == ["graphmend_runtime.py"]
    if what == "file":
        assert "error: out/graphmend_runtime.py: not a runtime of graphmend, and left as it is" in done.err
        assert (tmp_path / "out/graphmend_runtime.py").read_text() == "mine = 1\n"


@pytest.mark.parametrize("what", ["folder", "pipe", "file"])
def test_an_existing_file_stays_where_its_runtime_cannot_go(run, write, tmp_path: Path, what: str) -> None:
    write("m.py", FIXABLE)
    write("out/o.py", "old\n")
    in_the_way(tmp_path / "out/graphmend_runtime.py", what)
    run("fix", "m.py", "--runtime=module", "-o", "out/o.py", code=2)
    assert (tmp_path / "out/o.py").read_text() == "old\n"


def test_an_older_runtime_is_replaced(run, write, tmp_path: Path) -> None:
    write("m.py", FIXABLE)
    write("out/graphmend_runtime.py", "GRAPHMEND_RUNTIME = 0\n")
    run("fix", "m.py", "--runtime=module", "-o", "out/o.py")
    assert len((tmp_path / "out/graphmend_runtime.py").read_text()) > 1000


@pytest.mark.parametrize("how", ["mirror", "in place"])
def test_only_what_imports_a_missing_runtime_is_left(run, write, tmp_path: Path, how: str) -> None:
    """In a tree everything else is still written."""
    for name in ("a", "b"):
        write(f"tree/{name}/__init__.py", "")
        write(f"tree/{name}/m.py", FIXABLE)
    write("tree/a/deep/carries.py", FIXABLE)
    if how == "mirror":
        out = tmp_path / "out"
        in_the_way(out / "a/_graphmend_runtime.py", "file")
        done = run("fix", "tree", "-o", "out", code=2)
        assert not (out / "a/m.py").exists()
        assert (out / "a/_graphmend_runtime.py").read_text() == "mine = 1\n"
    else:
        out = tmp_path / "tree"
        in_the_way(out / "a/_graphmend_runtime.py", "broken link")
        done = run("fix", "tree", "-i", code=2)
        assert (out / "a/m.py").read_text() == FIXABLE
    assert f"error: {out.name}/a/m.py: not written, as its runtime is missing" in done.err
    assert "3 breaks found, 2 fixed, 1 left" in done.err
    assert "from . import _graphmend_runtime" in (out / "b/m.py").read_text()
    assert (out / "b/_graphmend_runtime.py").exists()
    assert (out / "a/deep/carries.py").read_text() != FIXABLE


def test_an_output_that_is_no_file_gets_no_runtime_beside_it(run, write, tmp_path: Path) -> None:
    write("m.py", FIXABLE)
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(pipe.read_text()))
    reader.start()
    done = run("fix", "m.py", "--runtime=module", "-o", "pipe")
    reader.join()
    assert "import graphmend_runtime" in got[0] and "the result imports graphmend_runtime.py" in done.err
    assert sorted(os.listdir(tmp_path)) == ["m.py", "pipe"]


@pytest.mark.parametrize("what", ["folder", "pipe"])
def test_the_runtime_is_embedded_where_its_name_is_taken_by_no_file(run, write, tmp_path: Path, what: str) -> None:
    write("tree/m.py", FIXABLE)
    in_the_way(tmp_path / "tree/graphmend_runtime.py", what)
    done = run("fix", "tree", "--diff", code=1)
    assert "embedded instead" in done.err and "+++ b/tree/m.py" in done.out
    assert "graphmend_runtime.py" not in done.out
