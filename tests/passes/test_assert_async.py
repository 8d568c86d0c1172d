"""--trap=assert-async: the paper's form of a guard still raises the original exception, compiled and eager."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
import torch

ROOT = Path(__file__).resolve().parents[2]
GRAPHMEND = os.environ.get("GRAPHMEND", str(ROOT / "build/release/graphmend"))

SOURCE = """
import torch


class Refused(Exception):
    pass


def check(x):
    if torch.isnan(x).any():
        raise ValueError("not a number")
    if (x > 10).any():
        raise Refused("too large", 10)
    if (x < -10).any():
        raise ValueError(f"too small for {x.shape}")
    return x * 2


compiled = torch.compile(check, backend="eager", fullgraph=True)


@torch.compile(backend="inductor", fullgraph=True)
def decorated(x):
    return check(x) + 1
"""


@pytest.fixture(scope="module")
def patched(tmp_path_factory: pytest.TempPathFactory) -> ModuleType:
    folder = tmp_path_factory.mktemp("assert_async")
    source, target = folder / "source.py", folder / "patched_source.py"
    source.write_text(SOURCE)
    command = [GRAPHMEND, "fix", "--trap=assert-async", str(source), "-o", str(target)]
    subprocess.run(command, check=True, capture_output=True)
    spec = importlib.util.spec_from_file_location("patched_source", target)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["patched_source"] = module
    spec.loader.exec_module(module)
    return module


def test_the_text_has_the_papers_form(patched: ModuleType) -> None:
    text = Path(str(patched.__file__)).read_text()
    assert text.count("_graphmend.assert_async(") == 2
    assert text.count("\n_graphmend.register(") == 2
    assert "_graphmend.raise_if((x < -10).any()," in text  # its exception needs a run-time value
    assert "compiled = _graphmend.translate(torch.compile(check" in text
    assert "@_graphmend.translating(torch.compile(" in text


@pytest.mark.parametrize("name", ["check", "compiled", "decorated"])
@pytest.mark.parametrize(
    ("value", "kind", "arguments"),
    [
        (float("nan"), "ValueError", ("not a number",)),
        (11.0, "Refused", ("too large", 10)),
        (-11.0, "ValueError", ("too small for torch.Size([2])",)),
    ],
)
def test_the_original_exception(patched: ModuleType, name: str, value: float, kind: str, arguments: tuple) -> None:
    torch._dynamo.reset()
    with pytest.raises(Exception) as caught:
        getattr(patched, name)(torch.tensor([1.0, value]))
    assert type(caught.value).__name__ == kind
    assert caught.value.args == arguments


@pytest.mark.parametrize(("name", "wanted"), [("check", 2.0), ("compiled", 2.0), ("decorated", 3.0)])
def test_good_values_pass(patched: ModuleType, name: str, wanted: float) -> None:
    torch._dynamo.reset()
    assert torch.equal(getattr(patched, name)(torch.ones(2)), torch.full((2,), wanted))
