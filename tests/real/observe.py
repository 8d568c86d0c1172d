"""What a run does besides returning: Dynamo's logged graph breaks, log records, warnings, printed text, visited lines.

Breaks are counted where Dynamo logs them, because torch._dynamo.explain() reports graphs - 1. Their categories are the
paper's: DC data-dependent control flow, LC logging call, DS dynamic shape operator, TI tensor item (explicit or
implicit), VG attributes, objects and calls that cannot be traced.
"""

from __future__ import annotations

import contextlib
import io
import linecache
import logging
import os
import re
import warnings
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import torch
import torch._dynamo.symbolic_convert as symbolic_convert
import torch.utils._pytree as pytree
import transformers

SITE = os.path.dirname(os.path.dirname(os.path.abspath(transformers.__file__))) + "/"
PACKAGES = {"transformers": SITE}  # the observed packages, and the folder that each lies in
BREAKS: list[dict[str, Any]] = []


def observe_package(name: str, folder: str) -> None:
    """Sees what a package beside transformers does, too."""
    PACKAGES[name] = os.path.join(os.path.abspath(folder), "")


def is_ours(file: str) -> bool:
    return any(file.startswith(f"{folder}{name}/") for name, folder in PACKAGES.items())


def _relative(file: str) -> str:
    return next((file.removeprefix(folder) for folder in PACKAGES.values() if file.startswith(folder)), file)


def _category(event: dict[str, Any]) -> str:
    gb, reason, source = event["gb_type"], event["reason"], event["source_line"]
    if re.search(r"logging\.Logger|logger\.|warnings\.warn|builtin.*print|\bprint\(", gb + " " + source):
        return "LC"
    if re.search(r"[Dd]ata-dependent", gb) and not re.search("item|tolist", gb):
        return "DC"
    if re.search(r"Tensor\.item|tolist|_local_scalar_dense", gb + reason[:900]) or "Data dependent operator" in gb:
        return "TI"
    if re.search(r"Dynamic shape operator|DynamicOutputShape", gb + reason[:500]):
        return "DS"
    return "VG"


def _site(code_options: dict[str, Any], exc: Any) -> tuple[str, int, str]:
    """File, line and function: the innermost frame of an observed package on the traced program's own stack."""
    stack = getattr(exc, "real_stack", None) or torch._guards.TracingContext.extract_stack() or []
    ours = [frame for frame in stack if is_ours(frame.filename)]
    if not stack:
        return code_options["co_filename"], code_options["co_firstlineno"], code_options["co_name"]
    frame = (ours or list(stack))[-1]
    return frame.filename, frame.lineno or 0, frame.name


def record_breaks() -> None:
    """From now on every logged break lands in BREAKS."""
    log_graph_break = symbolic_convert.InstructionTranslatorBase.log_graph_break

    def record(self: Any, code_options: dict[str, Any], reason: str = "", *rest: Any, **named: Any) -> None:
        # Releases of torch pass the exception in different ways, or not at all.
        exc = next((value for value in (*rest, *named.values()) if isinstance(value, BaseException)), None)
        if not getattr(exc, "logged", False):
            file, line, function = _site(code_options, exc)
            message = getattr(exc, "msg", None) or str(exc or reason)
            event = dict(
                file=_relative(file),
                line=line,
                function=re.sub(r"^torch_dynamo_resume_in_(.*)_at_\d+$", r"\1", function),
                source_line=linecache.getline(file, line).strip(),
                gb_type=message.strip().split("\n")[0][:200],
                gb_id=(re.findall(r"gb\d{4}", message) or [None])[0],
                gives_up_frame="falling back to eager" in reason or "skipping the rest of the function" in reason,
                reason=message[:1200],
            )
            event["category"] = _category(event)
            BREAKS.append(event)
        return log_graph_break(self, code_options, reason, *rest, **named)

    symbolic_convert.InstructionTranslatorBase.log_graph_break = record


class Lines:
    """A trace function that collects which lines of the observed packages a call runs."""

    def __init__(self) -> None:
        self.seen: dict[str, set[int]] = {}

    def __call__(self, frame: FrameType, event: str, _: Any) -> Callable[..., Any] | None:
        file = frame.f_code.co_filename
        if not is_ours(file):
            return None
        seen = self.seen.setdefault(_relative(file), set())

        def line(frame: FrameType, event: str, _: Any) -> Callable[..., Any]:
            if event == "line":
                seen.add(frame.f_lineno)
            return line

        return line


def forget_once() -> None:
    """Forgets what `warning_once` said before."""
    for logger in [logging.Logger, *logging.Logger.manager.loggerDict.values()]:
        once = getattr(logger, "warning_once", None)
        if hasattr(once, "cache_clear"):
            once.cache_clear()


@contextlib.contextmanager
def observed() -> Iterator[dict[str, Any]]:
    """Printed text, log records and warnings of a block; each with (file, line, function) as its last part."""
    seen: dict[str, Any] = dict(records=[], warnings=[])

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if record.name.split(".")[0] in PACKAGES:
                place = (_relative(record.pathname), record.lineno, record.funcName)
                seen["records"].append((record.name, record.levelname, record.getMessage(), place))

    handler, loggers = Handler(), [logging.getLogger(name) for name in PACKAGES]
    for logger in loggers:
        logger.addHandler(handler)
    forget_once()
    text = io.StringIO()
    try:
        with contextlib.redirect_stdout(text), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            yield seen
    finally:
        for logger in loggers:
            logger.removeHandler(handler)
        seen["text"] = text.getvalue()
        seen["warnings"] = [
            (w.category.__name__, str(w.message), (_relative(w.filename), w.lineno, None))
            for w in caught
            if "/torch/" not in w.filename
        ]


def _leaves(value: Any) -> Any:
    """Model outputs as plain containers; objects such as caches give their tensor attributes."""
    if isinstance(value, dict):
        return {str(key): _leaves(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_leaves(item) for item in value]
    if torch.is_tensor(value) or value is None or isinstance(value, (int, float, str, bool)):
        return value
    return {key: _leaves(item) for key, item in sorted(vars(value).items())} if hasattr(value, "__dict__") else None


def tensors(value: Any) -> list[torch.Tensor]:
    """All tensors of a model's output, in order."""
    return [leaf for leaf in pytree.tree_leaves(_leaves(value)) if torch.is_tensor(leaf)]
