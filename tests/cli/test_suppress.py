"""Suppression comments: what they hold back, what is said of the unused ones, and what fix does with them."""

from __future__ import annotations

import json

import pytest

HEAD = """import logging

import torch
from torch import nn

logger = logging.getLogger(__name__)


class Net(nn.Module):
    def forward(self, x):
"""


def model(*lines: str) -> str:
    return HEAD + "".join(f"        {line}\n" if line else "\n" for line in lines) + "        return x * 2\n"


def codes(run, *args: str) -> list[str]:
    done = run("check", "m.py", "--exit-zero", "--output-format", "json", *args)
    return [f"{finding['code']}:{finding['start']['line']}" for finding in json.loads(done.out)["findings"]]


HELD = {
    "on the line": ["print(x)  # graphmend: ignore[GM301] wanted"],
    "prefix": ["print(x)  # graphmend: ignore[GM3]"],
    "name": ["print(x)  # graphmend: ignore[print]"],
    "all": ["print(x)  # graphmend: ignore[ALL]"],
    "no brackets": ["print(x)  # graphmend: ignore"],
    "spaces": ["print(x)  #  graphmend:  ignore [ GM301 ]"],
    "behind another comment": ["print(x)  # type: ignore  # graphmend: ignore[GM301]"],
    "noqa": ["print(x)  # noqa: GM301"],
    "a guard's raise": ["if x.isnan().any():", "    raise ValueError(", "        1)  # graphmend: ignore[GM201]"],
    "noqa among others": ["print(x)  # NOQA: T201, GM301"],
    "alone above": ["# graphmend: ignore[GM301] wanted", "print(x)"],
    "alone above, further comments": ["# graphmend: ignore[GM301]", "", "# and why", "print(x)"],
    "alone above several lines": ["# graphmend: ignore[GM301]", "print(", "    x,", ")"],
    "first of several lines": ["print(  # graphmend: ignore[GM301]", "    x,", ")"],
    "last of several lines": ["print(", "    x,", ")  # graphmend: ignore[GM301]"],
    "file": ["# graphmend: file-ignore[GM3]", "print(x)"],
    "file, below": ["print(x)", "# graphmend: file-ignore[GM301] why"],
    "region": ["# graphmend: off[GM301]", "print(x)", "# graphmend: on[GM301]"],
    "region to the end": ["# graphmend: off", "print(x)"],
    "two codes": ["logger.info(x.shape), print(x)  # graphmend: ignore[GM301, GM302]"],
}


@pytest.mark.parametrize("lines", HELD.values(), ids=HELD.keys())
@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_held_back_and_not_rewritten(run, write, lines: list[str], newline: str) -> None:
    text = model(*lines).replace("\n", newline).encode()
    write("m.py", text)
    assert codes(run) == []
    done = run("fix", "m.py")
    assert done.stdout == text and "suppressed" in done.err


NOT_HELD = {
    "another code": ["print(x)  # graphmend: ignore[GM302]"],
    "the line before": ["y = x + 1  # graphmend: ignore[GM301]", "print(x)"],
    "a string": ['print("# graphmend: ignore[GM301]", x)'],
    "bare noqa": ["print(x)  # noqa"],
    "noqa of others": ["print(x)  # noqa: T201"],
    "behind the region": ["# graphmend: off[GM301]", "print(x)", "# graphmend: on", "print(x)"],
    "no code": ["print(x)  # graphmend: ignore[]"],
    "not ours": ["print(x)  # graphmended: ignore[GM301]"],
    "not a word of ours": ["print(x)  # graphmend: ignores[GM301]"],
}


@pytest.mark.parametrize("lines", NOT_HELD.values(), ids=NOT_HELD.keys())
def test_not_held_back(run, write, lines: list[str]) -> None:
    write("m.py", model(*lines))
    found = [code for code in codes(run) if code.startswith("GM3")]
    assert len(found) == 1
    assert "_graphmend.defer(print" in run("fix", "m.py", "--runtime=import").out


