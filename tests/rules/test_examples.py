"""The examples of the rules: `before` is found by its rule, and where fix rewrites it, `after` is what fix writes."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RULES = json.loads((ROOT / "rules" / "rules.json").read_text())
MODEL = """import logging
import sys
import warnings

import torch
from torch import nn
from graphmend import runtime as _graphmend

logger = logging.getLogger(__name__)


class Net(nn.Module):
    def forward(self, x: torch.Tensor, mask: torch.Tensor, loss: torch.Tensor, name: str, n: int):
{body}
        return {result}
"""


def model(code: str, before: str) -> str:
    result = re.search(r"^ *(\w+) = ", before, re.MULTILINE)
    body = "".join(f"        {line}\n" for line in code.splitlines())
    return MODEL.format(body=body.rstrip(), result=result[1] if result else "x")


@pytest.fixture(scope="module")
def binary() -> str:
    path = os.environ.get("GRAPHMEND", str(ROOT / "build" / "release" / "graphmend"))
    if not Path(path).exists():
        pytest.skip("graphmend is not built")
    return path


REWRITTEN = [rule for rule in RULES if "_graphmend" in rule["after"]]


def test_what_fix_rewrites_says_so() -> None:
    assert {rule["code"] for rule in REWRITTEN} >= {"GM101", "GM103", "GM201", "GM202", "GM301", "GM302", "GM303"}


@pytest.mark.parametrize("rule", REWRITTEN, ids=lambda rule: rule["code"])
def test_after_is_what_fix_writes(binary: str, rule: dict, tmp_path: Path) -> None:
    path = tmp_path / "m.py"
    path.write_text(model(rule["before"], rule["before"]))
    found = subprocess.run([binary, "check", path, "--output-format", "json"], capture_output=True)
    assert rule["code"] in {finding["code"] for finding in json.loads(found.stdout)["findings"]}
    fixed = subprocess.run([binary, "fix", "--runtime=import", path], capture_output=True, text=True).stdout
    assert ast.dump(ast.parse(fixed)) == ast.dump(ast.parse(model(rule["after"], rule["before"]))), fixed
