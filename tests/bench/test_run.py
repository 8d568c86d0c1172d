"""What bench/run.py does where nothing can be measured: exit codes, and the places that it hands on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HOST = """#!/bin/sh
echo '{"python": "3", "torch": "2", "transformers": "4", "tree": "/nowhere", "gpu": null}'
"""


@pytest.mark.parametrize("missing", ["host", "graphmend", "working graphmend"])
def test_what_cannot_run_is_told_from_a_bad_row(missing: str, tmp_path: Path) -> None:
    host, graphmend = tmp_path / "host", tmp_path / "graphmend"
    if missing != "host":
        host.write_text(HOST)
        host.chmod(0o755)
    if missing == "working graphmend":
        graphmend.write_text("#!/bin/sh\nexit 3\n")
        graphmend.chmod(0o755)
    places = {"host": host, "graphmend": graphmend, "work": tmp_path / "work", "out": tmp_path / "out"}
    options = [word for name, path in places.items() for word in (f"--{name}", str(path))]
    done = subprocess.run(
        [sys.executable, ROOT / "bench/run.py", "--quick", *options], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2
    assert missing.split()[-1] in done.stderr and "Traceback" not in done.stderr


def test_processes_get_places_that_hold_in_every_folder(tmp_path: Path) -> None:
    host, graphmend = tmp_path / "host", tmp_path / "graphmend"
    host.write_text(HOST)
    kept = f'printf "%s\\n" "$@" >>{tmp_path}/arguments'
    graphmend.write_text(f'#!/bin/sh\n{kept}\necho 1\n[ "$1" = --version ] || exit 3\n')
    for program in (host, graphmend):
        program.chmod(0o755)
    command = [sys.executable, ROOT / "bench/run.py", "--quick", "--host", host, "--graphmend", graphmend]
    command += ["--work", "work", "--out", tmp_path / "out"]
    subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60)
    places = [line for line in (tmp_path / "arguments").read_text().splitlines() if "work" in line]
    assert places and all(place.startswith(str(tmp_path)) for place in places)
