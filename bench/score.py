"""Scores `graphmend check` against what TorchDynamo did with transformers.

    graphmend check --exit-zero --output-format json TREE/transformers > findings.json
    python bench/score.py findings.json [--tree TREE] [--facts facts.json.gz] [--list]

facts.json.gz comes from surveys of small random models under torch.compile: the sites at which Dynamo broke (file,
line and category: TI tensors as numbers, DS shapes from data, DC branches, LC output, VG what cannot be traced), and
the lines that architectures ran without any break.

Recall: the share of sites that lie inside a finding's lines. Precision: of the findings on lines that were run, the
share that lies on a site. A finding on a line that nothing ran counts neither way, nor does one behind an earlier break
that gave the rest of its frame up. A branch on `static and data` whose static part was false (`self.training and ...`)
was run and did not break: it counts as false, and is counted once more by itself, since it breaks as soon as the static
part is true.
"""

from __future__ import annotations

import argparse
import ast
import collections
import gzip
import json
import pathlib
import sys
from dataclasses import dataclass, field

HERE = pathlib.Path(__file__).resolve().parent
FACTS = HERE.parents[1] / "shared" / "survey" / "facts.json.gz"
LONGEST = 25  # a finding of more lines than this is matched by its first line only


@dataclass(frozen=True)
class Range:
    first: int
    last: int
    code: str

    def covers(self, line: int) -> bool:
        return self.first <= line <= (self.last if self.last - self.first <= LONGEST else self.first)


@dataclass
class Score:
    total: collections.Counter = field(default_factory=collections.Counter)
    found: collections.Counter = field(default_factory=collections.Counter)
    true: collections.Counter = field(default_factory=collections.Counter)
    false: list[tuple[str, int, str]] = field(default_factory=list)
    guarded: list[tuple[str, int, str]] = field(default_factory=list)
    missed: list[tuple[str, int, str]] = field(default_factory=list)

    @property
    def recall(self) -> float:
        return sum(self.found.values()) / max(1, sum(self.total.values()))

    @property
    def precision(self) -> float:
        return sum(self.true.values()) / max(1, sum(self.true.values()) + len(self.false))


def known_name(path: str, names: set[str]) -> str:
    """The name under which the facts know a file: the longest ending of its path that they hold, else the path."""
    parts = path.replace("\\", "/").split("/")
    endings = ("/".join(parts[at:]) for at in range(len(parts)))
    return next((ending for ending in endings if ending in names), path)


def read_ranges(findings: list[dict], names: set[str]) -> dict[str, list[Range]]:
    ranges: dict[str, list[Range]] = collections.defaultdict(list)
    for finding in findings:
        name = known_name(finding["path"], names)
        ranges[name].append(Range(finding["start"]["line"], finding["end"]["line"], finding["code"]))
    return ranges


def static_conjunctions(source: str) -> set[int]:
    """The lines at which a statement or conditional expression begins whose test is `a and b` with no call in a."""
    lines = set()
    for node in ast.walk(ast.parse(source)):
        test = getattr(node, "test", None)
        if isinstance(test, ast.IfExp):
            test = test.test
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            if not any(isinstance(part, ast.Call) for part in ast.walk(test.values[0])):
                lines.update({node.lineno, test.lineno})
    return lines


def score(facts: dict, findings: list[dict], tree: pathlib.Path | None) -> Score:
    result = Score()
    ranges = read_ranges(findings, {*facts["sites"], *facts["clean"]})
    for name, sites in facts["sites"].items():
        for line, category in sites:
            result.total[category] += 1
            if any(found.covers(line) for found in ranges.get(name, ())):
                result.found[category] += 1
            else:
                result.missed.append((name, line, category))
    for name, found in sorted(ranges.items()):
        sites = {line for line, _ in facts["sites"].get(name, ())}
        clean = set(facts["clean"].get(name, ()))
        false = [at for at in found if at.first in clean and not any(at.covers(line) for line in sites)]
        source = tree / name if tree else None
        static = static_conjunctions(source.read_text()) if false and source and source.exists() else set()
        for at in found:
            if any(at.covers(line) for line in sites):
                result.true[at.code[:3]] += 1
        for at in false:
            result.false.append((name, at.first, at.code))
            if at.code[:3] in ("GM1", "GM2") and at.first in static:
                result.guarded.append((name, at.first, at.code))
    return result


def show_line(tree: pathlib.Path | None, name: str, line: int) -> str:
    path = tree / name if tree else None
    if not path or not path.exists():
        return ""
    return path.read_text().splitlines()[line - 1].strip()


def report(result: Score, tree: pathlib.Path | None, listing: bool) -> None:
    if listing:
        for what, entries in (("missed", result.missed), ("false", result.false)):
            for name, line, kind in entries:
                note = " (static and data)" if (name, line, kind) in result.guarded else ""
                print(f"{what} {kind} {name}:{line}{note}: {show_line(tree, name, line)}")
    for category in sorted(result.total):
        print(f"{category}: {result.found[category]} of {result.total[category]} sites found")
    for code in sorted({*result.true, *(code[:3] for *_, code in result.false)}):
        wrong = sum(kind.startswith(code) for *_, kind in result.false)
        guarded = sum(kind.startswith(code) for *_, kind in result.guarded)
        note = f" ({guarded} of them `static and data`)" if guarded else ""
        print(f"{code}xx: {result.true[code]} true, {wrong} false{note}")
    true = sum(result.true.values())
    without = true / max(1, true + len(result.false) - len(result.guarded))
    print(f"recall {result.recall:.3f} precision {result.precision:.3f} (without `static and data` {without:.3f})")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("findings", type=pathlib.Path, help="what graphmend check --output-format json gave")
    parser.add_argument("--facts", type=pathlib.Path, default=FACTS)
    parser.add_argument("--tree", type=pathlib.Path, help="the folder that holds transformers/, to show source lines")
    parser.add_argument("--list", action="store_true", help="list what was missed and what was false")
    parser.add_argument("--recall", type=float, default=0, help="exit 1 below this")
    parser.add_argument("--precision", type=float, default=0, help="exit 1 below this")
    options = parser.parse_args()
    if not options.facts.exists():
        parser.error(f"{options.facts}: no such file; what the surveys found is not in the repository")
    with gzip.open(options.facts, "rt") as file:
        facts = json.load(file)
    result = score(facts, json.loads(options.findings.read_text())["findings"], options.tree)
    report(result, options.tree, options.list)
    return int(result.recall < options.recall or result.precision < options.precision)


if __name__ == "__main__":
    sys.exit(main())
