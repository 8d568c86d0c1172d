"""Runs one file in a forked child: eager, compiled in default mode and, on request, under fullgraph=True.

Every input is called twice on a fresh module, and all inputs once in a row, forth and back, on another, so that
recompilation, caches and a branch taken after the other are seen.
"""

from __future__ import annotations

import hashlib
import importlib.util
import logging
import os
import pickle
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import torch
import torch._dynamo
import torch.utils._pytree as pytree

from . import recording
from .recording import Call, freeze, qualified

Scenario = tuple[list[int], list[Call]]  # the order of the inputs, and what each call did

REAL_COMPILE = torch.compile
CONSTANTS = ("ENTRY", "EXPECT", "EXPECT_BREAKS_BEFORE", "GRAD", "TEXT", "NOT_FOR", "__doc__")
QUIET = ("torch", "torch._dynamo", "torch._dynamo.variables.tensor")


@dataclass
class Outcome:
    """What the child sends back."""

    constants: dict[str, Any] = field(default_factory=dict)
    modes: dict[str, list[Scenario]] = field(default_factory=dict)
    crash: str | None = None


@dataclass
class Mode:
    name: str = "eager"
    backend: str = "eager"


MODE = Mode()


def _counting_backend() -> Callable[..., Any]:
    inner = torch._dynamo.lookup_backend(MODE.backend)

    def backend(graph: torch.fx.GraphModule, inputs: list[Any]) -> Any:
        recording.GRAPHS.append(sum(n.op.startswith("call") for n in graph.graph.nodes))
        return inner(graph, inputs)

    return backend


def compile_by_mode(model: Any = None, *, fullgraph: bool = False, dynamic: Any = None, **_: Any) -> Any:
    """Takes the place of torch.compile: the mode under test decides what it does."""
    if model is None:
        return lambda m: compile_by_mode(m, dynamic=dynamic)
    if MODE.name == "eager":
        return model
    return REAL_COMPILE(model, backend=_counting_backend(), fullgraph=MODE.name == "fullgraph", dynamic=dynamic)


def _load(path: str) -> ModuleType:
    name = os.path.splitext(os.path.basename(path))[0]
    sys.modules.pop(name, None)
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def _fresh(path: str) -> tuple[ModuleType, Any, Any]:
    """The case's module, its entry and the entry compiled, with nothing left of earlier runs."""
    torch._dynamo.reset()
    once = getattr(logging.Logger, "warning_once", None)
    if hasattr(once, "cache_clear"):
        once.cache_clear()
    torch.manual_seed(0)
    module = _load(path)
    entry = getattr(module, module.ENTRY.removesuffix("()"))
    if isinstance(entry, type) or module.ENTRY.startswith("make_") or module.ENTRY.endswith("()"):
        entry = entry()
    compiled = entry if getattr(module, "SELF_COMPILED", False) else compile_by_mode(entry)
    return module, entry, compiled


def _gradients(raw: Any, args: tuple[Any, ...], kwargs: dict[str, Any], out: Any) -> list[Any]:
    loss = torch.zeros((), dtype=torch.double)
    for leaf in pytree.tree_leaves(out):
        if isinstance(leaf, torch.Tensor) and leaf.is_floating_point() and leaf.requires_grad:
            loss = loss + leaf.double().sum()
    if loss.requires_grad:
        loss.backward()
    tensors = [a for a in pytree.tree_leaves((args, kwargs)) if isinstance(a, torch.Tensor)]
    leaves = [a.grad for a in tensors if a.is_leaf and a.requires_grad]
    parameters = [p.grad for p in raw.parameters()] if isinstance(raw, torch.nn.Module) else []
    return [leaves, parameters]


