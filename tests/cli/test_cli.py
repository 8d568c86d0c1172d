"""The command line from outside: arguments, exit codes, where things are written, what is printed where."""

from __future__ import annotations

import functools
import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = Path(__file__).parent / "golden"

FIXABLE = """import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        print("sum", x.sum())
        return x * 2
"""
LEFT = FIXABLE.replace('print("sum", x.sum())', 'y = print("sum", x.sum())')
CLEAN = FIXABLE.replace('        print("sum", x.sum())\n', "")
NO_TORCH = "def f(x):\n    print(x)\n"
BROKEN = FIXABLE + "\n\ndef g(:\n    pass\n"


def listing(folder: Path) -> dict[str, bytes]:
    return {
        str(p.relative_to(folder)): p.read_bytes()
        for p in sorted(folder.rglob("*"))
        if p.is_file() and not p.is_symlink()
    }


def is_fixed(text: str | bytes) -> bool:
    text = text.decode() if isinstance(text, bytes) else text
    return not re.search(r"^ +print\(", text, re.MULTILINE) and "print" in text


# ---------------------------------------------------------------- usage


def test_version(run) -> None:
    assert re.fullmatch(r"graphmend \d+\.\d+\.\d+\n", run("--version").out)
    assert run("fix", "--version").out == run("-V").out


def test_help_lists_the_commands_and_the_exit_codes(run) -> None:
    text = run("--help").out
    for word in ("fix", "check", "explain", "dump", "help"):
        assert re.search(rf"^  {word} ", text, re.MULTILINE)
    assert "Exit codes:" in text and re.search(r"^  2 ", text, re.MULTILINE)
    assert run("help").out == text


@pytest.mark.parametrize("command", ["fix", "check", "explain", "dump"])
def test_help_of_a_command(run, command: str) -> None:
    text = run(command, "--help").out
    assert text.startswith(f"graphmend {command}: ") and "Exit codes:" in text and "Options:" in text
    assert run("help", command).out == text
    assert max(map(len, text.splitlines())) <= 120


def test_every_option_is_in_its_help(run) -> None:
    both = " stdin-filename entry disable trap runtime pedantic jobs quiet verbose color help version"
    fix = "output in-place diff exit-non-zero-on-fix" + both
    check = "output-format output-file exit-zero" + both
    dump = "ast ir cfg symbols facts calls dot"
    for command, options in (("fix", fix), ("check", check), ("dump", dump)):
        text = run(command, "--help").out
        for option in options.split():
            assert f"--{option}" in text, (command, option)


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ([], "no command"),
        (["chekc"], "did you mean 'check'?"),
        (["--nonsense"], "unknown option '--nonsense'"),
        (["help", "chek"], "unknown command 'chek'"),
        (["fix"], "no input"),
        (["fix", "m.py", "--ouput", "x"], "did you mean '--output'?"),
        (["fix", "m.py", "-z"], "unknown option '-z'"),
        (["fix", "m.py", "-o"], "'--output' needs a value"),
        (["fix", "m.py", "--output="], "needs a value"),
        (["fix", "m.py", "-o", "--diff"], "'--output' needs a value"),
        (["fix", "m.py", "--diff=yes"], "takes no value"),
        (["fix", "m.py", "--trap=exakt"], "did you mean 'exact'?"),
        (["fix", "m.py", "--runtime", "none"], "auto|embed|module|import"),
        (["fix", "m.py", "--disable", "trap,wher"], "did you mean 'where'?"),
        (["fix", "m.py", "--disable="], "'--disable' does not take ''"),
        (["fix", "m.py", "-j", "many"], "takes a number"),
        (["check", "m.py", "-j", "-3"], "'--jobs' takes a number from 0 to 256, not '-3'"),
        (["check", "m.py", "--jobs", "--diff"], "'--jobs' needs a value: N"),
        (["check", "m.py", "--entry", "xx"], "no function or module class of the input is called 'xx'"),
        (["check", "m.py", "--entry", "m:Nat.forward"], "called 'Nat.forward'; did you mean 'Net.forward'?"),
        (
            ["check", "m.py", "--entry", "mm:Net.forward"],
            "no file or module of the input is called 'mm'; did you mean 'm'?",
        ),
        (["fix", "m.py", "--entry", "m:Net.forwar", "-i"], "did you mean 'Net.forward'?"),
        (["fix", "m.py", "-j99999999999999999999"], "takes a number"),
        (["fix", "m.py", "--exit-zero"], "is an option of check, not of fix"),
        (["check", "m.py", "--output-format", "xml"], "full|concise|json"),
        (["fix", "m.py", "-o", "o.py", "--in-place"], "exclude each other"),
        (["fix", "m.py", "-o", "o.py", "--diff"], "exclude each other"),
        (["fix", "m.py", "m.py"], "several inputs"),
        (["fix", "m.py", "m.py", "-o", "out"], "takes one input"),
        (["fix", "-", "--in-place"], "standard input cannot be rewritten"),
        (["fix", "nope.py"], "nope.py: No such file or directory"),
        (["check", "nope.py"], "nope.py: No such file or directory"),
        (["fix", "tree"], "a folder needs"),
        (["fix", "tree", "-o", "-"], "standard output"),
        (["fix", "tree", "-o", "tree"], "the output is the input"),
        (["fix", "tree/", "-o", "./tree"], "the output is the input"),
        (["fix", "tree", "-o", "tree/out"], "inside the input"),
        (["fix", "tree", "-o", "nowhere/../tree/out"], "inside the input"),
        (["fix", "tree/sub", "-o", "tree"], "inside the output"),
        (["fix", "tree", "-o", "m.py"], "has to be a folder"),
        (["fix", "m.py", "-o", "m.py"], "the output is the input"),
        (["fix", "m.py", "-o", "./m.py"], "the output is the input"),
        (["fix", "m.py", "-o", "link.py"], "the output is the input"),
        (["fix", "m.py", "-o", "."], "the output is the input"),
        (["fix", "m.py", "-o", "nowhere/o.py"], "nowhere/o.py: "),
        (["dump", "m.py"], "dump needs one of"),
        (["dump", "--ast"], "one file"),
        (["dump", "--ast", "tree"], "is a directory"),
        (["dump", "--ast", "--dot", "m.py"], "--dot"),
        (["dump", "--ast", "nope.py"], "nope.py: "),
        (["explain", "GM9999"], "no rule and no reason"),
        (["explain", "caught-in-regoin"], "did you mean 'caught-in-region'?"),
        (["explain", "RAISING"], "did you mean 'raising-guard'?"),
    ],
)
def test_wrong_usage_says_so_exits_2_and_writes_nothing(run, write, tmp_path: Path, args: list[str], says: str) -> None:
    write("m.py", FIXABLE)
    write("tree/sub/m.py", FIXABLE)
    (tmp_path / "link.py").symlink_to("m.py")
    before = listing(tmp_path)
    done = run(*args, code=2)
    assert done.out == ""
    assert re.match(r"graphmend: error: ", done.err), done.err
    assert says in done.err
    assert listing(tmp_path) == before


