"""What one run of a program is seen to do.

`install` hooks printed text, log records, warnings and Dynamo's logged graph breaks; they land in the
module's lists in the order in which they happen. `freeze` turns any value into data that can be pickled and compared.
"""

from __future__ import annotations

import collections
import functools
import io
import logging
import os
import pickle
import random
import re
import sys
import types
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import FrameType
from typing import Any, NamedTuple

import numpy
import torch
import torch._dynamo
import torch._dynamo.symbolic_convert as symbolic_convert

from . import tensors
from .places import plain_name

TORCH_DIR = os.path.dirname(torch.__file__) + os.sep

LEVELS_MAX = 100  # what lies deeper is not compared, and told as a difference
ITEMS_MAX = 1_000_000  # so much of one value
SEQUENCES = (list, tuple, collections.deque, type({}.keys()), type({}.values()), type({}.items()))
MAPPINGS, SETS = (dict, types.MappingProxyType), (set, frozenset)
CONTAINERS = (*SEQUENCES, *MAPPINGS, *SETS, BaseException)
TORCHS_OWN = ("torch._dynamo", "torch._functorch", "torch._inductor", "torch.utils.hooks")  # not the program's
COMPILERS_OWN = ("_dynamo", "_torchdynamo", "_is_torch_compile")  # how attributes begin that it sets
MODULES_OWN = frozenset(vars(torch.nn.Module())) - {"training"}
NAMED = (type, types.ModuleType, types.FunctionType, types.MethodType, types.BuiltinFunctionType, logging.Logger)

Frozen = Any  # nested tuples, see freeze()
Event = tuple[Any, ...]  # ("stdout", text) | ("log", logger, level, text, place) | ("warning", category, text, place)


class Break(NamedTuple):
    """A graph break that Dynamo logged."""

    reason: str  # its first line
    function: str
    file: str
    line: int
    gb_id: str | None


EVENTS: list[Event] = []
BREAKS: list[Break] = []
GRAPHS: list[int] = []  # operators in each captured graph


@dataclass
class Call:
    """One call of a program's entry."""

    output: Frozen = None
    exception: tuple[str, Frozen] | None = None
    cause: tuple[str, Frozen] | None = None
    trace: str | None = None  # the first line of an exception that the compiler itself raised
    grads: Frozen = None
    rng: str = ""
    events: list[Event] = field(default_factory=list)
    inputs_after: Frozen = None
    state: Frozen = None
    observed: Frozen = None
    breaks: list[Break] = field(default_factory=list)
    graphs: list[int] = field(default_factory=list)
    frames: int = 0  # that Dynamo compiled during the call


