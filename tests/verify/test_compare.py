"""What two recorded calls differ in, in words, without running anything compiled."""

from __future__ import annotations

import collections
import functools
import math
import random
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy
import pytest
import torch

sys.path.append(str(Path(__file__).resolve().parents[2] / "src" / "verify"))

from graphmend_verify import compare, recording
from graphmend_verify.compare import Tolerance
from graphmend_verify.places import Places
from graphmend_verify.recording import Call, freeze, without_place

HERE = Places(__file__)


def gap(a: Any, b: Any, tolerance: Tolerance | None = None) -> str | None:
    assert compare.gap(freeze(a), freeze(a), tolerance) is None
    return compare.gap(freeze(a), freeze(b), tolerance)


@dataclass
class Point:
    x: int
    y: Any = None


class Box(torch.nn.Module):
    pass


class Plain:
    def __init__(self, **attributes: Any) -> None:
        vars(self).update(attributes)


class Slotted:
    __slots__ = ("x", "_Slotted__y", "unset")

    def __init__(self, x: Any, y: Any) -> None:
        self.x, self.__y = x, y


def nested(levels: int, inner: Any) -> Any:
    return [nested(levels - 1, inner)] if levels else inner


def ring(last: Any) -> Any:
    """Objects that refer to each other."""
    one, other = Plain(), Plain(last=last)
    one.all = other.all = [one, other]
    return one


@pytest.mark.parametrize(
    "a, b, said",
    [
        (1, 2, "1 -> 2"),
        (1, True, "1 (int) -> True (bool)"),
        (1.0, 1, "1.0 (float) -> 1 (int)"),
        (0.0, -0.0, "0.0 -> -0.0"),
        (math.nan, 1.0, "nan -> 1.0"),
        ("a", b"a", "'a' (str) -> b'a' (bytes)"),
        (None, 0, "None (NoneType) -> 0 (int)"),
        ([1, (2, 3)], [1, (2, 4)], "[1] [1] 3 -> 4"),
        ([1], (1,), "list(1) -> tuple(1)"),
        ([1], [1, 2], "list(1) -> list(1, 2)"),
        ({"a": 1}, {"a": 2}, "['a'] 1 -> 2"),
        ({"a": 1, "b": 2}, {"b": 2, "c": 3}, "keys 'a' gone, 'c' new"),
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}, "keys come in another order"),
        ({1, 2}, {1, 3}, "[1] 2 -> 3"),
        (Point(1), Point(2), "['x'] 1 -> 2"),
        (Point(1), [1], "Point of 2 -> list(1)"),
        (ValueError(1), ValueError(2), "[0] 1 -> 2"),
        (torch.float32, torch.float16, "'torch.float32' -> 'torch.float16'"),
        (torch.zeros(2), None, "torch.float32 [0.0, 0.0] -> None"),
        (torch.zeros(2), torch.zeros(2, dtype=torch.int32), "dtype torch.float32 -> torch.int32"),
        (torch.zeros(2, 3), torch.zeros(3, 2), "shape [2, 3] -> [3, 2]"),
        (torch.ones(2, 3), torch.ones(3, 2).t(), "strides (3, 1) -> (1, 2)"),
        (torch.ones(2), torch.ones(2, requires_grad=True), "requires_grad False -> True"),
        (torch.ones(2), torch.ones(2, device="meta"), "device cpu -> meta"),
        (torch.tensor(1.0), torch.tensor(1.5), "1.0 -> 1.5"),
        (torch.tensor([True, False]), torch.tensor([True, True]), "1 of 2 elements differ, by up to 1 (relative 1)"),
        (torch.tensor([1.0, 2.0]), torch.tensor([1.0, 2.5]), "1 of 2 elements differ, by up to 0.5 (relative 0.2)"),
        (torch.tensor([1.0, 2.0]), torch.tensor([1.0, math.nan]), "0 -> 1 of 2 elements are NaN"),
        (torch.tensor([1.0, 0.0]), torch.tensor([1.0, -0.0]), "signs of zeros differ"),
        (torch.eye(2).to_sparse(), torch.zeros(2, 2).to_sparse(), "2 of 4 elements differ, by up to 1 (relative inf)"),
        (torch.eye(2).to_sparse(), torch.eye(2).to_sparse_csr(), "torch.sparse_coo -> torch.sparse_csr"),
        (Box(), [], "Box of 1 -> list()"),
        (Plain(x=1), Plain(x=2), "['x'] 1 -> 2"),
        (Plain(x=1), Plain(y=1), "keys 'x' gone, 'y' new"),
        (Slotted(1, 2), Slotted(1, 3), "['_Slotted__y'] 2 -> 3"),
        (ring(1), ring(2), "['all'] [1] ['last'] 1 -> 2"),
        (functools.partial(max, 1), functools.partial(max, 2), "['args'] [0] 1 -> 2"),
        (math.sin, math.cos, "object builtin_function_or_method sin -> object builtin_function_or_method cos"),
        (Plain, Slotted, "object type Plain -> object type Slotted"),
        (torch.nn.Linear(1, 1), Box(), "Linear -> Box"),
        (nested(9, 1), nested(9, 2), "[0] " * 9 + "1 -> 2"),
        (numpy.zeros(1), numpy.ones(1), "[0] 0.0 -> 1.0"),
        (numpy.float32(1), numpy.float32(2), "1.0 -> 2.0"),
        (numpy.array(["a"]), numpy.array(["b"]), None),
        (range(2), range(3), None),
        (collections.deque([1]), collections.deque([2]), "[0] 1 -> 2"),
        ({1: 2}.values(), {1: 3}.values(), "[0] 2 -> 3"),
    ],
)
def test_values(a: Any, b: Any, said: str | None) -> None:
    found = gap(a, b)
    assert found == said or (said is None and found)  # None: in some words


