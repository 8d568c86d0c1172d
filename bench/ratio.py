"""How many times a bare parse does `graphmend fix` take on a tree? Interleaved runs, medians.

    python bench/ratio.py [TREE] [--runs N] [--binary B] [--parse P]

`fix TREE -o TMP` (no cache) runs in turn with bench_parse (bare tree-sitter, one thread, the same .py files), so that a
machine that slows down does so for both. Prints every pair and the median ratio; the goal is at most 1.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent))

from tree import BUILD, default_tree


def parse_seconds(program: Path, names: bytes) -> float:
    answer = subprocess.run([program], input=names, capture_output=True, check=True).stdout
    return float(answer.split()[-2])


def fix_seconds(program: Path, tree: Path) -> float:
    with tempfile.TemporaryDirectory(prefix="graphmend-ratio-") as folder:
        environment = os.environ | {"XDG_CACHE_HOME": folder}
        command = [program, "fix", tree, "-o", Path(folder, tree.name), "--no-cache"]
        start = time.monotonic()
        done = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        seconds = time.monotonic() - start
    if done.returncode not in (0, 1):
        sys.exit(f"fix: exit {done.returncode}\n{done.stderr.decode(errors='replace')[-2000:]}")
    return seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree", nargs="?", type=Path, help="default: the installed transformers")
    parser.add_argument("--runs", type=int, default=5, metavar="N")
    parser.add_argument("--binary", type=Path, default=BUILD / "graphmend")
    parser.add_argument("--parse", type=Path, default=BUILD / "bench_parse")
    options = parser.parse_args()
    tree = (options.tree or default_tree()).resolve()
    for program in (options.binary, options.parse):
        if not program.exists():
            sys.exit(f"{program} is not built; see ./dev bench")
    files = sorted(tree.rglob("*.py"))
    names = b"".join(os.fsencode(file) + b"\n" for file in files)
    parse_seconds(options.parse, names)  # fills the page cache
    ratios = []
    for run in range(1, options.runs + 1):
        parse = parse_seconds(options.parse, names)
        fix = fix_seconds(options.binary, tree)
        ratios.append(fix / parse)
        print(f"run {run}: parse {parse:.2f} s, fix {fix:.2f} s, ratio {ratios[-1]:.2f}", flush=True)
    print(f"{len(files)} files, median ratio {statistics.median(ratios):.2f}")


if __name__ == "__main__":
    main()
