"""Where in a source something happened: does a line of the patched file stand for the same statement?"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Sequence
from typing import Any


class Places:
    """Which statement a line belongs to: its string constants and the function around it."""

    def __init__(self, path: str) -> None:
        self.path = path
        self._statements: list[tuple[int, int, set[str]]] = []
        self._functions: list[tuple[int, int, str]] = []
        try:
            with open(path, "rb") as file:
                tree = ast.parse(file.read())
        except (SyntaxError, OSError):  # a frame's file may be `<...>`
            return
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                self._functions.append((node.lineno, node.end_lineno or node.lineno, node.name))
            if isinstance(node, ast.stmt):
                constants = (c.value for c in ast.walk(node) if isinstance(c, ast.Constant))
                words = {c for c in constants if isinstance(c, str) and len(c) > 2}
                self._statements.append((node.lineno, node.end_lineno or node.lineno, words))

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


def _plain_name(name: str | None) -> str:
    return re.sub(r"^torch_dynamo_resume_in_(.*)_at_\d+$", r"\1", name or "")


def same_place(a: Sequence[Any], b: Sequence[Any], left: Places, right: Places) -> bool:
    """Whether (file, line, function) a of the original and b of the patched file are the same statement."""
    if not a[0].startswith(os.path.dirname(left.path)):
        return True  # e.g. stacklevel leads outside the case
    if os.path.basename(a[0]) != os.path.basename(b[0]):
        return False
    if a[2] is not None and _plain_name(a[2]) != _plain_name(b[2]):
        return False
    words, others = left.words(a[1]), right.words(b[1])
    if words & others:
        return True
    # The text moved elsewhere: at least the same function.
    return not (words and others) and left.function(a[1]) == right.function(b[1])