class Stream(io.TextIOBase):
    """Stands in for sys.stdout or sys.stderr and joins adjacent writes to one event."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if not text:
            return 0
        if EVENTS and EVENTS[-1][0] == self.kind:
            EVENTS[-1] = (self.kind, EVENTS[-1][1] + text)
        else:
            EVENTS.append((self.kind, text))
        return len(text)

    def flush(self) -> None:
        pass


def _caller_outside(skip: Iterable[str]) -> FrameType | None:
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename in skip:
        frame = frame.f_back
    return frame


def _hook_logging() -> None:
    handle = logging.Logger.handle

    def handle_and_record(self: logging.Logger, record: logging.LogRecord) -> None:
        if not record.name.startswith(("torch", "filelock", "asyncio")):
            try:
                message = record.getMessage()
            except Exception as error:
                message = f"<message failed: {type(error).__name__}>"
            place = (record.pathname, record.lineno, record.funcName)
            EVENTS.append(("log", record.name, record.levelname, message, place))
        return handle(self, record)

    logging.Logger.handle = handle_and_record  # type: ignore[method-assign]
    if not logging.root.handlers:
        logging.root.addHandler(logging.NullHandler())


def _hook_warnings() -> None:
    def show(msg: warnings.WarningMessage) -> None:
        caller = _caller_outside({warnings.__file__, __file__})
        if caller is not None and caller.f_code.co_filename.startswith(TORCH_DIR):
            return  # torch's own
        category = msg.category
        name = f"{category.__module__}.{category.__qualname__}"
        EVENTS.append(("warning", name, str(msg.message), (msg.filename, msg.lineno, None)))

    warnings._showwarnmsg = show  # type: ignore[attr-defined]
    warnings.simplefilter("always")


def _site(code_options: dict[str, Any], stack: Any) -> tuple[str, int, str]:
    """File, line and function: the innermost frame of the traced program's own stack that is not torch's."""
    for frame in reversed(stack or torch._guards.TracingContext.extract_stack() or []):
        if not frame.filename.startswith(TORCH_DIR):
            return frame.filename, frame.lineno or 0, plain_name(frame.name)
    return code_options["co_filename"], code_options["co_firstlineno"], plain_name(code_options["co_name"])


def _count_break(code_options: dict[str, Any], text: str, stack: Any) -> None:
    what = text.strip().split("\n")[0][:120]
    if what != "Observed exception":  # the program's own exception on its way out
        file, line, function = _site(code_options, stack)
        gb_id = re.search(r"\bgb\d{4}\b", text)
        BREAKS.append(Break(what, function, file, line, gb_id and gb_id[0].upper()))


def _hook_breaks() -> None:
    translator: Any = symbolic_convert.InstructionTranslatorBase
    if not hasattr(translator, "log_graph_break"):
        _hook_older_breaks(translator)
        return
    log_graph_break = translator.log_graph_break

    def count(self: Any, code_options: dict[str, Any], reason: str, exc: Any) -> None:
        if not exc.logged:
            _count_break(code_options, str(getattr(exc, "msg", exc)), getattr(exc, "real_stack", None))
        return log_graph_break(self, code_options, reason, exc)

    translator.log_graph_break = count


def _hook_older_breaks(translator: Any) -> None:
    """Before torch 2.9 a function logs breaks, but not those that end a graph between two statements."""
    log_graph_break, step_graph_break = symbolic_convert.log_graph_break, translator.step_graph_break

    def count(code_options: dict[str, Any], reason: str = "", exc_info: bool = False, user_stack: Any = None) -> None:
        _count_break(code_options, reason.removeprefix("Unsupported: "), user_stack)
        return log_graph_break(code_options, reason, exc_info, user_stack)

    def count_step(self: Any, continue_inst: Any) -> None:
        _count_break(self.code_options, "a statement that cannot be traced", None)
        return step_graph_break(self, continue_inst)

    symbolic_convert.log_graph_break, translator.step_graph_break = count, count_step


def install() -> None:
    _hook_logging()
    _hook_warnings()
    _hook_breaks()
    sys.stdout, sys.stderr = Stream("stdout"), Stream("stderr")


def clear() -> None:
    EVENTS.clear()
    BREAKS.clear()
    GRAPHS.clear()


def without_place(argument: Any) -> Any:
    """An exception's text without where that was: the file, line and temporary of code that inductor generated, the
    frames that torch 2.6 adds to an exception met while tracing, and what is known there of a tensor's size."""
    if not isinstance(argument, str):
        return argument
    if argument.startswith("kernel, "):
        return re.sub(r"\btmp\d+\b", "tmp", re.sub(r"^kernel, \S+:\d+, ", "kernel, ", argument))
    argument = re.sub(r"FakeTensor\(\.\.\., size=\([^)]*\)", "FakeTensor(...", argument)
    return re.sub(r"(?s)\n\nfrom user code:\n.*", "", argument)


