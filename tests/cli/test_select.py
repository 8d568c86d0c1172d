"""Which rules and which files: --select and its kin, per-file-ignores, exclude, .gitignore, configuration files."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
from pathlib import Path

import pytest

MODEL = """import logging

import torch
from torch import nn

logger = logging.getLogger(__name__)


class Net(nn.Module):
    def forward(self, x):
        print(x)
        logger.info("x")
        n = x.sum().item()
        if x.sum() > 0:
            x = x + 1
        return x * n
"""


def found(run, *args: str) -> set[str]:
    done = run("check", "--exit-zero", "--output-format", "json", *args)
    return {finding["code"] for finding in json.loads(done.out)["findings"]}


def files(run, *args: str) -> set[str]:
    done = run("check", "--exit-zero", "--output-format", "json", *args)
    return {finding["path"].removeprefix("./") for finding in json.loads(done.out)["findings"]}


ALL = {"GM101", "GM301", "GM302", "GM401"}


@pytest.mark.parametrize(
    ("args", "codes"),
    [
        ([], ALL),
        (["--select", "ALL"], ALL),
        (["--select", "GM3"], {"GM301", "GM302"}),
        (["--select", "gm301"], {"GM301"}),
        (["--select=print,GM1"], {"GM301", "GM101"}),
        (["--select", "GM1", "--select", "GM4"], {"GM101", "GM401"}),
        (["--select", "GM1", "--extend-select", "GM302"], {"GM101", "GM302"}),
        (["--ignore", "GM3"], {"GM101", "GM401"}),
        (["--ignore", "GM3", "--select", "GM302"], {"GM302"}),
        (["--ignore", "GM3", "--extend-select", "GM302"], {"GM101", "GM401", "GM302"}),
        (["--ignore", "GM301", "--select", "GM3"], {"GM302"}),
        (["--ignore", "GM301", "--select", "GM301"], set()),
        (["--per-file-ignores", "m.py:GM3,GM1"], {"GM401"}),
        (["--per-file-ignores", "*.py:ALL"], set()),
        (["--per-file-ignores", "n.py:GM3"], ALL),
        (["--target-torch", "2.6"], ALL),
    ],
    ids=" ".join,
)
def test_selection(run, write, args: list[str], codes: set[str]) -> None:
    write("m.py", MODEL)
    assert found(run, "m.py", *args) == codes


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--select", "GM9999"], "no rule has the code 'GM9999'"),
        (["--ignore", "GM30l"], "did you mean 'GM301'"),
        (["--fix-only", "prnt"], "did you mean 'print'?"),
        (["--select", "GM1,"], "empty word"),
        (["--select="], "empty word"),
        (["--per-file-ignores", "x"], "no rule has the code"),
        (["--per-file-ignores", "x:GM777"], "no rule has the code 'GM777'"),
        (["--target-torch", "new"], "no version of torch"),
        (["--config", "nope.toml"], "nope.toml: "),
        (["--config", "m.py"], "m.py: line "),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_usage(run, write, args: list[str], says: str) -> None:
    write("m.py", MODEL)
    done = run("check", "m.py", *args, code=2)
    assert done.out == "" and says in done.err and done.err.startswith("graphmend: error: ")


def test_fix_rewrites_what_is_selected(run, write) -> None:
    write("m.py", MODEL)
    fixed = run("fix", "m.py", "--select", "GM302", "--runtime=import").out
    assert (
        "        print(x)\n" in fixed and "_graphmend.defer(lambda: logger.info" in fixed and "if x.sum() > 0" in fixed
    )
    fixed = run("fix", "m.py", "--fix-only", "GM301", "--runtime=import").out
    assert "_graphmend.defer(print, x)" in fixed and '        logger.info("x")\n' in fixed


def test_fix_only_reports_the_others(run, write) -> None:
    write("m.py", MODEL)
    done = run("check", "m.py", "--fix-only", "GM301", code=1)
    assert "GM302 logging in compiled code [left: not-chosen]" in done.out
    assert "GM301 print in compiled code [fixable]" in done.out


def test_a_branch_around_unselected_output_stays(run, write) -> None:
    text = MODEL.replace("            x = x + 1\n", "            x = x + 1\n            print(x)\n")
    write("m.py", text)
    done = run("check", "m.py", "--select", "GM101", code=1)
    assert "[left: holds-withheld]" in done.out and "GM301" not in done.out
    assert run("fix", "m.py", "--select", "GM101").out == text


# ---------------------------------------------------------------- files


@pytest.fixture
def tree(write) -> None:
    for name in ("a.py", "gen/b.py", "src/gen/c.py", "src/d_pb2.py", "src/keep.py", ".hidden/e.py", "build/f.py"):
        write(name, MODEL)
    write("venv/pyvenv.cfg", "")
    write("venv/g.py", MODEL)


EVERYTHING = {"a.py", "gen/b.py", "src/gen/c.py", "src/d_pb2.py", "src/keep.py"}


@pytest.mark.parametrize(
    ("patterns", "kept"),
    [
        ([], EVERYTHING),
        (["gen"], {"a.py", "src/d_pb2.py", "src/keep.py"}),
        (["/gen"], EVERYTHING - {"gen/b.py"}),
        (["src/gen"], EVERYTHING - {"src/gen/c.py"}),
        (["*_pb2.py"], EVERYTHING - {"src/d_pb2.py"}),
        (["src/**/c.py"], EVERYTHING - {"src/gen/c.py"}),
        (["**/gen/*.py"], EVERYTHING - {"gen/b.py", "src/gen/c.py"}),
        (["src/*"], {"a.py", "gen/b.py"}),
        (["src/*", "!src/keep.py"], {"a.py", "gen/b.py", "src/keep.py"}),
        (["[ab].py"], EVERYTHING - {"a.py", "gen/b.py"}),
        (["[!ab].py"], EVERYTHING - {"src/gen/c.py"}),
        (["?.py"], {"src/d_pb2.py", "src/keep.py"}),
        (["gen/"], {"a.py", "src/d_pb2.py", "src/keep.py"}),
        (["a.py/"], EVERYTHING),
        (["*" * 40 + "x"], EVERYTHING),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
@pytest.mark.parametrize("how", ["exclude", "gitignore", "file"])
def test_exclude(run, write, tree, patterns: list[str], kept: set[str], how: str) -> None:
    args = [word for pattern in patterns for word in ("--exclude", pattern)] if how == "exclude" else []
    if how == "gitignore":
        write(".gitignore", "# a comment\n\n" + "".join(f"{pattern}\n" for pattern in patterns))
    if how == "file":
        write("graphmend.toml", f"extend-exclude = {json.dumps(patterns)}\n")
    assert files(run, *args) == kept
    assert files(run, ".", *args) == kept


def test_gitignore_files_of_deeper_folders(run, write, tree, tmp_path: Path) -> None:
    write(".gitignore", "*.py\n")
    write("src/.gitignore", "!keep.py\n")
    assert files(run) == {"src/keep.py"}
    assert files(run, "src") == {"src/keep.py"}
    assert files(run, "--no-gitignore") == EVERYTHING
    assert files(run, "a.py") == {"a.py"}
    assert files(run, "a.py", "src/keep.py", "--force-exclude") == {"src/keep.py"}
    (tmp_path / "src" / ".git").mkdir()  # a repository of its own: what lies above does not count
    assert files(run, "src") == {"src/gen/c.py", "src/d_pb2.py", "src/keep.py"}


def test_force_exclude(run, write, tree) -> None:
    write("graphmend.toml", 'exclude = ["gen"]\n')
    assert files(run, "gen/b.py", "a.py") == {"gen/b.py", "a.py"}
    assert files(run, "gen/b.py", "a.py", "--force-exclude") == {"a.py"}
    assert "excluded" in run("fix", "gen/b.py", "--force-exclude").err


def test_what_is_excluded_is_mirrored_as_it_is(run, write, tree, tmp_path: Path) -> None:
    run("fix", "src", "-o", "out", "--exclude", "gen")
    assert (tmp_path / "out" / "gen" / "c.py").read_text() == MODEL
    assert (tmp_path / "out" / "keep.py").read_text() != MODEL


NAMES = ["a", "b", "ab", "a.b", "build_x", "x-y"]
PATTERNS = (
    """a b/ *b /a a/b a/* **/b a/** a/**/b.py ?.py [ab].py [!a]*.py ab* *.py !a.py !b/ !*b.py /ab/*.py a.b/ x\\-y
\\#x [a-b] ** */a.py /*/b/""".split()
    + ["", "# b", "b.py "]
)


@pytest.mark.parametrize("seed", range(40))
def test_gitignore_is_read_as_git_reads_it(run, write, tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(25):
        parts = [chance.choice(NAMES) for _ in range(chance.randint(1, 4))]
        if not any((tmp_path / Path(*parts[:i])).with_suffix(".py").is_dir() for i in range(1, len(parts) + 1)):
            write("/".join(parts) + ".py", MODEL)
    folders = [Path("."), *(path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_dir())]
    for folder in {Path("."), *chance.sample(folders, min(2, len(folders)))}:
        lines = [chance.choice(PATTERNS) for _ in range(chance.randint(1, 5))]
        write(str(folder / ".gitignore"), "\n".join(lines))
    env = os.environ | {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1"}
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True, env=env)
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--others", "--exclude-standard"],
        cwd=tmp_path,
        check=True,
        env=env,
        capture_output=True,
    )
    assert files(run) == {name for name in listed.stdout.decode().split("\0") if name.endswith(".py")}


# ---------------------------------------------------------------- configuration

PROJECT = """[project]
name = "x"
version = "1"
dates = 1979-05-27T07:32:00Z
infinite = inf

[tool.ruff]
line-length = 100

[tool.graphmend]
"""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pyproject.toml", PROJECT + 'select = ["GM3"]\n'),
        ("graphmend.toml", 'select = ["GM3"]\n'),
        ("pyproject.toml", "tool.graphmend.select = [\n  \"GM301\", # one\n  'GM302',\n]\n"),
    ],
)
def test_configuration(run, write, name: str, text: str) -> None:
    write("src/deep/m.py", MODEL)
    write(name, text)
    assert found(run, "src/deep/m.py") == {"GM301", "GM302"}
    assert found(run, "src/deep/m.py", "--isolated") == ALL
    assert found(run, "src/deep/m.py", "--select", "GM1") == {"GM101"}
    assert found(run) == {"GM301", "GM302"}
    write("src/graphmend.toml", "")
    assert found(run, "src/deep/m.py") == ALL
    write("src/pyproject.toml", "[tool.black]\n")
    (Path(write("src/x", "")).parent / "graphmend.toml").unlink()
    assert found(run, "src/deep/m.py") == {"GM301", "GM302"}
    assert found(run, "src/deep/m.py", "--config", str(name)) == {"GM301", "GM302"}


def test_graphmend_toml_comes_before_pyproject(run, write) -> None:
    write("m.py", MODEL)
    write("pyproject.toml", PROJECT + 'select = ["GM1"]\n')
    write("graphmend.toml", 'select = ["GM4"]\n')
    assert found(run, "m.py") == {"GM401"}


def test_every_kind_of_key(run, write) -> None:
    write("src/m.py", MODEL)
    write("other/m.py", MODEL)
    write(
        "graphmend.toml",
        """select = ["ALL"]
ignore = ["GM4"]
fix-only = ["GM3"]
disable = ["trap", "where"]
runtime = "import"
pedantic = false
output-format = "concise"
target-torch = "2.8"
no-gitignore = true
entry = ["all"]
[per-file-ignores]
"other/**" = ["GM3", "GM101"]
"/src/m.py" = ["GM302"]
""",
    )
    lines = run("check", "other", "src", code=1).out.splitlines()
    assert [re.sub(r":\d+:\d+: (GM\d+).*", r" \1", line) for line in lines] == ["src/m.py GM301", "src/m.py GM101"]
    assert "from graphmend import runtime" in run("fix", "src/m.py").out
    text = run("check", "src", "--show-settings").out
    assert re.match(r"# configuration: /.*/graphmend.toml\n", text)
    assert 'disable = ["trap", "where"]' in text and 'runtime = "import"' in text and 'ignore = ["GM4"]' in text
    assert "# configuration: none\n" in run("check", "--show-settings", "--isolated").out


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('selct = ["GM1"]', "unknown key 'selct'; did you mean 'select'?"),
        ("in-place = true", "unknown key 'in-place'"),
        ('select = "GM1"', "'select' has to be a list of strings"),
        ("select = [1]", "'select' has to be a list of strings"),
        ('pedantic = "yes"', "'pedantic' has to be true or false"),
        ('runtime = "none"', "'--runtime' does not take 'none'"),
        ('per-file-ignores = ["x"]', "'per-file-ignores' has to be a table"),
        ('per-file-ignores = {"a" = [1]}', "'per-file-ignores.a' has to be a list of codes"),
        ('select = ["GM1"', "line 1"),
        ('select = ["GM1"]\nselect = []', "line 2"),
        ('select = ["GM777"]', "no rule has the code 'GM777'"),
        ("\xff", "graphmend.toml"),
    ],
)
def test_a_bad_configuration_is_exit_2(run, write, text: str, says: str) -> None:
    write("m.py", MODEL)
    write("graphmend.toml", text.encode("latin-1"))
    done = run("check", "m.py", code=2)
    assert done.out == "" and says in done.err
    run("fix", "m.py", "-i", code=2)
    run("check", "m.py", "--isolated", code=1)


