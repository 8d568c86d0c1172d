"""One side, run in a process of its own: everything it did, as data."""

from __future__ import annotations

import argparse
import os
import pickle
import sys
import traceback
from dataclasses import dataclass, field
from pathlib import Path

import torch

from . import scenarios
from .places import Places
from .program import CannotRun, Program
from .scenarios import Scenario


@dataclass
class Record:
    """What one side did."""

    path: str
    name: str
    is_folder: bool
    backend: str
    torch: str = torch.__version__
    modes: dict[str, list[Scenario]] = field(default_factory=dict)

    def places(self) -> Places:
        return Places(self.path, None if self.is_folder else self.name + ".py")


def _search_path(path: str, beside: str, inputs: str | None) -> list[str]:
    """Where imports look first: this side, then what lies beside the original and the inputs."""
    folders = [os.path.dirname(path)]
    if os.path.isdir(path):
        # A package that goes by another name is loaded under the original's: see Program.
        folders = [os.path.dirname(path) if os.path.exists(os.path.join(path, "__init__.py")) else path]
    else:
        folders.append(beside)
    if inputs:
        folders.append(os.path.dirname(inputs))
    return list(dict.fromkeys(folders))


def _fullgraph(program: Program, backend: str) -> list[Scenario]:
    """Each input once: what is asked is whether the graph is whole, and then what the call does."""
    count = len(program.load().cases())
    return [scenarios.run_order(program, "fullgraph", backend, [i]) for i in range(count)]


def _record(path: str, options: argparse.Namespace) -> Record:
    sys.path[:0] = _search_path(path, options.beside, options.inputs)
    program = Program(path, options.name, options.entry, options.inputs)
    record = Record(path, options.name, os.path.isdir(path), options.backend)
    for mode in ("eager", "compiled"):
        record.modes[mode] = scenarios.run_all(program, mode, options.backend)
    record.modes["fullgraph"] = _fullgraph(program, options.backend)
    return record


def run(path: str, output: Path, failure: Path, options: argparse.Namespace) -> int:
    """Records the side at `path` into the file `output`; 2, and what is wrong in `failure`, if it cannot."""
    scenarios.prepare(options.backend)
    try:
        output.write_bytes(pickle.dumps(_record(path, options)))
    except CannotRun as error:
        failure.write_text(f"{error}\n")
        return 2
    except BaseException as error:
        last = traceback.format_exception_only(error)[-1].strip()
        failure.write_text(f"{last}\n\n{traceback.format_exc()}")
        return 2
    return 0
