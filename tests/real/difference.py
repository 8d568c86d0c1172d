"""Two surveys side by side: what differs in behaviour, and which breaks went.

    python difference.py STOCK.jsonl PATCHED.jsonl [--saved STOCK_DIR PATCHED_DIR] [--json OUT]

Prints break events by category before and after, the architectures that became whole, and every difference in
behaviour: an architecture that ran before and does not now, or, with --saved, any eager output, compiled output, log
record, warning, printed text or gradient that is not equal. Exit 1 if behaviour differs.
"""

from __future__ import annotations

import argparse
import collections
import functools
import json
import os
import sys
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parents[2] / "src" / "verify"))

import torch
from graphmend_verify.places import Places, same_place

Result = dict[str, Any]


def load(path: str | Path) -> dict[str, Result]:
    """The results of a survey by architecture; a later line wins over an earlier one."""
    results = {}
    with open(path) as file:
        for line in file:
            result = json.loads(line)
            results[result["arch"]] = result
    return results


def load_saved(folder: str | Path, name: str) -> Result | None:
    path = os.path.join(folder, name + ".pt")
    return torch.load(path, weights_only=False) if os.path.exists(path) else None


def _equal(a: list[torch.Tensor], b: list[torch.Tensor]) -> bool:
    """Bitwise, but for the payload of NaN."""
    if len(a) != len(b):
        return False
    for x, y in zip(a, b, strict=True):
        if x.shape != y.shape or x.dtype != y.dtype:
            return False
        if x.is_floating_point():
            if not torch.equal(x.isnan(), y.isnan()) or not torch.equal(x.nan_to_num(), y.nan_to_num()):
                return False
            if not torch.equal(x.signbit() & ~x.isnan(), y.signbit() & ~y.isnan()):
                return False
        elif not torch.equal(x, y):
            return False
    return True


_places = functools.lru_cache(maxsize=64)(Places)


def _same_line(a: tuple[Any, ...], b: tuple[Any, ...], site: str, other_site: str) -> bool:
    """Whether two (file, line, function) are the same statement of the same file under two roots."""
    if a[0] != b[0]:
        return False
    left, right = os.path.join(site, a[0]), os.path.join(other_site, b[0])
    return same_place((left, *a[1:]), (right, *b[1:]), _places(left), _places(right))


def _said_differently(kind: str, base: list[Any], other: list[Any], site: str, other_site: str) -> str | None:
    """The first difference of two lists of records or warnings, each with its place as the last part."""
    for i, (x, y) in enumerate(zip(base, other, strict=False)):
        if tuple(x[:-1]) != tuple(y[:-1]):
            return f"{kind} {i}: {x[:-1]} -> {y[:-1]}"
        if not _same_line(x[-1], y[-1], site, other_site):
            return f"{kind} {i} of {x[0]}: line {x[-1]} -> {y[-1]}"
    return None if len(base) == len(other) else f"{kind}: {len(base)} -> {len(other)}"


def behaviour(stock: Result, patched: Result) -> list[str]:
    """What differs between two saved runs of one architecture. The unpatched run compiled in default mode is the
    yardstick for both compiled runs of the patched one; eager is held against eager."""
    found = []
    sites = stock.get("site", ""), patched.get("site", "")
    for label in ("eager", "default", "fullgraph"):
        other = patched.get(label)
        base = stock.get("default" if label == "fullgraph" else label) or stock["eager"]
        if other is None:
            if stock.get(label) is not None:
                found.append(f"{label}: no longer runs")
            continue
        if not _equal(base["outputs"], other["outputs"]):
            found.append(f"{label}: outputs differ")
        for kind in ("records", "warnings"):
            difference = _said_differently(kind, base[kind], other[kind], *sites)
            if difference:
                found.append(f"{label}: {difference}")
        if base["text"] != other["text"]:
            found.append(f"{label}: printed text differs")
        gradients, others = base.get("gradients"), other.get("gradients")
        if (gradients is None) != (others is None):
            found.append(f"{label}: gradients missing")
        elif gradients is not None and others is not None:
            same_keys = gradients.keys() == others.keys()
            if not same_keys or not _equal(list(gradients.values()), list(others.values())):
                found.append(f"{label}: gradients differ")
    return found


def compare(
    stock: dict[str, Result], patched: dict[str, Result], saved: tuple[str | Path, str | Path] | None
) -> dict[str, Any]:
    """A summary, in which "wrong" names each architecture that behaves differently and says how."""
    ran = [name for name, result in stock.items() if result["status"] == "ok" and name in patched]
    before: collections.Counter[str] = collections.Counter()
    after: collections.Counter[str] = collections.Counter()
    wrong: dict[str, list[str]] = {}
    broken, whole = [], []
    for name in ran:
        old, new = stock[name], patched[name]
        before.update(event["category"] for event in old["breaks"])
        if new["status"] != "ok":
            wrong[name] = [new["status"] + " " + new.get("error", "")[:200]]
            after.update(event["category"] for event in old["breaks"])
            continue
        after.update(event["category"] for event in new["breaks"])
        if old["compiles"] and not new["compiles"]:
            wrong[name] = ["no longer compiles: " + new.get("default_error", "")[:300]]
        if old["breaks"]:
            broken.append(name)
            if not new["breaks"]:
                whole.append(name)
        if saved:
            runs = [load_saved(folder, name) for folder in saved]
            if runs[0]:
                found = behaviour(runs[0], runs[1]) if runs[1] else ["nothing saved"]
                if found:
                    wrong.setdefault(name, []).extend(found)
    fullgraph = [sum(bool(s[name].get("fullgraph")) for name in ran) for s in (stock, patched)]
    return dict(ran=ran, broken=broken, whole=whole, before=before, after=after, wrong=wrong, fullgraph=fullgraph)


def report(summary: dict[str, Any]) -> None:
    before, after = summary["before"], summary["after"]
    ran, broken, whole = (len(summary[key]) for key in ("ran", "broken", "whole"))
    print(f"{ran} architectures compared, {broken} with breaks, {whole} of them now without")
    for key in sorted(before | after):
        print(f"  {key}: {before[key]} -> {after[key]}")
    total, left = sum(before.values()), sum(after.values())
    share = 100 * (total - left) / total if total else 0
    print(f"  all: {total} -> {left} ({share:.1f} % removed)")
    print("  fullgraph=True passes: {} -> {}".format(*summary["fullgraph"]))
    for name, reasons in sorted(summary["wrong"].items()):
        print(f"DIFFERS {name}: {'; '.join(reasons)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stock")
    parser.add_argument("patched")
    parser.add_argument("--saved", nargs=2, metavar=("STOCK_DIR", "PATCHED_DIR"))
    parser.add_argument("--json")
    options = parser.parse_args()
    summary = compare(load(options.stock), load(options.patched), options.saved)
    report(summary)
    if options.json:
        with open(options.json, "w") as file:
            json.dump(summary, file, indent=1)
    sys.exit(1 if summary["wrong"] else 0)


if __name__ == "__main__":
    main()
