"""How does the time of `graphmend fix` grow with a file? Made files of one shape each, from N parts to 2N, 4N, 8N.

    python bench/growth.py [--binary B] [--parts N] [--doublings N] [SHAPE ...]

Prints for each shape the CPU time of the largest file and, for each doubling, how many times as long it took: 2 is
linear, 4 quadratic. What a run takes that has nothing to do is left out.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

BUILD = Path(__file__).resolve().parent.parent / "build" / "release"
HEAD = "import torch\nimport torch.nn as nn\n\n\n"


def model(body: list[str], methods: list[str] | None = None) -> str:
    lines = ["class Net(nn.Module):", "    def forward(self, x, y):", *(f"        {line}" for line in body)]
    for method in methods or []:
        lines += [f"    {line}" for line in method.splitlines()]
    return HEAD + "\n".join(lines) + "\n"


def in_one(part: Callable[[int], list[str]], last: str = "return x") -> Callable[[int], str]:
    """A forward of n parts."""
    return lambda n: model([line for i in range(n) for line in part(i)] + [last])


def in_many(part: Callable[[int], list[str]]) -> Callable[[int], str]:
    """A forward that calls n methods of one part."""

    def text(n: int) -> str:
        methods = [
            "\n".join([f"def part_{i}(self, x, y):", *(f"    {line}" for line in part(i)), "    return x"])
            for i in range(n)
        ]
        return model([f"x = self.part_{i}(x, y)" for i in range(n)] + ["return x"], methods)

    return text


def in_classes(part: Callable[[int], list[str]]) -> Callable[[int], str]:
    """n modules of one part."""

    def text(n: int) -> str:
        classes = []
        for i in range(n):
            body = "\n".join(f"        {line}" for line in part(i))
            classes.append(
                f"class Net{i}(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
                f"        self.layer = nn.Linear(4, 4)\n\n    def forward(self, x, y):\n        x = self.layer(x)\n"
                f"{body}\n        return x\n"
            )
        return HEAD + "\n\n".join(classes)

    return text


def branch(i: int) -> list[str]:
    return [f"if x.sum() > {i}:", f"    x = x * {i}"]


def branch_else(i: int) -> list[str]:
    return [f"if x.sum() > {i}:", f"    x = x * {i}", "else:", "    x = x + y"]


def branch_names(i: int) -> list[str]:
    return [f"if y.sum() > {i}:", f"    t{i} = y * {i}", "else:", f"    t{i} = y + 1", f"x = x + t{i}"]


def early_return(i: int) -> list[str]:
    return [f"if x.sum() > {i}:", f"    return x * {i}"]


def chain(n: int) -> str:
    return model(
        [
            f"if x.sum() > {n}:",
            "    x = x * 2",
            *(line for i in range(n) for line in (f"elif x.sum() > {i}:", f"    x = x * {i}")),
            "return x",
        ]
    )


def static_chain(n: int) -> str:
    return model(
        [
            "if y is None:",
            "    x = x * 2",
            *(line for i in range(n) for line in (f"elif x.shape[0] == {i}:", f"    x = x * {i}")),
            'print("sum", x.sum())',
            "return x",
        ]
    )


def display(n: int, item: Callable[[int], str], ends: str) -> str:
    items = "".join(f"    {item(i)},\n" for i in range(n))
    return HEAD + f"TABLE = {ends[0]}\n{items}{ends[1]}\n\n\n" + model(["print(x.sum())", "return x"])[len(HEAD) :]


SHAPES: dict[str, Callable[[int], str]] = {
    "branches": in_one(branch),
    "branches-else": in_one(branch_else),
    "branches-names": in_one(branch_names),
    "branches-choice": in_one(lambda i: [f"x = x * {i} if x.sum() > {i} else x + y"]),
    "branches-return": in_one(early_return),
    "branches-elif": chain,
    "branches-loop": in_one(lambda i: [f"for i{i} in range(3):", f"    if x.sum() > {i}:", "        x = x * 2"]),
    "branches-methods": in_many(branch_else),
    "branches-classes": in_classes(branch_else),
    "branches-local": in_one(
        lambda i: ["h = x * 2"] if i == 0 else [f"if h.sum() > {i}:", f"    h = h * {i}"], "return h"
    ),
    "branches-stored": in_one(lambda i: [*branch_else(i), f"self.t{i} = x"]),
    "branches-called": lambda n: model(
        [*(line for i in range(n) for line in (*branch(i), "x = self.step(x)")), "return x"],
        ["def step(self, x):\n    return x.view(-1)"],
    ),
    "tries": in_one(lambda i: ["try:", f"    x = x + {i}", "except ValueError:", "    print(x.sum())"]),
    "tries-guards": in_one(
        lambda i: [
            "try:",
            f"    if x.sum() > {i}:",
            '        raise ValueError("x")',
            "except ValueError:",
            "    x = x + 1",
        ]
    ),
    "large-arm": lambda n: model(
        ["if x.sum() > 0:", *(f"    x = x * {i}" for i in range(n)), "else:", "    x = x + y", "return x"]
    ),
    "large-rest": lambda n: model(
        ["if x.sum() > 0:", "    return y", *(f"x = torch.relu(x * {i} + y)" for i in range(n)), "return x"]
    ),
    "branches-left": in_one(lambda i: [f"if x.sum() > {i}:", f"    self.t{i} = x"]),
    "guards": in_one(lambda i: [f"if x.sum() > {i}:", f'    raise ValueError("{i}")']),
    "guards-methods": in_many(lambda i: [f"if x.sum() > {i}:", f'    raise ValueError("{i}")']),
    "asserts": in_one(lambda i: [f"assert x.sum() > {i}"]),
    "prints": in_one(lambda i: [f'print("{i}", x.sum())', f"x = x + {i}"]),
    "prints-methods": in_many(lambda i: [f'print("{i}", x.sum())']),
    "prints-classes": in_classes(lambda i: [f'print("{i}", x.sum())']),
    "suppressed": in_one(lambda i: ["print(x.sum())  # graphmend: ignore[GM301]"]),
    "suppressed-alone": in_one(lambda i: ["# graphmend: ignore[GM301]", "print(x.sum())"]),
    "suppressed-regions": in_one(lambda i: ["# graphmend: off[GM301]", "print(x.sum())", "# graphmend: on[GM301]"]),
    "suppressed-methods": in_many(lambda i: ["print(x.sum())  # graphmend: ignore[GM301]"]),
    "suppressed-inside": in_one(lambda i: [f"if x.sum() > {i}:", "    print(x.sum())  # noqa: GM301"]),
    "comments": lambda n: model(["print(x.sum())", *("# why" for _ in range(n)), "return x"]),
    "comments-suppress": lambda n: model(
        ["# graphmend: ignore[GM301]"] * n + [""] * n + ["print(x.sum())", "return x"]
    ),
    "suppresses-nothing": in_one(lambda i: [f"x = x + {i}  # graphmend: ignore[GM301]"]),
    "reads": in_one(lambda i: [f"n{i} = x[{i}].item()", f"x = x * n{i}"]),
    "reads-one-name": in_one(lambda i: [f"n = x[{i}].item()", "x = x * n"]),
    "statements": in_one(lambda i: [f"x = torch.relu(x + {i})"], "print(x)\nreturn x".replace("\n", "; ")),
    "statements-names": in_one(lambda i: [f"a{i} = x + {i}", f"x = x * a{i}"], "print(x); return x"),
    "in-place": in_one(lambda i: [f"x.add_({i})", f"if y.sum() > {i}:", f"    y = y * {i}"]),
    "attributes": in_one(lambda i: [f"self.a{i} = x + {i}"], "print(x); return x"),
    "callers": lambda n: model(
        [*(f"x = self.part(x, y + {i})" for i in range(n)), "return x"],
        ["def part(self, x, y):\n    if x.sum() > 0:\n        x = x * 2\n    return x"],
    ),
    "guard-callers": lambda n: model(
        [*(f"x = self.part(x, y + {i})" for i in range(n)), "return x"],
        ['def part(self, x, y):\n    if x.sum() > 0:\n        raise ValueError("x")\n    return x'],
    ),
    "chain-of-calls": lambda n: model(
        ["return self.part_0(x, y)"],
        [
            f"def part_{i}(self, x, y):\n    if x.sum() > {i}:\n        x = x * 2\n    return self.part_{i + 1}(x, y)"
            for i in range(n)
        ]
        + [f"def part_{n}(self, x, y):\n    return x"],
    ),
    "chain-of-guards": lambda n: model(
        ["return self.part_0(x, y)"],
        [
            f'def part_{i}(self, x, y):\n    if x.sum() > {i}:\n        raise ValueError("{i}")\n'
            f"    return self.part_{i + 1}(x, y)"
            for i in range(n)
        ]
        + [f"def part_{n}(self, x, y):\n    return x"],
    ),
    "layers": lambda n: (
        HEAD
        + "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
        + "".join(f"        self.layer{i} = nn.Linear(4, 4)\n" for i in range(n))
        + "\n    def forward(self, x):\n"
        + "".join(f"        x = self.layer{i}(x)\n" for i in range(n))
        + "        print(x.sum())\n        return x\n"
    ),
    "properties": lambda n: model(
        [*(f"x = x + self.p{i}" for i in range(n)), "print(x.sum())", "return x"],
        [f"@property\ndef p{i}(self):\n    return {i}" for i in range(n)],
    ),
    "subclasses": lambda n: (
        HEAD
        + "class Net0(nn.Module):\n    def forward(self, x):\n        print(x.sum())\n        return x\n"
        + "".join(
            f"\n\nclass Net{i + 1}(Net{i % 50}):\n    def forward(self, x):\n        return super().forward(x * 2)\n"
            for i in range(n)
        )
    ),
    "imports": lambda n: (
        "".join(f"from torch.nn import Linear as L{i}\n" for i in range(n)) + model(["print(x.sum())", "return x"])
    ),
    "functions": in_many(lambda i: [f"x = torch.relu(x + {i})"]),
    "static-elif": static_chain,
    "attribute-chain": lambda n: model(["x = x" + ".T" * n, "print(x)", "return x"]),
    "method-chain": lambda n: model(["x = x" + ".relu()" * n, "print(x)", "return x"]),
    "sum": lambda n: model(["x = " + " + ".join(["x"] * n), "print(x)", "return x"]),
    "print-arguments": lambda n: model([f"print({', '.join(f'x[{i}]' for i in range(n))})", "return x"]),
    "brackets": lambda n: model(["x = " + "(" * n + "x" + ")" * n, "print(x)", "return x"]),
    "dict": lambda n: display(n, lambda i: f'"{i}": {i}', "{}"),
    "list": lambda n: display(n, lambda i: f'"{i}"', "[]"),
    "dict-calls": lambda n: display(n, lambda i: f'"{i}": torch.tensor({i})', "{}"),
}


def cpu_seconds(binary: Path, file: Path) -> float:
    with tempfile.TemporaryDirectory(prefix="graphmend-growth-") as folder:
        process = subprocess.Popen(
            [binary, "fix", "--no-cache", file, "-o", Path(folder, "out.py")], stderr=subprocess.PIPE
        )
        assert process.stderr
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        sys.exit(f"{file}: exit {os.waitstatus_to_exitcode(status)}\n{errors.decode(errors='replace')[-2000:]}")
    return usage.ru_utime + usage.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("shapes", nargs="*", metavar="SHAPE", help=f"of {', '.join(SHAPES)}; default: all")
    parser.add_argument("--binary", type=Path, default=BUILD / "graphmend")
    parser.add_argument("--parts", type=int, default=500, metavar="N")
    parser.add_argument("--doublings", type=int, default=3, metavar="N")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="graphmend-growth-") as folder:
        file = Path(folder, "model.py")
        file.write_text(HEAD)
        nothing = min(cpu_seconds(options.binary, file) for _ in range(5))
        for shape in options.shapes or SHAPES:
            times = []
            for doubling in range(options.doublings + 1):
                file.write_text(SHAPES[shape](options.parts << doubling))
                times.append(max(cpu_seconds(options.binary, file) - nothing, 1e-4))
            ratios = " ".join(f"{after / before:5.1f}" for before, after in zip(times, times[1:], strict=False))
            print(
                f"{shape:18} {options.parts << options.doublings:6} parts {times[-1]:7.2f} s   times {ratios}",
                flush=True,
            )


if __name__ == "__main__":
    main()
