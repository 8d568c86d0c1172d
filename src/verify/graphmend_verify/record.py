"""The process that runs one side and writes what it recorded.

    record --path FILE|FOLDER --name NAME [--beside FOLDER] [--entry NAME] [--inputs FILE] --backend B --output RECORD

Exit 0, or 2 with what is wrong on standard output: the first line says it, a traceback may follow.
"""

from __future__ import annotations

import argparse
import os
import pickle
import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field

import torch

from . import scenarios
from .places import Places
from .program import CannotRun, Program
from .scenarios import Scenario

MODES = ("eager", "compiled", "fullgraph")


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


def _run(options: argparse.Namespace) -> Record:
    sys.path[:0] = _search_path(options.path, options.beside, options.inputs)
    program = Program(options.path, options.name, options.entry, options.inputs)
    record = Record(options.path, options.name, os.path.isdir(options.path), options.backend)
    for mode in ("eager", "compiled"):
        record.modes[mode] = scenarios.run_all(program, mode, options.backend)
    record.modes["fullgraph"] = _fullgraph(program, options.backend)
    return record


def _parse(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="record")
    for name in ("--path", "--name", "--beside", "--backend", "--output"):
        parser.add_argument(name, required=True)
    parser.add_argument("--entry")
    parser.add_argument("--inputs")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str]) -> int:
    options = _parse(arguments)
    errors = sys.stdout  # before it is recorded
    torch.set_num_threads(1)
    scenarios.prepare(options.backend)
    try:
        record = _run(options)
    except CannotRun as error:
        print(error, file=errors)
        return 2
    except BaseException as error:
        last = traceback.format_exception_only(error)[-1].strip()
        print(last, traceback.format_exc(), sep="\n\n", file=errors)
        return 2
    with open(options.output, "wb") as file:
        pickle.dump(record, file)
    return 0
