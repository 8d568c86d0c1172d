"""Hold what the project layer says of transformers against the interpreter and the survey of Dynamo's breaks.

Every nn.Module subclass that importing the modeling files gives must be one for class_is_nn_module, and every line that
ran in a compiled region, or at which Dynamo broke, must lie in compiled code. Run with a Python that has torch and
transformers:

    recall.py PROJECT_STATS [FACTS.json.gz]
"""

import gzip
import importlib
import inspect
import json
import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path


def runtime_classes(root: Path) -> set[str]:
    """Dotted names of the nn.Module classes that the modeling files under root define."""
    import torch

    found = set()
    for path in sorted(root.rglob("modeling_*.py")):
        if "_tf_" in path.name or "_flax_" in path.name:
            continue
        name = ".".join(path.relative_to(root.parent).with_suffix("").parts)
        try:
            module = importlib.import_module(name)
        except Exception as error:
            print(f"not imported: {name}: {error}")
            continue
        for value in vars(module).values():
            if inspect.isclass(value) and issubclass(value, torch.nn.Module) and value.__module__ == name:
                found.add(f"{name}.{value.__qualname__}")
    return found


def write_lines(facts: Path, into: Path) -> None:
    """The survey's facts as `S path:line` (a break) and `C path:line` (ran in a clean model)."""
    with gzip.open(facts) as stream:
        data = json.load(stream)
    lines = [f"S {path}:{line}" for path, sites in data["sites"].items() for line, _ in sites]
    lines += [f"C {path}:{line}" for path, clean in data["clean"].items() for line in clean]
    into.write_text("\n".join(lines) + "\n")


def main(stats: str, facts: str | None = None) -> int:
    """Print the numbers; exit 1 if a class is missed."""
    warnings.simplefilter("ignore")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    import transformers

    root = Path(transformers.__file__).parent
    with tempfile.TemporaryDirectory() as folder:
        classes, lines = Path(folder, "classes"), Path(folder, "lines")
        command = [stats, "--classes", str(classes), str(root)]
        if facts:
            write_lines(Path(facts), lines)
            command += ["--lines", str(lines)]
        subprocess.run(command, check=True)
        static = set(classes.read_text().split())
    runtime = runtime_classes(root)
    modules = {name.rpartition(".")[0] for name in runtime}
    missed = sorted(runtime - static)
    extra = sorted(name for name in static - runtime if name.rpartition(".")[0] in modules)
    print(f"nn.Module classes at run time {len(runtime)}, missed {len(missed)}, not one at run time {len(extra)}")
    print(*missed, *extra, sep="\n")
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