def test_options_and_paths_mix_and_two_dashes_end_options(run, write, tmp_path: Path) -> None:
    write("-m.py", FIXABLE)
    run("fix", "-q", "-oo.py", "--trap", "exact", "--disable=where", "--", "-m.py")
    assert is_fixed((tmp_path / "o.py").read_text())


# ---------------------------------------------------------------- fix: one file


def test_fix_goes_to_standard_output(run, write) -> None:
    path = write("m.py", FIXABLE)
    done = run("fix", "m.py")
    assert is_fixed(done.out)
    assert done.err == "graphmend: 1 file, 1 break found, 1 fixed, 0 left\n"
    assert path.read_text() == FIXABLE
    assert run("fix", "m.py", "-o", "-").out == done.out


def test_fix_to_a_file_keeps_the_mode(run, write, tmp_path: Path) -> None:
    write("m.py", FIXABLE).chmod(0o750)
    run("fix", "m.py", "-o", "out.py")
    out = tmp_path / "out.py"
    assert out.read_text() == run("fix", "m.py").out
    assert stat.S_IMODE(out.stat().st_mode) == 0o750
    assert list(tmp_path.glob("*.tmp")) == [] and list(tmp_path.glob(".*")) == []


def test_fix_to_an_existing_folder_keeps_the_name(run, write, tmp_path: Path) -> None:
    write("m.py", FIXABLE)
    (tmp_path / "out").mkdir()
    run("fix", "m.py", "-o", "out")
    assert is_fixed((tmp_path / "out" / "m.py").read_text())


def test_fix_standard_input(run) -> None:
    done = run("fix", "-", "--stdin-filename", "model.py", stdin=FIXABLE)
    assert is_fixed(done.out)
    error = run("fix", "-", "--stdin-filename", "model.py", stdin=b"import torch\n\xff\n", code=2)
    assert "graphmend: error: model.py:2" in error.err and error.out == ""
    assert "<stdin>" in run("fix", "-", stdin=b"a\0b", code=2).err


@pytest.mark.parametrize("text", [NO_TORCH, CLEAN, "", "\n", "# torch", "x = 1"])
@pytest.mark.parametrize("how", ["file", "stdin", "out"])
def test_nothing_to_fix_gives_the_same_bytes(run, write, tmp_path: Path, text: str, how: str) -> None:
    write("m.py", text)
    if how == "file":
        assert run("fix", "m.py").out == text
    elif how == "stdin":
        assert run("fix", "-", stdin=text).out == text
    else:
        run("fix", "m.py", "-o", "o.py")
        assert (tmp_path / "o.py").read_text() == text


def test_in_place(run, write, tmp_path: Path) -> None:
    fixable, clean = write("a.py", FIXABLE), write("b.py", CLEAN)
    fixable.chmod(0o700)
    os.utime(clean, (1000, 1000))
    (tmp_path / "link.py").symlink_to("a.py")
    done = run("fix", "link.py", "b.py", "--in-place")
    assert is_fixed(fixable.read_text()) and stat.S_IMODE(fixable.stat().st_mode) == 0o700
    assert (tmp_path / "link.py").is_symlink()
    assert clean.stat().st_mtime == 1000
    assert done.out == "" and "2 files, 1 break found, 1 fixed, 0 left" in done.err


def test_fixing_again_changes_nothing(run, write) -> None:
    path = write("a.py", FIXABLE)
    run("fix", "a.py", "-i")
    once = path.read_bytes()
    os.utime(path, (1000, 1000))
    done = run("fix", "a.py", "-i")
    assert path.read_bytes() == once and path.stat().st_mtime == 1000
    assert "0 fixed" in done.err


def test_exit_non_zero_on_fix(run, write) -> None:
    write("a.py", FIXABLE)
    write("b.py", CLEAN)
    run("fix", "a.py", "--exit-non-zero-on-fix", code=1)
    run("fix", "b.py", "--exit-non-zero-on-fix", code=0)


def test_fix_with_findings_left_is_fine(run, write) -> None:
    write("a.py", LEFT)
    done = run("fix", "a.py", "-v")
    assert done.out == LEFT
    assert "1 break found, 0 fixed, 1 left" in done.err and "1 left: value-used: " in done.err


def test_disable(run, write) -> None:
    write("a.py", FIXABLE)
    done = run("fix", "a.py", "--disable", "trap,defer")
    assert done.out == FIXABLE and "0 fixed, 1 left" in done.err


def test_quiet(run, write) -> None:
    write("a.py", BROKEN)
    assert run("fix", "a.py", "-q").err == ""
    assert run("check", "a.py", "-q", code=1).err == ""


