"""One case: fix it, run the original and the patched file, apply every check."""

from __future__ import annotations

import glob
import os
import re
import shlex
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from graphmend_verify.places import Places
from graphmend_verify.recording import Break
from graphmend_verify.scenarios import Scenario

from .child import Outcome, run_in_child
from .compare import compare
from .text import text_faults

FIX_LIMIT = 60


@dataclass
class Options:
    fix: str | None = None
    backend: str = "eager"
    timeout: float = 300
    idempotent: bool = False
    no_shortcut: bool = False
    skip_unchanged: bool = False
    in_a_row: bool = False
    behaviour_only: tuple[str, ...] = ()
    keep_data: bool = False


@dataclass
class Verdict:
    name: str
    reasons: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    tolerated: bool = False  # breaks remain where --behaviour-only allows them
    expect: str | None = None
    identical: bool | None = None
    breaks_before: int | None = None
    breaks_after: int | None = None
    graphs_before: int | None = None
    graphs_after: int | None = None
    break_texts: list[str] = field(default_factory=list)
    recompiles: list[int] = field(default_factory=list)
    fix_rc: int | None = None
    fix_output: str = ""
    seconds: float = 0.0
    data: dict[str, Any] | None = None

    @property
    def verdict(self) -> str:
        return "fail" if self.reasons else "pass"


def _break_events(scenarios: list[Scenario]) -> list[Break]:
    return [event for _, calls in scenarios for call in calls for event in call.breaks]


def _any_graph(scenarios: list[Scenario]) -> bool:
    return any(call.graphs for _, calls in scenarios for call in calls)


def _recompiled_frames(scenarios: list[Scenario]) -> int:
    """Frames compiled in the second of two equal calls."""
    return sum(calls[1].frames for order, calls in scenarios if len(set(order)) == 1)


def _is_older(release: str | None) -> bool:
    """Whether the installed torch is older than the release, such as "2.8"."""
    return release is not None and torch.__version__ < release


