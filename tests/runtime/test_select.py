"""The runtime's selections and tests: eager as Python, traced as tensors, or the branch itself where they cannot be."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch

RUNTIME = Path(__file__).resolve().parents[2] / "src/runtime/graphmend_runtime.py"
_spec = importlib.util.spec_from_file_location("graphmend_runtime_for_select", RUNTIME)
assert _spec and _spec.loader
gm = importlib.util.module_from_spec(_spec)
sys.modules[_spec.name] = gm
_spec.loader.exec_module(gm)

torch.set_num_threads(1)
ONES = torch.ones(3)


def compiled(function, backend="eager", fullgraph=True):
    torch._dynamo.reset()
    return torch.compile(function, backend=backend, fullgraph=fullgraph)


def breaks() -> int:
    return sum(torch._dynamo.utils.counters["graph_break"].values())


@pytest.fixture(autouse=True)
def fresh():
    torch._dynamo.utils.counters.clear()
    yield
    torch._dynamo.reset()


@pytest.mark.parametrize("backend", ["eager", "inductor"])
def test_select_picks_the_arm_in_one_graph(backend):
    def choose(x):
        return gm.select(x.sum() > 0, lambda: x * 2, lambda: x - 1)

    both = compiled(choose, backend)
    for x in (ONES, -ONES):
        assert torch.equal(both(x), choose(x))


def test_eager_select_runs_one_arm_only():
    ran = []
    assert gm.select(ONES.sum() > 0, lambda: ran.append("one"), lambda: ran.append("two")) is None
    assert ran == ["one"]


def test_select_takes_values_and_nested_results():
    def choose(x, y):
        def one(x, y):
            x = x + 1
            return x, (y, None, 3)

        return gm.select(x.max() > 0, one, lambda x, y: (x, (y * 2, None, 3)), x, y)

    for x in (ONES, -ONES):
        got, wanted = compiled(choose)(x, ONES), choose(x, ONES)
        assert torch.equal(got[0], wanted[0]) and torch.equal(got[1][0], wanted[1][0])
        assert got[1][1:] == wanted[1][1:] == (None, 3)


def test_operands_that_fit_only_the_taken_arm_keep_the_branch():
    def choose(x):
        return gm.select(x.sum() < 0, lambda: x @ torch.ones(5, 5), lambda: x * 2)

    assert torch.equal(compiled(choose, fullgraph=False)(ONES), ONES * 2)
    assert breaks() > 0


@pytest.mark.parametrize(
    "other",
    [lambda x: x[:2], lambda x: x.double(), lambda x: None, lambda x: 1.5, lambda x: x.expand(2, 3).t()],
    ids=["shape", "dtype", "none", "number", "strides"],
)
def test_results_that_differ_keep_the_branch(other):
    def choose(x):
        return gm.select(x.sum() > 0, lambda: x + 0, lambda: other(x))

    either = compiled(choose, fullgraph=False)
    for x in (ONES, -ONES):
        got, wanted = either(x), choose(x)
        assert type(got) is type(wanted)
        if isinstance(wanted, torch.Tensor):
            assert got.dtype == wanted.dtype and got.stride() == wanted.stride() and torch.equal(got, wanted)
        else:
            assert got == wanted
    assert breaks() > 0


def test_an_arm_that_raises_while_tracing_keeps_the_branch():
    def choose(x, n):
        return gm.select(x.sum() > 0, lambda: x * (1 / n), lambda: x + 1)

    assert torch.equal(compiled(choose, fullgraph=False)(-ONES, 0), -ONES + 1)
    with pytest.raises(ZeroDivisionError):
        compiled(choose, fullgraph=False)(ONES, 0)


def test_gradients_keep_the_branch_unless_smooth():
    weight = torch.ones(3, requires_grad=True)

    def choose(x, smooth):
        y = x * weight
        return gm.select(y.min() > 0, lambda: y.log(), lambda: y * 3, smooth=smooth).sum()

    compiled(choose, fullgraph=False)(torch.zeros(3), False).backward()
    assert torch.equal(weight.grad, torch.zeros(3)) and breaks() > 0  # not 0 * inf
    with torch.no_grad():
        assert compiled(choose)(torch.zeros(3), False) == 0
    clamp = lambda x: gm.select((x * weight).max() > 1, lambda: x.clamp(max=1), lambda: x, smooth=True)  # noqa: E731
    x = torch.tensor([0.5, 2.0], requires_grad=True)
    compiled(lambda x: gm.select(x.max() > 1, lambda: x.clamp(max=1), lambda: x, smooth=True))(x).sum().backward()
    assert torch.equal(x.grad, torch.tensor([1.0, 0.0]))
    assert clamp is not None


def test_what_an_arm_records_is_heard_only_if_it_is_taken(capsys):
    owner = SimpleNamespace(seen="nothing")

    def choose(x):
        def one():
            gm.defer(print, "one", x.sum())
            gm.raise_if(x.max() > 5, lambda: ValueError("large"))
            gm.store(owner, "seen", "one")
            return x * 2

        def two():
            gm.defer(print, "two")
            return x - 1

        y = gm.select(x.sum() > 0, one, two)
        gm.defer(print, "end")
        return y

    run = compiled(choose)
    run(-ONES)
    assert capsys.readouterr().out == "two\nend\n" and owner.seen == "nothing"
    run(ONES)
    assert capsys.readouterr().out == "one tensor(3.)\nend\n" and owner.seen == "one"
    with pytest.raises(ValueError, match="large"):
        run(ONES * 9)
    assert capsys.readouterr().out == "one tensor(27.)\n"


TESTS = {
    "negate": lambda x: gm.negate(x.sum() > 0),
    "both": lambda x: gm.both(x.sum() > 0, lambda: x.max() < 5),
    "both static": lambda x: gm.both(x.sum() > 0, lambda: x.dim() == 1),
    "either": lambda x: gm.either(x.sum() > 0, lambda: x.min() < -5),
    "either static": lambda x: gm.either(x.sum() > 0, lambda: x.dim() == 2),
    "python first": lambda x: gm.both(x.dim() == 1, lambda: x.sum() > 0),
    "equal": lambda x: gm.equal(x, ONES),
    "equal shapes": lambda x: gm.equal(x, torch.ones(1, 3)),
    "allclose": lambda x: gm.allclose(x, ONES, atol=1e-3),
    "later": lambda x: gm.later(lambda s: s.item() > 0, x.sum()),
}


@pytest.mark.parametrize("name", list(TESTS))
def test_tests_decide_as_python_does(name):
    def check(x):
        gm.raise_if(TESTS[name](x), lambda: ValueError("holds"))
        return x + 1

    run = compiled(check)
    # A clone: Dynamo takes an input that is also a global for it in every later call.
    for x in (ONES.clone(), -ONES, ONES * 9, -ONES * 9, ONES + 1e-4):
        outcomes = []
        for function in (check, run):
            try:
                outcomes.append(function(x).tolist())
            except ValueError:
                outcomes.append("raised")
        assert outcomes[0] == outcomes[1], (name, x)


def test_a_test_without_truth_is_pythons_error():
    with pytest.raises(RuntimeError, match="Boolean value of Tensor"):
        compiled(lambda x: gm.select(x > 0, lambda: x, lambda: x + 1), fullgraph=False)(ONES)


def test_select_does_not_recompile():
    run = compiled(lambda x: gm.select(x.sum() > 0, lambda: x * 2, lambda: x - 1))
    run(ONES)
    before = torch._dynamo.utils.counters["frames"]["total"]
    for x in (-ONES, ONES, ONES * 2):
        run(x)
    assert torch._dynamo.utils.counters["frames"]["total"] == before


def _stored(x):
    def one(h):
        h[h > 1] = 0.0
        return h

    h = x * 2
    return gm.select((h > 1).any(), one, lambda h: h, h, stores=True)


def test_stores_are_made_in_copies_in_one_graph():
    both = compiled(_stored)
    for x in (ONES, -ONES):
        assert torch.equal(both(x), _stored(x))


def test_eager_stores_are_made_in_the_value_itself():
    h = torch.ones(3)

    def one(h):
        h.zero_()
        return h

    assert gm.select(h.sum() > 0, one, lambda h: h, h, stores=True) is h and h.sum() == 0


def _of_inference(x):
    with torch.inference_mode():
        h = x * 2

    def one(h):
        h[0] = 0.0
        return h

    return gm.select(x.sum() > 0, one, lambda h: h, h, stores=True)


def test_a_store_that_inference_mode_forbids_is_refused_where_it_is_made():
    both = compiled(_of_inference, fullgraph=False)
    assert torch.equal(both(-ONES), _of_inference(-ONES))
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor"):
        _of_inference(ONES)
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor"):
        both(ONES)
    assert breaks()


def test_stores_in_inference_mode():
    with torch.inference_mode():
        both = compiled(_stored)
        assert torch.equal(both(ONES), _stored(ONES))


@pytest.mark.parametrize(
    "value", [torch.ones(1).expand(3), torch.nn.Parameter(ONES), [ONES.clone()], torch.ones(3, 2)[:, 0]]
)
def test_values_that_a_copy_is_not_like_keep_the_branch(value):
    def choose(x):
        def one(v):
            (v[0] if isinstance(v, list) else v)[:1] = 5.0
            return v

        return gm.select(x.sum() > 0, one, lambda v: v, value, stores=True)

    both = compiled(choose, fullgraph=False)
    kept = (value[0] if isinstance(value, list) else value).detach().clone()
    with torch.no_grad():
        both(-ONES)
    assert torch.equal((value[0] if isinstance(value, list) else value).detach(), kept) and breaks()
