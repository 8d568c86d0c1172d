"""What CPython's tokenizer refuses though the grammar reads it: the code around it is left alone, with a warning."""

from __future__ import annotations

import pytest

HEAD = """import torch
from torch import nn


class First(nn.Module):
    def forward(self, x):
        print(x)
        return x


class Net(nn.Module):
    def forward(self, x):
        if x.isnan().any():
            raise ValueError("nan")
"""
TAIL = """        self.count = self.count + 1
        return y


class Last(nn.Module):
    def forward(self, x):
        print(x)
        return x
"""
REFUSED = {
    "conflict": ("<<<<<<< a\n        y = x + 1\n=======\n        y = x + 2\n>>>>>>> b\n", "16:9"),
    "conflict that adds": ("<<<<<<< a\n        y = x + 1\n=======\n>>>>>>> b\n", "16:9"),
    "no outer level": ("      y = x + 1\n", "15:7"),
    "comment before": ("        y = x + 1\n  # odd\n       y = x + 2\n", "17:8"),
    "at the class": ("    y = x + 1\n", "16:9"),
    "at the edge": ("y = x + 1\n", "16:9"),
    "deeper": ("        y = x + 1\n          y = y + 1\n", "16:11"),
    "tab": ("        y = x\n\ty = x + 1\n", "16:2"),
    "no suite": ("        if x is None:\n        y = x + 1\n", "16:9"),
    "joined with nothing": ("        y = x + \\\n\n            x\n", "17:13"),
    "goes on": ("        y =\\\n        x\n        y =\n        x\n", "18:9"),
    "string goes on": (
        '        y = "a"\n        "b" "c"\n        y = x if x else "a"\n        + "b" if\n        x\n',
        "19:9",
    ),
}


@pytest.mark.parametrize(("middle", "place"), REFUSED.values(), ids=REFUSED.keys())
def test_what_cpython_refuses_is_left_alone(run, write, middle: str, place: str) -> None:
    text = HEAD + middle + TAIL
    with pytest.raises(SyntaxError):
        compile(text, "m.py", "exec")
    write("m.py", text)
    done = run("fix", "m.py", "--runtime=import")
    assert f"m.py:{place}: syntax error" in done.err
    # The others are mended, Net is not.
    for name, mended in (("First", True), ("Net", False), ("Last", True)):
        cls = done.out[done.out.index(f"class {name}") :].split("\n\n\n")[0]
        assert ("_graphmend." in cls) == mended
    assert HEAD[HEAD.index("class Net") :] + middle in done.out


READ = {
    "joined": "        y = x + \\\n  1\n        z = 'a' \\\n   'b'\n        assert y is not None, \\\n   f'{z}'\n",
    "joined from the start": "        \\\n  y = x + 1\n",
    "brackets": "        y = (\n            x\n+ 1\n        )\n        f(\n            1)[\n            0]\n",
    "strings": "        z = '''\n  a\n'''\n        f('''\n''')\n        y = x\n",
    "comments": "        y = x\n  # odd\n# odd\n            # odd\n",
    "clauses": "        try: f()\n        except E: pass\n        try:\n            y = x\n        except E:\n"
    "            pass\n        else: y = x\n        finally: f()\n",
    "match": "        match x:\n            case 1: y = x\n            case [\n             a]:\n                f()\n",
    "one line": "        if x is None: y = x; z = x\n        else: y = (\n  x)\n",
    "decorated": "        @f\n        @f(\n  1)\n        async def g(): return 1\n        y = x\n",
    "form feed": "        y = x\n\f\n\f        y = x\n",
    "tab": "        if x is None:\n        \ty = x\n        y = x\n",
    "slice and lambda": "        y = x[1:\n            2]\n        w = {1:\n             2}\n",
}


@pytest.mark.parametrize("middle", READ.values(), ids=READ.keys())
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
def test_what_cpython_reads_is_read(run, write, middle: str, newline: str) -> None:
    text = HEAD + middle + TAIL.replace("        self.count = self.count + 1\n", "")
    compile(text, "m.py", "exec")
    write("m.py", text.replace("\n", newline).encode())
    done = run("fix", "m.py", "--runtime=import")
    assert "syntax error" not in done.err
    assert "_graphmend.raise_if" in done.out


def test_the_first_line_counts(run, write) -> None:
    write("m.py", " import os\n" + HEAD)
    assert "m.py:1:2: syntax error: unexpected indentation" in run("fix", "m.py").err


CALLER = """

class Net(nn.Module):
    def forward(self, x):
        if x.isnan().any():
            raise ValueError("nan")
        {call}
        return x
"""
LOST = {
    "function": (
        "def helper(net):\n<<<<<<< a\n    net.count += 1\n=======\n>>>>>>> b\n    return net\n",
        "helper(self)",
    ),
    "indentation": ("def helper(net):\n    y = 1\n  net.count += 1\n    return net\n", "helper(self)"),
    "class": (
        "class K:\n    a = 1\n<<<<<<< a\n    def __init__(self):\n        LOG.append(1)\n=======\n>>>>>>> b\n",
        "K()",
    ),
}


@pytest.mark.parametrize(("lost", "call"), LOST.values(), ids=LOST)
def test_what_was_lost_may_do_anything(run, write, lost: str, call: str) -> None:
    write("m.py", f"import torch\nfrom torch import nn\n\nLOG = []\n\n\n{lost}" + CALLER.format(call=call))
    assert "[left: effects-after-guard]" in run("check", "m.py", code=1).out
