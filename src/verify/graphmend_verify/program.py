"""What is run: the entry of a file or of a package's module, and its inputs.

A program loads afresh for each scenario. The conventions are those of tests/behaviour/README.md: ENTRY names the entry
(a class, a make_* factory or a name ending in "()" is called to build it), cases() gives the inputs as a list of
(arguments, keywords), GRAD = True asks for gradients, SELF_COMPILED = True says that the entry compiles itself, and
observe() gives more state to compare. A file of inputs may say all of this in the module's stead, and make(module) may
build the entry.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import torch

Input = tuple[tuple[Any, ...], dict[str, Any]]
INPUTS_MODULE = "_graphmend_inputs"


class CannotRun(Exception):
    """What is wrong with what the user gave, in words for him."""


@dataclass
class Subject:
    """A program loaded: what to call, and with what."""

    entry: Any
    cases: Callable[[], list[Input]]
    grad: bool = False
    self_compiled: bool = False
    observe: Callable[[], Any] | None = None


def load_file(path: str, name: str, is_package: bool = False) -> ModuleType:
    """The file as the module of this name, whatever was there before."""
    sys.modules.pop(name, None)
    inside = [os.path.dirname(path)] if is_package else None
    spec = importlib.util.spec_from_file_location(name, path, submodule_search_locations=inside)
    if spec is None or spec.loader is None:
        raise CannotRun(f"{path} is no Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    parent, _, last = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], last, module)
    return module


def build(module: ModuleType, entry: str) -> Any:
    """The entry of this name: classes, factories and "name()" are called."""
    value: Any = module
    words = entry.removesuffix("()").split(".")
    if words[-1] == "forward" and len(words) > 1:
        words.pop()  # as check and fix name what is compiled
    for word in words:
        if not hasattr(value, word):
            raise CannotRun(f"{module.__name__} has no {'.'.join(words)}")
        value = getattr(value, word)
    if isinstance(value, type) or words[-1].startswith("make_") or entry.endswith("()"):
        try:
            value = value()
        except TypeError as error:
            raise CannotRun(
                f"{entry} cannot be built without arguments ({error}); a file of inputs can build it: make(module)"
            ) from error
    return value


def from_module(module: ModuleType, entry: str | None = None) -> Subject:
    """By what the module itself says."""
    return Subject(
        entry=build(module, entry or module.ENTRY),
        cases=module.cases,
        grad=getattr(module, "GRAD", False),
        self_compiled=getattr(module, "SELF_COMPILED", False),
        observe=getattr(module, "observe", None),
    )


@dataclass
class FileProgram:
    """A file by its own conventions, as in tests/behaviour."""

    path: str

    def load(self) -> Subject:
        return from_module(load_file(self.path, os.path.splitext(os.path.basename(self.path))[0]))


@dataclass
class Program:
    """One side of `graphmend verify`."""

    path: str  # a file or a folder
    name: str  # what the original's file or folder is called, without .py: both sides load under this name
    entry: str | None  # NAME, or pkg.mod:NAME
    inputs: str | None  # a file
    _before: frozenset[str] = field(default_factory=lambda: frozenset(sys.modules))

    def load(self) -> Subject:
        self._forget()
        module, entry = self._module()
        inputs = load_file(self.inputs, INPUTS_MODULE) if self.inputs else module
        if not hasattr(inputs, "cases"):
            raise CannotRun(
                f"no inputs: {inputs.__file__} has no cases() that returns a list of (arguments, keywords)"
                + ("" if self.inputs else "; give a file that has one with --inputs")
            )
        subject = Subject(entry=self._build(module, inputs, entry), cases=lambda: checked(inputs.cases()))
        for source in (module, inputs):
            subject.grad = getattr(source, "GRAD", subject.grad)
            subject.self_compiled = getattr(source, "SELF_COMPILED", subject.self_compiled)
            subject.observe = getattr(source, "observe", subject.observe)
        return subject

    def _module(self) -> tuple[ModuleType, str | None]:
        """The module, and what in it is the entry, if that was said."""
        where, colon, what = (self.entry or "").rpartition(":")
        if os.path.isdir(self.path):
            if not colon:
                raise CannotRun(f"{self.path} is a folder: say with --entry pkg.mod:NAME what to run")
            package = os.path.join(self.path, "__init__.py")
            if os.path.exists(package) and self.name not in sys.modules:
                load_file(package, self.name, is_package=True)
            return importlib.import_module(where), what
        name = where or self.name
        parent = name.rpartition(".")[0]
        if parent:  # the file takes the place of a module of a package that is installed
            importlib.import_module(parent)
        return load_file(self.path, name), what or None

    def _build(self, module: ModuleType, inputs: ModuleType, entry: str | None) -> Any:
        if hasattr(inputs, "make"):
            return inputs.make(module)
        entry = entry or getattr(inputs, "ENTRY", None) or getattr(module, "ENTRY", None)
        return build(module, entry or self._only_model(module))

    def _only_model(self, module: ModuleType) -> str:
        models = [
            name
            for name, value in vars(module).items()
            if isinstance(value, type) and issubclass(value, torch.nn.Module) and value.__module__ == module.__name__
        ]
        if len(models) == 1:
            return models[0]
        found = "it has no nn.Module" if not models else f"it has {', '.join(models)}"
        raise CannotRun(f"no entry: {module.__file__} has no ENTRY, and {found}; say which with --entry NAME")

    def _forget(self) -> None:
        """Takes out of sys.modules what was loaded from below the folder since."""
        root = self.path if os.path.isdir(self.path) else os.path.dirname(self.path)
        for name, module in list(sys.modules.items()):
            file = getattr(module, "__file__", None) or ""
            if name not in self._before and is_below(file, root) and not is_below(file, sys.prefix):
                del sys.modules[name]


def is_below(file: str, folder: str) -> bool:
    return file.startswith(os.path.join(folder, ""))


def checked(cases: Any) -> list[Input]:
    good = isinstance(cases, list) and all(
        isinstance(case, tuple) and len(case) == 2 and isinstance(case[0], tuple) and isinstance(case[1], dict)
        for case in cases
    )
    if not good or not cases:
        raise CannotRun("cases() returns a list of (arguments, keywords), a tuple and a dict, and not an empty one")
    return cases
