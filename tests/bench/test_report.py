"""The report of a recorded run, and the faults that it must find.

fixture/report.md is what fixture/results.json gives; after a change that is meant:
python bench/report.py tests/bench/fixture
"""

from __future__ import annotations

import copy
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from registry import registry_load
from report import report_faults, report_share, report_write

FIXTURE = Path(__file__).resolve().parent / "fixture"
RESULTS = json.loads((FIXTURE / "results.json").read_text())


def test_golden(tmp_path: Path) -> None:
    shutil.copy(FIXTURE / "results.json", tmp_path)
    assert report_write(tmp_path) == []
    assert (tmp_path / "report.md").read_text() == (FIXTURE / "report.md").read_text()


def test_share_is_of_the_shortest_cold_start() -> None:
    builder = {
        "own": {"cpu": 0.1},
        "timing": [
            {"original": {"cold": {"first_call": 20.0, "first_call_cpu": 40.0}}},
            {"original": {"cold": {"first_call": 30.0, "first_call_cpu": 10.0}}},
            {"original": {"error": "not measured: the time was up"}},
        ],
    }
    assert report_share(builder) == pytest.approx(0.01)
    assert report_share({"own": {"cpu": 0.1}, "timing": []}) is None


def variant(results: dict[str, Any], name: str = "float32-eval") -> dict[str, Any]:
    return results["builders"]["biogpt"]["variants"][name]


def slower(results: dict[str, Any]) -> None:
    results["builders"]["biogpt"]["own"]["cpu"] = 1e3


FAULTS: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "a break left": (lambda r: variant(r).update(breaks=[2, 1]), "biogpt float32-eval: 1 breaks left, 0 events"),
    "an event left": (lambda r: variant(r).update(events=[2, 1]), "biogpt float32-eval: 0 breaks left, 1 events"),
    "fullgraph": (lambda r: variant(r).update(fullgraph=[False, False]), "biogpt float32-eval: fullgraph=True fails"),
    "behaviour": (
        lambda r: variant(r, "float32-train").update(differences=["default: gradients differ"]),
        "biogpt float32-train: default: gradients differ",
    ),
    "own time": (slower, "biogpt: GraphMend takes"),
    "a crash": (lambda r: r["builders"].update(biogpt={"error": "patched: exit -11"}), "biogpt: patched: exit -11"),
    "the counted variant": (
        lambda r: r["builders"]["biogpt"]["variants"].update(
            {"float32-eval": {"cannot_run": "no kernel", "differences": []}}
        ),
        "biogpt: no kernel",
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_fault(name: str) -> None:
    spoil, message = FAULTS[name]
    results = copy.deepcopy(RESULTS)
    spoil(results)
    found = report_faults(results, registry_load())
    assert len(found) == 1 and found[0].startswith(message), found


def test_a_training_break_is_no_fault() -> None:
    assert variant(RESULTS, "float32-train")["breaks"][1] > 0
    assert report_faults(RESULTS, registry_load()) == []


def test_plots(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    from plots import plots_write

    shutil.copy(FIXTURE / "results.json", tmp_path)
    plots_write(tmp_path)
    for name in ("breaks.svg", "cold.svg", "steady.svg"):
        assert "</svg>" in (tmp_path / name).read_text()
