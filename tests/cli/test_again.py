"""A rewritten file is checked as the original was: what was left is found again, and nothing else is rewritten."""

from __future__ import annotations

import json

import pytest

MODEL = """import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        y = x + 1
        if x.sum() > 0:
            y = y * 2
        else:
            y = y - 1
        if x.mean() > 0:
            z, w = y + 1, y
        else:
            z, w = y, y + 2
        if y.mean() > 3:
            raise ValueError("mean")
        if z.sum() > 1:
            self.k = 3
        v = w.tolist()
        self.count = 1
        return y * z, v
"""


@pytest.mark.parametrize("runtime", ["import", "embed", "module"])
def test_what_was_left_is_found_again(run, write, runtime: str) -> None:
    def left() -> list[tuple[str, str]]:
        found = json.loads(run("check", "m.py", "--output-format", "json", code=1).out)["findings"]
        return [(finding["code"], finding["reason"]) for finding in found if finding["status"] == "left"]

    write("m.py", MODEL)
    before = left()
    assert [code for code, _ in before] == ["GM201", "GM101", "GM402"]
    run("fix", "m.py", "-i", "--runtime", runtime)
    assert left() == before
    assert run("fix", "m.py", "--diff", "--runtime", runtime).out == ""