class Judge:
    def __init__(self, path: str, options: Options, folder: str) -> None:
        self.path, self.options = path, options
        name = os.path.splitext(os.path.basename(path))[0]
        self.verdict = Verdict(name)
        self.original, self.patched, self.again = (
            os.path.join(folder, kind, name + ".py") for kind in ("original", "patched", "again")
        )

    def judge(self) -> Verdict:
        for target in (self.original, self.patched, self.again):
            self._prepare_folder(os.path.dirname(target))
        shutil.copyfile(self.path, self.original)
        self._blame(self._fix(self.original, self.patched))
        before = Path(self.original).read_bytes()
        after = Path(self.patched).read_bytes() if os.path.exists(self.patched) else None
        if before != Path(self.path).read_bytes():
            self._blame("the fix command changed its input file")
        self.verdict.identical = before == after
        if (
            self.options.skip_unchanged
            and self.verdict.identical
            and not re.search(rb'^EXPECT = "fixed"', before, re.M)
        ):
            self.verdict.notes.append("unchanged: not run")
            return self.verdict

        release = re.search(rb"^NOT_FOR = .*['\"]torch<(\d+\.\d+)", before, re.M)
        if release and _is_older(release[1].decode()):
            self.verdict.notes.append("not meant for this torch: not run")
            return self.verdict
        backend = self._backend(before)
        original = run_in_child(
            self.original, ["eager", "compiled"], backend, not self.options.in_a_row, self.options.timeout
        )
        if original.crash:
            self._blame("the original cannot run: " + original.crash[-600:])
            return self.verdict
        self._check_case(original)
        if after is None:
            return self.verdict
        self.verdict.reasons += text_faults(original.constants["TEXT"], after)
        try:
            compile(after, self.patched, "exec")
        except (SyntaxError, ValueError) as error:
            self._blame(f"the patched file does not compile: {error}")
            return self.verdict

        patched = self._run_patched(original, backend)
        if patched.crash:
            self._blame("the patched file cannot run: " + patched.crash[-600:])
            return self.verdict
        self._check_behaviour(original, patched, exact=backend == "eager")
        if self.options.idempotent and self.options.fix:
            self._check_idempotent(after)
        if self.options.keep_data:
            data = {"original": jsonable(original), "patched": None if patched is original else jsonable(patched)}
            self.verdict.data = data
        return self.verdict

    # -------------------------------------------------------------- steps
    def _blame(self, reason: str | None) -> None:
        if reason:
            self.verdict.reasons.append(reason)

    def _prepare_folder(self, folder: str) -> None:
        """An empty folder for the file, with the helper modules of the suite (_*.py) beside it."""
        os.makedirs(folder, exist_ok=True)
        for helper in glob.glob(os.path.join(os.path.dirname(self.path), "_*.py")):
            shutil.copy(helper, folder)

    def _fix(self, source: str, target: str) -> str | None:
        """Runs the fix command; what went wrong, or None."""
        if not self.options.fix:
            shutil.copyfile(source, target)
            return None
        words = [w.replace("{in}", source).replace("{out}", target) for w in shlex.split(self.options.fix)]
        try:
            done = subprocess.run(words, capture_output=True, text=True, timeout=FIX_LIMIT)
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"fix command: {error}"
        self.verdict.fix_rc, self.verdict.fix_output = done.returncode, (done.stdout + done.stderr)[-2000:]
        said = (done.stderr or done.stdout)[-300:]
        if not os.path.exists(target):
            return f"fix command left no output (rc {done.returncode}): {said}"
        return f"fix command rc {done.returncode}: {said}" if done.returncode else None

    def _backend(self, source: bytes) -> str:
        backend = self.options.backend
        if backend != "eager" and re.search(rb"^NOT_FOR = .*['\"]" + backend.encode(), source, re.M):
            self.verdict.notes.append(f"not meant for {backend}: run with the eager backend")
            return "eager"
        return backend

    def _check_case(self, original: Outcome) -> None:
        """Does the original do what the case says of it?"""
        verdict, first = self.verdict, original.modes["compiled"][0][1][0]
        verdict.expect = original.constants["EXPECT"]
        verdict.breaks_before, verdict.graphs_before = len(first.breaks), len(first.graphs)
        events = _break_events(original.modes["compiled"])
        verdict.break_texts = sorted({event.reason for event in events})
        if verdict.expect not in ("fixed", "declined", "clean"):
            self._blame(f"bad case: EXPECT = {verdict.expect!r}")
        want = original.constants["EXPECT_BREAKS_BEFORE"]
        if want is not None and want != verdict.breaks_before:
            verdict.notes.append(f"EXPECT_BREAKS_BEFORE is {want}, measured {verdict.breaks_before}")
        # Dynamo can also give a frame up in silence (`"%s" % tensor`): no break is logged, and there is no graph.
        if verdict.expect == "fixed" and not events and _any_graph(original.modes["compiled"]):
            self._blame("bad case: the original has no break")
        if verdict.expect == "clean":
            if events:
                self._blame(f"bad case: the original has {len(events)} breaks: {verdict.break_texts}")
            if not verdict.identical:
                self._blame("a clean file was changed")

    def _run_patched(self, original: Outcome, backend: str) -> Outcome:
        if self.verdict.identical and not self.options.no_shortcut:
            return original
        modes = ["eager", "compiled"] + (["fullgraph"] if self.verdict.expect == "fixed" else [])
        return run_in_child(self.patched, modes, backend, not self.options.in_a_row, self.options.timeout)

    def _check_behaviour(self, original: Outcome, patched: Outcome, exact: bool) -> None:
        verdict = self.verdict
        left = Places(self.original)
        right = left if patched is original else Places(self.patched)
        eager, compiled = original.modes["eager"], original.modes["compiled"]
        verdict.reasons += compare("eager", eager, patched.modes["eager"], True, left, right)
        verdict.reasons += compare(
            "compiled", compiled, patched.modes["compiled"], exact, left, right, alternative=eager, rng=exact
        )
        drift = compare("compiled vs eager", eager, compiled, exact, left, left, rng=exact)
        if drift:
            verdict.notes.append("original itself: " + drift[0])
        verdict.breaks_after = len(_break_events(patched.modes["compiled"]))
        verdict.graphs_after = len(patched.modes["compiled"][0][1][0].graphs)
        verdict.recompiles = [_recompiled_frames(compiled), _recompiled_frames(patched.modes["compiled"])]
        if verdict.expect == "fixed":
            self._check_fixed(original, patched, exact, left, right)

    def _check_fixed(self, original: Outcome, patched: Outcome, exact: bool, left: Places, right: Places) -> None:
        verdict, compiled = self.verdict, patched.modes["compiled"]
        if verdict.recompiles[1] > verdict.recompiles[0]:
            before, after = verdict.recompiles
            self._blame(f"second identical call recompiles: {before} -> {after} frames")
        if verdict.breaks_after:
            texts = sorted({f"{event.reason} in {event.function}" for event in _break_events(compiled)})
            remain = f"breaks remain: {verdict.breaks_after} events in default mode: {texts[:3]}"
            behaviour_only = verdict.name.startswith(self.options.behaviour_only or ("\0",))
            if behaviour_only or _is_older(original.constants["SINCE"]):
                verdict.tolerated = True
                verdict.notes.append("tolerated: " + remain)
                return
            self._blame(remain)
        if not _any_graph(compiled):
            self._blame("no graph was compiled at all")
        if "fullgraph" in patched.modes:
            verdict.reasons += compare(
                "fullgraph",
                original.modes["compiled"],
                patched.modes["fullgraph"],
                exact,
                left,
                right,
                alternative=original.modes["eager"],
                rng=exact,
            )
        elif not verdict.breaks_after:
            self._blame("fullgraph was not run")

    def _check_idempotent(self, after: bytes) -> None:
        problem = self._fix(self.patched, self.again)
        if problem:
            self._blame("on its own output: " + problem)
        elif Path(self.again).read_bytes() != after:
            self._blame("fix on its own output changes it")


def jsonable(x: Any) -> Any:
    if isinstance(x, torch.Tensor):
        return {"dtype": str(x.dtype), "shape": list(x.shape), "values": repr(x.flatten()[:16].tolist())}
    if isinstance(x, dict):
        return {str(k): jsonable(v) for k, v in x.items()}
    if isinstance(x, (list, tuple)):
        return [jsonable(v) for v in x]
    if hasattr(x, "__dataclass_fields__"):
        return {k: jsonable(getattr(x, k)) for k in x.__dataclass_fields__}
    return x if isinstance(x, (str, int, bool, type(None))) else repr(x)