def test_what_cannot_be_looked_into() -> None:
    assert gap((i for i in [1]), (i for i in [2])) is None
    deep = freeze(nested(200, 1))
    assert "not compared: nested too deep" in str(compare.gap(deep, deep, None))


def test_the_same_object_again() -> None:
    one, other = Plain(x=1), Plain(x=1)
    assert gap([one, other], [other, one]) is None
    assert gap([one, one], [one, other]) == "[1] object Plain number 0 again -> Plain of 1"


def shared(levels: int, inner: Any) -> Any:
    """Twice the list below, which is one object, at each level."""
    for _ in range(levels):
        inner = [inner, inner]
    return inner


def loop(first: Any) -> Any:
    items = [first]
    items.append(items)
    return items


def test_what_is_shared_is_described_and_compared_once() -> None:
    assert gap(shared(60, 1), shared(60, 1)) is None
    assert gap(shared(60, 1), shared(60, 2)) == "[0] " * 60 + "1 -> 2"
    assert "list" in str(gap(shared(60, 1), [shared(59, 1), 2]))


def test_lists_are_equal_by_what_they_hold() -> None:
    one = [1]
    assert gap([one, one], [[1], [1]]) is None
    kept = [Plain(x=1)]
    assert gap([kept, kept], [kept, list(kept)]) is None
    assert gap([kept, kept], [kept, [Plain(x=1)]]) == "[1] [0] Plain of 1 -> Plain of 1"


def test_cycles() -> None:
    assert gap(loop(1), loop(1)) is None and gap(loop(1), loop(2)) == "[0] 1 -> 2"
    assert gap(loop(1), [1, loop(1)])
    box, other = Box(), Box()
    box.parents, other.parents = [box], [Box()]
    assert gap(box, other) == "['parents'] [0] object Box number 0 again -> Box of 1"


def test_what_is_too_large_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recording, "ITEMS_MAX", 100)
    many = freeze(list(range(recording.ITEMS_MAX + 1)))
    assert compare.gap(many, many, None) is None  # numbers are taken as they are
    many = freeze([[] for _ in range(recording.ITEMS_MAX + 1)])
    assert "not compared" in str(compare.gap(many, many, None))


