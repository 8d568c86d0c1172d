"""Twice the input takes about twice the work: instructions are counted, by callgrind, so that no clock is asked."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

HEAD = "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def forward(self, x):\n"
SHAPES: dict[str, Callable[[int], str]] = {
    "statements": lambda n: HEAD + "        print(x)\n" * n + "        return x\n",
    "one line": lambda n: HEAD + "        " + "; ".join(["print(x)"] * n) + "\n        return x\n",
    "one line beyond ASCII": lambda n: HEAD + "        'é'; " + "; ".join(["print(x)"] * n) + "\n        return x\n",
    "bindings and uses of a function": lambda n: (
        "import torch\n"
        + "def f(x): return x\n" * n
        + "@torch.compile\ndef g(x):\n"
        + "    x = f(x); h(f)\n" * n
        + "    return x\n"
    ),
}


def instructions(binary: str, path: Path, *args: str) -> int:
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", binary, *args, "-q", "-j1", str(path)]
    done = subprocess.run(
        command, capture_output=True, text=True, env=os.environ | {"GRAPHMEND_CACHE_DIR": ""}, timeout=300
    )
    found = re.search(r"Collected : (\d+)", done.stderr)
    assert found and done.returncode in (0, 1), done.stderr
    return int(found[1])


@pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind counts the instructions")
@pytest.mark.parametrize("shape", SHAPES)
def test_twice_the_input_is_twice_the_work(binary: str, tmp_path: Path, shape: str) -> None:
    counts = []
    for n in (150, 300, 600):
        path = tmp_path / f"m{n}.py"
        path.write_text(SHAPES[shape](n))
        counts.append(instructions(binary, path, "check"))
    # Without what a run takes in any case.
    growth = (counts[2] - counts[1]) / (counts[1] - counts[0])
    assert growth < 2.5, counts
