"""The stock transformers tree, patched trees, and running the survey or a probe in either.

What the stock tree does is measured once and kept in .cache, by the versions and by the sources that measure.
"""

from __future__ import annotations

import dataclasses
import hashlib
import importlib.metadata
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import difference

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
CACHE = HERE / ".cache"
BINARY = ROOT / "build" / "release" / "graphmend"
MEASURING = ("architectures.py", "observe.py", "recipes.py", "survey.py", "probes.py")


class Failed(Exception):
    """A step could not be run."""


@dataclass(frozen=True)
class How:
    """How models are run in a survey."""

    dtype: str = "float32"
    train: bool = False

    def options(self) -> list[str]:
        return ["--dtype", self.dtype, *(["--train"] if self.train else [])]


@dataclass(frozen=True)
class Survey:
    results: dict[str, dict[str, Any]]
    saved: Path


def stock_tree() -> Path:
    spec = importlib.util.find_spec("transformers")
    if spec is None or spec.origin is None:
        raise Failed("transformers is not installed")
    return Path(spec.origin).parent


def fix_tree(binary: Path, out: Path, options: Sequence[str] = ()) -> Path:
    """Writes OUT/transformers, the stock tree as the binary patches it; returns OUT."""
    if not binary.exists():
        raise Failed(f"no compiler at {binary}")
    shutil.rmtree(out / "transformers", ignore_errors=True)
    out.mkdir(parents=True, exist_ok=True)
    command = [str(binary), "fix", str(stock_tree()), "-o", str(out / "transformers"), *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    if done.returncode not in (0, 1) or not (out / "transformers" / "__init__.py").exists():
        raise Failed(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr[-2000:]}")
    return out


def _run(script: str, arguments: Sequence[str], patched: Path | None, quiet: bool) -> str:
    environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")
    environment.pop("PYTHONPATH", None)
    if patched is not None:
        environment["PYTHONPATH"] = str(patched)
    command = [sys.executable, str(HERE / script), *arguments]
    done = subprocess.run(
        command, env=environment, text=True, stdout=subprocess.PIPE if quiet else None, stderr=subprocess.PIPE
    )
    if done.returncode:
        raise Failed(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr[-2000:]}")
    return done.stdout or ""


def _stock_folder() -> Path:
    versions = [importlib.metadata.version(name) for name in ("torch", "transformers")]
    parts = [*versions, *((HERE / name).read_text() for name in MEASURING)]
    digest = hashlib.sha1("\0".join(parts).encode()).hexdigest()[:12]
    return CACHE / f"stock-{digest}"


def _survey_into(folder: Path, names: Sequence[str] | None, how: How, patched: Path | None) -> Survey:
    """Surveys what the folder does not hold yet; names None means every base architecture."""
    folder.mkdir(parents=True, exist_ok=True)
    out, saved, complete = folder / "results.jsonl", folder / "saved", folder / "complete"
    have = difference.load(out) if out.exists() else {}
    options = ["--out", str(out), "--save", str(saved), *how.options()]
    if names is None:
        if not complete.exists():
            out.unlink(missing_ok=True)
            _run("survey.py", options, patched, quiet=False)
            complete.touch()
    else:
        missing = [name for name in names if name not in have]
        if missing:
            _run("survey.py", [*options, "--heads", "--only", ",".join(missing)], patched, quiet=False)
    if not out.exists():
        raise Failed(f"nothing was surveyed of {names}")
    return Survey(difference.load(out), saved)


def survey_stock(names: Sequence[str] | None, how: How) -> Survey:
    kind = "-".join(str(value) for value in dataclasses.astuple(how))
    found = _survey_into(_stock_folder() / kind, names, how, None)
    if names is None:
        return found
    return Survey({name: found.results[name] for name in names if name in found.results}, found.saved)


def survey_patched(patched: Path, names: Sequence[str] | None, how: How) -> Survey:
    folder = CACHE / "patched-survey"
    shutil.rmtree(folder, ignore_errors=True)
    return _survey_into(folder, names, how, patched)


def probe(name: str, patched: Path | None) -> dict[str, Any]:
    """The answer of a probe; that of the stock tree is kept."""
    kept = _stock_folder() / f"{name}.json"
    if patched is None and kept.exists():
        return json.loads(kept.read_text())
    answer = _run("probes.py", [name], patched, quiet=True).splitlines()[-1]
    if patched is None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(answer + "\n")
    return json.loads(answer)
