"""Two recorded calls side by side: every difference in what they did, each with its kind and in words."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import torch

from . import tensors
from .places import Places, same_place
from .recording import Call, Event, Frozen

ITEMS_SHOWN = 60  # more do not fit in a line
NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?")


@dataclass(frozen=True)
class Tolerance:
    """How far numbers may lie apart where a backend computes them inexactly; without one they are equal bit for bit."""

    rtol: float | None = None  # None: by the dtype
    atol: float | None = None

    def of(self, dtype: str) -> tuple[float, float]:
        usual = {"torch.float16": 2e-3, "torch.bfloat16": 2e-2, "torch.float32": 2e-5, "torch.float64": 1e-9}
        default = usual.get(dtype, 1e-5)
        return default if self.rtol is None else self.rtol, default if self.atol is None else self.atol


Exact = Tolerance | None  # None: bit for bit
Raised = tuple[str, Frozen]  # class and arguments


@dataclass(frozen=True)
class Difference:
    # output, gradient, input, state, observed, exception, printed, log, warning, random
    kind: str
    text: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.text}"


# ------------------------------------------------------------------ values


def _same_floats(x: torch.Tensor, y: torch.Tensor) -> bool:
    """Bitwise but for the payload and sign of NaN, which differ between a vectorised loop and its rest."""
    if tensors.bits_equal(x, y):
        return True
    numbers = ~torch.isnan(x)
    return torch.equal(numbers, ~torch.isnan(y)) and tensors.bits_equal(x[numbers], y[numbers])


def _values_gap(x: torch.Tensor, y: torch.Tensor, tolerance: Exact, dtype: str) -> str | None:
    floating = x.is_floating_point() or x.is_complex()
    if _same_floats(x, y) if floating else torch.equal(x, y):
        return None
    rtol, atol = tolerance.of(dtype) if tolerance else (0.0, 0.0)
    close, absolute, relative = tensors.close(x, y, rtol, atol)
    if close and tolerance:
        return None
    if x.numel() == 1:
        return f"{x.item()} -> {y.item()}"
    if floating and not torch.equal(x.isnan(), y.isnan()):
        return f"{int(x.isnan().sum())} -> {int(y.isnan().sum())} of {x.numel()} elements are NaN"
    if close:
        return "signs of zeros differ"
    count = int((x != y).sum())
    return f"{count} of {x.numel()} elements differ, by up to {absolute:.3g} (relative {relative:.3g})"


def _tensor_gap(a: Frozen, b: Frozen, tolerance: Exact) -> str | None:
    if a[1] != b[1]:
        return f"dtype {a[1]} -> {b[1]}"
    if a[2] != b[2]:
        return f"shape {list(a[2])} -> {list(b[2])}"
    for name, x, y in zip(("device", "strides", "requires_grad"), a[3], b[3], strict=True):
        if x != y and not (tolerance and name == "strides"):
            return f"{name} {x} -> {y}"
    if a[4] is None or b[4] is None:
        return None if a[4] is b[4] else f"{shown(a)} -> {shown(b)}"
    return _values_gap(a[4], b[4], tolerance, a[1])


def _close(x: float, y: float, share: float) -> bool:
    """Apart by that share of the first, or of one, at most; what is infinite or no number is close to itself only."""
    return x == y or math.isfinite(x - y) and abs(x - y) <= share * max(1, abs(x)) or math.isnan(x) and math.isnan(y)


def _scalar_gap(a: Frozen, b: Frozen, tolerance: Exact) -> str | None:
    x, y = a[2], b[2]
    if a[1] != b[1]:
        return f"{shown(a)} ({a[1]}) -> {shown(b)} ({b[1]})"
    if isinstance(x, float):
        same = repr(x) == repr(y) or (tolerance is not None and _close(x, y, 1e-4))
    elif isinstance(x, complex):
        close = _close(x.real, y.real, 1e-4) and _close(x.imag, y.imag, 1e-4)
        same = repr(x) == repr(y) or (tolerance is not None and close)
    elif isinstance(x, str):
        same = same_text(x, y, tolerance)
    else:
        same = x == y
    return None if same else f"{shown(a)} -> {shown(b)}"


Known = set[tuple[int, int]]  # pairs, by identity, that were found equal: what is shared is compared once


def _sequence_gap(a: Frozen, b: Frozen, tolerance: Exact, at: str, known: Known) -> str | None:
    if a[1] != b[1] or len(a[2]) != len(b[2]):
        return f"{at}{shown(a)} -> {shown(b)}"
    pairs = enumerate(zip(a[2], b[2], strict=True))
    return next(filter(None, (gap(x, y, tolerance, f"{at}[{i}] ", known) for i, (x, y) in pairs)), None)


def _keyed_gap(a: Frozen, b: Frozen, tolerance: Exact, at: str, known: Known) -> str | None:
    """Of dicts and objects, whose items are pairs; their order counts."""
    if a[1] != b[1]:
        return f"{at}{a[1]} -> {b[1]}"
    keys, others = ([_key(k) for k, _ in side[2]] for side in (a, b))
    if keys != others:
        gone, new = [k for k in keys if k not in others], [k for k in others if k not in keys]
        if not gone and not new:
            return f"{at}keys come in another order"
        return f"{at}keys {', '.join(gone) or 'none'} gone, {', '.join(new) or 'none'} new"
    pairs = zip(keys, a[2], b[2], strict=True)
    return next(filter(None, (gap(x, y, tolerance, f"{at}[{k}] ", known) for k, (_, x), (_, y) in pairs)), None)


def _key(key: Frozen) -> str:
    return repr(key) if isinstance(key, str) else shown(key)


def gap(a: Frozen, b: Frozen, tolerance: Exact, at: str = "", known: Known | None = None) -> str | None:
    """Where and how two values, as recording.freeze describes them, first differ; None if they are equal."""
    known = set() if known is None else known
    if (id(a), id(b)) in known:
        return None
    found = _gap(a, b, tolerance, at, known)
    if found is None:
        known.add((id(a), id(b)))
    return found


def _gap(a: Frozen, b: Frozen, tolerance: Exact, at: str, known: Known) -> str | None:
    if a is None or b is None:
        return None if a is b else f"{at}{shown(a)} -> {shown(b)}"
    if {a[0], b[0]} <= {"again", "data"}:  # an object: the same one, or met for the first time on both sides
        if a[-1] != b[-1]:
            return f"{at}{shown(a)} -> {shown(b)}"
        return _keyed_gap(a, b, tolerance, at, known) if a[0] == b[0] == "data" else None
    if a[0] != b[0]:
        return f"{at}{shown(a)} -> {shown(b)}"
    if a[0] == "deep":
        return f"{at}not compared: nested too deep, or too large"
    if a[0] in ("seq", "exc"):
        return _sequence_gap(a, b, tolerance, at, known)
    if a[0] == "dict":
        return _keyed_gap(a, b, tolerance, at, known)
    if a[0] == "sparse":
        return f"{at}{a[1]} -> {b[1]}" if a[1] != b[1] else gap(a[2], b[2], tolerance, at, known)
    if a[0] == "tensor":
        found = _tensor_gap(a, b, tolerance)
    elif a[0] == "py":
        found = _scalar_gap(a, b, tolerance)
    else:
        found = None if a == b else f"{shown(a)} -> {shown(b)}"
    return None if found is None else at + found


def same_text(a: str, b: str, tolerance: Exact) -> bool:
    """Equal text; unless exact, numbers in it may differ a little."""
    if a == b:
        return True
    if tolerance is None or NUMBER.sub("#", a) != NUMBER.sub("#", b):
        return False
    pairs = zip(NUMBER.findall(a), NUMBER.findall(b), strict=True)
    return all(_close(float(x), float(y), 1e-3) for x, y in pairs)


def brief(text: object) -> str:
    line = re.sub(r"\s+", " ", str(text))
    return line if len(line) < 160 else line[:157] + "..."


def shown(x: Frozen, levels: int = 4) -> str:
    """A value in a few words."""
    if x is None:
        return "nothing"
    if x[0] == "tensor":
        if x[4] is not None and x[4].numel() <= 4:
            return brief(f"{x[1]} {x[4].tolist()}")
        return f"{x[1]} of shape {list(x[2])}"
    if x[0] == "py":
        return brief(repr(x[2]))
    if x[0] in ("seq", "exc") and levels > 0:
        return brief(f"{x[1]}({', '.join(shown(item, levels - 1) for item in x[2][:ITEMS_SHOWN])})")
    if x[0] == "again":
        return f"object {x[1]} number {x[2]} again"
    if x[0] in ("dict", "data", "seq", "exc"):
        return f"{x[1]} of {len(x[2])}"
    return brief(" ".join(map(str, x)))


# ------------------------------------------------------------------ output


def _lines(events: Iterable[Event]) -> list[Event]:
    """The stream with its text a line at a time."""
    return [
        part
        for event in events
        for part in (((event[0], line) for line in event[1].splitlines(True)) if _is_text(event) else (event,))
    ]


def _is_text(event: Event) -> bool:
    return event[0] in ("stdout", "stderr")


def _kind(event: Event) -> str:
    return "printed" if _is_text(event) else event[0]


def _said(event: Event) -> str:
    """What an event says, for people."""
    if _is_text(event):
        return brief(repr(event[1])) + (" on stderr" if event[0] == "stderr" else "")
    level = f" {event[2]}" if event[0] == "log" else ""
    return brief(f"{event[1]}{level} {event[-2]!r}")


def _same_event(x: Event, y: Event, tolerance: Exact) -> bool:
    """But for its place."""
    if x[0] != y[0]:
        return False
    if _is_text(x):
        return same_text(x[1], y[1], tolerance)
    return x[1:-2] == y[1:-2] and same_text(x[-2], y[-2], tolerance)


def _without(events: list[Event], others: list[Event], tolerance: Exact) -> list[Event]:
    """Those events that have no equal, one for one, among the others."""
    rest, left = list(others), []
    for event in events:
        match = next((i for i, other in enumerate(rest) if _same_event(event, other, tolerance)), None)
        if match is None:
            left.append(event)
        else:
            rest.pop(match)
    return left


def _stream_difference(a: list[Event], b: list[Event], tolerance: Exact) -> Difference | None:
    """Of two streams that are not equal event by event."""
    gone, new = _without(a, b, tolerance), _without(b, a, tolerance)
    if not gone and not new:
        i = next(i for i, (x, y) in enumerate(zip(a, b, strict=True)) if not _same_event(x, y, tolerance))
        return Difference(_kind(a[i]), f"in another order: {_said(a[i])} came where {_said(b[i])} now is")
    if gone and new and _kind(gone[0]) == _kind(new[0]):
        return Difference(_kind(gone[0]), f"{_said(gone[0])} -> {_said(new[0])}")
    if gone:
        more = f" and {len(gone) - 1} more" if len(gone) > 1 else ""
        return Difference(_kind(gone[0]), f"{_said(gone[0])}{more} is missing")
    more = f" and {len(new) - 1} more" if len(new) > 1 else ""
    return Difference(_kind(new[0]), f"{_said(new[0])}{more} was not there before")


def _output_difference(
    a: list[Event], b: list[Event], tolerance: Exact, left: Places, right: Places
) -> Difference | None:
    a, b = _lines(a), _lines(b)
    if len(a) != len(b) or not all(_same_event(x, y, tolerance) for x, y in zip(a, b, strict=True)):
        return _stream_difference(a, b, tolerance)
    for x, y in zip(a, b, strict=True):
        if not _is_text(x) and not same_place(x[-1], y[-1], left, right):
            return Difference(x[0], f"{_said(x)} comes from {_place(x[-1], left)} -> {_place(y[-1], right)}")
    return None


def _place(place: Any, places: Places) -> str:
    file = places.relative(place[0]) or place[0]
    return f"{file}:{place[1]}" + (f" {place[2]}" if place[2] else "")


# ------------------------------------------------------------------ calls


def _exception_difference(a: Call, b: Call, tolerance: Exact) -> Difference | None:
    x, y = a.exception, b.exception
    if x is None and y is None:
        return None
    if y is None:
        return Difference("exception", f"{_raised(x)} is not raised any more")
    if x is None:
        return Difference("exception", f"{_raised(y)} is raised, and was not")
    if x[0] != y[0]:
        return Difference("exception", f"class {x[0]} -> {y[0]}")
    found = gap(x[1], y[1], tolerance, "arguments ")
    if found:
        return Difference("exception", f"{x[0]}: {found}")
    if _same_cause(a.cause, b.cause, tolerance):
        return None
    return Difference("exception", f"{x[0]}: __cause__ {_raised(a.cause)} -> {_raised(b.cause)}")


def _same_cause(a: Raised | None, b: Raised | None, tolerance: Exact) -> bool:
    if a is None or b is None:
        return a is b
    return a[0] == b[0] and gap(a[1], b[1], tolerance) is None


def _raised(exception: Raised | None) -> str:
    return f"{exception[0]}({_arguments(exception)})" if exception else "none"


def _arguments(exception: Raised) -> str:
    return brief(", ".join(shown(argument) for argument in exception[1][2]))


VALUES = (
    ("output", "output"),
    ("gradient", "grads"),
    ("input", "inputs_after"),
    ("state", "state"),
    ("observed", "observed"),
)


def differences(
    a: Call, b: Call, tolerance: Exact, left: Places, right: Places, random: bool = True
) -> list[Difference]:
    found = [_exception_difference(a, b, tolerance), _output_difference(a.events, b.events, tolerance, left, right)]
    for kind, name in VALUES:
        text = gap(getattr(a, name), getattr(b, name), tolerance)
        found.append(Difference(kind, text) if text else None)
    if random and a.rng != b.rng:
        found.append(Difference("random", "the generator's state afterwards differs"))
    return [difference for difference in found if difference]
