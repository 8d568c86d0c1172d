#!/usr/bin/env python
"""Random programs, original against patched: `graphmend fix` must not change what any of them does.

    run.py --quick                     seeds 0 to 299, compiled with backend eager: a stage of ./dev test
    run.py --seeds 1000:3000 --jobs 2  others
    run.py --backend inductor ...      compiled by something else
    run.py --minimise --seeds 17:18    prints the smallest program that fails as seed 17 does
    run.py --files a.py b.py           programs written by hand

One `graphmend fix` rewrites the folder of all programs. Then every program that it changed runs in original and patched
form, eager and compiled: one module, a few calls in a row on inputs that take its branches on different sides.
Compared is what the behaviour runner records: values bitwise, exceptions, one ordered stream of output, gradients,
state, inputs after the call, the random generator. A compiled call may equal the original compiled or the original
eager. What differs in a way that is documented (KNOWN, below) is counted apart.
"""

from __future__ import annotations

import argparse
import collections
import concurrent.futures
import json
import logging
import multiprocessing
import os
import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "behaviour"), str(HERE.parents[1] / "src" / "verify")]

from generate import OWN_TEXTS, generate
from graphmend_verify import places, program, scenarios
from graphmend_verify.recording import Call
from runner import compare

BATCH = 10
QUICK_SEEDS = 300
BINARY = HERE.parent.parent / "build/release/graphmend"
ORDER = (0, 1, 2, 3, 1, 0)  # of the inputs


def fix(folder: Path, binary: str) -> dict[str, int]:
    """Rewrites FOLDER/original into FOLDER/patched; how many findings have which status and reason."""
    source, target = folder / "original", folder / "patched"
    subprocess.run([binary, "fix", "--quiet", str(source), "-o", str(target)], check=True)
    found = subprocess.run([binary, "check", "--output-format", "json", str(source)], capture_output=True, text=True)
    counts: dict[str, int] = collections.Counter()
    for finding in json.loads(found.stdout)["findings"]:
        counts[f"{finding['code']} {finding['reason'] or finding['status']}"] += 1
    return counts


# What the compiled form of a program may do otherwise, as documented; counted, not failed.
TRACING = "torch raised while tracing an arm that the original does not run"
LOST = "output recorded before an operator of torch raised is lost"
KNOWN = (TRACING, LOST)


def known_difference(eager: Call, after: Call) -> str | None:
    """An operator of torch raised: its graph is given up, and with it the output that was recorded in it.

    While tracing (it objects to shapes or devices) nothing can catch that, even in an arm that would not have run.
    """
    if after.exception is None:
        return None
    if after.exception[0] == "torch._dynamo.exc.TorchRuntimeError":
        return TRACING
    arguments = after.exception[1][2]
    text = arguments[0][2] if arguments and arguments[0][:2] == ("py", "str") else ""
    own = text.startswith(OWN_TEXTS) or after.exception[0] == "builtins.AssertionError"
    same = eager.exception == after.exception and len(after.events) < len(eager.events)
    return LOST if same and not own else None


def strip_trace(call: Call, mode: str) -> None:
    """Dynamo ends the text of a program's own exception with paths and lines of the traced file.

    For a name without a value it raises what Python does for a closure's.
    """
    if call.exception is None:
        return
    name, (kind, sequence, arguments) = call.exception
    if mode == "compiled" and name in ("builtins.NameError", "builtins.UnboundLocalError"):
        name, arguments = "builtins.NameError", []
    arguments = [
        ("py", "str", a[2].split("\n\nfrom user code:")[0]) if a[:2] == ("py", "str") else a for a in arguments
    ]
    call.exception = (name, (kind, sequence, arguments))


def judge(folder: Path, name: str, backend: str) -> list[str]:
    """In a forked child: every difference between the two forms of one program."""
    original, patched = str(folder / "original" / name), str(folder / "patched" / name)
    exact = backend == "eager"
    try:
        compile(Path(patched).read_bytes(), patched, "exec")
    except SyntaxError as error:
        return [f"does not compile: {error}"]
    count = len(program.FileProgram(original).load().cases())
    order = [i for i in ORDER if i < count]

    def runs(path: str, mode: str) -> list[scenarios.Scenario]:
        sys.path.insert(0, os.path.dirname(path))
        try:
            scenario = scenarios.run_order(program.FileProgram(path), mode, backend, order)
        finally:
            sys.path.pop(0)
        for call in scenario[1]:
            strip_trace(call, mode)
        return [scenario]

    left, right = places.Places(original), places.Places(patched)
    eager, compiled = runs(original, "eager"), runs(original, "compiled")
    found = compare.compare("eager", eager, runs(patched, "eager"), True, left, right)
    after = runs(patched, "compiled")
    known = None
    for i, call in enumerate(after[0][1]):
        known = known_difference(eager[0][1][i], call)
        if known:  # state may be lost as well: the calls behind it say nothing
            for scenario in (eager, compiled, after):
                del scenario[0][1][i:]
            break
    found += compare.compare("compiled", compiled, after, exact, left, right, alternative=eager, rng=exact)
    if found:
        drift = compare.compare("compiled vs eager", eager, compiled, exact, left, left, rng=exact)
        found += ["(original itself: " + drift[0] + ")"] if drift else []
    return found or ([known] if known else [])


