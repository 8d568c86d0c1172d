"""A structural check of SARIF 2.1.0: the part of the OASIS schema that a lint report uses, with GitHub's own demands.

No package that we know ships the schema, so its definitions are written down here: for each object the properties
that it may have (the schema forbids others), those that it must have, and what they hold.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

STRING, NATURAL, POSITIVE, BOOL, ANY = "string", "natural", "positive", "bool", "any"
LEVEL = ("none", "note", "warning", "error")

# name: {property: type}; "!" marks a required one, [T] is an array of T, (…) an enumeration, another name an object.
OBJECTS: dict[str, dict[str, Any]] = {
    "log": {"$schema!": STRING, "version!": ("2.1.0",), "runs!": ["run"], "properties": ANY},
    "run": {
        "tool!": "tool",
        "invocations": ["invocation"],
        "results": ["result"],
        "columnKind": ("utf16CodeUnits", "unicodeCodePoints"),
        "originalUriBaseIds": ANY,
        "automationDetails": ANY,
        "properties": ANY,
    },
    "tool": {"driver!": "component"},
    "component": {
        "name!": STRING,
        "version": STRING,
        "semanticVersion": STRING,
        "informationUri": STRING,
        "rules": ["rule"],
    },
    "rule": {
        "id!": STRING,
        "name": STRING,
        "shortDescription!": "message",
        "fullDescription!": "message",
        "help!": "message",
        "defaultConfiguration": "configuration",
        "properties": ANY,
    },
    "configuration": {"level": LEVEL, "enabled": BOOL},
    "message": {"text!": STRING, "markdown": STRING},
    "invocation": {"executionSuccessful!": BOOL, "toolExecutionNotifications": ["notification"], "exitCode": ANY},
    "notification": {"message!": "message", "level": LEVEL, "locations": ["location"]},
    "result": {
        "ruleId!": STRING,
        "ruleIndex": NATURAL,
        "level": LEVEL,
        "message!": "message",
        "locations!": ["location"],
        "relatedLocations": ["location"],
        "partialFingerprints!": ANY,
        "fixes": ["fix"],
        "properties": ANY,
    },
    "location": {"id": NATURAL, "message": "message", "physicalLocation!": "physical"},
    "physical": {"artifactLocation!": "artifact", "region": "region"},
    "artifact": {"uri!": STRING, "uriBaseId": STRING},
    "region": {
        "startLine!": POSITIVE,
        "startColumn!": POSITIVE,
        "endLine!": POSITIVE,
        "endColumn!": POSITIVE,
        "byteOffset": NATURAL,
        "byteLength": NATURAL,
    },
    "fix": {"description": "message", "artifactChanges!": ["change"]},
    "change": {"artifactLocation!": "artifact", "replacements!": ["replacement"]},
    "replacement": {"deletedRegion!": "region", "insertedContent": "content"},
    "content": {"text": STRING},
}


def check(value: Any, kind: Any = "log", where: str = "") -> None:
    if kind == ANY:
        return
    if isinstance(kind, list):
        assert isinstance(value, list), where
        for i, item in enumerate(value):
            check(item, kind[0], f"{where}[{i}]")
    elif isinstance(kind, tuple):
        assert value in kind, (where, value)
    elif kind == STRING:
        assert isinstance(value, str), where
    elif kind == BOOL:
        assert isinstance(value, bool), where
    elif kind in (NATURAL, POSITIVE):
        assert isinstance(value, int) and value >= (kind == POSITIVE), (where, value)
    else:
        check_object(value, kind, where)


def check_object(value: Any, kind: str, where: str) -> None:
    assert isinstance(value, dict), where
    known = {name.rstrip("!"): type_ for name, type_ in OBJECTS[kind].items()}
    for name in OBJECTS[kind]:
        assert not name.endswith("!") or name[:-1] in value, (where, name)
    for name, item in value.items():
        assert name in known, (where, name)
        check(item, known[name], f"{where}.{name}")
    if kind == "region":
        start, end = (value["startLine"], value["startColumn"]), (value["endLine"], value["endColumn"])
        assert start <= end, (where, value)


def check_run(run: dict[str, Any]) -> None:
    """What the schema cannot say."""
    rules = run["tool"]["driver"]["rules"]
    prints = set()
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        line_hash = result["partialFingerprints"]["primaryLocationLineHash"]
        assert re.fullmatch(r"[0-9a-f]{16}:[1-9]\d*", line_hash)
        artifact = result["locations"][0]["physicalLocation"]["artifactLocation"]
        assert re.fullmatch(r"[A-Za-z0-9._~/+@=,%:-]+", artifact["uri"]), artifact
        assert artifact["uri"].startswith("file:///") or artifact["uriBaseId"] == "%SRCROOT%"
        key = (artifact["uri"], result["ruleId"], line_hash)
        assert key not in prints
        prints.add(key)


def check_log(log: dict[str, Any]) -> None:
    check(log)
    for run in log["runs"]:
        check_run(run)


# ---------------------------------------------------------------- what graphmend writes


def test_the_check_finds_faults() -> None:
    good = {"$schema": "s", "version": "2.1.0", "runs": []}
    check_log(good)
    for bad in ({**good, "version": "2.0.0"}, {**good, "extra": 1}, {"version": "2.1.0", "runs": []}):
        try:
            check_log(bad)
        except AssertionError:
            continue
        raise AssertionError(bad)


MODEL = """import torch
from torch import nn


