"""`graphmend check` finds what is marked in the fixtures, and the installed torch breaks there."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

RUN = Path(__file__).resolve().parent / "run.py"


def run(*options: str) -> None:
    done = subprocess.run([sys.executable, str(RUN), *options], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr


def test_findings_are_as_marked() -> None:
    run()


@pytest.mark.skipif(find_spec("torch") is None, reason="takes torch")
def test_dynamo_breaks_where_marked() -> None:
    run("--dynamo")


def test_every_rule_has_fixtures() -> None:
    import json

    rules = json.loads((RUN.parents[2] / "rules" / "rules.json").read_text())
    names = {path.stem for path in (RUN.parent / "fixtures").glob("*.py")}
    for rule in rules:
        if rule["category"] != "tool":
            code = rule["code"].lower()
            assert {f"{code}_fires", f"{code}_quiet"} <= names, rule["code"]
