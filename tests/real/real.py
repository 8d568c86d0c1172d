#!/usr/bin/env python
"""Drives the transformers tree: patches it, surveys it before and after, holds the two against each other.

    real.py fix      [--binary B] [--out DIR] [-- OPTIONS OF FIX]
    real.py survey   --models T5Model,BartModel | --all [--patched DIR] [--dtype float16] [--train]
    real.py accept   [--patched DIR | --binary B]
    real.py imports  [--patched DIR | --binary B]

Without --patched the tree is patched first, into .cache/patched. What the stock tree does is measured once and kept in
.cache. Models whose libraries (timm, einops, librosa, sentencepiece, torchvision) are not installed do not run, before
as after. Exit status 0: equal and as expected; 1: not; 2: could not be run.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import difference
from accept import accept
from trees import BINARY, CACHE, Failed, How, fix_tree, probe, survey_patched, survey_stock


def _patched(options: argparse.Namespace) -> Path:
    if options.patched:
        if not (options.patched / "transformers" / "__init__.py").exists():
            raise Failed(f"{options.patched} holds no transformers package")
        return options.patched.resolve()
    return fix_tree(options.binary, CACHE / "patched")


def _fix(options: argparse.Namespace) -> bool:
    print(fix_tree(options.binary, options.out, options.more) / "transformers")
    return True


def _survey(options: argparse.Namespace) -> bool:
    names = None if options.all else options.models.split(",")
    how = How(options.dtype, options.train)
    stock = survey_stock(names, how)
    if options.stock:
        return True
    after = survey_patched(_patched(options), names, how)
    summary = difference.compare(stock.results, after.results, (stock.saved, after.saved))
    difference.report(summary)
    return not summary["wrong"]


def _imports(options: argparse.Namespace) -> bool:
    patched = _patched(options)
    stock, after = probe("imports", None), probe("imports", patched)
    faults = []
    for name in sorted(stock.keys() | after.keys()):
        old, new = stock.get(name, "no such module"), after.get(name, "no such module")
        if old != new:
            faults.append(f"{name}: {old or 'imports'} -> {new or 'imports'}")
    with tempfile.TemporaryDirectory() as pycache:
        command = [sys.executable, "-X", f"pycache_prefix={pycache}", "-m", "compileall", "-q", str(patched)]
        compiled = subprocess.run(command, capture_output=True, text=True)
    if compiled.returncode:
        faults.append("compileall: " + (compiled.stdout + compiled.stderr)[-1000:])
    for fault in faults:
        print("fail", fault)
    print(f"{len(stock)} modules, {sum(not error for error in stock.values())} import; {len(faults)} differ")
    return not faults


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    tree = argparse.ArgumentParser(add_help=False)
    tree.add_argument("--binary", type=Path, default=BINARY, help="the compiler")
    tree.add_argument("--patched", type=Path, metavar="DIR", help="a folder that holds the patched transformers")

    fix = commands.add_parser("fix", help="patch the tree")
    fix.add_argument("--binary", type=Path, default=BINARY)
    fix.add_argument("--out", type=Path, default=CACHE / "patched", metavar="DIR")
    fix.add_argument("more", nargs="*", metavar="OPTION", help="for the compiler, after --")
    fix.set_defaults(run=_fix)

    survey = commands.add_parser("survey", parents=[tree], help="breaks and behaviour before and after")
    which = survey.add_mutually_exclusive_group(required=True)
    which.add_argument("--models", metavar="A,B", help="class names")
    which.add_argument("--all", action="store_true", help="every base architecture: 20 minutes")
    survey.add_argument("--dtype", choices=("float32", "float16"), default="float32")
    survey.add_argument("--train", action="store_true", help="training mode, gradients compared")
    survey.add_argument("--stock", action="store_true", help="measure the stock tree only")
    survey.set_defaults(run=_survey)

    commands.add_parser("accept", parents=[tree], help="the list in accept.py").set_defaults(
        run=lambda options: accept(_patched(options))
    )
    commands.add_parser("imports", parents=[tree], help="every modeling module imports as before").set_defaults(
        run=_imports
    )
    options = parser.parse_args()
    try:
        sys.exit(0 if options.run(options) else 1)
    except Failed as error:
        print(error, file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
