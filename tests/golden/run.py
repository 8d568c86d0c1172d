#!/usr/bin/env python3
"""Runs the compiler on small files and compares what it writes.

    run.py [--binary B] [--update] [--idempotent] [TOPIC | TOPIC/NAME.py ...]

Every NAME.py in a folder beside this file is a case; files that start with an underscore are modules which cases
import. `graphmend fix NAME.py` has to print NAME.fixed.py, or NAME.py itself where that is absent. Where there is a
NAME.check.txt, `graphmend check NAME.py` has to print it. A folder NAME is a case too: `graphmend fix NAME -o OUT` has
to give NAME.fixed/, file by file, or NAME/ itself where that is absent.

Unless a case says otherwise it is fixed with --runtime=import, so that what is to be read is not below the runtime's
hundreds of lines. Comments at the top of a case, or of the first file of a folder, say more:

    # graphmend-test: fix --trap=assert-async      options for fix (also: check)
    # graphmend-test: fix --runtime=embed          instead of --runtime=import
    # graphmend-test: exit 2                       fix ends with this status; else 0 or 1

--update writes what the compiler gives now; look at the diff before you commit it. Exit 0: all passed; 1: not.
"""

from __future__ import annotations

import argparse
import difflib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
RUNTIME = HERE.parents[1] / "src" / "runtime" / "graphmend_runtime.py"
BINARY = HERE.parents[1] / "build" / "release" / "graphmend"
DIRECTIVE = re.compile(rb"#\s*graphmend-test:\s*(fix|check|exit)\b[ \t]*([^\r\n]*)")
LIMIT = 60
ENVIRONMENT = os.environ | {"GRAPHMEND_CACHE_DIR": ""}  # what it does, not what it remembers
ELIDED = b"# The runtime's own source stands here.\n"


@dataclass
class Case:
    path: Path
    options: dict[str, list[str]] = field(default_factory=lambda: {"fix": [], "check": []})
    status: int | None = None  # None: 0 or 1

    def beside(self, ending: str) -> Path:
        return self.path.with_name(self.path.stem + ending)

    @property
    def name(self) -> str:
        return f"{self.path.parent.name}/{self.path.name}"

    def words(self, command: str) -> list[str]:
        """The options of a command, with the runner's own."""
        own = self.options[command]
        is_plain = command == "fix" and not self.path.is_dir() and not any(w.startswith("--runtime") for w in own)
        return ["--runtime=import", *own] if is_plain else own


def read_case(path: Path) -> Case:
    case = Case(path)
    first = min(path.glob("*.py"), default=None) if path.is_dir() else path
    text = first.read_bytes() if first else b""
    for line in text.removeprefix(b"\xef\xbb\xbf").splitlines():
        if not line.startswith(b"#"):
            break
        found = DIRECTIVE.match(line)
        if found:
            what, words = found[1].decode(), shlex.split(found[2].decode())
            if what == "exit":
                case.status = int(words[0])
            else:
                case.options[what] += words
    return case


def find_cases(root: Path, wanted: list[str]) -> list[Case]:
    """All cases, or those of the topics and files asked for."""

    def is_case(path: Path) -> bool:
        if path.is_dir():
            return not path.name.startswith("_") and path.suffix != ".fixed"
        return path.suffix == ".py" and not path.name.startswith("_") and not path.name.endswith(".fixed.py")

    paths: set[Path] = set()
    for word in wanted or [topic.name for topic in root.iterdir() if topic.is_dir()]:
        target = next((p for p in (root / word, Path(word)) if p.exists()), None)
        if target is None:
            sys.exit(f"no such topic or case: {word}")
        is_topic = target.is_dir() and target.resolve().parent == root.resolve()
        paths.update(target.iterdir() if is_topic else [target])
    return [read_case(path.resolve()) for path in sorted(paths) if is_case(path)]


