"""What the README says of comments, configuration, pre-commit and CI."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
MODEL = """import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
{body}
        return x * 2
"""


def model(*lines: str) -> str:
    return MODEL.format(body="\n".join(f"        {line}" for line in lines))


def test_suppression_comments(run, write) -> None:
    section = README.partition("### Leaving things alone")[2].partition("Codes are as")[0]
    lines = re.findall(r"^    (.*?)   +\S", section, re.MULTILINE)
    assert len(lines) == 5
    for line in lines:
        off, _, on = line.partition("  ...  ")
        body = [line] if line.startswith("print") else [off, "print(x)", *([on] if on else [])]
        body = [part.replace("GM401", "GM301") for part in body]
        write("m.py", model(*body))
        run("check", "m.py", "--select", "GM3,GM9")


def test_the_configuration(run, write) -> None:
    lines = re.search(r"^    \[tool\.graphmend\]\n(?:    .*\n|\n)+", README, re.MULTILINE)
    assert lines
    write("pyproject.toml", re.sub(r"^    ", "", lines[0], flags=re.MULTILINE))
    shown = run("check", "--show-settings").out
    assert 'ignore = ["GM401"]' in shown and 'runtime = "import"' in shown
    assert 'per-file-ignores = ["tests/**:GM3"]' in shown


def test_the_workflow(run, write, tmp_path: Path) -> None:
    yaml = pytest.importorskip("yaml")
    (text,) = re.findall(r"```yaml\n(.*?)```", README, re.DOTALL)
    steps = yaml.safe_load(text)["jobs"]["graphmend"]["steps"]
    commands = [shlex.split(step["run"])[1:] for step in steps if step.get("run", "").startswith("graphmend ")]
    write("src/m.py", model("print(x)"))
    assert len(commands) == 2
    run(*commands[0])
    log = json.loads((tmp_path / "graphmend.sarif").read_text())
    (result,) = log["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "src/m.py"
    assert run(*commands[1], code=1).out.startswith("::warning ")
    upload = next(step for step in steps if "upload-sarif" in step.get("uses", ""))
    assert upload["with"]["sarif_file"] == "graphmend.sarif"


def test_the_pre_commit_hooks(binary: str, write, tmp_path: Path) -> None:
    yaml = pytest.importorskip("yaml")
    hooks = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
    assert set(re.findall(r"graphmend-(?:check|fix)", README)) == set(hooks)
    for name, code in (("graphmend-check", 1), ("graphmend-fix", 1)):
        path = write("m.py", model("print(x)"))
        command, *args = shlex.split(hooks[name]["entry"])
        assert command == "graphmend" and hooks[name]["types"] == ["python"]
        done = subprocess.run([binary, *args, "m.py", "m.py"], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == code, done.stderr
        assert ("defer" in path.read_text()) == (name == "graphmend-fix")
    done = subprocess.run([binary, *args, "m.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
