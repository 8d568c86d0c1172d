"""Results kept from one run to the next: never another answer than without them, whatever changed in between."""

from __future__ import annotations

import os
import shutil
import subprocess
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODEL = """import torch
from torch import nn

from pkg.helper import scale


class Net(nn.Module):
    def forward(self, x):
        print(x)
        if x.sum() > 0:
            x = x + scale(x)
        return x
"""
HELPER = "def scale(x):\n    return x * 2\n"
FORMATS = ("full", "concise", "json", "json-lines", "github", "gitlab", "sarif", "junit")


class Folder:
    """A project with a cache beside it."""

    def __init__(self, binary: str, root: Path) -> None:
        self.binary = binary
        self.root = root / "project"
        self.cache = root / "cache"
        self.root.mkdir()

    def write(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def run(self, *args: str, cached: bool = True) -> tuple[int, bytes, bytes]:
        where = ["--cache-dir", str(self.cache)] if cached else ["--no-cache"]
        env = os.environ | {"GRAPHMEND_CACHE_DIR": ""}
        command = [self.binary, *args, *where]
        done = subprocess.run(command, cwd=self.root, capture_output=True, env=env, timeout=120)
        return done.returncode, done.stdout, done.stderr

    def entries(self) -> dict[str, bytes]:
        if not self.cache.exists():
            return {}
        return {p.name: p.read_bytes() for p in self.cache.iterdir() if p.name not in (".gitignore", "CACHEDIR.TAG")}

    def is_hit(self, *args: str) -> bool:
        """Whether the run takes its results from the cache; in any case they are those of a run without it."""
        before = self.entries()
        for name in before:
            os.utime(self.cache / name, ns=(0, 0))
        assert self.run(*args) == self.run(*args, cached=False)
        after = self.entries()
        used = any((self.cache / name).stat().st_mtime_ns > 0 for name in before if after.get(name) == before[name])
        return used and after == before


@pytest.fixture
def folder(binary: str, tmp_path: Path) -> Folder:
    folder = Folder(binary, tmp_path)
    folder.write("pkg/__init__.py", "")
    folder.write("pkg/model.py", MODEL)
    folder.write("pkg/helper.py", HELPER)
    return folder


CHECK = ("check", "pkg/model.py")  # reads pkg/helper.py, which is no input


def test_a_second_run_takes_the_first_ones_results(folder: Folder) -> None:
    assert not folder.is_hit(*CHECK)
    assert folder.is_hit(*CHECK)
    assert len(folder.entries()) == 1


CHANGES: dict[str, Callable[[Folder], object]] = {
    "the file": lambda f: f.write("pkg/model.py", MODEL.replace("print(x)", "pass")),
    "the file, at its old size and time": lambda f: rewrite_quietly(f.root / "pkg/model.py", "print(x)", "pront(x)"),
    "an imported file that is no input": lambda f: f.write("pkg/helper.py", HELPER.replace("x * 2", "x.item()")),
    "that file, at its old size and time": lambda f: rewrite_quietly(f.root / "pkg/helper.py", "x * 2", "x * 3"),
    "an imported file is gone": lambda f: (f.root / "pkg/helper.py").unlink(),
    "an imported file is a folder": lambda f: f.write("pkg/helper/__init__.py", HELPER) and (
        f.root / "pkg/helper.py"
    ).unlink(),
    "no package any more": lambda f: (f.root / "pkg/__init__.py").unlink(),
}  # fmt: skip


def rewrite_quietly(path: Path, old: str, new: str) -> None:
    stat = path.stat()
    text = path.read_text()
    assert old in text and len(old) == len(new)
    path.write_text(text.replace(old, new))
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_seen(folder: Folder, name: str) -> None:
    assert not folder.is_hit(*CHECK)
    CHANGES[name](folder)
    assert not folder.is_hit(*CHECK)
    assert folder.is_hit(*CHECK)


def test_a_file_that_was_looked_for_in_vain_appears(folder: Folder) -> None:
    (folder.root / "pkg/helper.py").unlink()
    before = folder.run(*CHECK)
    assert folder.is_hit(*CHECK)
    folder.write("pkg/helper.py", "def scale(x):\n    print(x)\n    return x\n")
    assert not folder.is_hit(*CHECK)
    assert folder.run(*CHECK) != before


@pytest.mark.parametrize(
    "args",
    [
        ("--select", "GM3"),
        ("--ignore", "GM101"),
        ("--fix-only", "GM301"),
        ("--per-file-ignores", "model.py:GM301"),
        ("--per-file-ignores", "pkg/*.py:GM301"),
        ("--entry", "all"),
        ("--disable", "where"),
        ("--trap", "assert-async"),
        ("--cond", "never"),
        ("--runtime", "embed"),
        ("--pedantic",),
        ("--unsafe-fixes",),
        ("--target-torch", "2.6"),
    ],
    ids=" ".join,
)
def test_an_option_is_seen(folder: Folder, args: tuple[str, ...]) -> None:
    folder.run(*CHECK)
    folder.is_hit(*CHECK, *args, "--output-format", "json")
    assert folder.is_hit(*CHECK, *args, "--output-format", "json")
    assert folder.is_hit(*CHECK)


def test_the_configuration_is_seen(folder: Folder) -> None:
    folder.run(*CHECK)
    folder.write("graphmend.toml", 'select = ["GM3"]\n')
    assert not folder.is_hit(*CHECK)
    folder.write("graphmend.toml", 'select = ["GM3"]\n[per-file-ignores]\n"pkg/**" = ["GM301"]\n')
    assert not folder.is_hit(*CHECK)
    assert folder.is_hit(*CHECK)


def test_the_configuration_of_a_deeper_folder_is_seen(folder: Folder) -> None:
    folder.run("check", ".")
    folder.write("pkg/graphmend.toml", 'select = ["GM3"]\n')
    assert not folder.is_hit("check", ".")
    folder.write("pkg/graphmend.toml", 'exclude = ["helper.py"]\n')
    assert not folder.is_hit("check", ".")
    folder.write("graphmend.toml", 'ignore = ["GM3"]\n')  # for no file that is left
    folder.run("check", ".")
    assert folder.is_hit("check", ".")


def test_files_that_come_go_and_are_ignored_are_seen(folder: Folder) -> None:
    tree = ("check", ".")
    folder.write("other.py", MODEL)
    assert not folder.is_hit(*tree)
    assert folder.is_hit(*tree)
    folder.write("third.py", MODEL)
    assert not folder.is_hit(*tree)
    folder.write(".gitignore", "other.py\n")
    assert not folder.is_hit(*tree)
    (folder.root / "third.py").unlink()
    assert not folder.is_hit(*tree)
    folder.write("notes.txt", "nothing to do with it")
    assert folder.is_hit(*tree)


def test_the_order_of_the_inputs_is_seen(folder: Folder) -> None:
    """Of two files of one name the first is what an import gives."""
    folder.write("a/shared.py", "def scale(x):\n    return x.item()\n")
    folder.write("b/shared.py", HELPER)
    folder.write("m.py", MODEL.replace("pkg.helper", "shared"))
    folder.run("check", "m.py", "a/shared.py", "b/shared.py")
    assert not folder.is_hit("check", "m.py", "b/shared.py", "a/shared.py")


def test_touched_without_a_change(folder: Folder) -> None:
    folder.run(*CHECK)
    for path in folder.root.rglob("*.py"):
        os.utime(path)
    assert folder.is_hit(*CHECK)
    text = (folder.root / "pkg/model.py").read_text()
    (folder.root / "pkg/model.py").unlink()
    folder.write("pkg/model.py", text)  # another inode
    assert folder.is_hit(*CHECK)


def test_back_to_what_was_before(folder: Folder) -> None:
    folder.run(*CHECK)
    folder.write("pkg/model.py", MODEL + "\nx = 1\n")
    folder.run(*CHECK)
    folder.write("pkg/model.py", MODEL)
    assert folder.is_hit(*CHECK)


@pytest.mark.parametrize("damage", ["empty", "cut", "flipped", "longer", "folder", "another"])
def test_a_damaged_entry_is_ignored_and_replaced(folder: Folder, damage: str) -> None:
    folder.run(*CHECK)
    ((name, good),) = folder.entries().items()
    path = folder.cache / name
    if damage == "folder":
        path.unlink()
        path.mkdir()
        assert folder.run(*CHECK) == folder.run(*CHECK, cached=False)
        return
    bad = {
        "empty": b"",
        "cut": good[: len(good) // 2],
        "flipped": good[:40] + bytes([good[40] ^ 1]) + good[41:],
        "longer": good + b"\0",
        "another": bytes(len(good)),
    }[damage]
    path.write_bytes(bad)
    assert folder.run(*CHECK) == folder.run(*CHECK, cached=False)
    assert folder.entries() == {name: good}


def test_two_runs_at_once(folder: Folder) -> None:
    expected = folder.run(*CHECK, cached=False)
    results: list[tuple[int, bytes, bytes]] = []
    for _ in range(3):
        shutil.rmtree(folder.cache, ignore_errors=True)
        threads = [threading.Thread(target=lambda: results.append(folder.run(*CHECK))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert results == [expected] * 12
    assert folder.is_hit(*CHECK) and len(folder.entries()) == 1


@pytest.mark.parametrize("where", ["a file", "below a file", "/proc/nowhere", "read-only"])
def test_a_cache_that_cannot_be_written(folder: Folder, where: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    folder.cache = {
        "a file": tmp_path / "file",
        "below a file": tmp_path / "file" / "x",
        "/proc/nowhere": Path("/proc/nowhere/cache"),
        "read-only": tmp_path / "closed" / "cache",
    }[where]
    if where == "read-only":
        folder.cache.parent.mkdir(mode=0o500)
    assert folder.run(*CHECK) == folder.run(*CHECK, cached=False)


def test_the_oldest_entries_go(folder: Folder) -> None:
    folder.run(*CHECK)
    (used,) = folder.entries()
    for number in range(5):
        old = folder.cache / f"{number:064x}.graphmend"
        with old.open("wb") as file:
            file.truncate(60 << 20)
        os.utime(old, (1000 + number, 1000 + number))
    folder.write("pkg/model.py", MODEL + "\nx = 1\n")
    folder.run(*CHECK)
    sizes = {p.name: p.stat().st_size for p in folder.cache.iterdir()}
    assert sum(sizes.values()) <= 256 << 20
    assert f"{0:064x}.graphmend" not in sizes and f"{4:064x}.graphmend" in sizes and used in sizes
    assert (folder.cache / "CACHEDIR.TAG").exists() and (folder.cache / ".gitignore").read_text() == "*\n"


def test_files_of_others_in_the_folder_stay(folder: Folder) -> None:
    """`--cache-dir .`: nothing but entries is counted and removed, and the folder is not declared a cache."""
    folder.cache = folder.root
    key = "a" * 64
    others = ("weights.bin", f"{key}.bin", "A" * 64, ".hidden", key, ".graphmend-1-1.tmp", f"{key}.graphmend.bak")
    ours = (f"{key}.graphmend", f"{key}.graphmend-1-1.tmp")  # the second from a run that was killed
    for name in others + ours:
        with (folder.root / name).open("wb") as file:
            file.truncate(300 << 20)
        os.utime(folder.root / name, (1000, 1000))
    folder.run(*CHECK)
    names = {p.name for p in folder.root.iterdir()}
    assert names.issuperset(others) and names.isdisjoint(ours)
    (entry,) = names - {*others, "pkg"}
    assert len(entry) == 64 + len(".graphmend") and (folder.root / entry).stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("kind", ["link", "pipe"])
def test_what_is_no_file_in_the_place_of_an_entry_stays(folder: Folder, kind: str, tmp_path: Path) -> None:
    folder.run(*CHECK)
    (name,) = folder.entries()
    entry = folder.cache / name
    entry.unlink()
    victim = tmp_path / "victim"
    victim.write_text("kept")
    if kind == "link":
        entry.symlink_to(victim)
    else:
        os.mkfifo(entry)
    assert folder.run(*CHECK) == folder.run(*CHECK, cached=False)
    assert victim.read_text() == "kept" and (entry.is_symlink() if kind == "link" else entry.is_fifo())


def test_where_it_is(binary: str, folder: Folder, tmp_path: Path) -> None:
    def run(*args: str, **env: str) -> None:
        base = {k: v for k, v in os.environ.items() if k not in ("GRAPHMEND_CACHE_DIR", "XDG_CACHE_HOME", "HOME")}
        subprocess.run([binary, *CHECK, *args], cwd=folder.root, env=base | env, capture_output=True, timeout=60)

    def count(place: str) -> int:
        return len(list((tmp_path / place).glob("*"))) if (tmp_path / place).exists() else 0

    home = {"HOME": str(tmp_path / "home")}
    run(**home)
    assert count("home/.cache/graphmend") == 3  # CACHEDIR.TAG, .gitignore and the entry
    run(**home, XDG_CACHE_HOME=str(tmp_path / "xdg"))
    assert count("xdg/graphmend") == 3
    run(**home, XDG_CACHE_HOME="relative", GRAPHMEND_CACHE_DIR=str(tmp_path / "own"))
    assert count("own") == 3
    run("--cache-dir", str(tmp_path / "given"), **home, GRAPHMEND_CACHE_DIR=str(tmp_path / "not"))
    assert count("given") == 3 and count("not") == 0
    run("--no-cache", **home, GRAPHMEND_CACHE_DIR=str(tmp_path / "not"))
    run(**home, GRAPHMEND_CACHE_DIR="", XDG_CACHE_HOME=str(tmp_path / "not"))
    run()
    assert count("not") == 0
    assert sorted(p.name for p in folder.root.iterdir()) == ["pkg"]


def test_standard_input_is_not_kept(run, tmp_path: Path) -> None:
    run("check", "-", "--cache-dir", tmp_path / "cache", stdin=MODEL, code=1)
    assert not (tmp_path / "cache").exists()


# ---------------------------------------------------------------- the same output


@pytest.fixture(scope="module")
def suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the behaviour tests and the goldens are made of, and comments and names that are kept from being shown."""
    root = tmp_path_factory.mktemp("suite")
    for source in (ROOT / "tests/behaviour/suite", ROOT / "tests/golden", ROOT / "examples"):
        shutil.copytree(source, root / source.name, ignore=shutil.ignore_patterns("__pycache__", "out*"))
    (root / "held.py").write_text(MODEL.replace("print(x)", "print(x)  # graphmend: ignore[GM301]") + "\n# noqa: GM1\n")
    (root / "binary.py").write_bytes(b"def forward(\0")
    (root / "latin.py").write_bytes(b"# \xe9\nx = 1\n")
    (root / "half.py").write_text(MODEL + "\n    def (:\n")
    return root


def both(binary: str, cwd: Path, cache: Path, *args: str) -> None:
    env = os.environ | {"GRAPHMEND_CACHE_DIR": ""}

    def run(*where: str) -> tuple[int, bytes, bytes]:
        done = subprocess.run([binary, *args, *where], cwd=cwd, capture_output=True, env=env, timeout=300)
        return done.returncode, done.stdout, done.stderr

    plain = run("--no-cache")
    assert plain[1] or plain[2]
    for _ in range(2):
        assert run("--cache-dir", str(cache)) == plain


@pytest.mark.parametrize("form", FORMATS)
def test_every_format(binary: str, suite: Path, tmp_path: Path, form: str) -> None:
    both(binary, suite, tmp_path, "check", ".", "--output-format", form, "--pedantic", "-v")


def test_statistics_and_a_log(binary: str, suite: Path, tmp_path: Path) -> None:
    both(binary, suite, tmp_path / "cache", "check", ".", "--statistics")
    log = tmp_path / "log"
    lines = (9, 10, 400)
    log.write_text("".join(f"[__graph_breaks] Graph break in user code at {suite}/held.py:{n}\n" for n in lines))
    both(binary, suite, tmp_path / "cache", "check", ".", "--from-log", str(log), "--output-format", "json")


def test_fix(binary: str, suite: Path, tmp_path: Path) -> None:
    both(binary, suite, tmp_path / "cache", "fix", ".", "--diff")
    both(binary, suite, tmp_path / "cache", "fix", "held.py")
    trees = []
    for name, where in (("a", ("--no-cache",)), ("b", ("--cache-dir", "c")), ("c", ("--cache-dir", "c"))):
        copy = tmp_path / name / "tree"
        shutil.copytree(suite, copy)
        for out in ("out1", "out2"):
            done = subprocess.run(
                [binary, "fix", "tree", "-o", out, *where], cwd=tmp_path / name, capture_output=True, timeout=300
            )
            assert done.returncode == 2  # binary.py
        subprocess.run([binary, "fix", "tree", "-i", *where], cwd=tmp_path / name, capture_output=True, timeout=300)
        for folder in ("out1", "out2", "tree"):
            root = tmp_path / name / folder
            trees.append({p.relative_to(root): p.read_bytes() for p in root.rglob("*") if p.is_file()})
    stock = {p.relative_to(suite): p.read_bytes() for p in suite.rglob("*") if p.is_file()}
    assert sum(trees[0][path] != text for path, text in stock.items()) > 100
    assert all(tree == trees[0] for tree in trees)