def qualified(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


_KEPT: dict[Any, torch.Tensor] = {}


def _copy(t: torch.Tensor) -> torch.Tensor:
    """A copy on the CPU; one for all tensors of equal bytes, since a model's state is recorded after every call."""
    key = (t.dtype, t.shape, tensors.checksum(t))
    if key not in _KEPT:
        _KEPT[key] = t.clone().cpu().contiguous()
    return _KEPT[key]


def _tensor(t: torch.Tensor) -> Frozen:
    if torch.nn.parameter.is_lazy(t):
        return ("py", type(t).__name__, "not initialized")
    if t.layout in (torch.sparse_coo, torch.sparse_csr, torch.sparse_csc, torch.sparse_bsr, torch.sparse_bsc):
        return ("sparse", str(t.layout), _tensor(t.to_dense()))
    plain = t.layout == torch.strided and not t.is_meta
    # The stride of a dimension with one element means nothing.
    strides = tuple(s for s, n in zip(t.stride(), t.shape) if n > 1) if plain and t.numel() else ()
    layout = (str(t.device), strides, t.requires_grad)
    return ("tensor", str(t.dtype), tuple(t.shape), layout, _copy(t.detach()) if plain else None)


def freeze(value: Any) -> Frozen:
    """A picklable description of any pytree of tensors, Python values and objects."""
    return _Freezer().freeze(value, 0)


class _Freezer:
    """Containers are described by what they hold, objects also by which of them are one: they carry a number each."""

    def __init__(self) -> None:
        self.objects: dict[int, tuple[int, Any]] = {}  # by identity: in which order it was met, and it, kept alive
        self.containers: dict[int, tuple[Frozen, Any]] = {}
        self.open: list[int] = []  # the containers that are being described, by identity
        self.items = 0

    def freeze(self, value: Any, depth: int) -> Frozen:
        self.items += 1
        if isinstance(value, torch._dynamo.OptimizedModule):
            value = value._orig_mod
        name = type(value).__name__
        if isinstance(value, torch.Tensor):
            return _tensor(value)
        if value is None or isinstance(value, (bool, int, float, complex, str, bytes)):
            return ("py", name, value)
        if isinstance(value, numpy.generic):
            return ("py", name, value.item())
        if isinstance(value, numpy.ndarray) and value.dtype.kind in "biufc":
            return ("seq", name, [_tensor(torch.tensor(value))])
        if isinstance(value, (torch.dtype, torch.device)):
            return ("py", name, str(value))
        if isinstance(value, NAMED):
            return ("object", type(value).__qualname__, getattr(value, "__name__", getattr(value, "name", None)))
        if depth > LEVELS_MAX or self.items > ITEMS_MAX:
            return ("deep",)
        if isinstance(value, CONTAINERS):
            return self._container(value, lambda item: self.freeze(item, depth + 1))
        return self._object(value, lambda item: self.freeze(item, depth + 1))

    def _container(self, value: Any, inner: Callable[[Any], Frozen]) -> Frozen:
        key = id(value)
        if key in self.open:
            return ("seq", f"the container {len(self.open) - self.open.index(key)} levels up", [])
        if key not in self.containers:
            self.open.append(key)
            self.containers[key] = _container(value, inner), value
            self.open.pop()
        return self.containers[key][0]

    def _object(self, value: Any, inner: Callable[[Any], Frozen]) -> Frozen:
        name = type(value).__qualname__
        if id(value) in self.objects:
            return ("again", name, self.objects[id(value)][0])
        number = len(self.objects)
        self.objects[id(value)] = number, value
        return ("data", name, [(key, inner(item)) for key, item in sorted(_parts(value).items())], number)


def _container(value: Any, inner: Callable[[Any], Frozen]) -> Frozen:
    name = type(value).__name__
    if isinstance(value, BaseException):
        return ("exc", qualified(type(value)), [inner(a) for a in value.args])
    if isinstance(value, MAPPINGS):
        return ("dict", name, [(inner(k), inner(v)) for k, v in value.items()])
    if isinstance(value, SETS):
        return ("seq", name, [inner(v) for v in sorted(value, key=_without_address)])
    return ("seq", name, [inner(v) for v in value])


def _without_address(value: Any) -> str:
    return re.sub(r" at 0x[0-9a-f]+", "", repr(value))


def _parts(value: Any) -> dict[str, Any]:
    """What makes an object up, each part by its name."""
    if type(value).__module__.startswith(TORCHS_OWN):
        return {}
    if isinstance(value, torch.nn.Module):
        return _module_parts(value)
    if isinstance(value, torch.Generator):
        return {"state": value.get_state()}
    if isinstance(value, random.Random):
        return {"state": value.getstate()}
    return _attributes(value) or _pickled(value)


def _module_parts(module: torch.nn.Module) -> dict[str, Any]:
    """Parameters, all buffers, submodules and attributes; of torch's own only whether it trains."""
    held = vars(module)
    plain = {key: value for key, value in held.items() if key not in MODULES_OWN and not key.startswith(COMPILERS_OWN)}
    return plain | held["_parameters"] | held["_buffers"] | held["_modules"]


def _attributes(value: Any) -> dict[str, Any]:
    if hasattr(value, "__dataclass_fields__"):
        return {key: getattr(value, key) for key in value.__dataclass_fields__ if hasattr(value, key)}
    if isinstance(value, functools.partial):
        return {"func": value.func, "args": value.args, "keywords": value.keywords}
    slots = {
        key: member
        for cls in type(value).__mro__
        for key, member in vars(cls).items()
        if "__slots__" in vars(cls) and isinstance(member, types.MemberDescriptorType)
    }
    held = {key: member.__get__(value) for key, member in slots.items() if hasattr(value, key)}
    return held | getattr(value, "__dict__", {})


def _pickled(value: Any) -> dict[str, Any]:
    """What has no attributes may hold something all the same; if it cannot be pickled, only its class is compared."""
    try:
        return {"pickled": pickle.dumps(value)}
    except Exception:
        return {}


def state_of(entry: Any) -> Frozen:
    """What a program's entry, or the object whose method it is, keeps from one call to the next; None: a function."""
    entry = getattr(entry, "__self__", entry)
    return None if isinstance(entry, NAMED) else freeze(entry)