@pytest.mark.parametrize("written", ["buffer", "set", "deque", "object", "private", "inner", "training", "random"])
def test_the_state_of_a_module(written: str) -> None:
    def made() -> Box:
        box = Box()
        box.register_buffer("buffer", torch.zeros(1), persistent=False)
        box.held, box.recent, box.plain, box._private = set(), collections.deque(), Plain(x=1), 0
        box.inner, box.draws = torch.nn.ModuleList([torch.nn.Dropout()]), random.Random(0)
        return box

    box, writes = made(), {
        "buffer": lambda: box.buffer.add_(1),
        "set": lambda: box.held.add(1),
        "deque": lambda: box.recent.append(1),
        "object": lambda: setattr(box.plain, "x", 2),
        "private": lambda: setattr(box, "_private", 1),
        "inner": lambda: setattr(box.inner[0], "p", 0.0),
        "training": lambda: box.inner.eval(),
        "random": lambda: box.draws.random(),
    }  # fmt: skip
    assert compare.gap(recording.state_of(made()), recording.state_of(box), None) is None
    writes[written]()
    assert compare.gap(recording.state_of(made()), recording.state_of(box), None)


def test_the_state_of_what_is_no_module() -> None:
    counter = collections.Counter()
    assert recording.state_of(math.sin) is None and recording.state_of(test_cycles) is None
    before = recording.state_of(counter.update)
    counter.update([1])
    assert compare.gap(before, recording.state_of(counter.update), None) == "keys none gone, 1 new"


def test_sets_in_any_order() -> None:
    assert gap({Plain, Slotted, math.sin}, {math.sin, Slotted, Plain}) is None
    assert gap({Plain(x=1)}, {Plain(x=2)}) == "[0] ['x'] 1 -> 2"


def test_what_is_equal() -> None:
    quiet, other = (torch.tensor([bits], dtype=torch.int32).view(torch.float32) for bits in (0x7FC00000, -0x3FFFFF))
    assert quiet.isnan() and other.isnan()
    assert gap(quiet, other) is None  # the payload and sign of NaN are the machine's
    assert gap(torch.ones(1, 3), torch.ones(3, 1).t()) is None  # the stride of a dimension of one
    assert gap([math.nan, {}, set()], [math.nan, {}, set()]) is None


def test_tolerance() -> None:
    one, near, far = torch.ones(2), torch.ones(2) + 1e-5, torch.ones(2) + 1e-3
    assert gap(one, near) and gap(one, near, Tolerance()) is None and gap(one, far, Tolerance())
    assert gap(one, far, Tolerance(rtol=1e-2)) is None
    assert gap(one, near, Tolerance(rtol=0.0, atol=1e-6))
    assert gap(torch.ones(2, 3), torch.ones(3, 2).t(), Tolerance()) is None  # backends lay their results out
    assert gap(torch.zeros(2), -torch.zeros(2), Tolerance()) is None
    assert gap(torch.tensor([1]), torch.tensor([2]), Tolerance(9, 9)) == "1 -> 2"
    assert gap(one, torch.tensor([1, math.nan]), Tolerance(9, 9)) and gap(one, one.double(), Tolerance(9, 9))
    assert gap(1.0, 1 + 1e-6, Tolerance()) is None and gap(1 + 1j, 1 + 1.000001j, Tolerance()) is None
    assert gap("loss 0.12345", "loss 0.12346", Tolerance()) is None and gap("loss 1", "loss 2", Tolerance())


@pytest.mark.parametrize("tolerance", [None, Tolerance(), Tolerance(9, 9)])
def test_what_is_not_finite_is_close_to_itself_only(tolerance: Tolerance | None) -> None:
    inf, nan = math.inf, math.nan
    for a, b in ((inf, 1.0), (inf, -inf), (inf, nan), (nan, 1.0), (1e308, -1e308)):
        for x, y in ((a, b), (b, a)):
            assert gap(x, y, tolerance) and gap(complex(1, x), complex(1, y), tolerance)
            assert gap(torch.tensor(x), torch.tensor(y), tolerance)
    for same in (inf, -inf, nan):
        assert gap(same, same, tolerance) is None and gap(complex(same, 1), complex(same, 1), tolerance) is None
    assert gap("loss 1e999", "loss 1e3", tolerance) and gap("loss 1e999", "loss 1e999", tolerance) is None


