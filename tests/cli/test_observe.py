"""check --from-log: what TORCH_LOGS=graph_breaks wrote, beside the findings."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

LOG = (Path(__file__).parent / "golden" / "graph_breaks.log").read_text()  # of torch 2.13, of this model
MODEL = """import torch
from torch import nn
class Net(nn.Module):
    def forward(self, x):
        print("sum", x.sum())
        if x.sum() > 0:
            x = x + 1
        y = x.sum().item()
        w = torch.nonzero(
            x)
        torch._dynamo.graph_break()
        print("never reached in that run") if x is None else None
        return x * 2, y, w
"""


def lines(run, *args: str, code: int = 1) -> list[str]:
    return run("check", "pkg/model.py", "--output-format", "concise", *args, code=code).out.splitlines()


def test_observed_ones_come_first_and_unexplained_ones_last(run, write) -> None:
    write("pkg/model.py", MODEL.replace("x.sum().item()", "x.something()"))
    write("breaks.log", LOG)
    found = lines(run, "--from-log", "breaks.log")
    observed = [", observed]" in line for line in found]
    assert observed == sorted(observed, reverse=True)
    assert found[0].startswith("pkg/model.py:5:9: GM301") and found[1].startswith("pkg/model.py:6:9: GM101")
    (missed,) = [line for line in found if "GM907" in line]
    assert missed.startswith("pkg/model.py:8:9: GM907 Dynamo broke the graph here: Unsupported Tensor.item() call")


def test_what_is_held_back_is_explained(run, write) -> None:
    write("pkg/model.py", MODEL.replace(".item()", ".item()  # graphmend: ignore[GM401]"))
    write("breaks.log", LOG)
    assert not [line for line in lines(run, "--from-log", "breaks.log") if "GM907" in line]
    assert not [line for line in lines(run, "--from-log", "breaks.log", "--ignore", "GM3") if "GM907" in line]


def test_gm907_can_be_left_out(run, write) -> None:
    write("pkg/model.py", "import torch\n")
    write("breaks.log", LOG)
    assert len(lines(run, "--from-log", "breaks.log")) == 5
    assert lines(run, "--from-log", "breaks.log", "--ignore", "GM907", code=0) == []


def test_json_says_what_was_observed(run, write) -> None:
    write("pkg/model.py", MODEL)
    done = run("check", "pkg", "--from-log", "-", "--output-format", "json", stdin=LOG, code=1)
    found = json.loads(done.out)["findings"]
    assert [finding.get("observed", False) for finding in found][:5] == [True] * 5
    for form in ("sarif", "gitlab", "junit", "github", "full", "json-lines"):
        run("check", "pkg", "--from-log", "-", "--output-format", form, stdin=LOG, code=1)


def test_a_break_in_a_file_that_was_not_checked(run, write) -> None:
    write("pkg/model.py", "import torch\n")
    write("other.py", "x = 1\n")
    done = run("check", "other.py", "--from-log", "-", "--output-format", "concise", stdin=LOG, code=1)
    assert done.out.startswith("/somewhere/else/pkg/model.py:5:1: GM907 ")


def test_what_is_no_log(run, write) -> None:
    write("pkg/model.py", MODEL)
    done = run("check", "pkg", "--from-log", "-", stdin="hello\n", code=1)
    assert "no graph breaks in it" in done.err
    assert "gone.log: " in run("check", "pkg", "--from-log", "gone.log", code=2).err
    run(
        "check", "pkg", "--from-log", "-", stdin=b"\xff\0graph_breaks in user code at :\n in user code at x:0\n", code=1
    )


@pytest.mark.slow
def test_a_log_of_the_installed_torch(run, write, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    write("pkg/model.py", MODEL + "\n\ntorch.compile(Net(), backend='eager')(torch.randn(3))\n")
    env = os.environ | {"TORCH_LOGS": "graph_breaks"}
    done = subprocess.run([sys.executable, "pkg/model.py"], cwd=tmp_path, env=env, capture_output=True, timeout=300)
    assert done.returncode == 0, done.stderr
    write("breaks.log", done.stderr)
    found = lines(run, "--from-log", "breaks.log")
    assert len([line for line in found if ", observed]" in line]) == 5 and "GM907" not in str(found)