def test_a_table_that_is_none_is_exit_2(run, write) -> None:
    write("m.py", MODEL)
    write("pyproject.toml", "[tool]\ngraphmend = 3\n")
    assert "[tool.graphmend] is no table" in run("check", "m.py", code=2).err


def places(run, *args: str) -> dict[str, set[str]]:
    done = run("check", "--exit-zero", "--output-format", "json", *args)
    found: dict[str, set[str]] = {}
    for finding in json.loads(done.out)["findings"]:
        found.setdefault(finding["path"].removeprefix("./"), set()).add(finding["code"])
    return found


def test_each_file_has_the_configuration_nearest_to_it(run, write) -> None:
    for name in ("m.py", "a/m.py", "a/deep/m.py", "b/m.py", "b/c/m.py"):
        write(name, MODEL)
    write("pyproject.toml", PROJECT + 'ignore = ["GM1"]\n')
    write("a/graphmend.toml", 'select = ["GM3"]\n')
    write("b/pyproject.toml", "[tool.black]\n")
    write("b/c/pyproject.toml", "[tool.graphmend]\n")
    expected = {
        "m.py": ALL - {"GM101"},
        "a/m.py": {"GM301", "GM302"},
        "a/deep/m.py": {"GM301", "GM302"},
        "b/m.py": ALL - {"GM101"},
        "b/c/m.py": ALL,
    }
    assert places(run) == expected
    assert places(run, "b/c", "a", "b/m.py", "m.py") == expected  # whichever comes first
    assert places(run, "--isolated") == dict.fromkeys(expected, ALL)
    assert places(run, "--config", "a/graphmend.toml") == dict.fromkeys(expected, {"GM301", "GM302"})
    assert places(run, "--select", "GM4") == dict.fromkeys(expected, {"GM401"})  # the command line over all files
    three = {"GM101", "GM301", "GM302"}
    extended = {"m.py": ALL, "a/m.py": three, "a/deep/m.py": three, "b/m.py": ALL, "b/c/m.py": ALL}
    assert places(run, "--extend-select", "GM101") == extended


