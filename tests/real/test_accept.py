"""The acceptance list on the real tree; needs the compiler and some minutes."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
BINARY = HERE.parents[1] / "build" / "release" / "graphmend"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not BINARY.exists(), reason="the compiler is not built"),
]


@pytest.fixture(scope="module")
def patched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("patched")
    run("fix", "--out", str(out))
    return out


def run(*arguments: str) -> None:
    done = subprocess.run([sys.executable, str(HERE / "real.py"), *arguments], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


def test_models(patched: Path) -> None:
    run("accept", "--patched", str(patched))


def test_imports(patched: Path) -> None:
    run("imports", "--patched", str(patched))
