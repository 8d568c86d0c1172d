"""Random statements that CPython parses: either the grammar refuses them, with a warning, or the tree is CPython's."""

from __future__ import annotations

import random
import subprocess
import sys
import warnings
from pathlib import Path

HERE = Path(__file__).resolve().parent
BINARY = HERE.parents[1] / "build" / "release" / "graphmend"
ATOMS = ["a", "b", "c", "x", "1", "'s'"]
EXPRESSIONS = (
    """
{} or {}|{} and {}|not {}|{} if {} else {}|lambda: {}|lambda a, *b: {}|{} < {}|{} in {}|{} not in {}|{} is not {}|-{}
~{}|{} ** {}|{} * {}|{} + {}|{} ^ {}|{} & {}|{} << {}|{} // {}|{} @ {}|await {}|({})|[{}]|{}.a|{}[{}]|{}({})|y := {}|*{}
{}, {}|f({} for a in {})|[{} for a in {} if {}]|{{{}: {}}}|{{**{}}}|f(*{}, **{})|f(k={})|{}[{}:{}]|{}[{}, {}]|yield {}
yield|...|None|f'{{{}}}'|f'{{{}!r:>{{{}}}}}'|({})|y := {}|{} if {} else {}
""".strip()
    .replace("\n", "|")
    .split("|")
)
# ; stands for a new line.
STATEMENTS = (
    """
{}|x = {}|x = y = {}|x += {}|x: a = {}|return {}|assert {}, {}|del {}|raise {} from {}|if {}: pass|while {}: pass
for a in b: {}|for a, *b in {}.a: pass|with {}.a: pass|async for a in {}.b: pass|print({}, {})|x[{}] = {}|(x, *y) = {}
@{};    def g(): pass|def g(a={}, *, b={}): pass|class G({}, m={}): pass|match {}:;        case [a, *b] if {}: pass
""".strip()
    .replace("\n", "|")
    .replace(";", "\n")
    .split("|")
)


def fill(template: str, depth: int, draw: random.Random) -> str:
    holes = template.replace("{{", "").replace("}}", "").count("{}")
    inner = [draw.choice(ATOMS if depth == 0 else EXPRESSIONS) for _ in range(holes)]
    return template.format(*[fill(one, depth - 1, draw) if depth else one for one in inner])


def statements(count: int, draw: random.Random) -> list[str]:
    found: list[str] = []
    while len(found) < count:
        text = f"async def h():\n    {fill(draw.choice(STATEMENTS), draw.randint(1, 3), draw)}\n"
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                compile(text, "random", "exec")
        except (SyntaxError, ValueError):
            continue
        found.append(text)
    return found


def test_trees_are_those_of_cpython(tmp_path: Path) -> None:
    for number, text in enumerate(statements(2000, random.Random(1))):
        (tmp_path / f"{number}.py").write_text(text)
    command = [sys.executable, str(HERE / "compare_ast.py"), "--dump", f"{BINARY} dump --ast", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    lines = [line for line in done.stdout.splitlines() if line.startswith(str(tmp_path))]
    refused = [line for line in lines if ": errors " in line]
    wrong = [(line, Path(line.split(":")[0]).read_text()) for line in lines if line not in refused]
    assert not wrong
    assert len(refused) < 100 and "same" in done.stdout