def test_a_head_is_about_its_branch_only(run, write) -> None:
    write("m.py", model("if x.sum() > 0:  # graphmend: ignore[GM101]", "    print(x)"))
    assert codes(run) == ["GM301:12"]
    fixed = run("fix", "m.py", "--runtime=import").out
    assert "if x.sum() > 0:  # graphmend: ignore[GM101]" in fixed and "_graphmend.defer(print, x)" in fixed


def test_a_branch_around_suppressed_output_stays(run, write) -> None:
    write("m.py", model("if x.sum() > 0:", "    x = x + 1", "    print(x)  # graphmend: ignore[GM301]"))
    done = run("check", "m.py", code=1)
    assert "GM101" in done.out and "holds-withheld" in done.out
    assert "        if x.sum() > 0:\n" in run("fix", "m.py").out


# ---------------------------------------------------------------- GM902, GM903

UNUSED = {
    "whole": (["y = x  # graphmend: ignore[GM101] why"], ["y = x"]),
    "no brackets": (["y = x  # graphmend: ignore"], ["y = x"]),
    "alone": (["# graphmend: ignore[GM101] why", "y = x"], ["y = x"]),
    "one of two": (["print(x)  # graphmend: ignore[GM101, GM301] why"], ["print(x)  # graphmend: ignore[GM301] why"]),
    "the other": (["print(x)  # graphmend: ignore[GM301,GM101]"], ["print(x)  # graphmend: ignore[GM301]"]),
    "noqa": (["y = x  # noqa: GM101"], ["y = x"]),
    "noqa of others stays": (["y = x  # noqa: E501, GM101"], ["y = x  # noqa: E501"]),
    "behind another": (["y = x  # type: ignore  # graphmend: ignore[GM101]"], ["y = x  # type: ignore"]),
    "before another": (["y = x  # graphmend: ignore[GM101]  # type: ignore"], ["y = x  # type: ignore"]),
    "file": (["# graphmend: file-ignore[GM1]", "y = x"], ["y = x"]),
    "region": (["# graphmend: off[GM101]", "y = x"], ["y = x"]),
}


@pytest.mark.parametrize(("before", "after"), UNUSED.values(), ids=UNUSED.keys())
@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_unused_is_reported_and_taken_out(run, write, before: list[str], after: list[str], newline: str) -> None:
    write("m.py", model(*before).replace("\n", newline))
    done = run("check", "m.py", "--output-format", "json", code=1)
    (finding,) = json.loads(done.out)["findings"]
    assert finding["code"] == "GM902" and finding["status"] == "fixable"
    fixed = run("fix", "m.py").stdout.decode()
    assert fixed == model(*after).replace("\n", newline)
    text = model(*before).replace("\n", newline).encode()
    for edit in reversed(finding["edits"]):
        text = text[: edit["start"]] + edit["text"].encode() + text[edit["end"] :]
    assert text.decode() == fixed
    write("m.py", fixed)
    assert codes(run) == []
    run("fix", "m.py", "-i")


def test_two_unused_on_a_line_go_at_once(run, write) -> None:
    write(
        "m.py",
        model("y = x  # graphmend: ignore[GM101]  # noqa: GM101", "z = x  # noqa: GM101 # graphmend: ignore[GM3]"),
    )
    assert run("fix", "m.py").out == model("y = x", "z = x")


def test_unused_is_taken_out_beside_a_rewrite(run, write) -> None:
    write("m.py", model("y = x  # graphmend: ignore[GM101]", "print(x)", "z = x  # graphmend: ignore[GM101]"))
    fixed = run("fix", "m.py", "--runtime=import").out
    assert "ignore" not in fixed and "_graphmend.defer(print, x)" in fixed


def test_unused_is_not_judged_where_its_rule_is_not_looked_for(run, write) -> None:
    write("m.py", model("print(x)  # graphmend: ignore[GM301]"))
    assert codes(run, "--ignore", "GM301") == []
    assert codes(run, "--select", "GM1,GM9") == []
    write("m.py", model("y = x  # graphmend: ignore[GM101]"))
    assert codes(run, "--ignore", "GM902") == []
    assert run("fix", "m.py", "--ignore", "GM902").out == model("y = x  # graphmend: ignore[GM101]")
    assert run("fix", "m.py", "--fix-only", "GM3").out == model("y = x  # graphmend: ignore[GM101]")
    assert codes(run, "--fix-only", "GM3") == ["GM902:11"]


