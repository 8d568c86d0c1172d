"""What a fixed file carries of the runtime: all that its calls need and no more, also when it is fixed again."""

from __future__ import annotations

import ast
import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import torch

ROOT = Path(__file__).resolve().parents[2]
RUNTIME = ROOT / "src/runtime/graphmend_runtime.py"
SOURCE = re.compile(r"exec\(compile\(r'''(.*?)''', \"<graphmend runtime>\"", re.DOTALL)
PRINTS = """
import torch


def run(x: torch.Tensor):
    print("run", x)
    return x + 1


compiled = torch.compile(run, backend="eager")
"""
CHECKS = """
import torch


def run(x: torch.Tensor):
    if (x > 9).any():
        raise ValueError("big")
    if x.sum() > 3:
        x = x - 1
    else:
        x = x + 1
    print("last", x)
    return x


compiled = torch.compile(run, backend="eager")
"""
PUBLIC = [
    node.name
    for node in ast.parse(RUNTIME.read_text()).body
    if isinstance(node, ast.FunctionDef) and not node.name.startswith("_")
]


def binary() -> Path:
    if "GRAPHMEND" in os.environ:
        return Path(os.environ["GRAPHMEND"])
    found = [path for preset in ("release", "debug") if (path := ROOT / "build" / preset / "graphmend").exists()]
    return found[0] if found else pytest.skip("graphmend is not built")


def fix(text: str, tmp_path: Path, *options: str) -> str:
    path = tmp_path / "to_fix.py"
    path.write_bytes(text.encode())
    environment = os.environ | {"GRAPHMEND_CACHE_DIR": ""}
    done = subprocess.run([binary(), "fix", "-q", *options, path], capture_output=True, env=environment, timeout=60)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode()


def part(fixed: str) -> str:
    (found,) = SOURCE.findall(fixed)
    return found


def load(text: str, name: str, tmp_path: Path):
    path = tmp_path / f"{name}.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def bindings(statement: ast.stmt) -> set[str]:
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return {alias.asname or alias.name for alias in statement.names}
    if isinstance(statement, (ast.FunctionDef, ast.ClassDef)):
        return {statement.name}
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    return {target.id for target in targets if isinstance(target, ast.Name)}


def reads(node: ast.AST, hidden: frozenset[str] = frozenset()) -> set[str]:
    """The names of the module that a node reads: not those that a function around it binds."""
    if isinstance(node, ast.Name):
        return {node.id} - hidden
    if isinstance(node, (ast.FunctionDef, ast.Lambda)):
        inside = [part for part in ast.walk(node) if isinstance(part, (ast.arg, ast.Name))]
        bound = [part.arg for part in inside if isinstance(part, ast.arg)]
        bound += [part.id for part in inside if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)]
        hidden |= set(bound)
    return set().union(*[reads(child, hidden) for child in ast.iter_child_nodes(node)])


def needed(used: set[str]) -> set[str]:
    """The same closure, by Python's own parser."""
    body = [(bindings(s), s) for s in ast.parse(RUNTIME.read_text()).body]
    known = set().union(*[names for names, _ in body])
    names = {"GRAPHMEND_RUNTIME", "annotations", *used}
    pending = [s for bound, s in body if not bound or bound & names]
    while pending:
        read = reads(pending.pop()) & known - names
        names |= read
        pending += [s for bound, s in body if bound & read and not isinstance(s, (ast.Import, ast.ImportFrom))]
    return names


def holds(text: str) -> set[str]:
    return set().union(*[bindings(statement) for statement in ast.parse(text).body])