def test_patterns_are_relative_to_their_own_configuration(run, write) -> None:
    for name in ("x/m.py", "y/m.py", "a/x/m.py", "a/y/m.py", "a/y/z/m.py"):
        write(name, MODEL)
    write("graphmend.toml", 'exclude = ["/x"]\n[per-file-ignores]\n"/y/m.py" = ["GM3"]\n')
    write("a/graphmend.toml", 'exclude = ["y/z"]\n[per-file-ignores]\n"x/**" = ["GM4", "GM1"]\n')
    assert places(run) == {"y/m.py": {"GM101", "GM401"}, "a/x/m.py": {"GM301", "GM302"}, "a/y/m.py": ALL}
    assert places(run, "a") == {"a/x/m.py": {"GM301", "GM302"}, "a/y/m.py": ALL}
    assert "a/y/z/m.py" in places(run, "a/y/z/m.py")
    assert places(run, "a/y/z/m.py", "--force-exclude") == {}
    # Those of the command line are relative to the working directory, for every file.
    args = ("--per-file-ignores", "a/y/m.py:ALL", "--exclude", "/a/x", "--exclude", "/x")
    assert places(run, *args) == {"y/m.py": ALL, "a/y/z/m.py": ALL}


def test_a_folder_left_out_by_the_outer_configuration_is_not_entered(run, write) -> None:
    write("a/m.py", MODEL)
    write("m.py", MODEL)
    write("a/graphmend.toml", "")
    write("graphmend.toml", 'exclude = ["a"]\n')
    assert files(run) == {"m.py"}
    assert files(run, "a/m.py") == {"a/m.py"}
    assert files(run, "a/m.py", "m.py", "--force-exclude") == {"m.py"}


