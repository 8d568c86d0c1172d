"""The host and its module _graphmend_native: the interpreter it starts, tensors, time, and CUDA absent and feigned."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent / "native"
ROOT = HERE.parents[2]
CUDA_HEADERS = Path("/usr/local/cuda/include")


@pytest.fixture
def script(in_host, tmp_path: Path):
    """Runs a program given as text; ends with what it printed."""

    def call(text: str, *arguments: str, code: int = 0, env: dict[str, str] | None = None) -> str:
        path = tmp_path / "script.py"
        path.write_text(text)
        return in_host(path, *arguments, code=code, env=env).strip()

    return call


def compile_c(*words: str | Path) -> None:
    subprocess.run(["cc", "-std=c11", "-Wall", "-Werror", "-I", ROOT / "src", *words], check=True)


# ---------------------------------------------------------------- the interpreter


def test_the_interpreter_is_that_of_the_environment_and_isolated(script, tmp_path: Path) -> None:
    text = """
import sys, torch
print(sys.executable, sys.argv[1:], sys.flags.isolated, sys.flags.utf8_mode, __name__)
print(sys.path[0] != "/elsewhere", hash("graphmend"))
sys.exit(5)
"""
    env = os.environ | {"PYTHONPATH": "/elsewhere", "LC_ALL": "C"}
    runs = [script(text, "a", "--b", code=5, env=env | {"PYTHONHASHSEED": seed}) for seed in ("1", "2")]
    assert runs[0].splitlines()[0].endswith("/bin/python ['a', '--b'] 1 1 __main__")
    assert runs[0].splitlines()[1].startswith("True ")
    assert runs[0] == runs[1]


def test_another_interpreter(in_host, tmp_path: Path) -> None:
    path = tmp_path / "script.py"
    path.write_text("import sys; print(sys.executable)")
    assert in_host("--python", sys.executable, path).strip() == sys.executable


def test_what_cannot_start(in_host, tmp_path: Path) -> None:
    assert "usage: graphmend-host" in in_host(code=2)
    assert "no Python at /nowhere" in in_host("--python", "/nowhere", "x.py", code=2)
    assert "No such file" in in_host(tmp_path / "missing.py", code=2)


def test_a_shim_for_another_torch_is_refused(script) -> None:
    text = """
import torch, _graphmend_native as native
torch.__version__ = "2.1.0+cpu"
try:
    native.checksum(torch.ones(1))
except ImportError as error:
    print(error)
"""
    assert re.fullmatch(r"graphmend-host was built for torch \S+, and this is torch 2\.1\.0\+cpu", script(text))


# ---------------------------------------------------------------- tensors and time


def test_tensors(in_host) -> None:
    assert " passed" in in_host(HERE / "run_pytest.py", HERE / "shim_checks.py")


def test_time_and_memory(script) -> None:
    text = """
import _graphmend_native as native, time, weakref

class Result:
    pass

alive = []
def call(seconds, *, factor):
    assert not any(r() for r in alive), "a result outlived its call"
    result = Result()
    alive.append(weakref.ref(result))
    time.sleep(seconds * factor)
    return result

times = native.measure(call, (0.01,), {"factor": 2}, 3, "cpu")
assert len(times) == 3 and all(20_000_000 <= t < 2_000_000_000 for t in times), times
assert native.measure(call, (), {}, 0, "cpu") == []
for wrong in (lambda: native.measure(call, [], {}, 1, "cpu"), lambda: native.measure(call, (), {}, 1, "cpu")):
    try:
        wrong()
    except TypeError:
        pass
    else:
        raise AssertionError("no error")
block = bytearray(300 << 20)
peak = native.peak_memory()["host"]
del block
assert 300 << 20 < peak < 1 << 40 and native.peak_memory()["host"] >= peak
print("good")
"""
    assert script(text) == "good"


# ---------------------------------------------------------------- CUDA


CUDA = """
import _graphmend_native as native
print(native.cuda_available())
for call in (native.cuda_device, native.cuda_synchronize, lambda: native.measure(print, (), {}, 1, "cuda")):
    try:
        print(call())
    except RuntimeError as error:
        print("error:", error)
print(sorted(native.peak_memory()))
native.range_push("outer"), native.range_push("inner"), native.range_pop(), native.range_pop()
"""


@pytest.fixture
def feigned(tmp_path: Path) -> dict[str, str]:
    """An environment in which the loader finds our libcudart and libcuda first."""
    for name in ("libcudart.so.13", "libcuda.so.1"):
        compile_c("-shared", "-fPIC", HERE / "fake_cuda.c", "-o", tmp_path / name)
    return os.environ | {"LD_LIBRARY_PATH": str(tmp_path)}


def test_cuda_is_used_where_it_is_found(script, feigned) -> None:
    assert script(CUDA, env=feigned).splitlines() == [
        "True",
        "{'name': 'Feigned device 0', 'capability': (9, 0), 'memory': 8000, 'driver': 13010, 'runtime': 13000}",
        "None",
        "",  # what the measured call prints
        "[1500000]",
        "['cuda_total', 'cuda_used', 'host']",
    ]


def test_a_cuda_that_fails_says_why(script, feigned) -> None:
    lines = script(CUDA, env=feigned | {"FAKE_CUDA": "no device"}).splitlines()
    assert lines == ["False"] + ["error: CUDA sees no device"] * 3 + ["['host']"]
    lines = script(CUDA, env=feigned | {"FAKE_CUDA": "error"}).splitlines()
    assert lines == ["False"] + ["error: cudaGetDeviceCount: feigned error 35"] * 3 + ["['host']"]


def test_a_cuda_without_what_is_needed_is_none(script, tmp_path: Path) -> None:
    source = tmp_path / "empty.c"
    source.write_text("int cudaGetDeviceCount(int *count) { return *count = 1, 0; }\n")
    compile_c("-shared", "-fPIC", source, "-o", tmp_path / "libcudart.so.13")
    lines = script(CUDA, env=os.environ | {"LD_LIBRARY_PATH": str(tmp_path)}).splitlines()
    assert lines == ["False"] + ["error: the CUDA library at hand has no cudaGetDevice"] * 3 + ["['host']"]


def test_ranges_reach_a_profiler(script, tmp_path: Path) -> None:
    if not (CUDA_HEADERS / "nvtx3" / "nvToolsExt.h").exists():
        pytest.skip("no NVTX headers")
    profiler = tmp_path / "profiler.so"
    compile_c("-shared", "-fPIC", "-isystem", CUDA_HEADERS, HERE / "fake_profiler.c", "-o", profiler)
    text = script(CUDA, env=os.environ | {"NVTX_INJECTION64_PATH": str(profiler)})
    assert "push outer push inner pop pop" in text.replace("\n", " ")


def test_our_declarations_are_those_of_the_cuda_headers(tmp_path: Path) -> None:
    if not (CUDA_HEADERS / "cuda_runtime_api.h").exists():
        pytest.skip("no CUDA headers")
    compile_c("-isystem", CUDA_HEADERS, "-c", HERE / "cuda_signatures.c", "-o", tmp_path / "signatures.o")
