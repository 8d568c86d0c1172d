"""A check under a handler raises where the original does, whoever the caller is; elsewhere it costs no graph break."""

from __future__ import annotations

import contextlib
import contextvars
import importlib.util
import sys
import warnings
from pathlib import Path

import pytest
import torch

RUNTIME = Path(__file__).resolve().parents[2] / "src/runtime/graphmend_runtime.py"
_spec = importlib.util.spec_from_file_location("graphmend_runtime_for_caught", RUNTIME)
assert _spec and _spec.loader
gm = importlib.util.module_from_spec(_spec)
sys.modules[_spec.name] = gm
_spec.loader.exec_module(gm)

torch.set_num_threads(1)
GOOD, BAD = torch.ones(3), -torch.ones(3)


def guarded(x):
    gm.raise_if(x.sum() < 0, lambda: ValueError("negative"))
    return x * 2


def guarded_later(x):
    gm.raise_if(gm.later(lambda x: x.sum().item() < 0, x), lambda: ValueError("negative"))
    return x * 2


class Guarded(torch.nn.Module):
    def forward(self, x):
        return guarded(x)


guarded_module = Guarded()


class Suppressing:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return True


@contextlib.contextmanager
def recovering():
    with contextlib.suppress(ValueError):
        yield


# ---- callers that catch


def handler(x, check):
    try:
        return check(x)
    except ValueError:
        return x - 1


def handler_of_another_class(x, check):
    try:
        return check(x)
    except TypeError:
        return x - 1


def bare_handler(x, check):
    try:
        y = check(x)
    except:  # noqa: E722
        y = x - 1
    return y + 1


def around_no_grad(x, check):
    try:
        with torch.no_grad():
            return check(x)
    except ValueError:
        return x - 1


def around_loop(x, check):
    try:
        for _ in range(2):
            x = check(x)
    except ValueError:
        x = x - 1
    return x


def around_comprehension(x, check):
    try:
        return [check(y) for y in (x, x + 1)][1]
    except ValueError:
        return x - 1


def around_generator(x, check):
    def values():
        try:
            yield check(x)
        except ValueError:
            yield x - 1

    for value in values():
        x = x + value
    return x


def inner_caller(x, check):
    return handler(x + 1, check) if x.shape[0] == 3 else x


def inside_finally(x, check):
    try:
        try:
            return check(x)
        finally:
            x = x + 1
    except ValueError:
        return x


def suppressing(x, check):
    with Suppressing():
        x = check(x)
    return x + 1


def suppress(x, check):
    with contextlib.suppress(ValueError):
        x = check(x)
    return x + 1


def recover(x, check):
    with recovering():
        x = check(x)
    return x + 1


def finally_clause(x, check):
    try:
        return check(x)
    finally:
        torch.ones(1)


# ---- callers that do not


def forget(module, key):
    """What a finally clause of transformers calls."""
    if hasattr(module, key):
        delattr(module, key)
    for child in module.children():
        forget(child, key)


def finally_function(x, check):
    try:
        return check(x)
    finally:
        if isinstance(x, torch.Tensor):
            forget(guarded_module, "_is_top")


class Collector:
    """What transformers keeps: a context variable, or while compiling an attribute."""

    def __init__(self):
        self.variable = contextvars.ContextVar("collected", default=None)
        self.value = None

    def set(self, value):
        if not torch.compiler.is_compiling():
            return self.variable.set(value)
        self.value = value
        return None

    def reset(self, token):
        if token is None:
            self.value = None
        else:
            self.variable.reset(token)


collector = Collector()


def finally_method(x, check):
    token = collector.set([])
    try:
        return check(x)
    finally:
        collector.reset(token)


def plain(x, check):
    return check(x) + 1


def no_grad(x, check):
    with torch.no_grad():
        return check(x) + 1


@torch.no_grad()
def decorated(x, check):
    return check(x) + 1


def autocast(x, check):
    with torch.autocast("cpu", enabled=False), contextlib.nullcontext():
        return check(x) + 1


def after_try(x, check):
    try:
        raise AttributeError
    except AttributeError:
        y = x + 1
    return check(y)


def in_handler(x, check):
    try:
        raise AttributeError
    except AttributeError:
        return check(x)


CATCHING = [
    handler,
    handler_of_another_class,
    bare_handler,
    around_no_grad,
    around_loop,
    around_comprehension,
    around_generator,
    inner_caller,
    inside_finally,
    suppressing,
    suppress,
    recover,
]
PLAIN = [plain, finally_clause, finally_function, no_grad, decorated, autocast, after_try, in_handler]
CHECKS = [guarded, guarded_later, guarded_module]


def outcome(function, x, check):
    try:
        return function(x.clone(), check)
    except ValueError as error:
        return repr(error)