class M(nn.Module):
    def forward(self, x):
        print("é", x)
        return x
"""
NAMES = ["report.py", "a b/é#%.py", "x+y@z.py"]


def test_sarif(run, write, tmp_path: Path) -> None:
    source = (Path(__file__).parent / "golden" / "report.py").read_text()
    for name in NAMES:
        write(name, source + "\n\ny = 1  # graphmend: ignore[GM999]\n")
    write(
        "broken.py",
        "import torch\nfrom torch import nn\nclass M(nn.Module):\n    def forward(self, x):\n        y = (\n",
    )
    for path in (".", tmp_path):
        log = json.loads(run("check", path, "--output-format", "sarif", code=1).out)
        check_log(log)
        (result_run,) = log["runs"]
        uris = {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in result_run["results"]}
        assert uris == {"report.py", "a%20b/%C3%A9%23%25.py", "x+y@z.py"}
        assert result_run["columnKind"] == "unicodeCodePoints"
        assert result_run["invocations"][0]["toolExecutionNotifications"][0]["level"] == "warning"
        left = [r for r in result_run["results"] if r["properties"].get("reason") == "value-used"]
        assert left and all(r["relatedLocations"][0]["message"]["text"] for r in left)


def apply(text: bytes, replacements: list[dict[str, Any]]) -> bytes:
    for item in reversed(replacements):
        region = item["deletedRegion"]
        start = region["byteOffset"]
        text = text[:start] + item["insertedContent"]["text"].encode() + text[start + region["byteLength"] :]
    return text


def test_sarif_fixes_are_those_of_fix(run, write) -> None:
    path = write("m.py", MODEL)
    log = json.loads(run("check", "m.py", "--output-format", "sarif", "--runtime=import", code=1).out)
    (result,) = log["runs"][0]["results"]
    (change,) = result["fixes"][0]["artifactChanges"]
    assert apply(path.read_bytes(), change["replacements"]) == run("fix", "m.py", "--runtime=import").stdout


def test_the_fingerprint_stays_when_lines_are_inserted_above(run, write) -> None:
    text = (Path(__file__).parent / "golden" / "report.py").read_text()

    def prints() -> list[str]:
        log = json.loads(run("check", "m.py", "--output-format", "sarif", code=1).out)
        return [r["partialFingerprints"]["primaryLocationLineHash"] for r in log["runs"][0]["results"]]

    write("m.py", text)
    before = prints()
    write("m.py", text.replace("logger =", "x = 1\n\nlogger ="))
    assert prints() == before


def test_no_findings(run, write) -> None:
    write("m.py", "import torch\n")
    log = json.loads(run("check", "m.py", "--output-format", "sarif").out)
    check_log(log)
    assert log["runs"][0]["results"] == []
