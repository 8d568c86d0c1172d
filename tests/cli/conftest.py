"""Fixtures of the command line's tests.

GRAPHMEND names the binary to test; otherwise it is that of build/release, or build/debug.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def binary() -> str:
    if "GRAPHMEND" in os.environ:
        return os.environ["GRAPHMEND"]
    for preset in ("release", "debug"):
        path = ROOT / "build" / preset / "graphmend"
        if path.exists():
            return str(path)
    pytest.skip("graphmend is not built")


@pytest.fixture
def run(binary: str, tmp_path: Path):
    """Runs graphmend in tmp_path; checks the exit code."""

    def call(*args: str | Path, code: int = 0, stdin: str | bytes = b"", env: dict[str, str] | None = None):
        data = stdin.encode() if isinstance(stdin, str) else stdin
        base = {key: value for key, value in os.environ.items() if key != "NO_COLOR"} | {"GRAPHMEND_CACHE_DIR": ""}
        done = subprocess.run(
            [binary, *map(str, args)],
            cwd=tmp_path,
            input=data,
            capture_output=True,
            env=base | (env or {}),
            timeout=60,
        )
        done.out, done.err = done.stdout.decode(), done.stderr.decode()  # type: ignore[attr-defined]
        assert done.returncode == code, f"exit {done.returncode}, not {code}\n{done.out}\n{done.err}"
        return done

    return call


@pytest.fixture
def write(tmp_path: Path):
    def put(name: str, text: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return put
