#!/usr/bin/env python3
"""Is `graphmend check` right about small programs, and does the real Dynamo agree?

    run.py [--binary B] [--dynamo] [NAME...]

fixtures/gmNNN_fires.py and gmNNN_quiet.py hold functions under torch.compile. A comment `# breaks: GM101 GM405` at the
end of a line says what has to be found there, and that Dynamo breaks there; nothing may be found, and Dynamo may not
break, anywhere else. `# unseen: GM101` says that it has to be found although Dynamo, having given the frame up before,
does not get there, and `# missed` that Dynamo breaks and nothing is found. The model_*.py are programs as people write
them, the others one rule each. The binary is always scored; --dynamo also runs the CASES of every fixture, which takes
torch 2.13. Exit 0: all as marked.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import importlib.util
import io
import json
import re
import subprocess
import sys
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
FIXTURES = HERE / "fixtures"
BINARY = HERE.parents[1] / "build" / "release" / "graphmend"
MARK = re.compile(r"#\s*(breaks|unseen):\s*(GM\d{3}(?:\s+GM\d{3})*)")
MISSED = re.compile(r"#\s*missed\b")

Lines = dict[int, list[str]]


def read_marks(path: Path) -> tuple[Lines, set[int]]:
    """What has to be found, by line, and the lines at which Dynamo breaks."""
    codes: Lines = {}
    breaks = set()
    for number, text in enumerate(path.read_text().splitlines(), 1):
        for kind, words in MARK.findall(text):
            codes.setdefault(number, []).extend(words.split())
            if kind == "breaks":
                breaks.add(number)
        if MISSED.search(text):
            breaks.add(number)
    return codes, breaks


def check(binary: Path, paths: list[Path]) -> dict[Path, Lines]:
    """What the binary finds, file by file: each is a program of its own."""
    found: dict[Path, Lines] = {}
    for path in paths:
        command = [str(binary), "check", "--exit-zero", "-q", "--output-format", "json", str(path)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        if done.returncode:
            sys.exit(f"{path.name}: graphmend ended with {done.returncode}\n{done.stderr}")
        lines: Lines = collections.defaultdict(list)
        for finding in json.loads(done.stdout)["findings"]:
            lines[finding["start"]["line"]].append(finding["code"])
        found[path] = lines
    return found


def compare(path: Path, found: Lines, marks: Lines) -> list[str]:
    wrong = []
    for line in sorted({*found, *marks}):
        have, want = sorted(found.get(line, [])), sorted(marks.get(line, []))
        if have != want:
            found_text, marked_text = " ".join(have) or "nothing", " ".join(want) or "nothing"
            wrong.append(f"{path.name}:{line}: found {found_text}, marked {marked_text}")
    return wrong


def watch_dynamo(lines: dict[str, set[int]]) -> None:
    """Records each logged break at the innermost frame that lies in a fixture."""
    from torch._dynamo import symbolic_convert

    translator = symbolic_convert.InstructionTranslatorBase
    original = translator.log_graph_break

    def record(self: object, *args: object, **kwargs: object) -> object:
        error = args[2] if len(args) > 2 else kwargs.get("exc")
        stack = list(getattr(error, "real_stack", None) or ()) if error is not None else []
        frame = getattr(self, "frame_summary", None)
        frames = stack or ([frame()] if frame else [])
        for at in reversed(frames):
            if Path(at.filename).parent == FIXTURES:
                lines[Path(at.filename).name].add(at.lineno)
                break
        return original(self, *args, **kwargs)

    translator.log_graph_break = record


def run_dynamo(paths: list[Path]) -> dict[str, set[int]]:
    import logging

    import torch
    import torch._dynamo

    torch.set_num_threads(1)
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")
    lines: dict[str, set[int]] = collections.defaultdict(set)
    watch_dynamo(lines)
    for path in paths:
        spec = importlib.util.spec_from_file_location(path.stem, path)
        assert spec and spec.loader
        module = importlib.util.module_from_spec(spec)
        sys.modules[path.stem] = module
        spec.loader.exec_module(module)
        for function, *arguments in module.CASES:
            torch._dynamo.reset()
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                function(*arguments)
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="fixtures, without .py")
    parser.add_argument("--binary", type=Path, default=BINARY)
    parser.add_argument("--dynamo", action="store_true", help="run the fixtures under torch.compile, too")
    options = parser.parse_args()
    paths = [FIXTURES / f"{name}.py" for name in options.names] or sorted(FIXTURES.glob("*.py"))
    marks = {path: read_marks(path) for path in paths}
    wrong = []
    for path, found in check(options.binary, paths).items():
        wrong += compare(path, found, marks[path][0])
    lines = sum(len(breaks) for _, breaks in marks.values())
    told = sum(len(breaks & set(codes)) for codes, breaks in marks.values())
    sites = sum(len(codes) for lines, _ in marks.values() for codes in lines.values())
    print(f"{len(paths)} fixtures, {sites} findings marked; of {lines} lines at which Dynamo breaks {told} are found")
    if options.dynamo:
        broken = run_dynamo(paths)
        for path in paths:
            for line in sorted(broken[path.name] ^ marks[path][1]):
                does = "breaks" if line in broken[path.name] else "does not break"
                wrong.append(f"{path.name}:{line}: Dynamo {does} here")
        print(f"Dynamo broke at {sum(len(lines) for lines in broken.values())} lines")
    print("\n".join(wrong) or "all as marked")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
