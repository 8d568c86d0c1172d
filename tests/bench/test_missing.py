"""A run that takes over what an earlier one has times of."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import run
from report import report_write

FIXTURE = Path(__file__).resolve().parent / "fixture" / "results.json"


def results_of(folder: Path, found: dict) -> run.Results:
    (folder / "results.json").write_text(json.dumps(found))
    return run.Results(folder, found["machine"], found["setting"])


def test_builders_with_times_are_kept(tmp_path: Path) -> None:
    found = json.loads(FIXTURE.read_text())
    timed = "biogpt"
    for name, builder in found["builders"].items():
        if name != timed:
            for timing in builder["timing"]:
                timing["original"] = {"error": "not measured: the time was up"}
    results = results_of(tmp_path, found)
    options = argparse.Namespace(out=tmp_path, rows=None)
    run.keep_earlier(options, results)
    assert list(results.found["builders"]) == [timed]
    assert timed not in options.rows and "t5" in options.rows
    assert [earlier["builders"] for earlier in results.found["earlier"]] == [[timed]]

    # And once more: what came from the first run stays under its date.
    again = dict(found, earlier=results.found["earlier"], builders=results.found["builders"])
    second = results_of(tmp_path, again)
    run.keep_earlier(argparse.Namespace(out=tmp_path, rows=[timed]), second)
    assert [earlier["builders"] for earlier in second.found["earlier"]] == [[timed], []]
    (tmp_path / "results.json").write_text(json.dumps(dict(again, fix_seconds=found["fix_seconds"])))
    report_write(tmp_path)
    assert f"Of an earlier run, {found['machine']['date']}" in (tmp_path / "report.md").read_text()
