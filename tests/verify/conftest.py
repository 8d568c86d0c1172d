"""Fixtures of the tests of verify and its host, which are built in build/verify (`./dev test verify`)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "verify"


@pytest.fixture(scope="session")
def host() -> Path:
    path = BUILD / "graphmend-host"
    if not path.exists():
        pytest.skip("build/verify is not built")
    return path


@pytest.fixture(scope="session")
def in_host(host: Path):
    """Runs a script in the host; gives what it printed."""

    def call(*words: str | Path, code: int = 0, env: dict[str, str] | None = None) -> str:
        done = subprocess.run([host, *words], capture_output=True, text=True, env=env, timeout=300)
        assert done.returncode == code, f"exit {done.returncode}, not {code}\n{done.stdout}\n{done.stderr}"
        return done.stdout + done.stderr

    return call