def in_child(work: Callable[[], Any], limit: float) -> Any:
    """What `work` gives in a forked process, or a text that says how it died."""
    descriptor, result = tempfile.mkstemp(suffix=".pickle")
    os.close(descriptor)
    pid = os.fork()
    if pid == 0:
        try:
            with open(result, "wb") as file:
                pickle.dump(work(), file)
        finally:
            os._exit(0)
    end = time.time() + limit
    while not os.waitpid(pid, os.WNOHANG)[0]:
        if time.time() > end:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
            os.unlink(result)
            return f"timeout after {limit:.0f} s"
        time.sleep(0.02)
    data = Path(result).read_bytes()
    os.unlink(result)
    return pickle.loads(data) if data else "the process died"


def judge_batch(folder: Path, names: list[str], backend: str) -> dict[str, list[str]]:
    def work() -> dict[str, list[str]]:
        scenarios.prepare(backend)
        logging.getLogger("torch._subclasses").setLevel(logging.CRITICAL)
        warnings.filterwarnings("ignore", message="(?s).*Triggered internally")  # torch's own, once a process
        verdicts = {}
        for name in names:
            try:
                verdicts[name] = judge(folder, name, backend)
            except BaseException:
                verdicts[name] = [traceback.format_exc()[-1500:]]
        return verdicts

    found = in_child(work, 30 + 15 * len(names))
    if not isinstance(found, str):
        return found
    if len(names) == 1:
        return {names[0]: [found]}
    return {name: judge_batch(folder, [name], backend)[name] for name in names}


def judge_all(folder: Path, names: list[str], backend: str, jobs: int) -> Iterator[tuple[str, list[str]]]:
    batches = [names[i : i + BATCH] for i in range(0, len(names), BATCH)]
    with concurrent.futures.ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("fork")) as pool:
        for future in [pool.submit(judge_batch, folder, batch, backend) for batch in batches]:
            yield from future.result().items()


def check(programs: dict[str, str], options: argparse.Namespace) -> int:
    """How many of the programs fail; `programs` maps file names to sources."""
    with tempfile.TemporaryDirectory(prefix="gmproperty") as temporary:
        folder = Path(temporary)
        (folder / "original").mkdir()
        for name, text in programs.items():
            (folder / "original" / name).write_text(text)
        counts = fix(folder, options.binary)
        changed = [n for n in programs if (folder / "patched" / n).read_text() != programs[n]]
        failed, known = 0, collections.Counter()
        for name, reasons in judge_all(folder, changed, options.backend, options.jobs):
            if not reasons or reasons[0] in KNOWN:
                known.update(reasons)
                continue
            failed += 1
            print(f"fail {name}", *reasons, sep="\n       ", flush=True)
            if options.keep:
                for kind in ("original", "patched"):
                    Path(options.keep, kind).mkdir(parents=True, exist_ok=True)
                    shutil.copy(folder / kind / name, Path(options.keep, kind, name))
    branches = {k: v for k, v in counts.items() if k.startswith(("GM101", "GM103"))}
    rewritten = sum(v for k, v in branches.items() if k.endswith(("guarded", "fixable")))
    total = sum(branches.values())
    print(f"{len(changed)} of {len(programs)} programs rewritten, {rewritten} of {total} branches on data")
    if options.statistics:
        for key, value in sorted(counts.items(), key=lambda item: -item[1]):
            print(f"{value:6} {key}")
    for text, count in known.items():
        print(f"{count} with a known difference: {text}")
    print(f"{len(programs) - failed} passed, {failed} failed")
    return failed


def main() -> None:
    parser = argparse.ArgumentParser(description="Random programs, original against patched.")
    parser.add_argument("--quick", action="store_true", help=f"seeds 0 to {QUICK_SEEDS - 1}")
    parser.add_argument("--seeds", default=f"0:{QUICK_SEEDS}", metavar="FROM:TO")
    parser.add_argument("--files", nargs="+", default=[], metavar="FILE")
    parser.add_argument("--backend", default="eager", choices=["eager", "aot_eager", "inductor"])
    parser.add_argument("--jobs", "-j", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--binary", default=str(BINARY))
    parser.add_argument("--keep", metavar="FOLDER", help="copy the programs that fail there")
    parser.add_argument("--statistics", action="store_true", help="what was rewritten, and why the rest was not")
    parser.add_argument("--minimise", action="store_true", help="print the smallest program that fails alike")
    options = parser.parse_args()
    if options.files:
        programs = {Path(f).name: Path(f).read_text() for f in options.files}
    else:
        first, last = map(int, options.seeds.split(":"))
        programs = {f"seed_{seed}.py": generate(seed) for seed in range(first, last)}
    if options.minimise:
        from minimise import minimise

        for name, text in programs.items():
            print(minimise(name, text, options))
        return
    sys.exit(1 if check(programs, options) else 0)


if __name__ == "__main__":
    main()
