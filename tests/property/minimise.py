"""Shrinks a program that fails: statements are dropped, arms and sub-expressions take the place of what holds them."""

from __future__ import annotations

import argparse
import ast
import copy
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import run

KIND = re.compile(r"^(\w+), calls .*?#\d+: (event|exception|\w+)")


def fault(name: str, text: str, options: argparse.Namespace) -> str | None:
    """What kind of difference the program shows, if any."""
    with tempfile.TemporaryDirectory(prefix="gmminimise") as temporary:
        folder = Path(temporary)
        (folder / "original").mkdir()
        (folder / "original" / name).write_text(text)
        try:
            run.fix(folder, options.binary)
        except Exception:
            return "fix"
        if (folder / "patched" / name).read_text() == text:
            return None
        reasons = run.judge_batch(folder, [name], options.backend)[name]
    if not reasons or any(r.startswith("Traceback") for r in reasons):
        return None
    match = KIND.match(reasons[0])
    return f"{match[1]} {match[2]}" if match else reasons[0][:20]


def _edits(tree: ast.Module) -> Iterator[tuple[Any, str, int | None, list[Any]]]:
    """(node, field, index or None, what to put there): the greatest cuts first."""
    for node in ast.walk(tree):
        for field, value in ast.iter_fields(node):
            if isinstance(value, list):
                for i, item in enumerate(value):
                    if isinstance(item, ast.stmt) and not isinstance(node, ast.Module):
                        yield node, field, i, []
                        for inner in ("body", "orelse", "finalbody"):
                            if getattr(item, inner, None) and not isinstance(item, (ast.FunctionDef, ast.ClassDef)):
                                yield node, field, i, getattr(item, inner)
                    elif isinstance(item, ast.stmt):
                        yield node, field, i, []
                    elif field == "elts" and isinstance(node, ast.List):
                        yield node, field, i, []
            elif isinstance(value, ast.expr):
                for inner in ast.iter_child_nodes(value):
                    if isinstance(inner, ast.expr):
                        yield node, field, None, [inner]
            elif field == "orelse" and value:
                yield node, field, None, []


def minimise(name: str, text: str, options: argparse.Namespace) -> str:
    wanted = fault(name, text, options)
    if wanted is None:
        return f"{name} does not fail"
    best, progress = ast.unparse(ast.parse(text)), True
    if fault(name, best, options) != wanted:
        best = text
    while progress:
        progress = False
        position = 0
        while True:
            candidate = _candidate(best, position)
            if candidate is None:
                break
            position += 1
            if len(candidate) < len(best) and fault(name, candidate, options) == wanted:
                best, progress, position = candidate, True, position - 1
    return f"# {wanted}\n{best}\n"


def _candidate(text: str, position: int) -> str | None:
    """The text after the edit of that number; None when there is none."""
    tree = ast.parse(text)
    for number, (node, field, index, replacement) in enumerate(_edits(tree)):
        if number != position:
            continue
        if index is None:
            setattr(node, field, copy.deepcopy(replacement[0]) if replacement else [])
        else:
            items = getattr(node, field)
            items[index : index + 1] = replacement
            if not items and field == "body":
                items.append(ast.Pass())
        try:
            result = ast.unparse(tree)
            compile(result, "candidate", "exec")
            return result
        except (SyntaxError, ValueError, AttributeError, TypeError):
            return text
    return None
