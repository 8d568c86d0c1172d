"""`graphmend verify` on a program and rewrites of it: a right one passes, each wrong one is named for what it is."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
PROGRAM = (HERE / "program.py").read_text()

ROWS = '        print("rows", x.shape[0])\n'
COLUMNS = '        print("columns", x.shape[1])\n'

# name: (what is replaced by what, the kind of the difference, the modes it is seen in, its message)
WRONG = {
    "a dropped print": (COLUMNS, "", "printed", "eager default", r"'columns 2\n' is missing"),
    "two swapped": (
        ROWS + COLUMNS,
        COLUMNS + ROWS,
        "printed",
        "eager default",
        r"in another order: 'rows 1\n' came where 'columns 2\n' now is",
    ),
    "a wrong exception class": (
        "ValueError",
        "RuntimeError",
        "exception",
        "eager default",
        "class builtins.ValueError -> builtins.RuntimeError",
    ),
    "a lost argument": (
        '("not a number", 7)',
        '("not a number")',
        "exception",
        "eager default",
        "builtins.ValueError: arguments list('not a number', 7) -> list('not a number')",
    ),
    "a promoted dtype": (
        '"sum": y.sum()',
        '"sum": y.double().sum()',
        "output",
        "eager default",
        "['sum'] dtype torch.float32 -> torch.float64",
    ),
    "a NaN gradient": (
        '"scaled": y,',
        '"scaled": y + 0 * (y - y).sqrt(),',
        "gradient",
        "eager default",
        "['parameters'] ['weight'] 0 -> 2 of 2 elements are NaN",
    ),
    "a missing state write": (
        "        self.calls += 1\n",
        "",
        "state",
        "eager default fullgraph",
        "['calls'] 1.0 -> 0.0",
    ),
    "a missing write to a buffer that is not persistent": (
        "        self.total += 1\n",
        "",
        "state",
        "eager default fullgraph",
        "['total'] 1.0 -> 0.0",
    ),
    "a missing write to a set": (
        "        self.seen.add(x.shape[0])\n",
        "",
        "state",
        "eager default fullgraph",
        "['seen'] set(1) -> set()",
    ),
    "a missing write to a deque": (
        "        self.recent.append(x.shape[1])\n",
        "",
        "state",
        "eager default fullgraph",
        "['recent'] deque(2) -> deque()",
    ),
    "a missing write to an object": (
        "        self.statistics.largest = x.shape[1]\n",
        "",
        "state",
        "eager default fullgraph",
        "['statistics'] ['largest'] 2 -> 0",
    ),
    "a missing write to a private attribute": (
        "        self._rows += x.shape[0]\n",
        "",
        "state",
        "eager default fullgraph",
        "['_rows'] 1 -> 0",
    ),
    "a recompilation a call": (
        "        return x.sum()\n",
        "        COUNT[0] += 1\n        return x.sum() + 0 * COUNT[0]\n",
        "recompilation",
        "default",
        None,
    ),
    "a lost record": (
        '        logger.warning("scaled")\n',
        "",
        "log",
        "eager default",
        "program WARNING 'scaled' is missing",
    ),
    "another break": (
        "        y = x * self.weight\n",
        "        torch._dynamo.graph_break()\n        y = x * self.weight\n",
        "breaks",
        "default",
        None,
    ),
}


@pytest.fixture
def verify(host: Path, tmp_path: Path):
    """Runs verify in tmp_path; checks the exit code."""

    def call(*words: str | Path, code: int = 0) -> subprocess.CompletedProcess[str]:
        command = [host.parent / "graphmend", "verify", *words]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=900)
        assert done.returncode == code, f"exit {done.returncode}, not {code}\n{done.stdout}\n{done.stderr}"
        return done

    return call


@pytest.fixture
def fix(host: Path):
    def call(*words: str | Path) -> None:
        subprocess.run([host.parent / "graphmend", "fix", "-q", *words], check=True)

    return call


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def rewritten(old: str, new: str, folder: Path) -> Path:
    assert old in PROGRAM
    text = PROGRAM.replace(old, new).replace("GRAD = True\n", "GRAD = True\nCOUNT = [0]\n")
    return write(folder / "patched" / "rewritten.py", text)


def entry_with(text: str) -> str:
    """The model of program.py in which this text stands."""
    return re.findall(r"class (\w+)\(torch", PROGRAM[: PROGRAM.index(text)])[-1]


# ---------------------------------------------------------------- verdicts


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_rewrite_is_named(name: str, verify, tmp_path: Path) -> None:
    old, new, kind, modes, message = WRONG[name]
    patched = rewritten(old, new, tmp_path)
    words = ("--entry", entry_with(old), "--output-format", "json")
    document = json.loads(verify(HERE / "program.py", patched, *words, code=1).stdout)
    found = document["differences"]
    assert document["verdict"] == "different"
    assert {difference["kind"] for difference in found} == {kind}
    assert " ".join(dict.fromkeys(difference["mode"] for difference in found)) == modes
    if message:
        assert {difference["message"] for difference in found} == {message}


def test_a_wrong_rewrite_that_leaves_the_graph_whole(verify, fix, tmp_path: Path) -> None:
    patched = rewritten(COLUMNS, "", tmp_path)
    fix(patched, "--in-place")
    said = verify(HERE / "program.py", patched, code=1).stdout
    for where in ("eager, input 0, call 1 of 0 0", "default, input 0, call 1 of 0 0", "fullgraph, input 0"):
        assert rf"printed, {where}: 'columns 2\n' is missing" in said


def test_what_fix_makes_of_it_is_equal(verify, fix, tmp_path: Path) -> None:
    fix(HERE / "program.py", "-o", tmp_path / "fixed.py")
    golden = HERE / "golden"
    done = verify(HERE / "program.py", "fixed.py")
    assert done.stdout == (golden / "equal.txt").read_text()
    assert done.stderr == ""
    words = ("--output-format", "json", "--output-file", "verdict.json")
    assert verify(HERE / "program.py", "fixed.py", *words).stdout == ""
    document = json.loads((tmp_path / "verdict.json").read_text())
    document["torch"] = "VERSION"
    assert document == json.loads((golden / "equal.json").read_text())


def test_inductor_may_round(verify, tmp_path: Path) -> None:
    """Its results are held against the original's with a tolerance, which can be told."""
    scaled = "y = x * self.weight * (1 + 1e-4 * torch.compiler.is_compiling())\n"
    patched = rewritten("y = x * self.weight\n", scaled, tmp_path)
    said = verify(HERE / "program.py", patched, "--backend", "inductor", code=1).stdout
    assert "output, default" in said and "output, eager" not in said
    verify(HERE / "program.py", patched, "--backend", "inductor", "--rtol", "1e-3", "--atol", "0")


