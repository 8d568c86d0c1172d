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

pytestmark = pytest.mark.skipif(not gm._HAS_COND, reason="with an older torch the branch always breaks the graph")


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
        return (
            one.dtype == two.dtype and one.stride() == two.stride() and (one.eq(two) | one.ne(one) & two.ne(two)).all()
        )
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


IDS = torch.tensor([2, 1, 0])
LAYER = torch.nn.Linear(3, 3)
OTHER = torch.nn.Linear(3, 3)


class Stopped(torch.autograd.Function):
    """Gives its first operand no gradient: what leads to it must stay at None, not get zeros."""

    @staticmethod
    def forward(ctx, y, x):
        return x * 1

    @staticmethod
    def backward(ctx, gradient):
        return None, gradient


def gradients(function, x):
    """What x and the layers have for gradients after two backward passes, or the exception."""
    parameters = [*LAYER.parameters(), *OTHER.parameters()]
    for parameter in parameters:
        parameter.grad = None
    x = x.expand(3, 3).clone().requires_grad_()
    try:
        y = function(x)
        loss = (y * torch.arange(y.numel()).reshape(y.shape)).sum()
        loss.backward(retain_graph=True)
        loss.backward()
    except Exception as error:
        return type(error)
    return y.detach(), y.requires_grad, tuple(tensor.grad for tensor in (x, *parameters))


def differentiate(function, backend="aot_eager", **options) -> int:
    """The breaks, having compared gradients, of both arms."""
    for x in (ONES, -ONES, ONES / 4):
        run = torch.compile(function, backend=backend, **options)
        assert same(gradients(function, x), gradients(run, x)), x
    return breaks()


ALIKE = {
    "an index that fails": (lambda x: x[IDS + 1], lambda x: x * 2),
    "the same": (lambda x: x, lambda x: x[IDS]),
    "derivatives that are not finite": (lambda x: (x - x.detach()).sqrt(), lambda x: (x - 1).log()),
    "a layer in both": (lambda x: LAYER(x[IDS]).relu(), lambda x: F.silu(LAYER(x))),
    "a second result": (lambda x: (LAYER(x), x.detach() * 2)[0], lambda x: (LAYER(x.sin()), x.detach())[0]),
    "inside each other": (
        lambda x: gm.cond(x.mean() > 0.5, lambda: LAYER(x[IDS]), lambda: LAYER(x)),
        lambda x: gm.select_one(x.mean() > -0.5, lambda: LAYER(x).exp(), lambda: LAYER(x)),
    ),
}


@pytest.mark.parametrize("name", list(ALIKE))
def test_gradients_of_arms_that_reach_the_same(name):
    one, two = ALIKE[name]
    assert differentiate(lambda x: gm.cond(x.sum() > 0, lambda: one(x), lambda: two(x)), fullgraph=True) == 0


def test_gradients_of_what_is_used_elsewhere_too():
    def work(x):
        h = LAYER(x)
        h = gm.cond(h.sum() > 0, lambda: LAYER(h[IDS]), lambda: F.gelu(LAYER(h))) * h
        h = gm.cond(h.mean() > 0, lambda: h.mean(0), lambda: h[1]) + h
        return OTHER(h).add_(1)

    assert differentiate(work, fullgraph=True) == 0


def test_gradients_where_an_operand_is_changed_in_place_afterwards():
    def work(x):
        h = LAYER(x)
        y = gm.cond(x.sum() > 0, lambda: h[IDS], lambda: h * 2)
        h.add_(1)
        return y + h

    assert differentiate(work, fullgraph=True) == 0


def test_gradients_under_inductor():
    x = (ONES / 4).expand(3, 3).clone().requires_grad_()

    def work(x):
        return gm.cond(x.sum() > 0, lambda: LAYER(x)[IDS], lambda: LAYER(x.log()))

    torch.compile(work, fullgraph=True)(x).sum().backward()
    found, x.grad = x.grad, None
    work(x).sum().backward()
    assert torch.allclose(found, x.grad)


