"""Each reason and each rule that the sources name is in its table, is explained, and is shown by a golden fixture.

GRAPHMEND names the binary to test; otherwise it is that of build/release, or build/debug.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# decline(finding, "impure-test", node), refuse, fail, give_up; reason = "..."; reason_find(STR("..."))
REASON = re.compile(
    r'\b(?:decline(?:_at)?|refuse|fail|give_up)\([^";]*"([a-z][a-z-]*)"'
    r'|\breason = [^";({]*"([a-z][a-z-]*)"'
    r'|\breason_find\(STR\("([a-z-]+)"\)\)'
)
CODE = re.compile(r'"(GM[1-6]\d\d)"')


def load(name: str) -> list[dict[str, str]]:
    return json.loads((ROOT / "rules" / name).read_text())


def reason_ids() -> list[str]:
    return [reason["id"] for reason in load("reasons.json")]


@cache
def sources() -> str:
    """The C sources without their comments, but for those of the command line, which names no reasons."""
    files = (path for path in sorted((ROOT / "src").rglob("*.[ch]")) if path.parent.name != "cli")
    text = "\n".join(path.read_text() for path in files)
    return re.sub(r"(?<![\":])//.*", "", text)


@cache
def codes_found() -> frozenset[str]:
    """What src/detect can report: named there, or in the tables of names that it looks up."""
    text = "\n".join(path.read_text() for path in sorted((ROOT / "src" / "detect").glob("*.[ch]")))
    text = re.sub(r"//.*", "", text) + (ROOT / "rules" / "names.json").read_text()
    return frozenset(CODE.findall(text))


@cache
def shown() -> str:
    return "\n".join(path.read_text() for path in sorted((ROOT / "tests" / "golden").glob("*/*.check.txt")))


@cache
def binary() -> str:
    if "GRAPHMEND" in os.environ:
        return os.environ["GRAPHMEND"]
    for preset in ("release", "debug"):
        path = ROOT / "build" / preset / "graphmend"
        if path.exists():
            return str(path)
    pytest.skip("graphmend is not built")


def explain(word: str) -> str:
    done = subprocess.run([binary(), "explain", word], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return " ".join(done.stdout.split())


def test_reasons_in_the_sources_are_in_the_table() -> None:
    named = {next(filter(None, groups)) for groups in REASON.findall(sources())}
    assert named and named <= set(reason_ids()), named - set(reason_ids())


@pytest.mark.parametrize("reason", reason_ids())
def test_a_reason_is_used_shown_and_explained(reason: str) -> None:
    assert f'"{reason}"' in sources(), "no source names it"
    assert f"[left: {reason}]" in shown(), "no tests/golden/*/*.check.txt shows it"
    entry = next(entry for entry in load("reasons.json") if entry["id"] == reason)
    assert " ".join(entry["help"].split()) in explain(reason)


def test_codes_in_the_detectors_are_in_the_table() -> None:
    assert codes_found() <= {rule["code"] for rule in load("rules.json")}


@pytest.mark.parametrize("code", [rule["code"] for rule in load("rules.json") if rule["category"] != "tool"])
def test_a_rule_is_found_shown_and_explained(code: str) -> None:
    assert code in codes_found(), "no detector reports it"
    assert re.search(rf"^\S+:\d+:\d+: {code} ", shown(), re.MULTILINE), "no tests/golden/*/*.check.txt shows it"
    rule = next(rule for rule in load("rules.json") if rule["code"] == code)
    assert " ".join(rule["help"].split()) in explain(code)