# ---------------------------------------------------------------- calls


def said(a: Call, b: Call) -> list[str]:
    assert compare.differences(a, a, None, HERE, HERE) == []
    return [str(difference) for difference in compare.differences(a, b, None, HERE, HERE)]


def log(text: str, line: int = 1, level: str = "WARNING", function: str = "f") -> tuple[Any, ...]:
    return ("log", "net", level, text, (__file__, line, function))


def test_output_is_one_ordered_stream() -> None:
    a = Call(events=[("stdout", "one\ntwo\n"), log("three"), ("stderr", "four\n")])

    def against(*events: tuple[Any, ...]) -> list[str]:
        return said(a, Call(events=list(events)))

    assert against(("stdout", "one\n"), log("three"), ("stderr", "four\n")) == ["printed: 'two\\n' is missing"]
    assert against() == ["printed: 'one\\n' and 3 more is missing"]
    assert against(*a.events, ("stdout", "5\n")) == ["printed: '5\\n' was not there before"]
    assert against(*a.events[:2], ("stdout", "four\n")) == ["printed: 'four\\n' on stderr -> 'four\\n'"]
    assert against(log("three"), *a.events[:1], a.events[2]) == [
        "printed: in another order: 'one\\n' came where net WARNING 'three' now is"
    ]
    assert against(a.events[0], log("3"), a.events[2]) == ["log: net WARNING 'three' -> net WARNING '3'"]
    assert against(a.events[0], log("three", level="INFO"), a.events[2]) == [
        "log: net WARNING 'three' -> net INFO 'three'"
    ]
    assert against(a.events[0], log("three", function="g"), a.events[2]) == [
        "log: net WARNING 'three' comes from test_compare.py:1 f -> test_compare.py:1 g"
    ]


def test_exceptions() -> None:
    def raising(name: str, *arguments: Any, cause: Any = None) -> Call:
        return Call(exception=(name, freeze(list(arguments))), cause=cause)

    a = raising("E", "text", 1)
    assert said(a, Call()) == ["exception: E('text', 1) is not raised any more"]
    assert said(Call(), a) == ["exception: E('text', 1) is raised, and was not"]
    assert said(a, raising("F", "text", 1)) == ["exception: class E -> F"]
    assert said(a, raising("E", "text", 2)) == ["exception: E: arguments [1] 1 -> 2"]
    caused = raising("E", "text", 1, cause=("C", freeze([1])))
    assert said(caused, a) == ["exception: E: __cause__ C(1) -> none"]
    other = raising("E", "text", 1, cause=("C", freeze([2])))
    assert said(caused, other) == ["exception: E: __cause__ C(1) -> C(2)"]


def test_place_in_generated_code() -> None:
    a = without_place("kernel, /tmp/a/cfw.main.cpp:56, index out of bounds: 0 <= tmp7 < 4L")
    assert a == without_place("kernel, /tmp/b/co3.main.cpp:26, index out of bounds: 0 <= tmp12 < 4L")
    assert a != without_place("kernel, /tmp/b/co3.main.cpp:26, index out of bounds: 0 <= tmp12 < 5L")
    assert without_place("tmp7, /tmp/a.cpp:5, ") == "tmp7, /tmp/a.cpp:5, " and without_place(3) == 3


def test_kinds() -> None:
    for kind, name in compare.VALUES:
        assert said(Call(**{name: freeze(None)}), Call(**{name: freeze(1)})) == [f"{kind}: None (NoneType) -> 1 (int)"]
    assert said(Call(rng="a"), Call(rng="b")) == ["random: the generator's state afterwards differs"]
    nothing, zeros = Call(grads=freeze([None])), Call(grads=freeze([torch.zeros(1)]))
    assert said(nothing, zeros) == ["gradient: [0] None -> torch.float32 [0.0]"]
