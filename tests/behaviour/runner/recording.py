"""What one run of a case is seen to do.

Inside a child, `install` hooks printed text, log records, warnings and Dynamo's logged graph breaks; they land in the
module's lists in the order in which they happen. `freeze` turns any value into data that can be pickled and compared.
"""

from __future__ import annotations

import io
import logging
import os
import sys
import warnings
from collections.abc import Iterable
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

import torch
import torch._dynamo
import torch._dynamo.symbolic_convert as symbolic_convert

TORCH_DIR = os.path.dirname(torch.__file__) + os.sep

Frozen = Any  # nested tuples, see freeze()
Event = tuple[Any, ...]  # ("stdout", text) | ("log", logger, level, text, place) | ("warning", category, text, place)

EVENTS: list[Event] = []
BREAKS: list[tuple[str, str]] = []  # (first line of the reason, function)
GRAPHS: list[int] = []  # operators in each captured graph


@dataclass
class Call:
    """One call of a case's entry."""

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
    breaks: list[tuple[str, str]] = field(default_factory=list)
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


def _hook_breaks() -> None:
    log_graph_break = symbolic_convert.InstructionTranslatorBase.log_graph_break

    def count(self: Any, code_options: dict[str, Any], reason: str, exc: Any) -> None:
        what = str(getattr(exc, "msg", exc)).strip().split("\n")[0][:120]
        # An "Observed exception" is the program's own exception on its way out.
        if not exc.logged and what != "Observed exception":
            BREAKS.append((what, code_options["co_name"]))
        return log_graph_break(self, code_options, reason, exc)

    symbolic_convert.InstructionTranslatorBase.log_graph_break = count


def install() -> None:
    _hook_logging()
    _hook_warnings()
    _hook_breaks()
    sys.stdout, sys.stderr = Stream("stdout"), Stream("stderr")


def clear() -> None:
    EVENTS.clear()
    BREAKS.clear()
    GRAPHS.clear()


def qualified(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"


def freeze(value: Any, depth: int = 0) -> Frozen:
    """A picklable description of any pytree of tensors and Python values."""

    def inner(item: Any) -> Frozen:
        return freeze(item, depth + 1)

    name = type(value).__name__
    if depth > 8:
        return ("deep",)
    if isinstance(value, torch.Tensor):
        t = value.detach()
        return ("tensor", str(t.dtype), tuple(t.shape), t.clone().cpu().contiguous())
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes)):
        return ("py", name, value)
    if isinstance(value, dict):
        return ("dict", name, [(inner(k), inner(v)) for k, v in value.items()])
    if isinstance(value, (list, tuple)):
        return ("seq", name, [inner(v) for v in value])
    if isinstance(value, (set, frozenset)):
        return ("seq", name, [inner(v) for v in sorted(value, key=repr)])
    if isinstance(value, (torch.dtype, torch.device, torch.Generator)):
        return ("py", name, str(value))
    if isinstance(value, BaseException):
        return ("exc", qualified(type(value)), [inner(a) for a in value.args])
    if hasattr(value, "__dataclass_fields__"):
        return ("data", name, [(k, inner(getattr(value, k))) for k in value.__dataclass_fields__])
    return ("object", type(value).__qualname__)


def module_state(entry: Any) -> Frozen:
    """Parameters, buffers and plain attributes of a module and all its submodules."""
    if not isinstance(entry, torch.nn.Module):
        return None
    entry = getattr(entry, "_orig_mod", entry)
    kinds = (torch.Tensor, bool, int, float, str, list, tuple, dict, type(None))
    plain = {
        f"{name}.{key}": value
        for name, sub in entry.named_modules()
        for key, value in vars(sub).items()
        if not key.startswith("_") and isinstance(value, kinds)
    }
    return freeze([dict(entry.state_dict()), plain])
