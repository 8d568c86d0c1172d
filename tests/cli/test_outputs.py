"""Where results go: what stands in the way is left alone, and no file ever stands without the runtime it imports."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import threading
import time
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


# ---------------------------------------------------------------- what lies in the place of a result


def test_standard_input_to_a_folder_needs_a_name(run, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    assert "--stdin-filename" in run("fix", "-", "-o", "out", code=2, stdin=FIXABLE).err
    assert os.listdir(tmp_path / "out") == []
    run("fix", "-", "-o", "out", "--stdin-filename", "pkg/m.py", stdin=FIXABLE)
    assert os.listdir(tmp_path / "out") == ["m.py"]


def test_names_as_long_as_can_be(run, write, tmp_path: Path) -> None:
    names = ["m" * 252 + ".py", "w" * 255]
    write(f"tree/{names[0]}", FIXABLE)
    write(f"tree/{names[1]}", "weights")
    (tmp_path / "tree" / ("l" * 255)).symlink_to(names[1])
    run("fix", "tree", "-o", "out")
    assert sorted(os.listdir(tmp_path / "out")) == sorted([*names, "l" * 255, "graphmend_runtime.py"])
    run("fix", "tree", "-i")
    assert sorted(os.listdir(tmp_path / "tree")) == sorted([*names, "l" * 255, "graphmend_runtime.py"])


@pytest.mark.parametrize("name", ["m.py", "weights", "link"])
def test_a_mirror_writes_into_no_pipe(run, write, tmp_path: Path, name: str) -> None:
    write("tree/m.py", FIXABLE)
    write("tree/n.py", FIXABLE)
    write("tree/weights", "weights")
    (tmp_path / "tree/link").symlink_to("weights")
    in_the_way(tmp_path / "out" / name, "pipe")
    done = run("fix", "tree", "-o", "out", code=2)
    assert f"error: out/{name}: cannot write: it is a pipe, not a file" in done.err
    assert (tmp_path / "out" / name).is_fifo() and (tmp_path / "out/n.py").read_text() != FIXABLE


def test_in_place_keeps_links_and_modes(run, write, tmp_path: Path) -> None:
    model = write("m.py", FIXABLE)
    model.chmod(0o751)
    (tmp_path / "hard").hardlink_to(model)
    (tmp_path / "soft.py").symlink_to("m.py")
    run("fix", "soft.py", "-i")
    assert (tmp_path / "soft.py").readlink() == Path("m.py")
    assert model.read_text() != FIXABLE and model.stat().st_mode & 0o7777 == 0o751
    assert (tmp_path / "hard").read_text() == FIXABLE


def test_a_mirror_replaces_links(run, write, tmp_path: Path) -> None:
    write("tree/m.py", FIXABLE)
    write("tree/weights", "weights")
    (tmp_path / "tree/link").symlink_to("weights")
    victim = write("victim", "kept")
    for name in ("m.py", "weights", "link"):
        write(f"out/{name}", "").unlink()
        (tmp_path / "out" / name).symlink_to(victim)
    run("fix", "tree", "-o", "out")
    assert victim.read_text() == "kept" and (tmp_path / "out/link").readlink() == Path("weights")
    assert not (tmp_path / "out/m.py").is_symlink() and (tmp_path / "out/weights").read_text() == "weights"


# ---------------------------------------------------------------- other processes


@pytest.fixture
def tree(write, tmp_path: Path) -> Path:
    for number in range(20):
        write(f"tree/part{number % 5}/m{number}.py", FIXABLE)
        write(f"tree/part{number % 5}/w{number}.bin", os.urandom(2_000_000))
    return tmp_path / "tree"


def start(binary: str, folder: Path, *args: str, interrupts: signal.Handlers = signal.SIG_DFL) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [binary, "fix", *args],
        cwd=folder,
        env=os.environ | {"GRAPHMEND_CACHE_DIR": ""},
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, interrupts),
    )


def test_an_interrupt_leaves_nothing_half_written(binary: str, tree: Path, tmp_path: Path) -> None:
    start(binary, tmp_path, "tree", "-o", "whole").communicate()
    for step in range(12):
        shutil.rmtree(tmp_path / "out", ignore_errors=True)
        running = start(binary, tmp_path, "tree", "-o", "out")
        while running.poll() is None and not (tmp_path / "out").exists():
            time.sleep(0.001)
        time.sleep(0.002 * step)  # while it writes
        running.send_signal(signal.SIGINT)
        assert running.communicate()[1] == "" or running.returncode == 0
        assert running.returncode in (-signal.SIGINT, 0)
        for path in (tmp_path / "out").rglob("*.*"):
            assert path.read_bytes() == (tmp_path / "whole" / path.relative_to(tmp_path / "out")).read_bytes()


def test_an_interrupt_that_is_ignored_ends_nothing(binary: str, tree: Path, tmp_path: Path) -> None:
    running = start(binary, tmp_path, "tree", "-o", "out", interrupts=signal.SIG_IGN)
    while running.poll() is None:
        running.send_signal(signal.SIGINT)
        time.sleep(0.001)
    assert running.returncode == 0 and len(list((tmp_path / "out").rglob("*.bin"))) == 20


@pytest.mark.parametrize("how", [("tree", "-i"), ("tree", "-o", "out")])
def test_two_runs_at_once(binary: str, tree: Path, tmp_path: Path, how: tuple[str, ...]) -> None:
    shutil.copytree(tree, tmp_path / "kept")
    for _ in range(4):
        shutil.rmtree(tmp_path / "out", ignore_errors=True)
        shutil.rmtree(tree)
        shutil.copytree(tmp_path / "kept", tree)
        for running in [start(binary, tmp_path, *how) for _ in range(3)]:
            assert "error" not in running.communicate()[1] and running.returncode == 0
        out = tree if how[1] == "-i" else tmp_path / "out"
        assert all("_graphmend" in path.read_text() for path in out.rglob("m*.py"))
