"""Two records side by side: the verdict, as the document that `graphmend verify --output-format json` gives.

A call of the patched side in default mode or under fullgraph may equal the original compiled or the original eager.
"""

from __future__ import annotations

import collections
from collections.abc import Iterator
from typing import Any

from .compare import Difference, Exact, differences
from .places import Places
from .record import Record
from .recording import Break, Call
from .scenarios import Scenario

VERSION = 1
FULLGRAPH_FAILS = ("torch._dynamo", "torch._inductor")

Entry = dict[str, Any]


class Judge:
    def __init__(self, original: Record, patched: Record, tolerance: Exact) -> None:
        """Without a tolerance compiled results are bit for bit those of one of the original's runs."""
        self.original, self.patched, self.tolerance = original, patched, tolerance
        self.left, self.right = original.places(), patched.places()
        self.found: list[Entry] = []

    def document(self) -> Entry:
        self._behaviour("eager", "eager", [self.original.modes["eager"]], None)
        compiled = [self.original.modes["compiled"], self.original.modes["eager"]]
        self._behaviour("default", "compiled", compiled, self.tolerance)
        self._fullgraph_behaviour()
        inputs = self._inputs()
        breaks = self._breaks()
        recompilations = self._recompilations()
        self._worse(inputs, breaks, recompilations)
        return {
            "version": VERSION,
            "verdict": "different" if self.found else "equal",
            "torch": self.original.torch,
            "backend": self.original.backend,
            "breaks": breaks,
            "inputs": inputs,
            "recompilations": recompilations,
            "differences": self.found,
        }

    # ------------------------------------------------------------------ behaviour

    def _add(self, mode: str, difference: Difference, order: list[int] | None = None, call: int | None = None) -> None:
        place = {"input": None, "call": None, "order": None}
        if order is not None and call is not None:
            place = {"input": order[call], "call": call, "order": order}
        self.found.append({"kind": difference.kind, "mode": mode, **place, "message": difference.text})

    def _behaviour(self, mode: str, name: str, allowed: list[list[Scenario]], tolerance: Exact) -> None:
        """The first call of each scenario that differs: what follows it may differ because of it."""
        for s, (order, calls) in enumerate(self.patched.modes[name]):
            for c, call in enumerate(calls):
                candidates = [self._differences(scenarios[s][1][c], call, tolerance) for scenarios in allowed]
                if all(candidates):
                    for difference in candidates[0]:
                        self._add(mode, difference, order, c)
                    break

    def _differences(self, a: Call, b: Call, tolerance: Exact) -> list[Difference]:
        return differences(a, b, tolerance, self.left, self.right, random=tolerance is None)

    def _fullgraph_behaviour(self) -> None:
        """Of the inputs that fullgraph=True takes, held against the first call of the other modes."""
        for i, (_, (call,)) in enumerate(self.patched.modes["fullgraph"]):
            before = self.original.modes["fullgraph"][i][1][0]
            if not is_whole(call):
                if is_whole(before):
                    self._add("fullgraph", Difference("fullgraph", f"fails, and did not: {call.trace}"), [i], 0)
                continue
            others = [self.original.modes[m][i][1][0] for m in ("compiled", "eager")]
            others += [before] if is_whole(before) else []
            candidates = [self._differences(other, call, self.tolerance) for other in others]
            if all(candidates):
                for difference in candidates[0]:
                    self._add("fullgraph", difference, [i], 0)

    # ------------------------------------------------------------------ graphs

    def _sides(self) -> Iterator[tuple[int, Record, Places]]:
        yield 0, self.original, self.left
        yield 1, self.patched, self.right

    def _inputs(self) -> list[Entry]:
        """Per input, before and after: what its first call did."""
        entries = []
        for i in range(len(self.original.modes["fullgraph"])):
            calls = [record.modes["compiled"][i][1][0] for _, record, _ in self._sides()]
            whole = [is_whole(record.modes["fullgraph"][i][1][0]) for _, record, _ in self._sides()]
            entries.append(
                {
                    "breaks": [len(call.breaks) for call in calls],
                    "graphs": [len(call.graphs) for call in calls],
                    "operators": [sum(call.graphs) for call in calls],
                    "fullgraph": whole,
                }
            )
        return entries

    def _breaks(self) -> list[Entry]:
        """Every site in default mode, with its events over all calls before and after."""
        sites: dict[Any, Entry] = {}
        counts: dict[Any, list[int]] = collections.defaultdict(lambda: [0, 0])
        for side, record, places in self._sides():
            for event in _events(record.modes["compiled"]):
                entry = _site(event, places)
                # Lines move when a file is rewritten: a site is known by its text.
                key = (entry["path"], entry["function"], entry["source"], entry["reason"])
                sites.setdefault(key, entry)
                counts[key][side] += 1
        return [
            entry | {"before": counts[key][0], "after": counts[key][1]}
            for key, entry in sorted(sites.items(), key=lambda item: (item[1]["path"], item[1]["line"], item[0]))
        ]

    def _recompilations(self) -> Entry:
        """Frames compiled when an input comes again: at once, and after others."""
        repeated, alternating = [0, 0], [0, 0]
        for side, record, _ in self._sides():
            for order, calls in record.modes["compiled"]:
                if len(set(order)) == 1:
                    repeated[side] += calls[1].frames
                else:
                    alternating[side] += sum(call.frames for call in calls[len(calls) // 2 :])
        return {"repeated": repeated, "alternating": alternating}

    def _worse(self, inputs: list[Entry], breaks: list[Entry], recompilations: Entry) -> None:
        before, after = (sum(entry[side] for entry in breaks) for side in ("before", "after"))
        if after > before:
            self._add("default", Difference("breaks", f"{before} -> {after} events"))
        for i, entry in enumerate(inputs):
            if entry["graphs"][0] and not entry["graphs"][1]:
                self._add("default", Difference("graphs", "nothing is compiled any more"), [i, i], 0)
        for name, (before, after) in recompilations.items():
            if after > before:
                self._add("default", Difference("recompilation", f"{before} -> {after} frames on {name} calls"))


def is_whole(call: Call) -> bool:
    """Whether fullgraph=True took it: the compiler did not refuse, whatever the program then raised."""
    return call.exception is None or not call.exception[0].startswith(FULLGRAPH_FAILS)


def _events(scenarios: list[Scenario]) -> list[Break]:
    return [event for _, calls in scenarios for call in calls for event in call.breaks]


def _site(event: Break, places: Places) -> Entry:
    return {
        "path": places.relative(event.file) or event.file,
        "line": event.line,
        "function": event.function,
        "source": places.source(event.file).line(event.line),
        "reason": event.reason,
        "gb_id": event.gb_id,
    }
