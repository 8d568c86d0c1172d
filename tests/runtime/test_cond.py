"""The runtime's cond(): one arm in the graph, or the branch itself wherever torch.cond would not do what it does."""

from __future__ import annotations

import importlib.util
import logging
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

RUNTIME = Path(__file__).resolve().parents[2] / "src/runtime/graphmend_runtime.py"
_spec = importlib.util.spec_from_file_location("graphmend_runtime_for_cond", RUNTIME)
assert _spec and _spec.loader
gm = importlib.util.module_from_spec(_spec)
sys.modules[_spec.name] = gm
_spec.loader.exec_module(gm)

torch.set_num_threads(1)
ONES = torch.ones(3)
NORM = torch.nn.BatchNorm1d(3, affine=False)
WEIGHT = torch.ones(3, requires_grad=True)
STATE = SimpleNamespace(calls=0)


@pytest.fixture(autouse=True)
def fresh():
    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    yield
    torch._dynamo.reset()


def breaks() -> int:
    return sum(torch._dynamo.utils.counters["graph_break"].values())


def outcome(function, x):
    """What the call gives and leaves the random generator at, or the exception."""
    torch.manual_seed(7)
    try:
        result = function(x)
    except Exception as error:
        return type(error)
    return result, torch.rand(1)


def same(one, two) -> bool:
    if isinstance(one, torch.Tensor):
        return one.dtype == two.dtype and one.stride() == two.stride() and torch.equal(one, two)
    if isinstance(one, tuple):
        return type(two) is tuple and len(one) == len(two) and all(map(same, one, two))
    return type(one) is type(two) and one == two


def compare(function, backend="eager", **options) -> None:
    run = torch.compile(function, backend=backend, **options)
    for x in (ONES, -ONES, ONES / 4):
        assert same(outcome(function, x), outcome(run, x)), x


def noisy(x):
    return gm.cond(x.sum() > 0, lambda: x + torch.rand_like(x), lambda: x)


def nested(x):
    def one(x):
        x = gm.cond(x.max() > 0.5, lambda: F.dropout(x, 0.5), lambda: gm.select(x.min() > 0, lambda: x * 2, lambda: x))
        return x, (None, "one", x > 0)

    return gm.cond(x.sum() > 0, one, lambda x: (x[[2, 1, 0]], (None, "one", x < 0)), x)


def looped(x):
    for _ in range(3):
        x = noisy(x) - 0.5
    return x


@pytest.mark.parametrize("function", [noisy, nested, looped])
@pytest.mark.parametrize("dynamic", [False, True])
def test_one_arm_runs_in_the_graph(function, dynamic):
    compare(function, fullgraph=True, dynamic=dynamic)


def test_one_arm_runs_under_aot_autograd():
    compare(nested, "aot_eager", fullgraph=True)


def test_inductor_runs_one_arm():
    compare(lambda x: gm.cond(x.sum() > 0, lambda: x[[2, 1, 0]] + 1, lambda: x), "inductor", fullgraph=True)


def test_an_index_that_is_wrong_where_the_arm_is_not_taken(capsys):
    ids = torch.tensor([5, 6, 7])
    function = lambda x: gm.cond(x.sum() < 0, lambda: x[ids - 5], lambda: x)  # noqa: E731
    compare(function, fullgraph=True)
    wrong = lambda x: gm.cond(x.sum() < 0, lambda: x[ids], lambda: x)  # noqa: E731
    compare(wrong, fullgraph=True)
    assert outcome(wrong, -ONES) is IndexError
    assert capsys.readouterr().err == ""  # torch.fx reports operators that fail in a module of a graph


