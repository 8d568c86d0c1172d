"""Options, selection, jobs and the report."""

from __future__ import annotations

import argparse
import dataclasses
import glob
import json
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor

from .judge import Judge, Options, Verdict


def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in text.split(",") if word)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="run.py", description="Judges a rewriter on the cases of a folder.")
    parser.add_argument("casedir")
    parser.add_argument("--fix", help='the command, e.g. "graphmend fix {in} -o {out}"; without it files are copied')
    parser.add_argument("--only", action="append", metavar="NAME", help="run this case (repeatable)")
    parser.add_argument("--prefix", type=_words, default=(), metavar="A,B", help="run cases whose names start so")
    parser.add_argument(
        "--behaviour-only",
        type=_words,
        default=(),
        metavar="A,B",
        help="in cases whose names start so, remaining breaks are tolerated; differences in behaviour are not",
    )
    parser.add_argument("--backend", default="eager", choices=["inductor", "eager", "aot_eager"])
    parser.add_argument("--timeout", type=float, default=300, metavar="SECONDS", help="for one run of one file")
    parser.add_argument("--idempotent", action="store_true", help="fix on its own output must change nothing")
    parser.add_argument(
        "--skip-unchanged", action="store_true", help="do not run a declined or clean file that was left as it is"
    )
    parser.add_argument(
        "--in-a-row", action="store_true", help="of several inputs run only all in a row, not also each alone"
    )
    parser.add_argument("--no-shortcut", action="store_true", help="run a byte-identical patched file again")
    parser.add_argument("--jobs", "-j", type=int, default=1, metavar="N")
    parser.add_argument("--json", metavar="OUT", help="write every verdict with what was recorded")
    parser.add_argument("-v", action="store_true", dest="verbose")
    return parser


def _select(options: argparse.Namespace) -> list[str]:
    def name(path: str) -> str:
        return os.path.splitext(os.path.basename(path))[0]

    paths = sorted(glob.glob(os.path.join(options.casedir, "*.py")))
    paths = [p for p in paths if not name(p).startswith("_")]
    if options.only:
        paths = [p for p in paths if name(p) in options.only]
    if options.prefix:
        paths = [p for p in paths if name(p).startswith(options.prefix)]
    return paths


def _judge(path: str, options: Options, folder: str) -> Verdict:
    start = time.time()
    verdict = Judge(path, options, folder).judge()
    verdict.seconds = round(time.time() - start, 1)
    return verdict


def _verdicts(paths: list[str], options: Options, folder: str, jobs: int) -> Iterator[Verdict]:
    """In the order of the paths. Workers are forked, so torch is imported once."""
    if jobs <= 1:
        for path in paths:
            yield _judge(path, options, folder)
        return
    with ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("fork")) as pool:
        waiting = [pool.submit(_judge, path, options, folder) for path in paths]
        for future in waiting:
            yield future.result()


def _report(verdict: Verdict, verbose: bool) -> None:
    def shown(number: int | None) -> str:
        return "?" if number is None else str(number)

    breaks = f"{shown(verdict.breaks_before)} -> {shown(verdict.breaks_after)}"
    tail = "  (tolerated)" if verdict.tolerated else ""
    print(f"{verdict.verdict:4} {verdict.name:34} {verdict.expect or '?':8} breaks {breaks}  {verdict.seconds} s{tail}")
    for reason in verdict.reasons:
        print("       -", reason)
    if verbose:
        for note in verdict.notes:
            print("       note:", note)
        if verdict.break_texts:
            print("       breaks:", verdict.break_texts)
    sys.stdout.flush()


def main(arguments: list[str] | None = None) -> None:
    given = _parser().parse_args(arguments)
    paths = _select(given)
    if not paths:
        print("no case found", file=sys.stderr)
        sys.exit(2)
    options = Options(
        fix=given.fix,
        backend=given.backend,
        timeout=given.timeout,
        idempotent=given.idempotent,
        no_shortcut=given.no_shortcut,
        skip_unchanged=given.skip_unchanged,
        in_a_row=given.in_a_row,
        behaviour_only=given.behaviour_only,
        keep_data=given.json is not None,
    )
    verdicts = []
    with tempfile.TemporaryDirectory(prefix="gmsuite") as folder:
        for verdict in _verdicts(paths, options, folder, given.jobs):
            verdicts.append(verdict)
            _report(verdict, given.verbose)
    if given.json:
        with open(given.json, "w") as file:
            json.dump([dataclasses.asdict(v) | {"verdict": v.verdict} for v in verdicts], file, indent=1)
    tolerated = sum(v.tolerated and not v.reasons for v in verdicts)
    if tolerated:
        print(f"{tolerated} of them with breaks left that --behaviour-only tolerates")
    failed = [v for v in verdicts if v.verdict == "fail"]
    for verdict in failed:  # once more where the end of a long log shows them
        _report(verdict, given.verbose)
    print(f"{len(verdicts) - len(failed)} passed, {len(failed)} failed")
    sys.exit(1 if failed else 0)
