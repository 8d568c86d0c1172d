"""Branches in each other become selections in each other, but no deeper than CPython can read."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GRAPHMEND = os.environ.get("GRAPHMEND", str(ROOT / "build/release/graphmend"))
HEAD = "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
SHAPES = {
    "returns": lambda n: (
        "".join(f"        if x.sum() > {i}:\n            return x + {i}\n" for i in range(n)) + "        return x\n"
    ),
    "set_ups": lambda n: (
        "".join(f"        if x.sum() > {i}:\n            a = x + {i}\n            return a * a\n" for i in range(n))
        + "        return x\n"
    ),
    "expressions": lambda n: "        return " + "".join(f"x + {i} if x.sum() > {i} else " for i in range(n)) + "x\n",
}


def graphmend(*args: str | Path) -> str:
    done = subprocess.run([GRAPHMEND, *args, "--no-cache"], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return done.stdout


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("count", [50, 51, 180])
def test_depth(shape: str, count: int, tmp_path: Path) -> None:
    path = tmp_path / "net.py"
    path.write_text(HEAD + SHAPES[shape](count))
    compile(path.read_text(), str(path), "exec")
    compile(graphmend("fix", path), str(path), "exec")
    findings = json.loads(graphmend("check", path, "--output-format", "json"))["findings"]
    assert len(findings) == count
    assert ("too-complex" in {finding["reason"] for finding in findings}) is (count > 50)
