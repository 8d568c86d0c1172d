"""Two recorded runs side by side: every difference in behaviour, in words."""

from __future__ import annotations

import re

import torch

from .child import Scenario
from .places import Places, same_place
from .recording import Call, Event, Frozen

TOLERANCE = {"torch.float16": 2e-3, "torch.bfloat16": 2e-2, "torch.float32": 2e-5, "torch.float64": 1e-9}
NUMBER = re.compile(r"[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?")


# ------------------------------------------------------------------ values
def _same_floats(x: torch.Tensor, y: torch.Tensor) -> bool:
    """Bitwise but for the payload and sign of NaN."""
    numbers = ~torch.isnan(x)
    return (
        torch.equal(torch.isnan(x), torch.isnan(y))
        and torch.equal(x.nan_to_num(0.0, posinf=None, neginf=None), y.nan_to_num(0.0, posinf=None, neginf=None))
        and torch.equal(torch.signbit(x[numbers]), torch.signbit(y[numbers]))
        and torch.equal(torch.isinf(x), torch.isinf(y))
    )


def _same_tensor(a: Frozen, b: Frozen, exact: bool) -> bool:
    if a[1:3] != b[1:3]:
        return False
    x, y = a[3], b[3]
    if not x.is_floating_point():
        return torch.equal(x, y)
    if exact:
        return _same_floats(x, y)
    t = TOLERANCE.get(a[1], 1e-5)
    return torch.allclose(x.double(), y.double(), rtol=t, atol=t, equal_nan=True)


def _same_scalar(a: Frozen, b: Frozen, exact: bool) -> bool:
    if a[1] != b[1]:
        return False
    x, y = a[2], b[2]
    if isinstance(x, float):
        both_nan = x != x and y != y
        return x == y or both_nan or (not exact and abs(x - y) <= 1e-4 * max(1, abs(x)))
    if isinstance(x, str):
        return same_text(x, y, exact)
    return x == y


def same(a: Frozen, b: Frozen, exact: bool) -> bool:
    """Equality of two values as recording.freeze describes them."""
    if a is None or b is None:
        return a is b
    if a[0] != b[0]:
        return False
    match a[0]:
        case "tensor":
            return _same_tensor(a, b, exact)
        case "py":
            return _same_scalar(a, b, exact)
        case "seq" | "exc":
            return a[1] == b[1] and len(a[2]) == len(b[2]) and all(map(lambda x, y: same(x, y, exact), a[2], b[2]))
        case "dict":
            return (
                a[1] == b[1]
                and len(a[2]) == len(b[2])
                and all(same(k, m, exact) and same(x, y, exact) for (k, x), (m, y) in zip(a[2], b[2], strict=True))
            )
        case "data":
            return (
                a[1] == b[1]
                and len(a[2]) == len(b[2])
                and all(k == m and same(x, y, exact) for (k, x), (m, y) in zip(a[2], b[2], strict=True))
            )
    return a == b


def same_text(a: str, b: str, exact: bool) -> bool:
    """Equal text; unless exact, numbers in it may differ a little."""
    if a == b:
        return True
    if exact or NUMBER.sub("#", a) != NUMBER.sub("#", b):
        return False
    pairs = zip(NUMBER.findall(a), NUMBER.findall(b), strict=True)
    return all(abs(float(x) - float(y)) <= 1e-3 * max(1, abs(float(x))) for x, y in pairs)


# ------------------------------------------------------------------ calls
def brief(x: object) -> str:
    text = re.sub(r"\s+", " ", repr(x))
    return text if len(text) < 220 else text[:217] + "..."


def _event_difference(i: int, x: Event | None, y: Event | None, exact: bool, left: Places, right: Places) -> str | None:
    if x is None or y is None or x[0] != y[0]:
        return f"event {i}: {brief(x)} -> {brief(y)}"
    if x[0] in ("stdout", "stderr"):
        return None if same_text(x[1], y[1], exact) else f"event {i}: {brief(x)} -> {brief(y)}"
    if x[1:-2] != y[1:-2] or not same_text(x[-2], y[-2], exact):
        return f"event {i}: {brief(x[:-1])} -> {brief(y[:-1])}"
    if not same_place(x[-1], y[-1], left, right):
        return f"event {i} ({x[0]}) location {brief(x[-1])} -> {brief(y[-1])}"
    return None


def _same_exception(a: tuple[str, Frozen] | None, b: tuple[str, Frozen] | None, exact: bool) -> bool:
    if a is None or b is None:
        return a is b
    return a[0] == b[0] and same(a[1], b[1], exact)


def differences(a: Call, b: Call, exact: bool, left: Places, right: Places, rng: bool = True) -> list[str]:
    found = []
    if not _same_exception(a.exception, b.exception, exact):
        found.append(f"exception {brief(a.exception)} -> {brief(b.exception)}")
    if not _same_exception(a.cause, b.cause, exact):
        found.append("__cause__ differs")
    for i in range(max(len(a.events), len(b.events))):
        x = a.events[i] if i < len(a.events) else None
        y = b.events[i] if i < len(b.events) else None
        difference = _event_difference(i, x, y, exact, left, right)
        if difference:
            found.append(difference)
            break
    for key in ("output", "grads", "inputs_after", "state", "observed"):
        x, y = getattr(a, key), getattr(b, key)
        if not same(x, y, exact):
            found.append(f"{key} {brief(x)} -> {brief(y)}")
    if rng and a.rng != b.rng:
        found.append("random generator state differs")
    return found


def compare(
    tag: str,
    originals: list[Scenario],
    others: list[Scenario],
    exact: bool,
    left: Places,
    right: Places,
    alternative: list[Scenario] | None = None,
    rng: bool = True,
) -> list[str]:
    """The first call that differs. A call may instead equal `alternative`, the eager run of the original."""
    for s, ((order, calls), (_, other_calls)) in enumerate(zip(originals, others, strict=False)):
        for c, (a, b) in enumerate(zip(calls, other_calls, strict=False)):
            found = differences(a, b, exact, left, right, rng)
            if found and alternative is not None:
                if not differences(alternative[s][1][c], b, exact, left, right, rng):
                    found = []
            if found:
                reasons = [f"{tag}, calls {order} #{c}: {x}" for x in found[:3]]
                if b.trace:
                    reasons.append("  " + b.trace[:200])
                return reasons
    return []
