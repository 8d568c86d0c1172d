"""Runs a program eager, compiled in default mode and under fullgraph=True, and records each call.

Every input is called twice on a fresh program, and all inputs once in a row, forth and back, on another, so that
recompilation, caches and a branch taken after the other are seen.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import torch
import torch._dynamo
import torch.utils._pytree as pytree

from . import recording, tensors
from .program import Input, Subject
from .recording import Call, freeze, qualified, without_place

Scenario = tuple[list[int], list[Call]]  # the order of the inputs, and what each call did

REAL_COMPILE = torch.compile
QUIET = ("torch", "torch._dynamo", "torch._dynamo.variables.tensor")


class Loadable(Protocol):
    def load(self) -> Subject: ...


@dataclass
class Mode:
    name: str = "eager"  # or "compiled", "fullgraph"
    backend: str = "eager"


MODE = Mode()


def _counting_backend() -> Callable[..., Any]:
    inner = torch._dynamo.lookup_backend(MODE.backend)

    def backend(graph: torch.fx.GraphModule, inputs: list[Any]) -> Any:
        recording.GRAPHS.append(sum(n.op.startswith("call") for n in graph.graph.nodes))
        return inner(graph, inputs)

    backend.__name__ = MODE.backend  # the runtime asks whether it is one of AOTAutograd's
    return backend


def compile_by_mode(model: Any = None, *, fullgraph: bool = False, dynamic: Any = None, **_: Any) -> Any:
    """Takes the place of torch.compile: the mode under test decides what it does."""
    if model is None:
        return lambda m: compile_by_mode(m, dynamic=dynamic)
    if MODE.name == "eager":
        return model
    return REAL_COMPILE(model, backend=_counting_backend(), fullgraph=MODE.name == "fullgraph", dynamic=dynamic)


def _fresh(program: Loadable) -> tuple[Subject, Any]:
    """The program and its entry compiled, with nothing left of earlier runs."""
    torch._dynamo.reset()
    _forget_modules()
    once = getattr(logging.Logger, "warning_once", None)
    if hasattr(once, "cache_clear"):
        once.cache_clear()
    tensors.seed(0)
    subject = program.load()
    return subject, subject.entry if subject.self_compiled else compile_by_mode(subject.entry)


def _forget_modules() -> None:
    """torch 2.6 insists that a module which it has seen from there is the one of that name still."""
    seen = vars(torch._dynamo.external_utils)
    for alias in [name for name in seen if name.startswith("__import_")]:
        del seen[alias]


def _gradients(raw: Any, args: tuple[Any, ...], kwargs: dict[str, Any], out: Any) -> list[Any]:
    loss = torch.zeros((), dtype=torch.double)
    for leaf in pytree.tree_leaves(out):
        if isinstance(leaf, torch.Tensor) and leaf.is_floating_point() and leaf.requires_grad:
            loss = loss + leaf.double().sum()
    if loss.requires_grad:
        loss.backward()
    given = [a for a in pytree.tree_leaves((args, kwargs)) if isinstance(a, torch.Tensor)]
    leaves = [a.grad for a in given if a.is_leaf and a.requires_grad]
    parameters = {n: p.grad for n, p in raw.named_parameters()} if isinstance(raw, torch.nn.Module) else {}
    return {"inputs": leaves, "parameters": parameters}


def _record_exception(call: Call, error: Exception) -> None:
    if type(error).__module__.startswith(("torch._dynamo", "torch._inductor")):
        # The compiler's own: its text goes on with paths and lines of the traced file, and hints.
        call.trace = without_place(f"{qualified(type(error))}: {str(error).split(chr(10))[0]}")
        call.exception = (qualified(type(error)), freeze([call.trace]))
        return
    call.exception = (qualified(type(error)), freeze([without_place(argument) for argument in error.args]))
    cause = error.__cause__
    call.cause = (qualified(type(cause)), freeze(list(cause.args))) if cause is not None else None


def _call_once(subject: Subject, entry: Any, inputs: Input) -> Call:
    args, kwargs = inputs
    recording.clear()
    if isinstance(subject.entry, torch.nn.Module):
        subject.entry.zero_grad(set_to_none=True)
    frames = torch._dynamo.utils.counters["frames"]["total"]
    tensors.seed(1234)
    call = Call()
    try:
        out = entry(*args, **kwargs)
        call.output = freeze(out)
        if subject.grad:
            call.grads = freeze(_gradients(subject.entry, args, kwargs, out))
    except Exception as error:
        _record_exception(call, error)
    call.rng = hashlib.sha1(torch.get_rng_state().numpy().tobytes()).hexdigest()
    call.events = list(recording.EVENTS)
    call.inputs_after = freeze([list(args), kwargs])
    call.state = recording.state_of(subject.entry)
    call.observed = freeze(subject.observe()) if subject.observe else None
    call.breaks, call.graphs = list(recording.BREAKS), list(recording.GRAPHS)
    call.frames = torch._dynamo.utils.counters["frames"]["total"] - frames
    return call


def run_order(program: Loadable, mode: str, backend: str, order: list[int]) -> Scenario:
    """The inputs of these numbers in a row, on a fresh program."""
    MODE.name, MODE.backend = mode, backend
    subject, entry = _fresh(program)
    return order, [_call_once(subject, entry, subject.cases()[i]) for i in order]


def run_all(program: Loadable, mode: str, backend: str, singly: bool = True) -> list[Scenario]:
    """All orders of the inputs; without ``singly``, of several inputs only all in a row: it compiles once."""
    n = len(program.load().cases())
    orders = [[i, i] for i in range(n)] if singly or n == 1 else []
    if n > 1:
        orders.append([*range(n), *reversed(range(n))])
    return [run_order(program, mode, backend, order) for order in orders]


def prepare(backend: str) -> None:
    """Hooks this process: nothing of it is undone, so it is for a process of its own."""
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