def test_what_is_for_the_whole_run_is_said_by_the_first_path(run, write, tmp_path: Path) -> None:
    write("a/m.py", MODEL)
    write("b/m.py", MODEL)
    write("a/graphmend.toml", 'disable = ["defer"]\noutput-format = "concise"\nruntime = "embed"\n')
    write("b/graphmend.toml", 'output-format = "json"\nselect = ["GM301"]\n')
    out = run("check", "a", "b", code=1).out
    assert "b/m.py:11:9: GM301 print in compiled code [left: not-chosen]" not in out and "a/m.py:11:9: GM301" in out
    assert not out.startswith("{") and run("check", "b", "a", code=1).out.startswith("{")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('selct = ["GM1"]', "unknown key 'selct'; did you mean 'select'?"),
        ('select = ["GM777"]', "no rule has the code 'GM777'"),
        ('select = ["GM1"', "line 1"),
    ],
)
def test_a_bad_configuration_of_a_deeper_folder_is_exit_2(run, write, tmp_path: Path, text: str, says: str) -> None:
    write("m.py", MODEL)
    write("a/m.py", MODEL)
    write("a/graphmend.toml", text)
    done = run("check", code=2)
    assert done.out == "" and says in done.err and "/a" in done.err
    run("fix", ".", "-i", code=2)
    assert (tmp_path / "m.py").read_text() == MODEL
    run("check", "--isolated", code=1)


def test_standard_input_is_configured_by_its_name(run, write) -> None:
    write("sub/graphmend.toml", 'select = ["GM4"]\n')
    done = run("check", "-", "--stdin-filename", "sub/m.py", "--output-format", "concise", stdin=MODEL, code=1)
    assert re.fullmatch(r"sub/m.py:\d+:\d+: GM401 .*\n", done.out)