OTHERS = {
    "dtype": lambda x: x.double(),
    "shape": lambda x: x[:2],
    "rank": lambda x: x[0],
    "strides": lambda x: x[:1].expand(3),
    "kind": lambda x: None,
    "tuple": lambda x: (x, x),
    "list": lambda x: [x],
    "number": lambda x: 1.5,
    "operands": lambda x: x @ torch.ones(5, 5),
    "index": lambda x: x[4],
    "python error": lambda x: x * (1 // (x.dim() - 1)),
    "attribute": lambda x: x.nothing,
    "break": lambda x: (torch._dynamo.graph_break(), x + 1)[1],
    "print": lambda x: (print("taken"), x + 1)[1],
    "deferred": lambda x: (gm.defer(print, "taken"), x + 1)[1],
    "scalar": lambda x: x * x.sum().item(),
    "mask": lambda x: x[x > 0],
    "grad": lambda x: x * WEIGHT,
}


@pytest.mark.parametrize("name", list(OTHERS))
def test_what_torch_cond_cannot_pick_keeps_the_branch(name, capsys):
    other = OTHERS[name]
    logging.getLogger("torch._dynamo").setLevel(logging.ERROR)
    compare(lambda x: gm.cond(x.sum() < 0, lambda: other(x), lambda: x + torch.rand_like(x)))
    assert breaks() > 0
    captured = capsys.readouterr()
    assert captured.out == "taken\n" * (2 if name in ("print", "deferred") else 0)
    assert "failed while attempting" not in captured.err


def test_select_keeps_the_branch_for_operands_that_fit_only_the_taken_arm():
    compare(lambda x: gm.select(x.sum() < 0, lambda: x @ torch.ones(5, 5), lambda: x * 2))
    assert breaks() > 0


def test_statistics_change_only_where_the_arm_is_taken():
    run = torch.compile(lambda x: gm.cond(x.sum() > 0, lambda: NORM(x.expand(2, 3)), lambda: x.expand(2, 3) * 1))
    NORM.reset_running_stats()
    run(-ONES)
    assert torch.equal(NORM.running_mean, torch.zeros(3))
    run(ONES)
    assert torch.allclose(NORM.running_mean, torch.full((3,), 0.1))


def test_gradients_keep_the_branch():
    def loss(x):
        return gm.cond(x.sum() > 0, lambda: F.dropout(x * WEIGHT, 0.5), lambda: x.detach() * 1).sum()

    WEIGHT.grad = None
    run = torch.compile(loss, backend="eager")
    torch.manual_seed(3)
    run(ONES).backward()
    taken, WEIGHT.grad = WEIGHT.grad, None
    torch.manual_seed(3)
    loss(ONES).backward()
    assert torch.equal(taken, WEIGHT.grad) and breaks() > 0
    with torch.no_grad():
        torch._dynamo.reset()
        torch.compile(loss, backend="eager", fullgraph=True)(ONES)


@pytest.mark.parametrize("kind", ["attribute", "print"])
def test_what_was_written_before_is_not_lost_when_the_arm_raises(kind, capsys):
    def work(x):
        if kind == "attribute":
            STATE.calls += 1
        else:
            gm.defer(print, "first")
        return gm.cond(x.sum() > 0, lambda: x[torch.tensor([9])], lambda: x[:1] * 1)

    STATE.calls = 0
    with pytest.raises(IndexError):
        torch.compile(work, backend="aot_eager")(ONES)
    assert (STATE.calls, capsys.readouterr().out) == ((1, "") if kind == "attribute" else (0, "first\n"))


def test_an_input_that_was_changed_before_is_changed_when_the_arm_raises():
    def work(x):
        x.add_(1)
        return gm.cond(x.sum() > 0, lambda: x[torch.tensor([9])], lambda: x[:1] * 1)

    x = ONES.clone()
    with pytest.raises(IndexError):
        torch.compile(work, backend="aot_eager")(x)
    assert torch.equal(x, ONES * 2)


def test_in_activation_checkpointing_the_branch_stays():
    def work(x):
        return checkpoint(lambda x: noisy(x) * WEIGHT, x, use_reentrant=False)

    compare(work)
    assert breaks() > 0


def test_cond_does_not_recompile():
    run = torch.compile(noisy, backend="eager")
    run(ONES)
    before = torch._dynamo.utils.counters["frames"]["total"]
    for x in (-ONES, ONES, ONES * 2):
        run(x)
    assert torch._dynamo.utils.counters["frames"]["total"] == before