def test_a_guess_that_is_suppressed_is_used_without_pedantic(run, write) -> None:
    write(
        "m.py",
        HEAD.replace("self, x", "self, x, thing")
        + "        if thing.a > 0:  # graphmend: ignore[GM1]\n            x = x + 1\n        return x\n",
    )
    assert codes(run) == codes(run, "--pedantic") == []


def test_unknown_codes(run, write) -> None:
    write("m.py", model("print(x)  # graphmend: ignore[GM999, GM301]", "y = x  # noqa: GM888, X1"))
    done = run("check", "m.py", "--output-format", "concise", code=1)
    assert done.out.splitlines() == [
        "m.py:11:39: GM903 no rule has the code GM999 [left: not-supported]",
        "m.py:12:24: GM903 no rule has the code GM888 [left: not-supported]",
    ]
    assert run("fix", "m.py").out == model("print(x)  # graphmend: ignore[GM999, GM301]", "y = x  # noqa: GM888, X1")


def test_syntax_errors_leave_suppressions_alone(run, write) -> None:
    text = model("y = x  # graphmend: ignore[GM101]") + "\n\ndef f(:\n    pass\n"
    write("m.py", text)
    assert run("fix", "m.py").out == text


ELSEWHERE = """

class Other(nn.Module):
    def forward(self, x):
        return x + 1
"""
NOT_SEARCHED = {
    "another file calls it": "\n\ndef report(x):\n    print(x)  # graphmend: ignore\n    y = x  # noqa: GM101\n",
    "file": "\n\n# graphmend: file-ignore[GM301]\ndef report(x):\n    print(x)\n",
    "region": "\n\n# graphmend: off\ndef report(x):\n    print(x)\n# graphmend: on\n",
    "lambda": "        x = [lambda x: print(x)]  # graphmend: ignore[GM301]\n        return x\n",
    "outside of functions": "\n\nprint(1)  # graphmend: ignore[GM301]\n",
}


@pytest.mark.parametrize("rest", NOT_SEARCHED.values(), ids=NOT_SEARCHED.keys())
def test_what_is_in_no_compiled_region_is_not_judged(run, write, rest: str) -> None:
    text = (model()[: -len("        return x * 2\n")] if rest.startswith(" ") else model()) + rest
    write("m.py", text)
    assert codes(run) == []
    assert run("fix", "m.py").out == text


def test_suppressions_of_other_entries_stay(run, write) -> None:
    held = model("print(x)  # graphmend: ignore[GM301]")
    write("a.py", held)
    write("b.py", held)
    assert run("fix", "--diff", "--entry", "a:Net.forward", ".").out == ""
    write("c.py", held + ELSEWHERE + "\n\nmodel = torch.compile(Other())\n")
    assert run("fix", "--diff", "c.py").out == ""
    write("net.py", model("x = report(x)").replace("import logging\n", "from blocks import report\nimport logging\n"))
    write(
        "blocks.py",
        "import torch\n\n\ndef report(x):\n    print(x)  # graphmend: ignore[GM301]\n    return x\n" + ELSEWHERE,
    )
    run("check", ".")
    run("check", "blocks.py")


def test_a_suppressed_log_call_keeps_the_test_around_it(run, write) -> None:
    text = model("if logger.isEnabledFor(logging.INFO):", '    logger.info("x")  # graphmend: ignore[GM302]')
    write("m.py", text)
    assert "GM302 a logger is asked for its level [left: holds-withheld]" in run("check", "m.py", code=1).out
    assert run("fix", "m.py").out == text
    text = text.replace("  # graphmend: ignore[GM302]", "").replace("INFO):", "INFO):  # graphmend: ignore[GM302]")
    write("m.py", text)
    fixed = run("fix", "m.py", "--runtime=import").out
    assert "if logger.isEnabledFor(logging.INFO):  # graphmend: ignore[GM302]" in fixed and "defer(" in fixed