# ---------------------------------------------------------------- what cannot be handled


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"import torch\nx = 1\0\n", "binary"),
        (b"import torch\n# \xe9\n", "UTF-8"),
        (b"# coding: latin-1\nx = '\xe9' # torch\n", "latin-1"),
    ],
    ids=["binary", "not-utf8", "latin-1"],
)
def test_a_file_that_is_not_utf8_text(run, write, tmp_path: Path, data: bytes, says: str) -> None:
    path = write("m.py", data)
    for args in (
        ["fix", "m.py"],
        ["fix", "m.py", "-o", "o.py"],
        ["fix", "m.py", "-i"],
        ["fix", "--diff", "m.py"],
        ["check", "m.py"],
    ):
        done = run(*args, code=2)
        assert re.search(r"^graphmend: error: m\.py(:\d+)*: ", done.err, re.MULTILINE), done.err
        assert says in done.err
    assert path.read_bytes() == data and not (tmp_path / "o.py").exists()


def test_a_folder_below_that_cannot_be_read_is_an_error(run, write, tmp_path: Path) -> None:
    """As one nested deeper than is looked: even root cannot. Everything else is handled."""
    write("tree/model.py", FIXABLE)
    (tmp_path / "tree" / "/".join(["d"] * 140)).mkdir(parents=True)
    for command in (["check", "tree"], ["fix", "tree", "-i"]):
        done = run(*command, code=2)
        assert done.err.count("cannot read the directory") == 1 and "error: tree: cannot read" in done.err
    assert is_fixed((tmp_path / "tree/model.py").read_text())


def test_a_file_that_may_not_be_read(run, write) -> None:
    path = write("m.py", FIXABLE)
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("root reads everything")
    assert "m.py: Permission denied" in run("fix", "m.py", code=2).err


@pytest.mark.parametrize("how", ["pipe", "socket", "device"])
def test_what_is_no_file_is_not_read(run, write, tmp_path: Path, how: str) -> None:
    path = tmp_path / "m.py"
    if how == "socket":
        socket.socket(socket.AF_UNIX).bind(str(path))
    elif how == "pipe":
        os.mkfifo(tmp_path / "pipe")
        path.symlink_to(tmp_path / "pipe")
    else:
        path.symlink_to("/dev/zero")
    for command in ("fix", "check"):
        done = run(command, path, code=2)
        assert f"m.py: cannot read: it is a {how}, not a file" in done.err and not done.out
    path = write("n.py", "import m\n" + FIXABLE)
    assert "GM301" in run("check", path, code=1).out  # as a module that is imported
    assert "GM301" in run("check", tmp_path, code=1).out  # beside others


def test_a_folder_in_the_place_of_a_file(run, tmp_path: Path) -> None:
    (tmp_path / "m.py").mkdir()
    assert "a folder needs" in run("fix", tmp_path / "m.py", code=2).err