def ruff(*words: str, text: str) -> None:
    command = [Path(sys.executable).with_name("ruff"), *words, "--line-length=120", "--isolated", "-"]
    done = subprocess.run(command, input=text, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", PUBLIC)
def test_the_part_for_each_function_is_closed_and_minimal(name, tmp_path):
    edited = fix(PRINTS, tmp_path) + f"compiled_again = torch.compile(lambda x: print(x))\nused = _graphmend.{name}\n"
    edited += "\n@torch.compile\ndef more(x: torch.Tensor):\n    print(x)\n"
    fixed = fix(edited, tmp_path)
    text = part(fixed)
    assert holds(text) == needed({"defer", name})
    ruff("check", "--select=F", text=text)
    ruff("format", "--check", text=text)
    assert load(fixed, f"embedded_{name}", tmp_path).used.__name__ == name
    assert fix(fixed, tmp_path) == fixed


def test_a_print_carries_less_than_half(tmp_path):
    assert len(part(fix(PRINTS, tmp_path))) < len(RUNTIME.read_text()) / 2
    assert len(part(fix(CHECKS, tmp_path))) < len(RUNTIME.read_text())


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_new_calls_in_a_fixed_file_get_what_they_need(newline, tmp_path):
    both = PRINTS + CHECKS.replace("run", "check")
    first = fix(PRINTS.replace("\n", newline), tmp_path)
    again = fix(first + CHECKS.replace("run", "check").replace("\n", newline), tmp_path)
    assert part(again) == part(fix(both.replace("\n", newline), tmp_path))
    assert re.findall("\r?\n", again) == [newline] * again.count("\n")
    assert fix(again, tmp_path) == again


def test_nothing_new_leaves_the_part_as_it_is(tmp_path):
    fixed = fix(CHECKS, tmp_path)
    altered = fixed.replace("marks this module's frames", "altered").replace("x = x - 1", "x = x - 2")
    assert fix(altered, tmp_path) == altered != fixed


def test_registrations_reach_a_file_that_has_its_runtime(tmp_path):
    """--trap=assert-async writes module-level calls behind the runtime, and wraps what is not wrapped yet."""
    once = fix(CHECKS, tmp_path, "--trap=assert-async")
    again = fix(once + CHECKS.replace("run", "check").replace("big", "large"), tmp_path, "--trap=assert-async")
    assert fix(again, tmp_path, "--trap=assert-async") == again
    assert [again.count(f"_graphmend.{name}(") for name in ("register", "translate")] == [2, 2]
    assert again.index("<graphmend runtime>") < again.index("_graphmend.register(")
    with pytest.raises(ValueError, match="large"):
        load(again, "registered", tmp_path).compiled(torch.ones(2) * 10)


@pytest.mark.parametrize("first", ["prints", "checks"])
def test_parts_of_different_extent_share_one_order(first, tmp_path, capsys):
    """The copy that is loaded first owns the sink: it replays what the other records."""
    texts = {"prints": fix(PRINTS, tmp_path), "checks": fix(CHECKS, tmp_path)}
    for name in sorted(texts, key=lambda name: name != first):
        (tmp_path / f"extent_{name}.py").write_text(texts[name])
    program = f"""
import sys
sys.path.insert(0, {str(tmp_path)!r})
import extent_{first}
import extent_prints as one, extent_checks as two
import torch

def both(x):
    return one.run(two.run(one.run(x)))

for function in (both, torch.compile(both, backend="eager", fullgraph=True)):
    print(function(torch.zeros(2)).tolist())
    try:
        function(torch.ones(2) * 9)
    except ValueError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    lines = done.stdout.splitlines()
    assert len(lines) % 2 == 0 and lines[: len(lines) // 2] == lines[len(lines) // 2 :], done.stdout + done.stderr
    assert [line.split()[0] for line in lines[:3]] == ["run", "last", "run"] and "big" in lines


def test_another_file_under_the_same_name(tmp_path, capsys):
    """As importlib.reload() after an edit: Dynamo keeps the module that it once found under a name."""
    first = load(fix(PRINTS, tmp_path), "same_name", tmp_path)
    assert first.compiled(torch.zeros(2)).tolist() == [1, 1]
    second = load(fix(CHECKS, tmp_path), "same_name", tmp_path)
    assert second.compiled(torch.zeros(2)).tolist() == [1, 1]
    with pytest.raises(ValueError, match="big"):
        second.compiled(torch.ones(2) * 10)
    assert first.compiled(torch.ones(2)).tolist() == [2, 2]
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == ["run", "last", "run"]
