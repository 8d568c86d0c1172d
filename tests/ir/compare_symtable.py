"""Compares GraphMend's symbol tables with CPython's symtable module.

    python tests/ir/compare_symtable.py --tool "build/release/graphmend dump --symbols" PATH...

For every .py file below the paths that CPython itself can read, the scopes (kind, name, line, nesting) and the class of
each name in them (parameter, local, cell, free, global, implicit global) must agree. Exits 1 if a file differs.

What is not compared, because it is a matter of CPython's compiler and not of the language: the implicit `.0` and
`__class__`, name mangling (undone here), and names that occur in annotations only where `from __future__ import
annotations` keeps CPython from entering them. A module's table may name more here: whatever inner scopes take from it.
"""

from __future__ import annotations

import argparse
import shlex
import subprocess
import symtable
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

SCOPE_CLASSES = {1: "local", 2: "global", 3: "implicit", 4: "free", 5: "cell"}
COMPREHENSIONS = {"listcomp", "setcomp", "dictcomp", "genexpr"}


@dataclass
class Scope:
    kind: str
    name: str
    line: int
    names: dict[str, str] = field(default_factory=dict)
    children: list[Scope] = field(default_factory=list)

    def key(self) -> tuple[str, str, int]:
        return self.kind, self.name, self.line

    def canonical(self) -> tuple:
        """A form in which the order of scopes that start on one line does not matter."""
        return (*self.key(), tuple(sorted(self.names.items())), tuple(sorted(c.canonical() for c in self.children)))


def unmangled(name: str, cls: str) -> str:
    prefix = "_" + cls.lstrip("_")
    return (
        name[len(prefix) :] if cls.strip("_") and name.startswith(prefix + "__") and not name.endswith("__") else name
    )


def constant_of(symbol: symtable.Symbol) -> str:
    """The class of a name, by the private attribute that holds it: the public methods do not tell cells."""
    return SCOPE_CLASSES[symbol._Symbol__scope]  # type: ignore[attr-defined]


def from_cpython(table: symtable.SymbolTable, cls: str = "") -> Scope:
    name = table.get_name()
    kind = str(table.get_type())
    names = {symbol.get_name() for symbol in table.get_symbols()}
    if kind == "function" and (name == "lambda" or (name in COMPREHENSIONS and ".0" in names)):
        kind = name
    if kind == "class":
        cls = name
    scope = Scope(kind, name, table.get_lineno())
    for symbol in table.get_symbols():
        if symbol.get_name().startswith(".") or symbol.get_name() == "__class__":
            continue
        what = constant_of(symbol)
        if what == "global" and kind in COMPREHENSIONS:
            what = "implicit"  # := in a comprehension of a module, or of a function that declares the name global
        what += " param" if symbol.is_parameter() else ""
        scope.names[unmangled(symbol.get_name(), cls)] = what
    scope.children = [from_cpython(child, cls) for child in table.get_children()]
    return scope


def from_dump(text: str) -> Scope:
    path: list[Scope] = []
    for line in text.strip().split("\n"):
        words = line.split()
        if not line.startswith(" "):
            fields = dict(word.split("=") for word in words[3:] if "=" in word)
            scope = Scope(words[1], words[2], int(fields["line"]))
            del path[int(fields["depth"]) :]
            if path:
                path[-1].children.append(scope)
            path.append(scope)
        elif words[0] != "__class__":
            what = {"nonlocal": "free", "module": "implicit", "builtin": "implicit"}.get(words[1], words[1])
            if what == "local" and "cell" in words[2:]:
                what = "cell"
            path[-1].names[words[0]] = what + (" param" if "param" in words[2:] else "")
    return path[0]


def declared_global(scope: Scope) -> set[str]:
    found = {name for name, what in scope.names.items() if what == "global"}
    return found.union(*(declared_global(child) for child in scope.children))


def align_module(ours: Scope, theirs: Scope) -> None:
    """Takes out what the module's table here has beyond CPython's: names that only inner scopes mention."""
    elsewhere = declared_global(ours)
    for name, what in list(ours.names.items()):
        if name not in theirs.names and (what == "implicit" or name in elsewhere):
            del ours.names[name]
        elif name in elsewhere or theirs.names.get(name) == "global":
            ours.names[name] = theirs.names[name]


def drop_annotation_names(ours: Scope, theirs: Scope) -> None:
    for name, what in list(ours.names.items()):
        if name not in theirs.names and what in ("implicit", "free"):
            del ours.names[name]
        elif what.startswith("cell") and theirs.names[name].startswith("local"):
            ours.names[name] = theirs.names[name]
    waiting = sorted(theirs.children, key=Scope.key)
    for child, other in zip(sorted(ours.children, key=Scope.key), waiting):
        drop_annotation_names(child, other)


def first_difference(ours: Scope, theirs: Scope) -> str:
    if ours.names != theirs.names:
        wrong = sorted(set(ours.names.items()) ^ set(theirs.names.items()))
        return f"{ours.kind} {ours.name} line {ours.line}: " + ", ".join(
            f"{name}: here {ours.names.get(name)}, CPython {theirs.names.get(name)}" for name in dict(wrong)
        )
    keys, other = sorted(c.key() for c in ours.children), sorted(c.key() for c in theirs.children)
    if keys != other:
        return (
            f"{ours.kind} {ours.name}: scopes here only {set(keys) - set(other)}, CPython only {set(other) - set(keys)}"
        )
    mine = sorted(ours.children, key=Scope.canonical)
    for child, counterpart in zip(mine, sorted(theirs.children, key=Scope.canonical)):
        if child.canonical() != counterpart.canonical():
            return first_difference(child, counterpart)
    return "?"


def compare(tool: list[str], path: Path) -> str | None:
    """None if the tables agree, "" if the file is not one to compare, else the first difference."""
    try:
        text = path.read_bytes()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            table = symtable.symtable(text, str(path), "exec")  # type: ignore[arg-type]
    except (SyntaxError, ValueError, RecursionError, UnicodeError):
        return ""
    run = subprocess.run([*tool, str(path)], capture_output=True, text=True, encoding="utf-8")
    if "is not supported" in run.stderr:
        return ""  # an encoding
    if run.returncode or not run.stdout:
        return f"the tool failed ({run.returncode}): {run.stderr.strip()[:200]}"
    try:
        ours, theirs = from_dump(run.stdout), from_cpython(table)
    except (KeyError, IndexError, ValueError) as error:
        return f"the dump cannot be read: {error!r}"
    align_module(ours, theirs)
    if b"from __future__ import annotations" in text:
        drop_annotation_names(ours, theirs)
    return None if ours.canonical() == theirs.canonical() else first_difference(ours, theirs)


def files_below(paths: list[str]) -> list[Path]:
    return [file for path in map(Path, paths) for file in (sorted(path.rglob("*.py")) if path.is_dir() else [path])]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", default="build/release/graphmend dump --symbols")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("paths", nargs="+")
    options = parser.parse_args()
    files = files_below(options.paths)
    with ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(lambda file: compare(shlex.split(options.tool), file), files))
    bad = [(file, result) for file, result in zip(files, results) if result]
    for file, result in bad:
        print(f"{file}: {result}")
    print(f"{results.count(None)} agree, {len(bad)} differ, {results.count('')} not read by CPython")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
