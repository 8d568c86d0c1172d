"""Two recorded runs side by side: the first call that differs, in words."""

from __future__ import annotations

from graphmend_verify.compare import Tolerance, differences
from graphmend_verify.places import Places
from graphmend_verify.scenarios import Scenario


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
    """A call may instead equal `alternative`, the eager run of the original."""
    tolerance = None if exact else Tolerance()
    for s, ((order, calls), (_, other_calls)) in enumerate(zip(originals, others, strict=False)):
        for c, (a, b) in enumerate(zip(calls, other_calls, strict=False)):
            found = differences(a, b, tolerance, left, right, rng)
            if found and alternative is not None:
                if not differences(alternative[s][1][c], b, tolerance, left, right, rng):
                    found = []
            if found:
                reasons = [f"{tag}, calls {order} #{c}: {x}" for x in found[:3]]
                if b.trace:
                    reasons.append("  " + b.trace[:200])
                return reasons
    return []
