"""Every rule can be suppressed in a golden case that shows it, by each kind of comment; it is not rewritten then."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BINARY = os.environ.get("GRAPHMEND", str(ROOT / "build" / "release" / "graphmend"))
CODES = [rule["code"] for rule in json.loads((ROOT / "rules" / "rules.json").read_text()) if rule["category"] != "tool"]


def findings(text: str, *args: str) -> list[dict]:
    command = [BINARY, "check", "-", "--isolated", "--stdin-filename", "m.py", "--output-format", "json", *args]
    done = subprocess.run(command, input=text.encode(), capture_output=True, check=False)
    return json.loads(done.stdout)["findings"]


@pytest.fixture(scope="module")
def cases() -> dict[str, str]:
    """A source for each rule: the shortest of the golden cases in which it is found."""
    if not Path(BINARY).exists():
        pytest.skip("graphmend is not built")
    found: dict[str, str] = {}
    paths = [path for path in (ROOT / "tests/golden").glob("*/*.py") if ".fixed" not in path.name]
    for path in sorted(paths, key=lambda path: path.stat().st_size):
        text = path.read_text(errors="replace")
        if "graphmend" in text or "noqa" in text or "\\\n" in text:
            continue
        for finding in findings(text):
            found.setdefault(finding["code"], text)
    return found


@pytest.mark.parametrize("code", CODES)
def test_suppressed(cases: dict[str, str], code: str) -> None:
    assert code in cases, "no golden case of one file shows it: give it one"
    text = cases[code]
    others = [finding for finding in findings(text, "--ignore", code) if finding["reason"] != "holds-withheld"]
    for held in (
        text.rstrip("\n") + f"\n# graphmend: file-ignore[{code}]\n",
        f"# graphmend: off[{code}]\n{text}",
        "".join(
            line + (f"  # graphmend: ignore[{code}]\n" if number in lines_of(text, code) else "\n")
            for number, line in enumerate(text.splitlines(), 1)
        ),
    ):
        left = [finding for finding in findings(held) if finding["reason"] != "holds-withheld"]
        assert [finding["code"] for finding in left] == [finding["code"] for finding in others], held
        fixed = subprocess.run(
            [BINARY, "fix", "-", "--isolated", "--fix-only", f"{code},GM902"], input=held.encode(), capture_output=True
        )
        assert fixed.stdout.decode() == held


def lines_of(text: str, code: str) -> set[int]:
    """The last line of each finding's head: the one place of several lines where a comment is sure to be one."""
    return {finding["end"]["line"] for finding in findings(text) if finding["code"] == code}