def _call_once(module: ModuleType, raw: Any, entry: Any, inputs: tuple[tuple[Any, ...], dict[str, Any]]) -> Call:
    args, kwargs = inputs
    recording.clear()
    if isinstance(raw, torch.nn.Module):
        raw.zero_grad(set_to_none=True)
    frames = torch._dynamo.utils.counters["frames"]["total"]
    torch.manual_seed(1234)
    call = Call()
    try:
        out = entry(*args, **kwargs)
        call.output = freeze(out)
        if getattr(module, "GRAD", False):
            call.grads = freeze(_gradients(raw, args, kwargs, out))
    except Exception as error:
        if type(error).__module__.startswith(("torch._dynamo", "torch._inductor")):
            # The compiler's own: its text goes on with paths and lines of the traced file, and hints.
            call.trace = f"{qualified(type(error))}: {str(error).split(chr(10))[0]}"
            call.exception = (qualified(type(error)), freeze([call.trace]))
        else:
            call.exception = (qualified(type(error)), freeze(list(error.args)))
            cause = error.__cause__
            call.cause = (qualified(type(cause)), freeze(list(cause.args))) if cause is not None else None
    call.rng = hashlib.sha1(torch.get_rng_state().numpy().tobytes()).hexdigest()
    call.events = list(recording.EVENTS)
    call.inputs_after = freeze([list(args), kwargs])
    call.state = recording.module_state(raw)
    call.observed = freeze(module.observe()) if hasattr(module, "observe") else None
    call.breaks, call.graphs = list(recording.BREAKS), list(recording.GRAPHS)
    call.frames = torch._dynamo.utils.counters["frames"]["total"] - frames
    return call


def run_order(path: str, mode: str, backend: str, order: list[int]) -> Scenario:
    """The inputs of these numbers in a row, on a fresh module."""
    MODE.name, MODE.backend = mode, backend
    module, raw, entry = _fresh(path)
    return order, [_call_once(module, raw, entry, module.cases()[i]) for i in order]


def _scenarios(path: str, mode: str, backend: str) -> list[Scenario]:
    n = len(_load(path).cases())
    orders = [[i, i] for i in range(n)]
    if n > 1:
        orders.append([*range(n), *reversed(range(n))])
    return [run_order(path, mode, backend, order) for order in orders]


def prepare(backend: str) -> None:
    """Hooks this process: nothing of it is undone, so it is for a forked child."""
    recording.install()
    torch.compile = compile_by_mode
    for noisy in QUIET:
        logging.getLogger(noisy).setLevel(logging.ERROR)
    if backend == "inductor":
        import torch._inductor.config as inductor

        inductor.compile_threads, inductor.fallback_random = 1, True
        # torch 2.13 takes a graph with a float argument out of its cache with another call's float.
        inductor.fx_graph_cache = False
        torch._functorch.config.enable_autograd_cache = False


def _work(path: str, modes: Sequence[str], backend: str, result: str) -> None:
    prepare(backend)
    sys.path.insert(0, os.path.dirname(path))
    outcome = Outcome()
    try:
        module = _load(path)
        outcome.constants = {k: getattr(module, k, None) for k in CONSTANTS}
        for mode in modes:
            outcome.modes[mode] = _scenarios(path, mode, backend)
    except BaseException:
        outcome.crash = traceback.format_exc()[-2500:]
    with open(result, "wb") as file:
        pickle.dump(outcome, file)


def run_in_child(path: str, modes: Sequence[str], backend: str, limit: float) -> Outcome:
    fd, result = tempfile.mkstemp(suffix=".pickle")
    os.close(fd)
    pid = os.fork()
    if pid == 0:
        try:
            _work(path, modes, backend, result)
        finally:
            os._exit(0)
    end = time.time() + limit
    while time.time() < end:
        done, _ = os.waitpid(pid, os.WNOHANG)
        if done:
            break
        time.sleep(0.02)
    else:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        os.unlink(result)
        return Outcome(crash=f"timeout after {limit} s")
    try:
        with open(result, "rb") as file:
            return pickle.load(file)
    except Exception as error:
        return Outcome(crash=f"the child left no result ({error})")
    finally:
        os.unlink(result)
