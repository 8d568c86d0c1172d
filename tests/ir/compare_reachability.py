"""Compares the unreachable statements of GraphMend's control-flow graphs with a structural oracle over CPython's ast.

    python tests/ir/compare_reachability.py --tool "build/release/graphmend dump --cfg" PATH...

The oracle asks of each statement list whether control can fall out of it, as a language lawyer would: after return,
raise, break and continue it cannot; after `while True` only by a break; after try by the body, the else branch or a
handler, and then through finally; after with also by a swallowed exception. Exits 1 if a file differs.
"""

from __future__ import annotations

import argparse
import ast
import shlex
import subprocess
import sys
import warnings
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

Loop = dict[str, bool]
HARMLESS = (ast.Pass, ast.Break, ast.Continue, ast.Global, ast.Nonlocal)


class Oracle:
    """Collects the lines of unreachable simple statements of one function body."""

    def __init__(self, dead: Counter[int]) -> None:
        self.dead = dead

    def body(self, stmts: list[ast.stmt], live: bool, loop: Loop) -> bool:
        for stmt in stmts:
            live = self.stmt(stmt, live, loop)
        return live

    def stmt(self, stmt: ast.stmt, live: bool, loop: Loop) -> bool:
        match stmt:
            case ast.If():
                truth = constant_truth(stmt.test)
                yes = self.body(stmt.body, live and truth is not False, loop)
                no = self.body(stmt.orelse, live and truth is not True, loop)
                return yes or no
            case ast.While():
                truth = constant_truth(stmt.test)
                inner: Loop = {}
                self.body(stmt.body, live and truth is not False, inner)
                done = self.body(stmt.orelse, live and truth is not True, loop)
                return done or inner.get("broken", False)
            case ast.For() | ast.AsyncFor():
                inner = {}
                self.body(stmt.body, live, inner)
                return self.body(stmt.orelse, live, loop) or inner.get("broken", False)
            case ast.With() | ast.AsyncWith():
                return self.body(stmt.body, live, loop) or (live and may_raise(stmt.body))
            case ast.Try() | ast.TryStar():
                return self.attempt(stmt, live, loop)
            case ast.Match():
                return self.match(stmt, live, loop)
        if not live:
            self.dead[first_line(stmt)] += 1
        if isinstance(stmt, ast.Break) and live:
            loop["broken"] = True
        return live and not isinstance(stmt, ast.Return | ast.Raise | ast.Break | ast.Continue)

    def attempt(self, stmt: ast.Try | ast.TryStar, live: bool, loop: Loop) -> bool:
        inner: Loop = {} if stmt.finalbody else loop
        out = self.body(stmt.orelse, self.body(stmt.body, live, inner), inner)
        caught = live and may_raise(stmt.body)
        for handler in stmt.handlers:
            out = self.body(handler.body, caught, inner) or out
        if not stmt.finalbody:
            return out
        falls = self.body(stmt.finalbody, live, loop)
        if falls and inner.get("broken"):
            loop["broken"] = True
        return falls and out

    def match(self, stmt: ast.Match, live: bool, loop: Loop) -> bool:
        out = False
        for case in stmt.cases:
            out = self.body(case.body, live, loop) or out
            pattern = case.pattern
            if isinstance(pattern, ast.MatchAs) and pattern.pattern is None and not case.guard:
                return out
        return out or live


def first_line(stmt: ast.stmt) -> int:
    return stmt.lineno


def constant_truth(test: ast.expr) -> bool | None:
    if isinstance(test, ast.Constant) and (test.value is None or type(test.value) in (bool, int)):
        return bool(test.value)
    return None


def may_raise(stmts: list[ast.stmt]) -> bool:
    """Whether an exception can come out of the statements; the rare bodies for which it cannot are all alike."""
    return not all(isinstance(s, HARMLESS) or is_constant(s) for s in stmts)


def is_constant(stmt: ast.stmt) -> bool:
    if isinstance(stmt, ast.Expr | ast.Return):
        return stmt.value is None or isinstance(stmt.value, ast.Constant)
    if isinstance(stmt, ast.Assign):
        return isinstance(stmt.value, ast.Constant) and all(isinstance(t, ast.Name) for t in stmt.targets)
    return False


def expected(text: bytes) -> Counter[int]:
    dead: Counter[int] = Counter()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            Oracle(dead).body(node.body, True, {})
    return dead


def actual(dump: str) -> Counter[int]:
    simple = {
        "RETURN",
        "DELETE",
        "ASSIGN",
        "AUG_ASSIGN",
        "ANN_ASSIGN",
        "RAISE",
        "ASSERT",
        "IMPORT",
        "IMPORT_FROM",
        "GLOBAL",
    }
    simple |= {"NONLOCAL", "EXPR_STMT", "PASS", "BREAK", "CONTINUE", "FUNCTION_DEF", "CLASS_DEF"}
    dead: Counter[int] = Counter()
    unreachable = False
    for line in dump.split("\n"):
        if line.startswith("  B"):
            unreachable = " unreachable" in line.split("->")[0]
        elif line.startswith("    ") and unreachable:
            number, kind = line.strip().split(" ")[:2]
            if kind in simple:
                dead[int(number.rstrip(":"))] += 1
    return dead


def compare(tool: list[str], path: Path) -> str | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            theirs = expected(path.read_bytes())
    except (SyntaxError, ValueError, RecursionError, UnicodeError):
        return ""
    run = subprocess.run([*tool, str(path)], capture_output=True, text=True, encoding="utf-8")
    if run.returncode:
        return f"the tool failed ({run.returncode}): {run.stderr.strip()[:200]}"
    ours = actual(run.stdout)
    if ours == theirs:
        return None
    return f"unreachable here only: {sorted(ours - theirs)}, by the oracle only: {sorted(theirs - ours)}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", default="build/release/graphmend dump --cfg")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("paths", nargs="+")
    options = parser.parse_args()
    files = [f for path in map(Path, options.paths) for f in (sorted(path.rglob("*.py")) if path.is_dir() else [path])]
    with ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda file: compare(shlex.split(options.tool), file), files))
    bad = [(file, result) for file, result in zip(files, results) if result]
    for file, result in bad:
        print(f"{file}: {result}")
    print(f"{results.count(None)} agree, {len(bad)} differ, {results.count('')} not read by CPython")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