# ---------------------------------------------------------------- what is run


def test_a_folder(verify, fix, tmp_path: Path) -> None:
    write(tmp_path / "model" / "__init__.py", "")
    write(tmp_path / "model" / "words.py", 'WORD = "sum"\n')
    text = PROGRAM.replace('"sum"', "WORD").replace("import torch\n", "import torch\n\nfrom .words import WORD\n")
    for line in ('ENTRY = "Model"\n', "GRAD = True\n"):
        text = text.replace(line, "")
    write(tmp_path / "model" / "net.py", text[: text.index("def cases")])
    inputs = "import torch\ndef cases(): return [((torch.ones(1, 2),), {})]\ndef make(module): return module.Model()\n"
    write(tmp_path / "inputs.py", inputs)
    fix(tmp_path / "model", "-o", tmp_path / "fixed")
    words = ("--entry", "model.net:Model.forward", "--inputs", "inputs.py")
    assert verify("model", "fixed", *words).stdout.endswith("\nequal\n")
    write(tmp_path / "fixed" / "words.py", 'WORD = "total"\n')
    assert (
        "output, eager, input 0, call 1 of 0 0: keys 'sum' gone, 'total' new"
        in verify("model", "fixed", *words, code=1).stdout
    )


BARE = "import torch\nclass A(torch.nn.Module):\n    def forward(self, x):\n        return x\n"
CASES = "def cases(): return [((torch.ones(1),), {})]\n"
CANNOT = {
    "no inputs": (
        BARE,
        "no inputs: * has no cases() that returns a list of (arguments, keywords); give a file that has ",
    ),
    "inputs of another form": (
        BARE + "def cases(): return [torch.ones(1)]\n",
        "cases() returns a list of (arguments, ",
    ),
    "no entry": ("import torch\n" + CASES, "no entry: * has no ENTRY, and it has no nn.Module; say which with --entry"),
    "an entry that is not there": (BARE + CASES + 'ENTRY = "B"\n', "original has no B"),
    "an entry that wants arguments": (
        BARE.replace("    def forward", "    def __init__(self, n): ...\n    def forward") + CASES,
        "A cannot be built without arguments (A.__init__() missing 1 required positional argument: 'n'); a file of ",
    ),
    "an import error": ("import torch, no_such_module\n", "ModuleNotFoundError: No module named 'no_such_module'"),
    "a crash": ("import os\nos.abort()\n", None),
}


