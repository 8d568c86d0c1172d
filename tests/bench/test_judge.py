"""What counts as a difference between two processes' runs of one variant."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from judge import judge_differences

PLACE = ["models/m.py", 3, "forward"]
RUN: dict[str, Any] = {
    "outputs": [[[2], "torch.float32", 7]],
    "gradients": {"w": None},
    "state": {},
    "exception": None,
    "text": "",
    "records": [["models.m", "WARNING", "too long", PLACE]],
    "warnings": [],
}
SOURCE = "class M:\n    def forward(self, x):\n        log.warning('too long')\n        log.warning('too short')\n"


@pytest.fixture()
def folders(tmp_path: Path) -> tuple[dict[str, str], dict[str, str]]:
    """An original and a patched package, in which two lines stand before the same statement."""
    for name, text in (("a", SOURCE), ("b", "import rt\n\n" + SOURCE)):
        (tmp_path / name / "models").mkdir(parents=True)
        (tmp_path / name / "models" / "m.py").write_text(text)
    return {"models": f"{tmp_path}/a/"}, {"models": f"{tmp_path}/b/"}


def sides() -> tuple[dict[str, Any], dict[str, Any]]:
    original = {"runs": {"eager": copy.deepcopy(RUN), "default": copy.deepcopy(RUN)}}
    patched = copy.deepcopy(original)
    patched["runs"]["fullgraph"] = copy.deepcopy(RUN)
    for run in patched["runs"].values():
        run["records"][0][-1] = ["models/m.py", 5, "forward"]
    return original, patched


def test_the_same_statement_on_another_line(folders) -> None:
    assert judge_differences(*sides(), folders) == []


def test_another_statement(folders) -> None:
    original, patched = sides()
    patched["runs"]["default"]["records"][0][-1] = ["models/m.py", 6, "forward"]
    (found,) = judge_differences(original, patched, folders)
    assert found.startswith("default: records 0: ")


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("outputs", [[[2], "torch.float32", 8]]),
        ("outputs", [[[2], "torch.float16", 7]]),
        ("gradients", {"w": [[2], "torch.float32", 0]}),
        ("state", {"buffer": [[], "torch.float32", 1]}),
        ("exception", ["ValueError", "no"]),
        ("text", "printed\n"),
    ],
)
def test_a_part(folders, part: str, value: Any) -> None:
    original, patched = sides()
    patched["runs"]["fullgraph"][part] = value
    assert judge_differences(original, patched, folders) == [f"fullgraph: {part} differ"]


def test_a_lost_record_and_a_run_that_is_gone(folders) -> None:
    original, patched = sides()
    patched["runs"]["eager"]["records"] = []
    del patched["runs"]["default"]
    assert judge_differences(original, patched, folders) == ["default: no longer runs", "eager: records: 1 -> 0"]