class Runner:
    def __init__(self, binary: Path, update: bool, idempotent: bool) -> None:
        self.binary, self.update, self.idempotent = binary, update, idempotent

    def run(self, command: str, case: Case, folder: Path, *more: str) -> tuple[int, bytes, str]:
        words = [str(self.binary), command, *case.words(command), *more, case.path.name]
        done = subprocess.run(words, cwd=folder, capture_output=True, timeout=LIMIT, env=ENVIRONMENT)
        output = done.stdout.replace(str(folder).encode() + b"/", b"")
        return done.returncode, output, done.stderr.decode(errors="replace")

    def faults(self, case: Case) -> list[str]:
        try:
            fix_faults = self._folder_faults if case.path.is_dir() else self._fix_faults
            return fix_faults(case) + self._check_faults(case)
        except (OSError, subprocess.TimeoutExpired) as error:
            return [str(error)]

    def _fix_faults(self, case: Case) -> list[str]:
        status, output, errors = self.run("fix", case, case.path.parent)
        allowed = (0, 1) if case.status is None else (case.status,)
        if status not in allowed:
            return [f"fix: exit status {status}, not {' or '.join(map(str, allowed))}\n{errors[-2000:]}"]
        original, kept = case.path.read_bytes(), case.beside(".fixed.py")
        if self.update:
            _write(kept, output if output != original else None)
        expected = kept.read_bytes() if kept.exists() else original
        faults = _difference(kept.name if kept.exists() else case.path.name, expected, output)
        if self.idempotent and not faults:
            faults += self._again(case, output)
        return faults

    def _again(self, case: Case, output: bytes) -> list[str]:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name).resolve()
            for helper in case.path.parent.glob("_*.py"):
                shutil.copy(helper, folder)
            (folder / case.path.name).write_bytes(output)
            status, again, errors = self.run("fix", case, folder)
        if status > 1 and case.status is None:
            return [f"fix on its own output: exit status {status}\n{errors[-2000:]}"]
        return _difference("fix on its own output", output, again)

    def _folder_faults(self, case: Case) -> list[str]:
        with tempfile.TemporaryDirectory() as name:
            out = Path(name).resolve() / "out"
            status, _, errors = self.run("fix", case, case.path.parent, "-o", str(out))
            allowed = (0, 1) if case.status is None else (case.status,)
            if status not in allowed:
                return [f"fix: exit status {status}, not {' or '.join(map(str, allowed))}\n{errors[-2000:]}"]
            kept, found = case.beside(".fixed"), _read_tree(out)
            if self.update:
                _write_tree(kept, found if found != _read_tree(case.path) else {})
            expected = _read_tree(kept if kept.exists() else case.path)
            faults = _tree_difference(case.path.name, expected, found)
            if self.idempotent and not faults:
                again = Path(name).resolve() / "again"
                self.run("fix", Case(out, case.options), out.parent, "-o", str(again))
                faults += _tree_difference("fix on its own output", found, _read_tree(again))
        return faults

    def _check_faults(self, case: Case) -> list[str]:
        kept = case.beside(".check.txt")
        if not kept.exists() and not self.update:
            return []
        status, output, errors = self.run("check", case, case.path.parent)
        if status not in (0, 1, case.status):
            return [f"check: exit status {status}\n{errors[-2000:]}"]
        if self.update:
            _write(kept, output or None)
        return _difference(kept.name, kept.read_bytes() if kept.exists() else b"", output)


def _write(path: Path, content: bytes | None) -> None:
    """Writes a file whose content changed, or removes it for None."""
    if content is None:
        path.unlink(missing_ok=True)
    elif not path.exists() or path.read_bytes() != content:
        path.write_bytes(content)


def _read_tree(folder: Path) -> dict[str, bytes]:
    files = (p for p in folder.rglob("*") if p.is_file() and "__pycache__" not in p.parts)
    tree = {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(files)}
    runtime = RUNTIME.read_bytes()
    return {name: ELIDED if content == runtime else content for name, content in tree.items()}


def _write_tree(folder: Path, files: dict[str, bytes]) -> None:
    """Makes a folder hold these files and no others; removes it when there are none."""
    for name in _read_tree(folder).keys() - files.keys():
        (folder / name).unlink()
    if not files:
        shutil.rmtree(folder, ignore_errors=True)
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        _write(folder / name, content)


def _tree_difference(title: str, expected: dict[str, bytes], found: dict[str, bytes]) -> list[str]:
    faults = [f"{title}: no {name}" for name in expected.keys() - found.keys()]
    faults += [f"{title}: {name} is not expected" for name in found.keys() - expected.keys()]
    for name in sorted(expected.keys() & found.keys()):
        faults += _difference(f"{title}/{name}", expected[name], found[name])
    return faults


def _difference(name: str, expected: bytes, found: bytes) -> list[str]:
    """[] or a unified diff; line ends and other invisible bytes are shown where they matter."""
    if expected == found:
        return []

    def lines(content: bytes) -> list[str]:
        return [line.decode(errors="backslashreplace") for line in content.split(b"\n")]

    diff = list(difflib.unified_diff(lines(expected), lines(found), name, "found", lineterm=""))
    if any("\r" in line for line in diff):
        diff = [line.replace("\r", "\\r") for line in diff]
    return ["\n".join(diff)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("wanted", nargs="*", metavar="TOPIC | TOPIC/NAME.py")
    parser.add_argument("--binary", "--graphmend", type=Path, default=BINARY, help="the compiler")
    parser.add_argument("--root", type=Path, default=HERE, help="the folder of the topics")
    parser.add_argument("--update", action="store_true", help="write what the compiler gives now")
    parser.add_argument("--idempotent", action="store_true", help="fix on its own output must change nothing")
    options = parser.parse_args()
    if not options.binary.exists():
        sys.exit(f"no compiler at {options.binary}")
    runner = Runner(options.binary.resolve(), options.update, options.idempotent)
    failed = 0
    cases = find_cases(options.root, options.wanted)
    for case in cases:
        faults = runner.faults(case)
        failed += bool(faults)
        for fault in faults:
            print(f"fail {case.name}\n{fault}")
    print(f"{len(cases) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
