"""Where in a source something happened: does a line of the patched file stand for the same statement?"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Sequence
from typing import Any


class Source:
    """Which statement a line belongs to: its string constants and the function around it."""

    def __init__(self, path: str) -> None:
        self._statements: list[tuple[int, int, set[str]]] = []
        self._functions: list[tuple[int, int, str]] = []
        self._lines: list[str] = []
        try:
            with open(path, "rb") as file:
                text = file.read()
            tree = ast.parse(text)
        except (SyntaxError, ValueError, OSError):  # a frame's file may be `<...>`
            return
        self._lines = text.decode("utf-8", "replace").splitlines()
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self._functions.append((node.lineno, node.end_lineno or node.lineno, node.name))
            if isinstance(node, ast.stmt):
                constants = (c.value for c in ast.walk(node) if isinstance(c, ast.Constant))
                words = {c for c in constants if isinstance(c, str) and len(c) > 2}
                self._statements.append((node.lineno, node.end_lineno or node.lineno, words))

    def line(self, number: int) -> str:
        return self._lines[number - 1].strip() if 0 < number <= len(self._lines) else ""

    def words(self, line: int) -> set[str]:
        """The string constants of the shortest statement around a line."""
        best: tuple[int, set[str]] | None = None
        for first, last, words in self._statements:
            if first <= line <= last and (best is None or last - first < best[0]):
                best = (last - first, words)
        return best[1] if best else set()

    def function(self, line: int) -> str | None:
        inside = [(last - first, name) for first, last, name in self._functions if first <= line <= last]
        return min(inside)[1] if inside else None


class Places:
    """The files of one side: those of a folder, or a file (which may go by another name) and what lies beside it."""

    def __init__(self, path: str, name: str | None = None) -> None:
        self.path, self.name = path, name or os.path.basename(path)
        self._root = path if os.path.isdir(path) else os.path.dirname(path)
        self._sources: dict[str, Source] = {}

    def relative(self, file: str) -> str | None:
        """What both sides call the file; None if it is of neither."""
        if file == self.path:
            return self.name
        return os.path.relpath(file, self._root) if file.startswith(os.path.join(self._root, "")) else None

    def source(self, file: str) -> Source:
        if file not in self._sources:
            self._sources[file] = Source(file)
        return self._sources[file]


def plain_name(name: str | None) -> str:
    """A function's name without what Dynamo makes of it where it goes on behind a break."""
    return re.sub(r"^torch_dynamo_resume_in_(.*)_at_\d+$", r"\1", name or "")


def same_place(a: Sequence[Any], b: Sequence[Any], left: Places, right: Places) -> bool:
    """Whether (file, line, function) a of the original and b of the patched side are the same statement."""
    file = left.relative(a[0])
    if file is None:
        return True  # e.g. stacklevel leads outside
    if file != right.relative(b[0]):
        return False
    if a[2] is not None and plain_name(a[2]) != plain_name(b[2]):
        return False
    source, other = left.source(a[0]), right.source(b[0])
    words, others = source.words(a[1]), other.words(b[1])
    if words & others:
        return True
    # The text moved elsewhere: at least the same function.
    return not (words and others) and source.function(a[1]) == other.function(b[1])
