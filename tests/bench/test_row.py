"""One row from end to end: its package rewritten, both sides measured in processes of their own, and judged."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from breakdown import SIDES, breakdown_builder
from jobs import Jobs
from prepare import MODELS, prepare_patched
from registry import Variant, registry_load

ROOT = Path(__file__).resolve().parents[2]
GRAPHMEND = ROOT / "build" / "release" / "graphmend"
HOST = ROOT / "build" / "verify" / "graphmend-host"
PLAIN = [sys.executable, str(ROOT / "bench" / "plain" / "run.py")]

pytestmark = [pytest.mark.slow, pytest.mark.skipif(not GRAPHMEND.exists(), reason="the compiler is not built")]


@pytest.fixture(scope="module")
def patched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("bench") / "patched"
    prepare_patched(GRAPHMEND, [MODELS], root)
    return root


def answers(patched: Path, work: Path, task: str, **more) -> list[dict]:
    jobs = Jobs([str(HOST)] if HOST.exists() else PLAIN, work)
    builder = registry_load().builders["molformer-like"]
    roots = dict(zip(SIDES, (None, patched), strict=True))
    common = {"builder": builder, "sizes": builder["small"], "inputs": builder["inputs"]}
    return [jobs.run(task, roots[side], **common, **more) for side in SIDES]


def test_breaks_and_behaviour(patched: Path, tmp_path: Path) -> None:
    variant = Variant()
    found = breakdown_builder(answers(patched, tmp_path, "breaks", variants=[[variant.dtype, variant.mode]]), GRAPHMEND)
    assert found.get("error") is None
    one = found["variants"][str(variant)]
    assert one["breaks"] == [5, 0]
    assert one["fullgraph"] == [False, True]
    assert {site["file"] for site in one["sites"][0]} == {"models/molformer_like.py"}
    assert one["sites"][1] == [] and one["differences"] == []
    assert found["own"]["files"] == ["models/molformer_like.py"] and 0 < found["own"]["cpu"] < 10


def test_a_difference_is_seen(patched: Path, tmp_path: Path) -> None:
    """The same, with a patched model that computes something else."""
    import shutil

    wrong = tmp_path / "wrong"
    shutil.copytree(patched, wrong)
    file = wrong / "models" / "molformer_like.py"
    text = file.read_text()
    assert "return self.norm(" in text
    file.write_text(text.replace("return self.norm(", "return 2 * self.norm("))
    found = breakdown_builder(answers(wrong, tmp_path, "breaks", variants=[["float32", "eval"]]), GRAPHMEND)
    differences = found["variants"]["float32-eval"]["differences"]
    assert "eager: outputs differ" in differences and "default: outputs differ" in differences


def test_what_fails_says_why(tmp_path: Path) -> None:
    jobs = Jobs(PLAIN, tmp_path)
    builder = {"module": "models.no_such_model", "class": "None"}
    answer = jobs.run("breaks", None, builder=builder, sizes={}, inputs={}, variants=[["float32", "eval"]])
    assert "no_such_model" in answer["error"]
    jobs.timeout = 0.05
    assert "stopped after" in jobs.run("headers", None)["error"]