def test_a_log_may_come_from_a_pipe(binary: str, write, tmp_path: Path) -> None:
    path = write("m.py", FIXABLE)
    os.mkfifo(tmp_path / "log")
    command = ["sh", "-c", f"echo x > {tmp_path}/log & exec {binary} check --no-cache {path} --from-log {tmp_path}/log"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "no graph breaks in it" in done.stderr


def test_a_syntax_error_is_a_warning_with_its_place(run, write) -> None:
    write("m.py", BROKEN)
    done = run("fix", "m.py")
    assert re.search(r"^graphmend: warning: m\.py:11:\d+: ", done.err, re.MULTILINE), done.err
    assert done.out.endswith("def g(:\n    pass\n")
    run("check", "m.py", "--exit-zero")


def test_one_missing_input_stops_everything(run, write) -> None:
    path = write("a.py", FIXABLE)
    run("fix", "a.py", "gone.py", "-i", code=2)
    assert path.read_text() == FIXABLE


def test_standard_output_that_cannot_be_written(binary: str, write, tmp_path: Path) -> None:
    write("a.py", FIXABLE)
    with open("/dev/full", "w") as full:
        done = subprocess.run([binary, "fix", "a.py"], cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2 and "graphmend: error: cannot write to standard output" in done.stderr
    assert "1 break found, 0 fixed, 1 left" in done.stderr


def test_what_was_not_written_is_not_fixed(run, write, tmp_path: Path) -> None:
    write("tree/a.py", FIXABLE)
    write("tree/b.py", FIXABLE)
    (tmp_path / "out" / "a.py").mkdir(parents=True)
    done = run("fix", "tree", "-o", "out", "--statistics", code=2)
    assert "out/a.py: cannot write: Is a directory" in done.err
    assert "GM301      2 found,     1 fixed,     1 left  print\n           1 left: the file was not written" in done.err
    assert "2 files, 2 breaks found, 1 fixed, 1 left" in done.err
    write("file", "")
    assert "2 breaks found, 0 fixed, 2 left" in run("fix", "tree", "-o", "file/x", code=2).err
    assert "1 break found, 0 fixed, 1 left" in run("fix", "tree/a.py", "-o", "file/x", code=2).err
    # The runtime of the package cannot be written, so no file that would import it is.
    write("tree/__init__.py", "")
    (tmp_path / "tree" / "_graphmend_runtime.py").symlink_to("/proc/nowhere/x")
    done = run("fix", "tree", "-i", code=2)
    assert "2 breaks found, 0 fixed, 2 left" in done.err and (tmp_path / "tree/a.py").read_text() == FIXABLE


@pytest.mark.parametrize("text", [FIXABLE, "# first\n" + FIXABLE + "# last\n"])
def test_a_lone_carriage_return_ends_a_line(run, write, tmp_path: Path, text: str) -> None:
    site = text.replace("class Net(nn.Module):\n    def", "if True:\n    def") + "torch.compile(forward)\n"
    for source in (text, site):
        write("n.py", source)
        write("r.py", source.replace("\n", "\r"))
        expected = run("check", "n.py", "--output-format", "concise", code=1).out
        assert run("check", "r.py", "--output-format", "concise", code=1).out == expected.replace("n.py", "r.py")
        fixed = run("fix", "n.py", "--runtime=import").out
        assert run("fix", "r.py", "--runtime=import").out == fixed.replace("\n", "\r")


def test_terminal_escapes_in_a_file_are_shown_not_obeyed(run, write) -> None:
    write("m\033[2J.py", FIXABLE.replace('"sum"', '"\033[31m"'))
    for format in ("full", "concise", "json"):
        done = run("check", "m\033[2J.py", "--output-format", format, code=1)
        assert "\033" not in done.out + done.err


# ---------------------------------------------------------------- diff


def git(folder: Path, *args: str, stdin: bytes = b"") -> None:
    subprocess.run(["git", "-C", str(folder), *args], input=stdin, check=True, capture_output=True)


@pytest.mark.parametrize(
    "change",
    [
        lambda t: t,
        lambda t: t.replace("\n", "\r\n"),
        lambda t: t.rstrip("\n"),
        lambda t: "\ufeff" + t,
        lambda t: t.replace("x * 2", "x * 2\n\n\n" * 20),
    ],
    ids=["plain", "crlf", "no-newline", "bom", "long"],
)
@pytest.mark.parametrize("name", ["m.py", "sub dir/m o.py", "sub/é.py", 'q"uote.py'])
def test_git_applies_the_diff(run, write, tmp_path: Path, change, name: str) -> None:
    path = write(name, change(FIXABLE.replace("return x * 2", "z = print(x)  # 漢\n        return x * 2")))
    before = path.read_bytes()
    fixed = run("fix", name).stdout
    diff = run("fix", "--diff", name, code=1).stdout
    assert path.read_bytes() == before
    git(tmp_path, "apply", "--whitespace=nowarn", "-", stdin=diff)
    assert path.read_bytes() == fixed != before


def test_the_diff_of_a_tree_is_in_path_order_and_applies(run, write, tmp_path: Path) -> None:
    for name in ("pkg/b.py", "pkg/a.py", "pkg/sub/c.py", "pkg/clean.py"):
        write(name, CLEAN if "clean" in name else FIXABLE)
    for name in ("pkg/__init__.py", "pkg/sub/__init__.py"):
        write(name, "")
    diff = run("fix", "--diff", tmp_path / "pkg", code=1).out  # an absolute path: shown from the working directory
    names = [name for name in re.findall(r"^\+\+\+ b/(.*)$", diff, re.MULTILINE) if "runtime" not in name]
    assert names == ["pkg/a.py", "pkg/b.py", "pkg/sub/c.py"]
    git(tmp_path, "apply", "-", stdin=diff.encode())
    patched = listing(tmp_path / "pkg")
    git(tmp_path, "apply", "-R", "-", stdin=diff.encode())
    run("fix", "pkg", "-i")
    assert listing(tmp_path / "pkg") == patched


def test_an_empty_diff_exits_0(run, write) -> None:
    write("a.py", CLEAN)
    write("b.py", LEFT)
    assert run("fix", "--diff", "a.py", "b.py").out == ""
    write("c.py", FIXABLE)
    assert run("fix", "--diff", "a.py", "c.py", "--color", "always", code=1).out.count("\033[32m") >= 1
    assert "\033" not in run("fix", "--diff", "c.py", code=1).out


# ---------------------------------------------------------------- trees


@pytest.fixture
def tree(write, tmp_path: Path) -> Path:
    write("pkg/__init__.py", "")
    write("pkg/a.py", FIXABLE)
    write("pkg/sub/__init__.py", "")
    write("pkg/sub/b.py", FIXABLE).chmod(0o755)
    write("pkg/sub/left.py", LEFT)
    write("pkg/plain.py", NO_TORCH)
    write("pkg/data.bin", bytes(range(256)) * 1000).chmod(0o600)
    write("pkg/.hidden/x.txt", "hidden")
    (tmp_path / "pkg" / "empty").mkdir()
    (tmp_path / "pkg" / "locked").mkdir()
    write("pkg/locked/file.txt", "locked")
    (tmp_path / "pkg" / "locked").chmod(0o555)
    (tmp_path / "pkg" / "link.py").symlink_to("a.py")
    (tmp_path / "pkg" / "dangling").symlink_to("../nowhere")
    (tmp_path / "pkg" / "folder_link").symlink_to("sub")
    yield tmp_path / "pkg"
    for folder in tmp_path.rglob("locked"):
        folder.chmod(0o755)


def test_a_tree_is_mirrored(run, tree: Path, tmp_path: Path) -> None:
    before = listing(tree)
    done = run("fix", "pkg", "-o", "out/deep")
    out = tmp_path / "out" / "deep"
    assert listing(tree) == before
    after = listing(out)
    runtime = {name for name in after if "graphmend_runtime" in name}
    assert set(after) - runtime == set(before)
    for name, data in after.items():
        if name in ("a.py", "sub/b.py"):
            assert is_fixed(data)
        elif name not in runtime:
            assert data == before[name], name
    for path in tree.rglob("*"):
        copy = out / path.relative_to(tree)
        assert copy.is_symlink() == path.is_symlink()
        if path.is_symlink():
            assert os.readlink(copy) == os.readlink(path)
        else:
            assert stat.S_IMODE(copy.stat().st_mode) == stat.S_IMODE(path.stat().st_mode), path
    assert "fixed, 1 left" in done.err


def test_mirroring_twice_gives_the_same(run, tree: Path, tmp_path: Path) -> None:
    run("fix", "pkg", "-o", "out")
    once = listing(tmp_path / "out")
    run("fix", "pkg/", "-o", "out/")
    assert listing(tmp_path / "out") == once


def test_output_is_the_same_for_any_number_of_threads(run, tree: Path, tmp_path: Path) -> None:
    checks = [
        run("check", "pkg", "-j", jobs, "--output-format", form, code=1).out
        for jobs in "148"
        for form in ("full", "json")
    ]
    assert checks[0] == checks[2] == checks[4] and checks[1] == checks[3] == checks[5]
    for jobs in "18":
        run("fix", "pkg", "-j", jobs, "-o", f"out{jobs}")
    assert listing(tmp_path / "out1") == listing(tmp_path / "out8")


def test_nothing_is_written_outside_the_output(run, write, tree: Path, tmp_path: Path) -> None:
    outside = write("outside/a.py", "outside")
    write("outside/sub/b.py", "outside")
    out = tmp_path / "out"
    out.mkdir()
    (out / "a.py").symlink_to("../outside/a.py")
    (out / "data.bin").symlink_to("../outside/new.bin")
    (out / "_graphmend_runtime.py").symlink_to("../outside/runtime.py")
    (out / "sub").symlink_to("../outside/sub")
    before = listing(tmp_path / "outside")
    done = run("fix", "pkg", "-o", "out", code=2)
    assert listing(tmp_path / "outside") == before and outside.read_text() == "outside"
    assert "out/sub: the output has a link in its place" in done.err
    assert not (out / "a.py").is_symlink() and is_fixed((out / "a.py").read_text())


def test_a_bad_file_in_a_tree_is_copied_and_the_rest_is_written(run, write, tree: Path, tmp_path: Path) -> None:
    bad = {"bad/binary.py": b"import torch\0", "bad/latin.py": b"import torch # \xe9\n"}
    for name, data in bad.items():
        write(f"pkg/{name}", data)
    write("pkg/bad/broken.py", BROKEN)
    done = run("fix", "pkg", "-o", "out", code=2)
    out = listing(tmp_path / "out")
    for name, data in bad.items():
        assert out[name] == data
        assert re.search(rf"^graphmend: error: pkg/{name}(:\d+)*: ", done.err, re.MULTILINE), done.err
    assert is_fixed(out["a.py"]) and out["bad/broken.py"].endswith(b"def g(:\n    pass\n")
    run("check", "pkg", code=2)


def test_a_broken_file_alone_does_not_fail_a_tree(run, write, tree: Path) -> None:
    write("pkg/broken.py", BROKEN)
    assert "graphmend: warning: pkg/broken.py:11" in run("fix", "pkg", "-o", "out").err


# ---------------------------------------------------------------- the runtime


def test_a_single_file_carries_its_runtime(run, write, tmp_path: Path) -> None:
    write("m.py", FIXABLE)
    run("fix", "m.py", "-o", "out/m.py" if (tmp_path / "out").is_dir() else "o.py")
    assert "GRAPHMEND_RUNTIME" in (tmp_path / "o.py").read_text()
    assert not list(tmp_path.rglob("*graphmend_runtime.py"))


def test_a_package_gets_one_runtime_module(run, tree: Path, tmp_path: Path) -> None:
    run("fix", "pkg", "-o", "out")
    out = tmp_path / "out"
    assert [p.relative_to(out) for p in out.rglob("*graphmend_runtime.py")] == [Path("_graphmend_runtime.py")]
    assert "from . import _graphmend_runtime" in (out / "a.py").read_text()
    assert "from .. import _graphmend_runtime" in (out / "sub" / "b.py").read_text()
    run("fix", "pkg", "-i")
    assert listing(tree)["_graphmend_runtime.py"] == (out / "_graphmend_runtime.py").read_bytes()
    run("fix", "pkg", "-i")
    assert run("fix", "pkg", "--diff").out == ""


def test_part_of_a_package_keeps_its_runtime_inside(run, tree: Path, tmp_path: Path) -> None:
    run("fix", "pkg/sub", "-o", "out")
    assert (tmp_path / "out" / "_graphmend_runtime.py").exists()
    assert "from . import _graphmend_runtime" in (tmp_path / "out" / "b.py").read_text()


def test_files_that_are_no_package(run, write, tmp_path: Path) -> None:
    write("scripts/train.py", FIXABLE)
    write("scripts/deep/eval.py", FIXABLE)
    run("fix", "scripts", "-o", "out")
    out = tmp_path / "out"
    assert "import graphmend_runtime" in (out / "train.py").read_text() and (out / "graphmend_runtime.py").exists()
    assert "GRAPHMEND_RUNTIME" in (out / "deep" / "eval.py").read_text()


def test_runtime_by_option(run, write, tree: Path, tmp_path: Path) -> None:
    write("m.py", FIXABLE)
    run("fix", "m.py", "--runtime=module", "-o", "o.py")
    assert (
        "import graphmend_runtime" in (tmp_path / "o.py").read_text() and (tmp_path / "graphmend_runtime.py").exists()
    )
    assert "from graphmend import runtime" in run("fix", "m.py", "--runtime=import").out
    run("fix", "pkg", "--runtime=embed", "-o", "out")
    assert "GRAPHMEND_RUNTIME" in (tmp_path / "out" / "a.py").read_text()
    assert not list((tmp_path / "out").rglob("*graphmend_runtime.py"))


def test_a_foreign_file_of_the_runtimes_name_is_left_alone(run, write, tree: Path, tmp_path: Path) -> None:
    write("pkg/_graphmend_runtime.py", "mine = 1\n")
    done = run("fix", "pkg", "-o", "out")
    assert "embedded instead" in done.err
    assert (tmp_path / "out" / "_graphmend_runtime.py").read_text() == "mine = 1\n"
    assert "GRAPHMEND_RUNTIME" in (tmp_path / "out" / "a.py").read_text()


# ---------------------------------------------------------------- check


def test_check_exit_codes(run, write) -> None:
    write("bad.py", FIXABLE)
    write("good.py", CLEAN)
    run("check", "bad.py", code=1)
    run("check", "bad.py", "--exit-zero", code=0)
    done = run("check", "good.py", code=0)
    assert done.out == "" and done.err == "graphmend: 1 file, 0 breaks found, 0 can be fixed, 0 left\n"


def test_check_takes_the_current_folder(run, write) -> None:
    write("a.py", FIXABLE)
    write("sub/b.py", LEFT)
    lines = run("check", "--output-format", "concise", code=1).out.splitlines()
    assert [re.sub(r"^\./", "", line).split(":")[0] for line in lines] == ["a.py", "sub/b.py"]


def test_check_concise(run, write) -> None:
    write("a.py", FIXABLE + LEFT.replace("Net", "Other"))
    first, second = run("check", "a.py", "--output-format=concise", code=1).out.splitlines()
    assert re.fullmatch(r"a\.py:7:9: GM301 .* \[fixable\]", first)
    assert re.fullmatch(r"a\.py:15:13: GM301 .* \[left: value-used\]", second)


def test_check_standard_input(run) -> None:
    assert run("check", "-", "--stdin-filename", "x/m.py", stdin=FIXABLE, code=1).out.startswith("x/m.py:7:9: GM301 ")


@pytest.mark.parametrize("lead", ["", "\t", '"漢字"; ', '"e\u0301é"; ', '"👍"; ', "\t\t'\t'; "])
def test_carets_stand_under_the_finding(run, write, lead: str) -> None:
    indent = "\t\t" if "\t" in lead else "        "
    lead = lead.lstrip("\t") if lead.startswith("\t\t") else lead.replace("\t", "")
    text = FIXABLE.replace("        ", indent).replace("    def", "\tdef" if "\t" in indent else "    def")
    write("m.py", text.replace('print("sum", x.sum())', lead + 'print("漢", x)'))
    out = run("check", "m.py", code=1).out.splitlines()
    source, carets = out[1], out[2]
    widths = {"漢": 2, "字": 2, "👍": 2, "\u0301": 0}
    columns = "".join(char * widths.get(char, 1) for char in source)
    assert "\t" not in source
    assert carets.strip(" ^") == ""
    assert columns[carets.index("^") : len(carets)] == 'print("漢漢", x)'


def test_a_long_line_is_cut_around_the_finding(run, write) -> None:
    write("m.py", FIXABLE.replace("print(", f"s = '{'x' * 20000}'; print("))
    out = run("check", "m.py", code=1).out.splitlines()
    assert len(out[1]) < 200 and "print(" in out[1]
    assert out[1][out[2].index("^") :].startswith('print("sum"')


def test_check_json(run, write, tmp_path: Path) -> None:
    text = FIXABLE.replace('"sum"', '"é"') + LEFT.replace("Net", "Other")
    write("a.py", text)
    document = json.loads(run("check", "a.py", "--output-format", "json", code=1).out)
    assert list(document) == ["version", "findings", "diagnostics", "summary"] and document["version"] == 1
    fixable, left = document["findings"]
    keys = "code path start end message status reason reason_at gb_ids function edits".split()
    assert list(fixable) == list(left) == keys
    call = 'print("é", x.sum())'
    start = text.encode().index(call.encode())
    assert fixable["start"] == {"line": 7, "column": 9, "byte": start}
    assert fixable["end"] == {"line": 7, "column": 9 + len(call), "byte": start + len(call.encode())}
    assert (fixable["code"], fixable["status"], fixable["reason"], fixable["reason_at"]) == (
        "GM301",
        "fixable",
        None,
        None,
    )
    assert fixable["function"] == "Net.forward" and "GB0059" in fixable["gb_ids"]
    assert (left["status"], left["reason"], left["edits"]) == ("left", "value-used", [])
    assert set(left["reason_at"]) >= {"start", "end"}
    summary = document["summary"]
    assert (summary["files"], summary["findings"], summary["fixable"] + summary["guarded"], summary["left"]) == (
        1,
        2,
        1,
        1,
    )
    assert summary["by_code"] == {"GM301": 2} and summary["left_by_reason"] == {"value-used": 1}
    data = text.encode()
    for edit in sorted(fixable["edits"], key=lambda edit: -edit["start"]):
        data = data[: edit["start"]] + edit["text"].encode() + data[edit["end"] :]
    assert is_fixed(data.decode().split("class Other")[0])
    compile(data, "a.py", "exec")


def test_json_of_a_clean_or_broken_file(run, write) -> None:
    write("a.py", CLEAN)
    document = json.loads(run("check", "a.py", "--output-format", "json").out)
    assert document["findings"] == [] and document["diagnostics"] == []
    write("b.py", BROKEN)
    (diagnostic,) = json.loads(run("check", "b.py", "--output-format", "json", code=1).out)["diagnostics"]
    assert (diagnostic["level"], diagnostic["path"], diagnostic["line"]) == ("warning", "b.py", 11)


def test_score_reads_the_json(run, write, tmp_path: Path) -> None:
    score = ROOT.parent / "shared" / "survey" / "score.py"
    if not score.exists():
        pytest.skip("the survey is not here")
    write("transformers/a.py", FIXABLE)
    run("check", "transformers", "--output-format", "json", "--output-file", "f.json", code=1)
    command = [sys.executable, str(score), "f.json", "--facts", str(score.parent / "facts.json.gz")]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and "recall" in done.stdout, done.stderr


def test_output_file(run, write, tmp_path: Path) -> None:
    write("a.py", FIXABLE)
    text = run("check", "a.py", code=1).out
    done = run("check", "a.py", "--output-file", "report.txt", code=1)
    assert done.out == "" and (tmp_path / "report.txt").read_text() == text
    assert "nowhere/x: " in run("check", "a.py", "--output-file", "nowhere/x", code=2).err


def test_color(run, write) -> None:
    write("a.py", FIXABLE)
    plain = run("check", "a.py", code=1).out
    assert "\033" not in plain
    painted = run("check", "a.py", "--color", "always", code=1, env={"NO_COLOR": "1"}).out
    assert "\033[" in painted and re.sub(r"\033\[[0-9;]*m", "", painted) == plain
    assert run("check", "a.py", "--color=never", code=1).out == plain


def test_on_a_terminal(binary: str, write, tmp_path: Path) -> None:
    import pty

    write("a.py", FIXABLE)
    for env, colored in (({}, True), ({"NO_COLOR": "1"}, False), ({"TERM": "dumb"}, False)):
        ours, theirs = pty.openpty()
        base = {"PATH": os.environ["PATH"], "TERM": "xterm"}
        subprocess.run(
            [binary, "check", "a.py"], cwd=tmp_path, stdout=theirs, stderr=subprocess.DEVNULL, env=base | env
        )
        os.close(theirs)
        shown = os.read(ours, 65536)
        os.close(ours)
        assert (b"\033[" in shown) == colored, (env, shown)


def test_pedantic_reports_what_nothing_is_known_about(run, write) -> None:
    text = FIXABLE.replace("x):", "x, blob):").replace("return x * 2", "return 1 if blob.size_hint else 2")
    write("a.py", text)
    assert "no-tensor-evidence" not in run("check", "a.py", code=1).out
    lines = run("check", "a.py", "--pedantic", "--output-format", "concise", code=1).out.splitlines()
    assert len(lines) == 2 and lines[1].endswith("[left: no-tensor-evidence]")
    fixed = run("fix", "a.py", "--pedantic")
    assert fixed.out == run("fix", "a.py").out and "1 fixed, 1 left" in fixed.err


def test_entry_says_what_is_compiled(run, write, tmp_path: Path) -> None:
    write("a.py", FIXABLE + "\n\ndef alone(x):\n    print(x)\n    return x + 1\n")
    found = {}
    for entry in ("a:Net.forward", "a:alone", "all"):
        lines = run("check", "a.py", "--entry", entry, "--output-format=concise", code=1).out.splitlines()
        found[entry] = [int(line.split(":")[1]) for line in lines]
    assert found == {"a:Net.forward": [7], "a:alone": [12], "all": [7, 12]}
    done = run("fix", "a.py", "--entry", "a:gone", "-o", "o.py", code=2)
    assert done.err.startswith("graphmend: error: --entry a:gone: ") and not (tmp_path / "o.py").exists()


UNSAFE = """import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        self.calls = 1
        if x.isnan().any():
            raise ValueError("NaN")
        return x
"""


def test_nothing_to_compile_is_said(run, write) -> None:
    write("m.py", "import torch\n\n\ndef f(x):\n    print(x)\n    return x\n")
    assert "note: no torch.compile and no nn.Module here" in run("check", "m.py").err
    assert "note" not in run("check", "m.py", "-q").err
    assert "note" not in run("check", "m.py", "--entry", "all", code=1).err
    write("m.py", "import os\n\n\ndef f(x):\n    print(x)\n    return x\n")
    assert "note" not in run("check", "m.py").err


def test_unsafe_fixes_are_asked_for(run, write) -> None:
    write("m.py", UNSAFE)

    def finding(*args: str) -> dict:
        done = run("check", "m.py", "--output-format", "json", *args, code=1)
        document = json.loads(done.out)
        assert document["summary"]["unsafe"] == ("--unsafe-fixes" in args)
        (found,) = document["findings"]
        return found

    plain, unsafe = finding(), finding("--unsafe-fixes")
    assert (plain["status"], plain["reason"], plain["edits"]) == ("left", "state-written-in-region", [])
    assert (unsafe["status"], unsafe["reason"]) == ("unsafe", None) and unsafe["edits"]
    assert run("fix", "m.py").out == UNSAFE
    done = run("fix", "m.py", "--unsafe-fixes", "--runtime=import")
    assert "_graphmend.raise_if(x.isnan().any()" in done.out and "1 fixed, 0 left" in done.err
    write("graphmend.toml", "unsafe-fixes = true\n")
    assert run("fix", "m.py", "--runtime=import").out == done.out
    assert "--unsafe-fixes" in run("explain", "state-written-in-region").out


# ---------------------------------------------------------------- explain and dump


def test_explain_finds_by_code_name_id_and_reason(run) -> None:
    text = run("explain", "GM301").out
    assert text.startswith("GM301 (print)\n") and "Before:" in text and "GB0059" in text
    assert run("explain", "gm301").out == run("explain", "print").out == text
    assert run("explain", "GB0170").out.startswith("GM1")
    assert "GB0005" in run("explain", "gb0005").out and "implemented in C" in run("explain", "gb0005").out
    assert run("explain", "caught-in-region").out.startswith("caught-in-region")


def test_explain_alone_lists_everything(run) -> None:
    rules = json.loads((ROOT / "rules" / "rules.json").read_text())
    reasons = json.loads((ROOT / "rules" / "reasons.json").read_text())
    text = run("explain").out
    for word in (
        [rule["code"] for rule in rules] + [rule["name"] for rule in rules] + [reason["id"] for reason in reasons]
    ):
        assert word in text
        run("explain", word)


@pytest.mark.parametrize("what", ["ast", "ir", "cfg", "symbols", "facts", "calls"])
def test_dump(run, write, what: str) -> None:
    write("a.py", FIXABLE)
    text = run("dump", f"--{what}", "a.py").out
    assert text
    assert run("dump", f"--{what}", "-", stdin=FIXABLE).out
    if what in ("cfg", "calls"):
        assert run("dump", f"--{what}", "--dot", "a.py").out.startswith("digraph")


# ---------------------------------------------------------------- README


def test_the_examples_of_the_readme_are_true(binary: str, run, write, tmp_path: Path) -> None:
    write("model.py", LEFT)
    write("src/__init__.py", "")
    write("src/model.py", FIXABLE)
    write("breaks.log", (GOLDEN / "graph_breaks.log").read_text())
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "graphmend").symlink_to(Path(binary).resolve())
    text = (ROOT / "README.md").read_text()
    commands = [line.split("  #")[0] for line in re.findall(r"^    (graphmend .*)$", text, re.MULTILINE)]
    assert len(commands) >= 8
    for command in commands:
        write("src/model.py", FIXABLE)
        done = subprocess.run(
            command, shell=True, cwd=tmp_path, capture_output=True, env=os.environ | {"PATH": f".:{os.environ['PATH']}"}
        )
        assert done.returncode in (0, 1) and b"error" not in done.stderr, (command, done.stderr)
    assert is_fixed((tmp_path / "fixed" / "model.py").read_text())
    shown = re.search(r"^A finding looks like this:\n\n((?:    .*\n)+)", text, re.MULTILINE)
    assert shown
    expected = "".join(line[4:] + "\n" for line in shown[1].splitlines())
    assert run("check", "model.py", code=1).out == expected + "\n"


# ---------------------------------------------------------------- golden texts: GRAPHMEND_UPDATE=1 writes them anew


FORMATS = "full concise json json-lines github gitlab sarif junit statistics diff".split()


@pytest.mark.parametrize("source", sorted(GOLDEN.glob("*.py")), ids=lambda path: path.stem)
@pytest.mark.parametrize("form", FORMATS)
def test_golden(binary: str, source: Path, form: str) -> None:
    options = ["check", "--output-format", form]
    if form in ("diff", "statistics"):
        options = ["fix", "--diff", "--runtime=import"] if form == "diff" else ["check", "--statistics"]
    done = subprocess.run([binary, *options, source.name], cwd=GOLDEN, capture_output=True)
    assert done.returncode == 1
    golden = source.with_suffix(f".{form}.txt")
    if os.environ.get("GRAPHMEND_UPDATE"):
        golden.write_bytes(done.stdout)
    assert done.stdout == golden.read_bytes()


def test_verify_without_its_host_says_how_to_get_it(run, write) -> None:
    write("a.py", "")
    said = run("verify", "a.py", "a.py", "--host", "nowhere/graphmend-host", code=2).err
    assert "verify needs the program graphmend-host, which is not at nowhere/graphmend-host" in said
    assert "-DGRAPHMEND_VERIFY=ON" in said
    assert "takes the original and the patched file" in run("verify", "a.py", code=2).err


def processes_of(mark: str) -> list[str]:
    """The processes that have this in their environment."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (folder / "environ").read_bytes():
                found.append(folder.name)
        except OSError:
            pass  # gone, or another user's
    return found


def test_an_interrupt_ends_verify_and_its_host_whenever_it_comes(binary: str, write, tmp_path: Path) -> None:
    model, host = write("a.py", ""), write("host", "#!/bin/sh\nexec sleep 1000\n")
    host.chmod(0o755)
    command = [binary, "verify", str(model), str(model), "--host", str(host)]
    for step in range(200):
        # A test run in the background of a shell ignores interrupts, and so would what it starts.
        heeds = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
        running = subprocess.Popen(command, env=os.environ | {"MARK": str(tmp_path)}, preexec_fn=heeds)
        time.sleep(step % 40 * 0.0001)
        running.send_signal(signal.SIGINT)
        assert running.wait(timeout=20) == -signal.SIGINT
    assert not processes_of(f"MARK={tmp_path}")


def test_standard_input_is_read_once(run) -> None:
    for args in (["-", "-"], ["--from-log", "-", "-"]):
        assert "only once" in run("check", *args, code=2, stdin=FIXABLE).err


def test_a_report_does_not_replace_an_input(run, write, tmp_path: Path) -> None:
    write("tree/m.py", FIXABLE)
    write("log", "")
    for args in (["tree/m.py", "--output-file", "tree/m.py"], ["tree", "--output-file", "tree/m.py"]):
        assert "would replace an input" in run("check", *args, code=2).err
    assert "would replace" in run("check", "tree", "--from-log", "log", "--output-file", "log", code=2).err
    assert (tmp_path / "tree/m.py").read_text() == FIXABLE
    run("check", "tree", "--output-file", "tree/report.txt", code=1)
    run("check", "tree", "--output-file", "tree/report.txt", code=1)


def test_a_mirror_without_its_runtime_holds_nothing_that_needs_it(run, write, tmp_path: Path) -> None:
    write("tree/m.py", FIXABLE)
    write("tree/n.py", "x = 1\n")
    (tmp_path / "out/graphmend_runtime.py").mkdir(parents=True)
    done = run("fix", "tree", "-o", "out", code=2)
    assert "out/m.py: not written" in done.err and "0 fixed, 1 left" in done.err
    assert not (tmp_path / "out/m.py").exists() and (tmp_path / "out/n.py").exists()


def test_an_older_runtime_is_not_mirrored_over_the_new_one(run, write, tmp_path: Path) -> None:
    write("tree/m.py", FIXABLE)
    write("tree/graphmend_runtime.py", "GRAPHMEND_RUNTIME = 0\n")
    run("fix", "tree", "-o", "out")
    assert len((tmp_path / "out/graphmend_runtime.py").read_text()) > 1000


def test_a_link_that_leaves_the_tree_leads_there_from_the_mirror(run, write, tmp_path: Path) -> None:
    write("shared.py", "x = 1\n")
    write("all/tree/sub/m.py", FIXABLE)
    for name, target in (("out.py", "../../../shared.py"), ("in.py", "m.py"), ("lost.py", "../../nowhere.py")):
        (tmp_path / "all/tree/sub" / name).symlink_to(target)
    run("fix", "all/tree", "-o", "out")
    links = tmp_path / "out/sub"
    assert (links / "out.py").resolve() == tmp_path / "shared.py"
    assert (links / "in.py").readlink() == Path("m.py") and (links / "lost.py").readlink() == Path("../../nowhere.py")
    run("fix", "all/tree", "-o", "out")
