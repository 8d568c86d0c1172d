"""What is installed: the wheel in an empty environment, and cmake --install with the C API."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MODEL = """import torch
from torch import nn


class Net(nn.Module):
    def forward(self, x):
        print(x)
        return x * 2
"""


def run(*args: str | Path, cwd: Path, code: int = 0, env: dict[str, str] | None = None) -> str:
    base = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    done = subprocess.run(
        [str(arg) for arg in args], cwd=cwd, capture_output=True, text=True, env=base | (env or {}), timeout=900
    )
    assert done.returncode == code, f"exit {done.returncode}, not {code}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built in build/wheel, so that a second run compiles only what changed."""
    out = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "-w", out, ROOT, cwd=out)
    (path,) = out.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def venv(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("venv")
    run(sys.executable, "-m", "venv", "--without-pip", folder, cwd=folder)
    pip = [sys.executable, "-m", "pip", "--python", folder / "bin" / "python"]
    run(*pip, "install", "--quiet", "--no-index", wheel, cwd=folder)
    return folder


def test_the_wheel_needs_nothing_and_is_for_every_python(wheel: Path, venv: Path) -> None:
    assert wheel.name.startswith("graphmend-0.1.0-py3-none-linux")
    listed = run(sys.executable, "-m", "pip", "--python", venv / "bin" / "python", "list", "--format=json", cwd=venv)
    assert [package["name"] for package in json.loads(listed)] == ["graphmend"]


def test_the_script_is_the_program(venv: Path, tmp_path: Path) -> None:
    script = venv / "bin" / "graphmend"
    assert script.read_bytes()[:4] == b"\x7fELF"
    (tmp_path / "m.py").write_text(MODEL)
    out = run(script, "check", "m.py", "--output-format", "concise", cwd=tmp_path, code=1)
    assert out == "m.py:7:9: GM301 print in compiled code [fixable]\n"
    assert "_graphmend.defer(print, x)" in run(script, "fix", "m.py", cwd=tmp_path)


def test_python_dash_m(venv: Path, tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(MODEL)
    assert run(venv / "bin" / "python", "-m", "graphmend", "--version", cwd=tmp_path) == "graphmend 0.1.0\n"
    run(venv / "bin" / "python", "-m", "graphmend", "check", "m.py", cwd=tmp_path, code=1)
    run(venv / "bin" / "python", "-m", "graphmend", "chekc", cwd=tmp_path, code=2)


def test_the_installed_runtime_is_what_rewritten_files_import(venv: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    (tmp_path / "m.py").write_text(MODEL + "\n\nNet()(torch.ones(2))\n")
    run(venv / "bin" / "graphmend", "fix", "m.py", "--runtime=import", "-i", cwd=tmp_path)
    assert "from graphmend import runtime" in (tmp_path / "m.py").read_text()
    (packages,) = venv.glob("lib/python*/site-packages")
    env = {"PYTHONPATH": str(packages)}  # the environment has no torch of its own
    assert run(sys.executable, "m.py", cwd=tmp_path, env=env) == "tensor([1., 1.])\n"


# ---------------------------------------------------------------- cmake --install


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    build = ROOT / "build" / "release"
    if not (build / "graphmend").exists():
        pytest.skip("graphmend is not built")
    folder = tmp_path_factory.mktemp("prefix")
    run("cmake", "--install", build, "--prefix", folder, cwd=folder)
    return folder


def test_cmake_install(prefix: Path) -> None:
    assert run(prefix / "bin" / "graphmend", "--version", cwd=prefix) == "graphmend 0.1.0\n"
    assert (prefix / "share/man/man1/graphmend.1").read_text().startswith(".TH GRAPHMEND 1")
    for path in ("bash-completion/completions/graphmend", "zsh/site-functions/_graphmend"):
        assert "graphmend" in (prefix / "share" / path).read_text()


def test_a_program_on_the_installed_api(prefix: Path, tmp_path: Path) -> None:
    (tmp_path / "m.py").write_text(MODEL)
    (library,) = prefix.rglob("libgraphmend.so")
    flags = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic"]
    run("cc", *flags, f"-I{prefix}/include", ROOT / "examples/api.c", library, "-o", "api", cwd=tmp_path)
    env = {"LD_LIBRARY_PATH": str(library.parent)}
    out = run(tmp_path / "api", "m.py", cwd=tmp_path, env=env)
    assert "m.py:7:9: GM301 print in compiled code [fixable]" in out and "1 findings, 2 edits" in out
    assert run(tmp_path / "api", "gone.py", cwd=tmp_path, code=2, env=env) == ""


def test_the_header_is_c_plus_plus_too(prefix: Path, tmp_path: Path) -> None:
    (tmp_path / "x.cpp").write_text("#include <graphmend/graphmend.h>\nint main() { gm_close(nullptr); }\n")
    run("c++", "-Wall", "-Werror", f"-I{prefix}/include", "-c", "x.cpp", cwd=tmp_path)