def same(one, two) -> bool:
    return torch.equal(one, two) if isinstance(one, torch.Tensor) else one == two


@pytest.mark.parametrize("check", CHECKS, ids=["function", "later", "module"])
@pytest.mark.parametrize("caller", CATCHING + PLAIN, ids=lambda caller: caller.__name__)
def test_raises_where_the_original_does(caller, check):
    torch._dynamo.reset()
    compiled = torch.compile(caller, backend="eager")
    for x in (GOOD, BAD, GOOD):
        wanted, found = outcome(caller, x, check), outcome(compiled, x, check)
        assert same(wanted, found), f"{wanted} eager, {found} compiled"


@pytest.mark.parametrize("check", CHECKS, ids=["function", "later", "module"])
@pytest.mark.parametrize("caller", PLAIN, ids=lambda caller: caller.__name__)
def test_breaks_no_graph_where_nothing_catches(caller, check):
    torch._dynamo.reset()
    compiled = torch.compile(caller, backend="eager", fullgraph=True)
    assert same(outcome(caller, GOOD, check), outcome(compiled, GOOD, check))


# ---- finally clauses with output


def show():
    gm.defer(print, "done")


def show_some(count):
    for _ in range(count):
        [show() for _ in (1,)]


class Shown:
    def __init__(self):
        show()

    def close(self):
        show()


class Holder:
    def __init__(self, held):
        self.held = held

    def reset(self):
        self.held.close()

    @property
    def last(self):
        return self.held

    @last.setter
    def last(self, last):
        show()

    def forget(self):
        self.last = None


class Derived(Holder):
    def reset(self):
        super().reset()


shown = Shown
closing = Shown.__new__(Shown)
holder = Holder(closing)
derived = Derived(closing)


def announces(x, check):
    try:
        return check(x)
    finally:
        gm.defer(print, "done")


def announces_in_a_function(x, check):
    try:
        return check(x)
    finally:
        show_some(1)


def announces_in_a_branch(x, check):
    try:
        return check(x)
    finally:
        if x.shape[0] == 3:
            show()


def announces_in_a_method(x, check):
    try:
        return check(x)
    finally:
        closing.close()


def announces_in_what_it_holds(x, check):
    try:
        return check(x)
    finally:
        holder.reset()


def announces_in_a_base(x, check):
    try:
        return check(x)
    finally:
        derived.reset()


def announces_in_a_property(x, check):
    try:
        return check(x)
    finally:
        holder.forget()


def announces_by_argument(x, check, last=show):
    try:
        return check(x)
    finally:
        last()


def announces_in_a_class(x, check):
    try:
        return check(x)
    finally:
        shown()


ANNOUNCING = [
    announces,
    announces_in_a_function,
    announces_in_a_branch,
    announces_in_a_method,
    announces_in_what_it_holds,
    announces_in_a_base,
    announces_in_a_property,
    announces_by_argument,
    announces_in_a_class,
]


@pytest.mark.parametrize("caller", ANNOUNCING, ids=lambda caller: caller.__name__)
def test_output_of_a_finally_clause_comes_before_the_exception(caller, capsys):
    torch._dynamo.reset()
    compiled = torch.compile(caller, backend="eager")
    for x in (GOOD, BAD):
        wanted, printed = outcome(caller, x, guarded), capsys.readouterr().out
        assert same(wanted, outcome(compiled, x, guarded))
        assert capsys.readouterr().out == printed == "done\n"


def warns(x):
    gm.defer_warning(warnings.warn, "low", UserWarning)
    return x * 2


def catches_warning(x, check):
    try:
        return check(x)
    except UserWarning:
        return x - 1


@pytest.mark.parametrize("action", ["error", "ignore"])
def test_warning_is_an_exception_where_the_original_has_it(action):
    torch._dynamo.reset()
    compiled = torch.compile(catches_warning, backend="eager")
    with warnings.catch_warnings():
        warnings.simplefilter(action)
        for _ in range(2):
            assert same(catches_warning(GOOD, warns), compiled(GOOD, warns))


@pytest.mark.parametrize("caller", [*PLAIN, finally_method], ids=lambda caller: caller.__name__)
def test_warning_breaks_no_graph_where_nothing_catches(caller):
    torch._dynamo.reset()
    compiled = torch.compile(caller, backend="eager", fullgraph=True)
    with pytest.warns(UserWarning, match="low"):
        assert same(caller(GOOD, warns), compiled(GOOD, warns))


def test_unknown_dynamo_counts_as_catching(monkeypatch):
    from torch._dynamo.symbolic_convert import InstructionTranslator

    assert not gm._is_ours(globals())
    monkeypatch.delattr(InstructionTranslator, "current_tx")
    assert gm._is_caught()