@pytest.mark.parametrize("name", CANNOT)
def test_what_cannot_be_run(name: str, verify, tmp_path: Path) -> None:
    text, message = CANNOT[name]
    write(tmp_path / "original.py", text)
    write(tmp_path / "patched.py", text)
    done = verify("original.py", "patched.py", code=2)
    assert done.stdout == ""
    first = done.stderr.splitlines()[0]
    if message:
        begin, _, end = message.rpartition("*")
        assert first.startswith(f"graphmend: error: {tmp_path}/original.py cannot be run: {begin}") and end in first, (
            first
        )
    else:
        assert first == f"graphmend: error: {tmp_path}/original.py: the process died of signal 6 (Aborted)"
    assert ("Traceback" in done.stderr) == (name == "an import error")


def test_the_patched_side_cannot_be_run(verify, tmp_path: Path) -> None:
    write(tmp_path / "original.py", BARE + CASES)
    write(tmp_path / "patched.py", BARE + CASES + "raise SystemExit('enough')\n")
    assert "patched.py cannot be run: SystemExit: enough\n" in verify("original.py", "patched.py", code=2).stderr


def test_it_takes_too_long(verify, tmp_path: Path) -> None:
    write(tmp_path / "a.py", "import time\ntime.sleep(1000)\n")
    done = verify("a.py", "a.py", "--timeout", "0.5", code=2)
    assert done.stderr == f"graphmend: error: {tmp_path}/a.py takes longer than 0.5 s (see --timeout)\n"


def test_wrong_usage(verify, tmp_path: Path) -> None:
    write(tmp_path / "a.py", BARE + CASES)
    (tmp_path / "folder").mkdir()
    for words, message in [
        (["a.py"], "takes the original and the patched file or folder"),
        (["a.py", "b.py"], "b.py: No such file or directory"),
        (["a.py", "folder"], "takes two files or two folders"),
        (["a.py", "a.py", "--timeout", "soon"], "'--timeout' takes a number, not 'soon'"),
        (["a.py", "a.py", "--rtol", "little"], "'--rtol' takes a number, not 'little'"),
        (["a.py", "a.py", "--inputs", "none.py"], "none.py: No such file or directory"),
        (["a.py", "a.py", "--backend", "cudagraphs"], "one of eager|aot_eager|inductor"),
        (["a.py", "a.py", "--host", "nowhere"], "It is built with -DGRAPHMEND_VERIFY=ON"),
        (["a.py", "a.py", "--python", "/nowhere"], "no Python at /nowhere"),
    ]:
        assert message in verify(*words, code=2).stderr


def test_nothing_is_left_behind(verify, tmp_path: Path, monkeypatch) -> None:
    write(tmp_path / "a.py", "raise ValueError\n")
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    verify("a.py", "a.py", code=2)
    assert list(tmp_path.glob("graphmend*")) == []  # torch makes a cache of its own there