UNLIKE_GRADIENTS = {
    "a layer in one": (lambda x: LAYER(x), lambda x: x * 2),
    "another layer": (lambda x: LAYER(x), lambda x: OTHER(x)),
    "twice": (lambda x: x * x, lambda x: x * 2),
    "detached": (lambda x: x.detach(), lambda x: x * 2),
    "without": (lambda x: LAYER(x) + x.detach(), lambda x: LAYER(x.detach())),
    "two results": (lambda x: (x * 2, x[IDS]), lambda x: (x[IDS], x * 3)),
    "a number": (lambda x: (x * 2, x > 0), lambda x: (x * 3, x < 0)),
    "strides": (lambda x: F.linear(x, LAYER.weight), lambda x: torch.einsum("ij,kj->ik", x, LAYER.weight)),
    "a function": (lambda x: Stopped.apply(x, x), lambda x: x * 2),
}


@pytest.mark.parametrize("name", list(UNLIKE_GRADIENTS))
def test_other_gradients_keep_the_branch(name):
    one, two = UNLIKE_GRADIENTS[name]

    def work(x):
        y = gm.cond(x.sum() > 0, lambda: one(x), lambda: two(x))
        return y[0] * y[1] if isinstance(y, tuple) else y

    assert differentiate(work) > 0


def test_a_function_that_stops_the_gradient_keeps_the_branch():
    def work(x):
        y = gm.cond(x.sum() > 0, lambda: LAYER(x), lambda: LAYER(x[IDS]))
        return Stopped.apply(y, x)

    assert differentiate(work) > 0


@pytest.mark.parametrize("kind", ["random", "eager", "autocast"])
def test_gradients_that_cannot_be_told_keep_the_branch(kind):
    def work(x):
        with torch.autocast("cpu", torch.bfloat16, enabled=kind == "autocast"):
            return gm.cond(x.sum() > 0, lambda: LAYER(x), lambda: LAYER(x[IDS]), random=kind == "random").float()

    assert differentiate(work, "eager" if kind == "eager" else "aot_eager") > 0


def test_results_that_need_no_gradient_get_none():
    def work(x):
        y = gm.cond(x.sum() > 0, lambda: x.detach() * 2, lambda: x.detach()[IDS])
        assert not y.requires_grad
        return x + y

    assert differentiate(work, "eager", fullgraph=True) == 0


def costly(x, one, two):
    return gm.select_one(x.sum() > 0, lambda: one(x), lambda: two(x))


def graph_of(function, x, **options) -> str:
    graphs = []

    def backend(graph, inputs):
        graphs.append(graph.print_readable(print_output=False))
        return graph

    torch.compile(function, backend=backend, **options)(x)
    return "\n".join(graphs)


def test_of_costly_arms_one_runs():
    def work(x):
        return costly(x.expand(3, 3), lambda x: x @ x, lambda x: x.sort().values.contiguous())

    compare(work, fullgraph=True)
    text = graph_of(work, ONES, fullgraph=True)
    assert "higher_order.cond" in text and "where" not in text


FALLS_BACK = {
    "strides": lambda x: (x.expand(3, 3).clone().t(), x.expand(3, 3).clone().t() * 2),
    "no tensor": lambda x: (7, 7),
    "print": lambda x: ((gm.defer(print, "one"), x)[1], x * 2),
}


@pytest.mark.parametrize("name", list(FALLS_BACK))
def test_costly_arms_that_torch_cond_does_not_take_both_run(name):
    arms = FALLS_BACK[name]
    compare(lambda x: costly(x, lambda x: arms(x)[0], lambda x: arms(x)[1]), fullgraph=True)
    assert "higher_order.cond" not in graph_of(lambda x: costly(x, lambda x: arms(x)[0], lambda x: arms(x)[1]), ONES)


def test_costly_arms_in_activation_checkpointing_both_run():
    def work(x):
        return checkpoint(lambda x: costly(x, lambda x: x.sort().values, lambda x: x) * WEIGHT, x, use_reentrant=False)

    compare(work, fullgraph=True)


def test_costly_arms_after_a_write_run_one():
    def work(x):
        gm.defer(print, "first")
        return costly(x.expand(3, 3), lambda x: x @ x, lambda x: x * 2)

    assert "higher_order.cond" in graph_of(work, ONES, fullgraph=True)


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
