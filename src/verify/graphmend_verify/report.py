"""The verdict for people: breaks by site, graphs, then each difference with where it appeared.

breaks before  after  site
            2      0  model.py:12 forward: print(x)
                      Failed to trace builtin operator (GB0059)
graphs 4 -> 2 of 12 -> 12 operators; fullgraph=True takes 0 -> 2 of 2 inputs; recompiled frames 0 -> 0
different: 1 difference
  printed, eager, input 1, call 1: 'a\n' is missing
"""

from __future__ import annotations

from typing import Any


def text(document: dict[str, Any]) -> str:
    lines = _breaks(document["breaks"]) + [_summary(document)]
    found = document["differences"]
    if not found:
        lines.append("equal")
    else:
        lines.append(f"different: {len(found)} difference{'s' if len(found) > 1 else ''}")
        lines += [f"  {_where(difference)}: {difference['message']}" for difference in found]
    return "\n".join(lines) + "\n"


def _breaks(sites: list[dict[str, Any]]) -> list[str]:
    if not sites:
        return []
    lines = ["breaks before  after  site"]
    for site in sites:
        place = f"{site['path']}:{site['line']} {site['function']}: {site['source']}"
        lines.append(f"{site['before']:13}  {site['after']:5}  {place}")
        lines.append(" " * 22 + site["reason"] + (f" ({site['gb_id']})" if site["gb_id"] else ""))
    return lines


def _summary(document: dict[str, Any]) -> str:
    def total(name: str) -> str:
        before, after = (sum(entry[name][side] for entry in document["inputs"]) for side in (0, 1))
        return f"{before} -> {after}"

    breaks = [sum(site[side] for site in document["breaks"]) for side in ("before", "after")]
    frames = [sum(pair) for pair in zip(*document["recompilations"].values(), strict=True)]
    whole = f"{total('fullgraph')} of {len(document['inputs'])}"
    return (
        f"breaks {breaks[0]} -> {breaks[1]}, graphs {total('graphs')} with {total('operators')} operators, "
        f"inputs that fullgraph=True takes {whole}, recompilations {frames[0]} -> {frames[1]}"
    )


def _where(difference: dict[str, Any]) -> str:
    words = [difference["kind"], difference["mode"]]
    if difference["order"] is not None:
        words.append(f"input {difference['input']}")
        if len(difference["order"]) > 1:
            order = " ".join(map(str, difference["order"]))
            words.append(f"call {difference['call'] + 1} of {order}")
    return ", ".join(words)
