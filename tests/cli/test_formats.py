"""Formats for other programs: each is well-formed whatever a file's name and text hold. test_sarif.py has SARIF."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

SOURCE = (Path(__file__).parent / "golden" / "report.py").read_text()
NAMES = ["m.py", "a, b:c%.py", 'q"<&>.py', "é/漢.py"]


@pytest.fixture
def tree(write) -> list[str]:
    for name in NAMES:
        write(name, SOURCE)
    return NAMES


def findings(run, *args: str) -> list[dict]:
    return json.loads(run("check", *args, "--output-format", "json", code=1).out)["findings"]


def test_json_lines_are_the_findings_of_json(run, tree) -> None:
    lines = run("check", "--output-format", "json-lines", code=1).out.splitlines()
    assert [json.loads(line) for line in lines] == findings(run)


def unescape(text: str) -> str:
    for code, char in (("%3A", ":"), ("%2C", ","), ("%0A", "\n"), ("%0D", "\r"), ("%25", "%")):
        text = text.replace(code, char)
    return text


def test_github(run, tree) -> None:
    lines = run("check", "--output-format", "github", code=1).out.splitlines()
    found = findings(run)
    assert len(lines) == len(found)
    for line, finding in zip(lines, found):
        properties, message = re.fullmatch(r"::warning ([^:]*)::(.*)", line).groups()
        values = dict(item.split("=", 1) for item in properties.split(","))
        assert unescape(values["file"]) == finding["path"].removeprefix("./")
        assert values["line"] == str(finding["start"]["line"])
        assert ("col" in values) == (finding["start"]["line"] == finding["end"]["line"])
        assert finding["message"] in unescape(message)


def test_gitlab(run, tree) -> None:
    report = json.loads(run("check", "--output-format", "gitlab", code=1).out)
    found = findings(run)
    assert len({item["fingerprint"] for item in report}) == len(report) == len(found)
    for item, finding in zip(report, found):
        assert item["severity"] in ("info", "minor", "major", "critical", "blocker")
        assert item["check_name"] == finding["code"]
        assert item["location"]["path"] == finding["path"].removeprefix("./")
        assert item["location"]["positions"]["begin"]["line"] == finding["start"]["line"]


def test_junit(run, tree) -> None:
    root = ET.fromstring(run("check", "--output-format", "junit", code=1).stdout)
    found = findings(run)
    assert root.tag == "testsuites" and root.get("tests") == root.get("failures") == str(len(found))
    assert sorted(suite.get("name") for suite in root) == sorted(NAMES)
    assert len(root.findall(".//failure")) == len(found)


@pytest.mark.parametrize("form", ["json", "json-lines", "github", "gitlab", "sarif", "junit", "concise", "full"])
def test_nothing_found(run, write, tmp_path: Path, form: str) -> None:
    write("m.py", "import torch\n")
    out = run("check", "m.py", "--output-format", form).out
    if form in ("json", "gitlab", "sarif"):
        json.loads(out)
    elif form == "junit":
        assert ET.fromstring(out).get("failures") == "0"
    else:
        assert out == ""
    run("check", "m.py", "--output-format", form, "--output-file", "report.txt")
    assert (tmp_path / "report.txt").read_text() == out


def test_statistics(run, tree) -> None:
    lines = run("check", "--statistics", code=1).out.splitlines()
    assert re.fullmatch(r"GM301  +20 found, +16 fixable, +4 left  print", lines[0])
    assert re.fullmatch(r" +4 left: value-used", lines[1])


def test_statistics_of_fix(run, tree) -> None:
    table = run("check", "--statistics", code=1).out
    done = run("fix", ".", "--diff", "--statistics", code=1)
    assert done.err.startswith(table.replace("fixable", "fixed")) and done.out.startswith("--- ")
    done = run("fix", ".", "-i", "-q", "--statistics")
    assert done.out == "" and done.err == table.replace("fixable", "fixed")


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ("junit", 'failures="0" errors="1">'),
        ("github", "::error title=graphmend,file=m.py,line=2::invalid UTF-8"),
        ("gitlab", '"check_name": "error"'),
        ("json-lines", '{"level": "error", "path": "m.py", "line": 2, "column": 0, "message": "invalid UTF-8"}'),
    ],
)
def test_what_cannot_be_handled_is_reported(run, write, form: str, said: str) -> None:
    write("m.py", b"import torch\n'\xe9'\n")
    out = run("check", "m.py", "--output-format", form, code=2).out
    assert said in out
    if form == "junit":
        assert ET.fromstring(out).find("testsuite/testcase/error").get("message") == "invalid UTF-8"
