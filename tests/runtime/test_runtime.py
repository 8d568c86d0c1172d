"""The runtime that patched files call: what they print, log, warn and raise is what the original code did.

Most tests hold an original and the same code with the runtime, written as the compiler emits it, and compare what can
be observed of both: one ordered stream of printed text, log records and warnings, the exception, outputs, gradients.
The original runs eagerly; the patched one eagerly and compiled with fullgraph=True.
"""

import collections
import functools
import importlib.util
import io
import logging
import operator
import pathlib
import re
import subprocess
import sys
import textwrap
import threading
import types
import warnings

import pytest

torch = pytest.importorskip("torch")

import torch._dynamo.symbolic_convert as symbolic_convert
from torch import nn
from torch.utils.checkpoint import checkpoint

RUNTIME = pathlib.Path(__file__).parents[2] / "src" / "runtime" / "graphmend_runtime.py"
TORCH_2_6 = not hasattr(torch.compiler, "is_exporting")  # in 2.7 and later
BACKENDS = ["eager", "aot_eager", "inductor"]
every_backend = pytest.mark.parametrize("backend", BACKENDS)
break_log = logging.getLogger("model")


def load(path: pathlib.Path, name: str, **names) -> types.ModuleType:
    """A module from a file. `names` are there before its code runs."""
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    vars(module).update(names)
    spec.loader.exec_module(module)
    return module


_graphmend = load(RUNTIME, "graphmend_runtime")


@pytest.fixture(scope="module", autouse=True)
def warm_up():
    """Inductor looks for compilers and for CUDA once, and says so."""
    torch.set_num_threads(1)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.compile(lambda x: x + 1)(torch.ones(1))


# ---------------------------------------------------------------------------------------------------- observing


class Stream(io.TextIOBase):
    def __init__(self, kind: str, events: list):
        self.kind, self.events = kind, events

    def write(self, text: str) -> int:
        if self.events and self.events[-1][0] == self.kind:
            self.events[-1] = (self.kind, self.events[-1][1] + text)
        elif text:
            self.events.append((self.kind, text))
        return len(text)


class Records(logging.Handler):
    def __init__(self, events: list):
        super().__init__()
        self.events = events

    def emit(self, record: logging.LogRecord) -> None:
        where = (record.pathname, record.lineno, record.funcName)
        self.events.append(("log", record.name, record.levelname, record.getMessage(), where))


class Observation:
    def __init__(self, events, result, error, breaks):
        self.events, self.result, self.error, self.breaks = events, result, error, breaks

    @property
    def text(self) -> str:
        return "".join(event[1] for event in self.events if event[0] == "stdout")

    @property
    def exception(self):
        return None if self.error is None else describe(self.error)


def describe(error: BaseException):
    cause = error.__cause__
    arguments = tuple(repr(a) for a in error.args)
    return type(error), arguments, None if cause is None else (type(cause), cause.args), error.__suppress_context__


def observe(function, *args, filters: str = "always", **kwargs) -> Observation:
    """Calls it, and gives everything that it showed. Torch's own logs and warnings are left out."""
    events, breaks, result, error = [], [], None, None
    handler, root = Records(events), logging.getLogger()
    handler.addFilter(lambda record: not record.name.startswith("torch"))
    streams, level = (sys.stdout, sys.stderr), root.level
    hook = getattr(symbolic_convert.InstructionTranslatorBase, "log_graph_break", None)

    def show(message, category, filename, lineno, file=None, line=None):
        if "/torch/" not in filename:
            events.append(("warning", category, str(message), (filename, lineno)))

    def log_graph_break(self, code_options, reason="", exc=None, **more):
        if "Observed exception" not in str(exc):  # that one is the program's own exception on its way out
            breaks.append(str(reason))
        return hook(self, code_options, reason=reason, exc=exc, **more)

    with warnings.catch_warnings():
        warnings.simplefilter(filters)
        warnings.showwarning = show
        root.addHandler(handler)
        root.setLevel(logging.INFO)
        torch_level = logging.getLogger("torch").level
        logging.getLogger("torch").setLevel(logging.ERROR)
        sys.stdout, sys.stderr = Stream("stdout", events), Stream("stderr", events)
        if hook:
            symbolic_convert.InstructionTranslatorBase.log_graph_break = log_graph_break
        try:
            result = function(*args, **kwargs)
        except Exception as caught:
            error = caught
        finally:
            sys.stdout, sys.stderr = streams
            root.removeHandler(handler)
            root.setLevel(level)
            logging.getLogger("torch").setLevel(torch_level)
            if hook:
                symbolic_convert.InstructionTranslatorBase.log_graph_break = hook
    return Observation(events, result, error, breaks)


def bits(value):
    """Something that == compares bit for bit."""
    if isinstance(value, torch.Tensor):
        raw = value.detach().contiguous().reshape(-1).view(torch.uint8)
        return str(value.dtype), tuple(value.shape), value.requires_grad, raw.tolist()
    if isinstance(value, (list, tuple)):
        return [bits(item) for item in value]
    return value


def no_grad_fn(events: list) -> list:
    """AOTAutograd names its own grad_fn in every text, whether or not the file was patched."""
    return [tuple(re.sub(r"grad_fn=<\w+>", "grad_fn", p) if isinstance(p, str) else p for p in e) for e in events]


def compiled(function, backend: str = "eager", fullgraph: bool = True, **options):
    torch._dynamo.reset()
    return torch.compile(function, backend=backend, fullgraph=fullgraph, **options)


def same(original, patched, *args, backends=("eager",), inputs=None, compare=bits) -> Observation:
    """The patched function, eager and compiled, shows what the original shows. Gives the last observation."""
    inputs = inputs or (lambda: args)
    expected = observe(original, *inputs())
    seen = observe(patched, *inputs())
    assert (seen.events, seen.exception) == (expected.events, expected.exception)
    assert compare(seen.result) == compare(expected.result)
    for backend in backends:
        function = compiled(patched, backend)
        for call in range(2):
            before = torch._dynamo.utils.counters["frames"]["total"]
            seen = observe(function, *inputs())
            assert (seen.events, seen.exception) == (expected.events, expected.exception), backend
            assert compare(seen.result) == compare(expected.result), backend
            assert not seen.breaks
            assert call == 0 or torch._dynamo.utils.counters["frames"]["total"] == before, "recompiled"
    return seen


def pair(tmp_path: pathlib.Path, original: str, patched: str):
    """`run` of two files with the same lines, and the places in their records without the files' names."""
    files = {"original": original, "patched": patched}
    names = {"print": print, "torch": torch, "logging": logging, "warnings": warnings, "_graphmend": _graphmend}
    modules = []
    for name, text in files.items():
        path = tmp_path / f"{name}.py"
        path.write_text(textwrap.dedent(text))
        modules.append(load(path, name, **names))
    assert len(textwrap.dedent(original).splitlines()) == len(textwrap.dedent(patched).splitlines())
    return modules


def places(events: list) -> list:
    """Events with the file's name only, as original.py and patched.py are one file to a user."""

    def plain(event):
        where = event[-1]
        if not isinstance(where, tuple):
            return event
        name = pathlib.Path(where[0]).name.replace("original.py", "FILE").replace("patched.py", "FILE")
        return (*event[:-1], (name, *where[1:]))

    return [plain(event) for event in events]


# ---------------------------------------------------------------------------------------------------- eager code


def test_eager_calls_get_the_arguments_themselves():
    seen = []
    tensor, config = torch.ones(2), {"a": [1]}
    _graphmend.defer(lambda *args, **kwargs: seen.append((args, kwargs)), tensor, config, key=config)
    ((first, second), keywords) = seen[0]
    assert first is tensor and second is config and keywords["key"] is config


@pytest.mark.parametrize("cond", [True, False, 0, 1, None, [], [0], torch.tensor(True), torch.tensor(0.0)])
def test_eager_checks_decide_like_if_and_make_nothing_unless_they_raise(cond):
    made = []

    def make(*args):
        made.append(args)
        return KeyError(*args)

    for check, fails in ((_graphmend.raise_if, bool(cond)), (_graphmend.raise_unless, not cond)):
        made.clear()
        if fails:
            with pytest.raises(KeyError) as caught:
                check(cond, make, 1, 2)
            assert caught.value.args == (1, 2)
        else:
            check(cond, make, 1, 2)
        assert len(made) == fails


def test_eager_check_of_several_elements_is_torchs_own_error():
    with pytest.raises(RuntimeError, match="Boolean value of Tensor with more than one value"):
        _graphmend.raise_if(torch.ones(2), lambda: ValueError())


def test_assert_that_eager():
    _graphmend.assert_that(True, lambda: 1 / 0)
    for make, args in ((None, ()), (lambda: "text", ("text",)), (lambda: ("a", 1), (("a", 1),))):
        with pytest.raises(AssertionError) as caught:
            _graphmend.assert_that([], make)
        assert caught.value.args == args


@pytest.mark.parametrize("flag", [[], ["-O"], ["-OO"]])
def test_asserts_obey_optimised_mode_and_the_import_is_cheap(flag):
    program = f"""
    import sys, torch
    sys.path.insert(0, {str(RUNTIME.parent)!r})
    import graphmend_runtime as runtime
    loaded = "torch._dynamo" in sys.modules
    try:
        runtime.assert_that(False)
        print("passed", loaded)
    except AssertionError:
        print("failed", loaded)
    """
    done = subprocess.run([sys.executable, *flag, "-c", textwrap.dedent(program)], capture_output=True, text=True)
    assert done.stdout.split() == ["passed" if flag else "failed", "False"], done.stderr


def test_caused_is_raise_from():
    def original(kind):
        try:
            if kind == 0:
                raise ValueError("a", 1) from KeyError("b")
            if kind == 1:
                raise ValueError("a") from None
            raise ValueError from KeyError
        except ValueError as error:
            return describe(error)

    makes = [
        lambda: _graphmend.caused(ValueError("a", 1), KeyError("b")),
        lambda: _graphmend.caused(ValueError("a"), None),
        lambda: _graphmend.caused(ValueError, KeyError),
    ]
    for kind, make in enumerate(makes):
        for run in (_graphmend.raise_if, compiled(lambda x, m: (_graphmend.raise_if(x.sum() > 0, m), x + 1))):
            arguments = (True, make) if run is _graphmend.raise_if else (torch.ones(2), make)
            with pytest.raises(ValueError) as caught:
                run(*arguments)
            assert describe(caught.value) == original(kind)


# ---------------------------------------------------------------------------------------------------- one queue


class Rejected(Exception):
    def __init__(self, code: int, what):
        super().__init__(code, what)
        self.code, self.what = code, what


class Inner(nn.Module):
    def __init__(self, patched: bool):
        super().__init__()
        self.patched = patched

    def forward(self, h):
        if self.patched:
            _graphmend.raise_if((h != h).any(), lambda s: Rejected(7, s), h.shape)
            _graphmend.defer(print, "inner", h.sum(), {"shape": h.shape, "n": [1, (2, h[0])]}, sep="|", end=";\n")
        else:
            if (h != h).any():
                raise Rejected(7, h.shape)
            print("inner", h.sum(), {"shape": h.shape, "n": [1, (2, h[0])]}, sep="|", end=";\n")
        return h.relu()


class Model(nn.Module):
    """Prints, logs, warnings and checks in modules, functions and loops."""

    def __init__(self, patched: bool):
        super().__init__()
        torch.manual_seed(0)
        self.linear, self.inner, self.patched = nn.Linear(3, 3), Inner(patched), patched

    def helper(self, h, i):
        if self.patched:
            _graphmend.defer(print, "step", i, h[i])
        else:
            print("step", i, h[i])
        return h * 2

    def forward(self, x):
        h = self.inner(self.linear(x))
        for i in range(2):
            h = self.helper(h, i)
            if self.patched:
                _graphmend.defer(lambda i, a: break_log.warning("mean %s %d", a, i), i, h.mean())
            else:
                break_log.warning("mean %s %d", h.mean(), i)
        if self.patched:
            _graphmend.raise_unless(h.sum() < 100, lambda h: ValueError(f"too big: {h.max().item():.1f}"), h)
            _graphmend.defer(lambda: warnings.warn("late", FutureWarning, stacklevel=1))
            _graphmend.defer(print, "weight", self.linear.weight, file=sys.stderr)
            _graphmend.assert_that(h.min() >= 0, lambda: "negative")
        else:
            if not h.sum() < 100:
                raise ValueError(f"too big: {h.max().item():.1f}")
            warnings.warn("late", FutureWarning, stacklevel=1)
            print("weight", self.linear.weight, file=sys.stderr)
            assert h.min() >= 0, "negative"
        return h.pow(2).sum()


def without_places(events):
    return [event[:-1] if isinstance(event[-1], tuple) else event for event in events]


def run_model(model, x):
    model.zero_grad()
    seen = observe(model, x)
    if seen.result is not None:
        seen.result.backward()
    seen.grads = [parameter.grad for parameter in model.parameters()]
    return seen


@every_backend
@pytest.mark.parametrize("scale, error", [(1.0, None), (1e3, ValueError), (float("nan"), Rejected)])
def test_one_queue_in_program_order(backend, scale, error):
    x = torch.linspace(-1, 2, 6).reshape(2, 3) * scale
    expected = run_model(Model(False), x)
    assert (expected.error and type(expected.error)) is error
    patched = Model(True)
    for runner in (patched, compiled(patched, backend)):
        for _ in range(2):
            seen = run_model(runner, x)
            assert without_places(seen.events) == without_places(expected.events)
            assert (seen.exception, seen.breaks) == (expected.exception, [])
            assert bits(seen.result) == bits(expected.result)
            assert bits(seen.grads) == bits(expected.grads)


@every_backend
def test_the_first_entry_that_raises_ends_the_queue(backend):
    def original(x):
        print("before")
        if x.sum() > 2:
            raise KeyError("first", x)
        print("between")
        if x.sum() > 1:
            raise ValueError("second")
        print("after")
        return x + 1

    def patched(x):
        _graphmend.defer(print, "before")
        _graphmend.raise_if(x.sum() > 2, lambda x: KeyError("first", x), x)
        _graphmend.defer(print, "between")
        _graphmend.raise_if(x.sum() > 1, lambda: ValueError("second"))
        _graphmend.defer(print, "after")
        return x + 1

    for value in (0.0, 1.5, 3.0):
        same(original, patched, torch.tensor([value]), backends=[backend])


def test_a_deferred_call_that_raises_ends_the_queue():
    def patched(x):
        _graphmend.defer(lambda: print("before"))
        _graphmend.defer(lambda: {}["missing"])
        _graphmend.defer(print, "after")
        return x + 1

    seen = observe(compiled(patched), torch.ones(1))
    assert seen.text == "before\n" and seen.exception[:2] == (KeyError, ("'missing'",))


def test_make_may_give_a_class_or_depend_on_several_values():
    def original(x):
        if x.sum() > 5:
            raise KeyboardError
        if x.sum() > 1:
            raise Rejected(x.shape[0], {"x": x})
        return x + 1

    def patched(x):
        _graphmend.raise_if(x.sum() > 5, lambda: KeyboardError)
        _graphmend.raise_if(x.sum() > 1, lambda n, x: Rejected(n, {"x": x}), x.shape[0], x)
        return x + 1

    class KeyboardError(ArithmeticError):
        pass

    for value in (0.0, 2.0, 9.0):
        same(original, patched, torch.tensor([value]), backends=BACKENDS[:2])


def test_a_condition_of_several_elements_is_torchs_own_error():
    def original(x):
        print("before")
        if x > 0:
            raise ValueError
        return x + 1

    def patched(x):
        _graphmend.defer(print, "before")
        _graphmend.raise_if(x > 0, lambda: ValueError)
        return x + 1

    assert same(original, patched, torch.ones(2)).exception[0] is RuntimeError


def test_the_condition_is_the_one_at_the_call():
    def original(x, flag):
        flag = flag.clone()
        if flag:
            raise ValueError
        flag += 1
        return x + flag

    def patched(x, flag):
        flag = flag.clone()
        _graphmend.raise_if(flag, lambda: ValueError)
        flag += 1
        return x + flag

    for value in (0, 1):
        same(original, patched, backends=BACKENDS[:2], inputs=lambda v=value: (torch.ones(2), torch.tensor(v)))


def test_a_condition_that_is_no_tensor_is_decided_while_tracing():
    def patched(x, limit, make):
        _graphmend.defer(print, "before")
        _graphmend.raise_if(x.shape[0] > limit, make, x.shape[0])
        _graphmend.raise_unless([limit], lambda: 1 / 0)
        return x + 1

    function = compiled(patched, fullgraph=False)
    assert observe(function, torch.ones(2), 3, lambda n: ValueError(n)).exception is None
    seen = observe(function, torch.ones(4), 3, lambda n: ValueError("rows", n))
    assert seen.exception[:2] == (ValueError, ("'rows'", "4")) and seen.text == "before\n"


def test_a_remaining_break_flushes_in_order():
    def patched(x):
        _graphmend.defer(print, "first", x)
        x = x + 1
        print("undeferred")
        _graphmend.defer(print, "second", x)
        return x * 2

    seen = observe(compiled(patched, fullgraph=False), torch.zeros(1))
    assert seen.text == "first tensor([0.])\nundeferred\nsecond tensor([1.])\n"
    if not TORCH_2_6:
        assert len(seen.breaks) == 1


def test_a_compiled_function_inside_a_compiled_function():
    inner = torch.compile(lambda x: (_graphmend.defer(print, "inner", x), x * 2)[1], backend="eager")

    def patched(x):
        _graphmend.defer(print, "outer", x)
        y = inner(x)
        _graphmend.defer(print, "after", y)
        return y

    seen = observe(compiled(patched), torch.ones(1))
    assert seen.text == "outer tensor([1.])\ninner tensor([1.])\nafter tensor([2.])\n" and not seen.breaks


def test_code_that_dynamo_skips_does_not_compile_the_runtime():
    """A break inside a `with` leaves the loop to Python, with Dynamo's callback on."""

    class Manager:
        __enter__ = __exit__ = lambda self, *args: None

    def patched(xs):
        for x in xs:
            with Manager():
                torch._dynamo.graph_break()
                _graphmend.defer(print, x)
                _graphmend.raise_if(x.sum() > 100, lambda: ValueError)
        return xs

    torch._dynamo.utils.counters.clear()
    seen = observe(compiled(patched, fullgraph=False), [torch.tensor(float(i)) for i in range(12)])
    assert seen.text == "".join(f"tensor({i}.)\n" for i in range(12))
    assert torch._dynamo.utils.counters["frames"]["total"] <= 6  # whatever the number of turns
    assert len(seen.breaks) <= 1


def test_threads_do_not_mix():
    def patched(x):
        for i in range(3):
            _graphmend.defer(lambda x, i: seen[threading.current_thread().name].append((x.item(), i)), x, i)
        _graphmend.raise_if(x > 1e6, lambda x: ValueError(x.item()), x)
        return x + 1

    seen = collections.defaultdict(list)
    function, errors = compiled(patched), {}
    function(torch.tensor(0.0))

    def work(number):
        for call in range(50):
            function(torch.tensor(float(number * 100 + call)))
        try:
            function(torch.tensor(1e7 + number))
        except ValueError as error:
            errors[number] = error.args

    seen.clear()
    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == {number: (1e7 + number,) for number in range(4)}
    numbers = set()
    for calls in seen.values():
        number = int(calls[0][0]) // 100
        numbers.add(number)
        values = [float(number * 100 + call) for call in range(50)] + [1e7 + number]
        assert calls == [(value, i) for value in values for i in range(3)]
    assert numbers == {0, 1, 2, 3}


def test_long_queues():
    def patched(x):
        for i in range(300):
            _graphmend.defer(print, i, end=" ")
        return x + 1

    assert observe(compiled(patched), torch.ones(1)).text == "".join(f"{i} " for i in range(300))


# ---------------------------------------------------------------------------------------------------- snapshots

Pair = collections.namedtuple("Pair", "left right")


@every_backend
def test_snapshots_show_the_values_at_the_call(backend):
    def original(x):
        h = x * 2
        items, table, both, some = [h, 1], {"h": (h,)}, Pair(1, 2), {3}
        print(h, items, table, both, h.shape, some, torch.float32, None, "s", 1.5)
        h += 100
        items.append("late")
        table["late"] = 1
        some.add(4)
        print(h, items, table, some)
        return h

    def patched(x):
        h = x * 2
        items, table, both, some = [h, 1], {"h": (h,)}, Pair(1, 2), {3}
        _graphmend.defer(print, h, items, table, both, h.shape, some, torch.float32, None, "s", 1.5)
        h += 100
        items.append("late")
        table["late"] = 1
        some.add(4)
        _graphmend.defer(print, h, items, table, some)
        return h

    same(original, patched, torch.arange(3.0), backends=[backend])


@pytest.mark.parametrize("backend", BACKENDS[:2])
def test_snapshots_of_inputs_that_are_changed_in_place(backend):
    def original(x):
        print("before", x)
        x.add_(1)
        print("after", x)
        return x.sum()

    def patched(x):
        _graphmend.defer(print, "before", x)
        x.add_(1)
        _graphmend.defer(print, "after", x)
        return x.sum()

    same(original, patched, backends=[backend], inputs=lambda: (torch.zeros(2),))


def test_text_of_tensors_with_grad_and_of_parameters():
    weight = nn.Parameter(torch.tensor([float("nan"), -0.0, 1.0]))
    frozen = nn.Parameter(torch.ones(2), requires_grad=False)

    def original(x):
        h = x * weight
        print(h, weight, frozen, x, [h.detach()])
        return h.sum()

    def patched(x):
        h = x * weight
        _graphmend.defer(print, h, weight, frozen, x, [h.detach()])
        return h.sum()

    seen = same(original, patched, torch.ones(3, requires_grad=True), backends=BACKENDS)
    for text in ("grad_fn=<", "Parameter containing", "requires_grad=True"):
        assert text in seen.text


def test_a_parameter_that_changes_after_the_call_shows_its_old_value():
    def original(x):
        print(weight)
        with torch.no_grad():
            weight.mul_(2)
        return x * weight

    def patched(x):
        _graphmend.defer(print, weight)
        with torch.no_grad():
            weight.mul_(2)
        return x * weight

    weight = nn.Parameter(torch.ones(2))
    expected = [observe(original, torch.ones(2)).text for _ in range(2)]
    weight = nn.Parameter(torch.ones(2))
    function = compiled(patched)
    assert [observe(function, torch.ones(2)).text for _ in range(2)] == expected


def test_restored_tensors_are_not_the_outputs_of_the_graph():
    """Inductor gives one tensor for equal outputs; showing one must not make the other require grad."""

    def original(x):
        h = x * 2
        print(h, h.detach(), [h + 0])
        return h.detach().clone(), h

    def patched(x):
        h = x * 2
        _graphmend.defer(print, h, h.detach(), [h + 0])
        return h.detach().clone(), h

    same(original, patched, torch.ones(2, requires_grad=True), backends=BACKENDS)


def test_uint8_parameters():
    weight = nn.Parameter(torch.ones(64, dtype=torch.uint8), requires_grad=False)

    def patched(x):
        _graphmend.defer(print, weight, sep="")
        return x + weight

    assert observe(compiled(patched), torch.ones(64)).text == f"{weight}\n"


@pytest.mark.parametrize("backend", BACKENDS[:2])
def test_non_leaf_inputs_are_shown(backend):
    seen = observe(compiled(lambda x: _graphmend.defer(print, x), backend), torch.ones(1, requires_grad=True) * 2)
    suffix = "grad_fn=<MulBackward0>" if backend == "eager" else "requires_grad=True"
    assert seen.text == f"tensor([2.], {suffix})\n"


@pytest.mark.skipif(TORCH_2_6, reason="torch 2.6 has no type() of a string that it formats late")
def test_strings_that_dynamo_formats_late():
    def original(x):
        print(f"x {x} of {x.shape[0]}", "{}".format(x + 1))  # noqa: UP032
        return x + 1

    def patched(x):
        _graphmend.defer(print, f"x {x} of {x.shape[0]}", "{}".format(x + 1))  # noqa: UP032
        return x + 1

    same(original, patched, torch.arange(2.0), backends=BACKENDS[:2])


def test_lambdas_read_tensors_late():
    def original(x):
        print(f"{x.mean().item():.3f} {x.tolist()!r} {x}")
        return x + 1

    def patched(x):
        _graphmend.defer(lambda x: print(f"{x.mean().item():.3f} {x.tolist()!r} {x}"), x)
        return x + 1

    same(original, patched, torch.arange(4.0), backends=BACKENDS)


def test_keywords_of_print():
    def original(x):
        print(x, 1, sep="-", end="!", file=sys.stderr, flush=True)
        return x + 1

    def patched(x):
        _graphmend.defer(print, x, 1, sep="-", end="!", file=sys.stderr, flush=True)
        return x + 1

    same(original, patched, torch.ones(1))


def test_what_is_printed_to_an_object_is_there_at_once():
    def run(x, out):
        _graphmend.defer(print, x, file=out)
        return x + len(out.getvalue())

    for function in (run, torch.compile(run, backend="eager")):
        torch._dynamo.reset()
        out = io.StringIO()
        assert bits(function(torch.ones(1), out)) == bits(torch.ones(1) + len("tensor([1.])\n"))
        assert out.getvalue() == "tensor([1.])\n"


@pytest.mark.parametrize("dtype", [torch.bool, torch.int64, torch.float16, torch.bfloat16, torch.complex64])
def test_dtypes(dtype):
    def original(x):
        print(x, x[0], x.t(), x.expand(2, 2, 2), x[:0])
        return x.clone()

    def patched(x):
        _graphmend.defer(print, x, x[0], x.t(), x.expand(2, 2, 2), x[:0])
        return x.clone()

    x = torch.tensor([[0, 1], [2, 3]]).to(dtype)
    for requires_grad in {False, dtype.is_floating_point}:
        same(original, patched, x.clone().requires_grad_(requires_grad))


# ---------------------------------------------------------------------------------------------------- autograd


@every_backend
def test_gradients_and_versions_are_undisturbed(backend):
    def original(x, w):
        h = (x * w).sin()
        print("h")
        y = h.exp().mean() + (h * w).sum()
        return y

    def patched(x, w):
        h = (x * w).sin()
        _graphmend.defer(lambda h: print("h"), h)
        _graphmend.raise_if(h.sum() > 1e6, lambda h, w: ValueError(h, w), h, w)
        _graphmend.defer(lambda items: print(end=""), [h, w, x])
        y = h.exp().mean() + (h * w).sum()
        return y

    results = []
    for function in (compiled(original, backend, fullgraph=False), patched, compiled(patched, backend)):
        x = torch.linspace(-1, 1, 5, requires_grad=True)
        w = nn.Parameter(torch.linspace(0, 2, 5))
        seen = observe(function, x, w)
        seen.result.backward()
        results.append((bits(seen.result), bits(x.grad), bits(w.grad), x._version, w._version, seen.text))
    if backend == "inductor":  # it may fuse the two graphs of the original otherwise
        assert results[2][3:] == results[0][3:]
        torch.testing.assert_close(x.grad, torch.autograd.grad(original(x, w), x)[0])
    else:
        assert results[0] == results[1] == results[2]


@every_backend
def test_a_shown_tensor_gets_no_gradient(backend):
    """As an output of AOTAutograd's graph log(0) would get a zero, and zero times inf is NaN."""

    def original(x):
        y = x * 2
        print(torch.log(y), y)
        return (y * 3).sum()

    def patched(x):
        y = x * 2
        _graphmend.defer(print, torch.log(y), y)
        return (y * 3).sum()

    shown = []
    for function in (original, compiled(patched, backend)):
        x = torch.zeros(2, requires_grad=True)
        seen = observe(function, x)
        seen.result.backward()
        shown.append((seen.text, bits(x.grad)))
    assert shown[0] == shown[1] and "grad_fn=<LogBackward0>" in shown[0][0]


@pytest.mark.parametrize(
    "context", [torch.no_grad, torch.inference_mode, functools.partial(torch.autocast, "cpu", torch.bfloat16)]
)
@pytest.mark.parametrize("outside", [True, False])
def test_contexts(context, outside):
    linear = nn.Linear(2, 2)

    def original(x):
        h = linear(x)
        print(h, linear.bias)
        if h.sum() > 1e6:
            raise ValueError
        return h * 2

    def patched(x):
        h = linear(x)
        _graphmend.defer(print, h, linear.bias)
        _graphmend.raise_if(h.sum() > 1e6, lambda: ValueError)
        return h * 2

    def within(function):
        def run(x):
            with context():
                return function(x)

        return run

    expected = observe(within(original), torch.ones(1, 2))
    function = within(compiled(patched)) if outside else compiled(within(patched))
    for _ in range(2):
        seen = observe(function, torch.ones(1, 2))
        assert seen.error is None
        assert seen.events == expected.events and bits(seen.result) == bits(expected.result) and not seen.breaks


# ---------------------------------------------------------------------------------------------------- shapes


def test_dynamic_shapes():
    def original(x):
        print(x.shape[0], x.shape, [x.shape[0] * 2], x.numel())
        if x.sum() > 1e6:
            raise ValueError(x.shape[0])
        return x + x.shape[0]

    def patched(x):
        _graphmend.defer(print, x.shape[0], x.shape, [x.shape[0] * 2], x.numel())
        _graphmend.raise_if(x.sum() > 1e6, lambda n: ValueError(n), x.shape[0])
        return x + x.shape[0]

    for backend in BACKENDS[:2]:
        function = compiled(patched, backend)
        frames = None
        for rows in (3, 5, 7):
            for scale in (1.0, 1e9):
                x = torch.ones(rows, 2) * scale
                torch._dynamo.mark_dynamic(x, 0)
                expected, seen = observe(original, x), observe(function, x)
                assert (seen.events, seen.exception) == (expected.events, expected.exception)
                assert bits(seen.result) == bits(expected.result)
                total = torch._dynamo.utils.counters["frames"]["total"]
                assert frames in (None, total)
                frames = total


# ---------------------------------------------------------------------------------------------------- logging

LOGGING = """
log = logging.getLogger("user.model")
class T5Stack:
    def forward(self, x):
        {forward}
        {stack}
        return helper(x)
def helper(x):
    {helper}
    {multi}
    return x + 1
def run(x):
    {run}
    return T5Stack().forward(x)
class Body:
    {body}
    x = None
{module}
"""


def logging_pair(tmp_path):
    original = LOGGING.format(
        forward='log.info("x %s of %d", x, x.shape[-1])',
        stack='log.error(f"{x.mean().item():.2f}", extra={"k": 1})',
        helper='warnings.warn("from helper")',
        multi='logging.warning("%s", x.tolist())',
        run='warnings.warn("from run", FutureWarning, stacklevel=1)',
        body='log.warning("class body")',
        module='log.warning("module level")',
    )
    patched = LOGGING.format(
        forward='_graphmend.defer(lambda a, b: log.info("x %s of %d", a, b), x, x.shape[-1])',
        stack='_graphmend.defer(lambda a: log.error(f"{a.mean().item():.2f}", extra={"k": 1}), x)',
        helper='_graphmend.defer(lambda: warnings.warn("from helper"))',
        multi='_graphmend.defer(lambda a: logging.warning("%s", a.tolist()), x)',
        run='_graphmend.defer(lambda: warnings.warn("from run", FutureWarning, stacklevel=_graphmend.stacklevel(1)))',
        body='_graphmend.defer(lambda: logging.getLogger("user.model").warning("class body"))',
        module='_graphmend.defer(lambda: log.warning("module level"))',
    )
    return pair(tmp_path, original, patched)


def test_records_name_the_users_file_line_and_function(tmp_path):
    original = observe(lambda: logging_pair(tmp_path))
    half = len(original.events) // 2
    assert half == 2 and places(original.events[:half]) == places(original.events[half:])
    assert [event[-1][2] for event in original.events[:half]] == ["Body", "<module>"]
    before, after = original.result
    expected = places(observe(before.run, torch.ones(2)).events)
    assert [event[-1][2] for event in expected if event[0] == "log"] == ["forward", "forward", "helper"]
    assert places(observe(after.run, torch.ones(2)).events) == expected
    for backend in BACKENDS[:2]:
        function = compiled(after.run, backend)
        for _ in range(2):
            seen = observe(function, torch.ones(2))
            assert places(seen.events) == expected and not seen.breaks
    function = compiled(lambda x: after.run(x) * 2)  # inlined from another file
    assert places(observe(function, torch.ones(2)).events) == expected


def test_the_same_line_in_two_files_keeps_its_file(tmp_path):
    text = 'def run(x):\n    _graphmend.defer(lambda: logging.warning("here"))\n    return x + 1\n'
    before, after = pair(tmp_path, text, text)
    for module in (before, after, before):
        assert observe(module.run, torch.ones(1)).events[0][-1] == (module.__file__, 2, "run")


def test_lambdas_keep_defaults_and_closures():
    value, out = 3, []
    _graphmend.defer(lambda a, b=2, *, c=4: out.append((a, b, c, value)), 1)
    assert out == [(1, 2, 4, 3)]


def test_warnings_use_the_registry_of_the_users_module(tmp_path):
    text = "def run(x):\n    {}\n    return x + 1\n"
    call = 'warnings.warn("once a place")'
    before, after = pair(tmp_path, text.format(call), text.format(f"_graphmend.defer(lambda: {call})"))

    def calls(function):
        return [function(torch.ones(1)) for _ in range(3)]

    for module, function in ((before, before.run), (after, after.run), (after, compiled(after.run))):
        vars(module).pop("__warningregistry__", None)
        seen = observe(calls, function, filters="default")
        assert len(seen.events) == 1
        assert "__warningregistry__" in vars(module)
    seen = observe(calls, compiled(after.run), filters="error")
    assert seen.exception[:2] == (UserWarning, ("'once a place'",))


STACKLEVEL = """
log = logging.getLogger("user.model")
def leaf(x):
    {one}
    {two}
    {three}
    {four}
    return x + 1
def middle(x):
    return leaf(x)
def run(x):
    return middle(x)
"""


class OldLogger(logging.Logger):
    """findCaller of Python 3.8 to 3.10."""

    def findCaller(self, stack_info=False, stacklevel=1):
        start = frame = sys._getframe(3)  # logging.currentframe().f_back there: the caller of info()
        while frame and stacklevel > 1:
            frame, stacklevel = frame.f_back, stacklevel - 1
        frame = frame or start
        while frame.f_code.co_filename == logging._srcfile:
            frame = frame.f_back
        return frame.f_code.co_filename, frame.f_lineno, frame.f_code.co_name, None


@pytest.mark.parametrize("logger", [logging.Logger, OldLogger])
def test_stacklevel_counts_from_the_users_function(tmp_path, logger):
    original = STACKLEVEL.format(
        one='warnings.warn("one", stacklevel=1)',
        two='warnings.warn("two", stacklevel=2)',
        three='warnings.warn("3", FutureWarning, stacklevel=3)',
        four='log.info("one", stacklevel=1), log.info("two", stacklevel=2), log.info("three %s", 1, stacklevel=3)',
    )
    lambdas = [
        'log.info("one", stacklevel=_graphmend.stacklevel(1))',
        'log.info("two", stacklevel=_graphmend.stacklevel(2))',
        'log.info("three %s", 1, stacklevel=_graphmend.stacklevel(3))',
    ]
    patched = STACKLEVEL.format(
        one='_graphmend.defer(lambda: warnings.warn("one", stacklevel=_graphmend.stacklevel(1)))',
        two='_graphmend.defer(lambda: warnings.warn("two", stacklevel=_graphmend.stacklevel(2)))',
        three='_graphmend.defer(lambda: warnings.warn("3", FutureWarning, stacklevel=_graphmend.stacklevel(3)))',
        four=", ".join(f"_graphmend.defer(lambda: {call})" for call in lambdas),
    )
    before, after = pair(tmp_path, original, patched)
    before.log = after.log = logger("user.model", logging.INFO)
    before.log.parent = logging.getLogger()
    expected = places(observe(before.run, torch.ones(1)).events)
    assert [event[-1][2] for event in expected if event[0] == "log"] == ["leaf", "middle", "run"]
    assert places(observe(after.run, torch.ones(1)).events) == expected

    after.leaf = compiled(after.leaf)  # Dynamo's wrapper around it is passed over
    for _ in range(2):
        assert places(observe(after.run, torch.ones(1)).events) == expected


def test_loggers_methods_and_warning_once():
    names = []

    class Once(logging.Logger):
        @functools.lru_cache(None)  # noqa: B019 (as transformers does)
        def warning_once(self, *args, **kwargs):
            self.warning(*args, **kwargs)

    logger = Once("model.once")
    logger.parent = logging.getLogger()

    class Counter:
        def note(self, *args):
            names.append(args)

    def patched(x, counter):
        _graphmend.defer(logger.warning_once, "only once")
        _graphmend.defer(lambda: logger.warning_once("only %s", "twice"))
        _graphmend.defer(logger.warning, "bound %s", x)
        _graphmend.defer(counter.note, 1, x.shape)
        return x + 1

    seen = observe(patched, torch.ones(1), Counter())
    assert [event[3] for event in seen.events] == ["only once", "only twice", "bound tensor([1.])"]
    function = compiled(patched)
    for _ in range(2):
        seen = observe(function, torch.ones(1), Counter())
        assert [event[3] for event in seen.events] == ["bound tensor([1.])"] and not seen.breaks
    assert names == [(1, torch.Size([1]))] * 3
    logger.warning_once.cache_clear()
    assert len(observe(function, torch.ones(1), Counter()).events) == 3


# ---------------------------------------------------------------------------------------------------- other tracers


class Traced(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(3))

    def forward(self, x):
        h = x * self.weight
        _graphmend.defer(print, "constant and", [h], h.shape)
        _graphmend.defer(lambda h: print(h.sum().item()), h)
        _graphmend.raise_if(h.sum() > 10, lambda h: ValueError(h), h)
        _graphmend.raise_unless(h.sum() < 10, lambda h: ValueError(h), h)
        _graphmend.assert_that(h.sum() < 10, lambda: "big")
        return h + 1


def fake(model, x):
    mode = torch._subclasses.FakeTensorMode(allow_non_fake_inputs=True)
    with mode:
        return model(mode.from_tensor(x))


def make_fx(model, x, **options):
    from torch.fx.experimental.proxy_tensor import make_fx

    return make_fx(model, _allow_non_fake_inputs=True, **options)(x)


TRACERS = {
    "export": lambda model, x: torch.export.export(model, (x,), strict=False),
    "export strict": lambda model, x: torch.export.export(model, (x,), strict=True),
    "fake": fake,
    "make_fx real": functools.partial(make_fx, tracing_mode="real"),
    "make_fx fake": functools.partial(make_fx, tracing_mode="fake"),
    "make_fx symbolic": functools.partial(make_fx, tracing_mode="symbolic"),
    "make_fx pre-dispatch": functools.partial(make_fx, pre_dispatch=True),
}


@pytest.mark.parametrize("tracer", TRACERS)
@pytest.mark.parametrize("scale", [1.0, 100.0])
def test_other_tracers_see_no_print_and_no_check(tracer, scale):
    torch._dynamo.reset()
    x = torch.ones(3) * scale
    seen = observe(TRACERS[tracer], Traced(), x)
    assert seen.error is None and seen.events == []
    if tracer != "fake":
        result = seen.result.module() if hasattr(seen.result, "module") else seen.result
        assert torch.equal(result(x), x + 1)


def test_a_fake_tensor_outside_its_mode():
    mode = torch._subclasses.FakeTensorMode(allow_non_fake_inputs=True)
    seen = observe(_graphmend.defer, print, mode.from_tensor(torch.ones(2)))
    assert seen.error is None and seen.events == []
    assert observe(_graphmend.raise_if, mode.from_tensor(torch.ones(1)), lambda: ValueError()).error is None


def test_eager_code_beside_a_tracer_in_another_thread_still_acts():
    inside, done, seen = threading.Event(), threading.Event(), []

    class Slow(nn.Module):
        def forward(self, x):
            inside.set()
            done.wait(10)
            return x + 1

    tracer = threading.Thread(target=lambda: torch.export.export(Slow(), (torch.ones(1),), strict=False))
    tracer.start()
    assert inside.wait(60)
    _graphmend.defer(seen.append, 1)
    done.set()
    tracer.join()
    assert seen == [1]


# ------------------------------------------------------------------------------------------ where Dynamo refuses


def in_default_mode(original, patched, x, backward=False):
    """Where the write is refused: a break, as before, and nothing lost or done twice."""
    for backend in BACKENDS[:2]:
        shown = []
        for function in (original, patched):
            given = x.clone().detach().requires_grad_(x.requires_grad)
            run = compiled(function, backend, fullgraph=False)

            def call(run=run, given=given):
                result = run(given)
                if backward:
                    result.sum().backward()
                return result

            seen = observe(call)
            shown.append((no_grad_fn(seen.events), seen.exception, bits(seen.result), bits(given.grad)))
        assert shown[0] == shown[1], backend


@pytest.mark.parametrize("value", [1.0, 100.0])
@pytest.mark.parametrize("reentrant", [True, False])
def test_activation_checkpointing(value, reentrant):
    def body(x, patched):
        h = x.sin() * x
        if patched:
            _graphmend.defer(print, "body", h.detach())
            _graphmend.raise_if(x.sum() > 10, lambda x: ValueError("big", x), x.detach())
        else:
            print("body", h.detach())
            if x.sum() > 10:
                raise ValueError("big", x.detach())
        return h * 2

    def run(patched):
        return lambda x: checkpoint(body, x, patched, use_reentrant=reentrant).sum()

    in_default_mode(run(False), run(True), torch.tensor([value], requires_grad=True), backward=True)


def test_autograd_functions():
    class Original(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            print("forward", x.detach())
            return x * 2

        @staticmethod
        def backward(ctx, g):
            print("backward", g)
            return g * 2

    class Patched(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            _graphmend.defer(print, "forward", x.detach())
            return x * 2

        @staticmethod
        def backward(ctx, g):
            _graphmend.defer(print, "backward", g)
            return g * 2

    x = torch.ones(2, requires_grad=True)
    in_default_mode(lambda x: Original.apply(x), lambda x: Patched.apply(x), x, backward=True)


@pytest.mark.parametrize("transform", ["vmap", "grad"])
def test_functorch(transform):
    def original(x):
        print("v", x.shape, x)
        return x.sum()

    def patched(x):
        _graphmend.defer(print, "v", x.shape, x)
        return x.sum()

    apply = getattr(torch.func, transform)
    shape = (2, 3) if transform == "vmap" else (3,)
    in_default_mode(lambda x: apply(original)(x), lambda x: apply(patched)(x), torch.ones(shape))
    a, b = (observe(apply(f), torch.ones(shape)) for f in (original, patched))
    assert a.events == b.events


def test_a_check_in_vmap_is_vmaps_own_error():
    def original(x):
        if x.sum() > 100:
            raise ValueError
        return x.sum()

    def patched(x):
        _graphmend.raise_if(x.sum() > 100, lambda: ValueError)
        return x.sum()

    in_default_mode(lambda x: torch.vmap(original)(x), lambda x: torch.vmap(patched)(x), torch.ones(2, 3))


def test_cond_takes_neither_a_print_nor_a_deferred_one():
    def run(act):
        def true(x):
            act("true", x)
            return x + 1

        return lambda x: torch.cond(x.sum() > 0, true, lambda x: x - 1, (x,))

    for function in (run(print), run(functools.partial(_graphmend.defer, print))):
        seen = observe(compiled(function, fullgraph=False), torch.ones(1))
        assert seen.exception[0].__name__ == "UncapturedHigherOrderOpError" and seen.events == []


def needing(patched: bool):
    def run(x, rows=None):
        test = x.sum() > 10
        if _graphmend.needs(test, lambda rows: rows.scale, rows) if patched else test:
            x = x * rows.scale
        return x + 1

    return run


@pytest.mark.parametrize("value", [1.0, 100.0])
@every_backend
def test_needs_raises_after_the_graph_what_the_branch_would(value, backend):
    x, rows = torch.tensor([value]), types.SimpleNamespace(scale=torch.ones(1) * 2)
    seen = same(needing(False), needing(True), x, backends=[backend])
    assert (seen.exception is not None) == (value > 10)
    in_default_mode(lambda x: needing(False)(x, rows), lambda x: needing(True)(x, rows), x)


def test_needs_leaves_the_branch_where_its_exception_cannot_wait():
    def run(x, rows=None):
        try:
            if _graphmend.needs(x.sum() > 10, lambda rows: rows.scale, rows):
                raise KeyError("the branch runs")
        except (AttributeError, KeyError) as error:
            return x + (2 if type(error) is KeyError else 1)
        return x

    for value, result in ((1.0, 1.0), (100.0, 102.0)):
        for function in (run, compiled(run, fullgraph=False)):
            assert function(torch.tensor([value])).item() == result
    assert _graphmend.needs(7, None, None) == 7


@pytest.mark.parametrize("unsafe", [False, True])
def test_a_check_breaks_the_graph_where_something_is_written_in_it(unsafe):
    class Cache(nn.Module):
        def __init__(self):
            super().__init__()
            self.calls, self.items, self.rows = 0, [], collections.defaultdict(int)
            self.turns = iter((1, 2, 3))
            self.register_buffer("seen", torch.zeros(1))

        def forward(self, x, kind):
            lent = torch.zeros(1)
            if kind == "before":
                self.items.append(1)
            elif kind == "lent":
                lent.set_(self.seen)
            _graphmend.raise_if(x.sum() > 0, lambda: ValueError("x"), unsafe=unsafe)
            if kind == "attribute":
                self.calls += 1
            elif kind == "list":
                self.items.append(1)
            elif kind == "dict":
                x = x + self.rows[kind]
            elif kind == "iterator":
                x = x + next(self.turns)
            elif kind == "buffer":
                self.seen.add_(1)
            elif kind == "lent":
                lent.add_(1)
            elif kind == "taken":
                lent.set_(source=self.seen)
                lent.add_(1)
            elif kind == "own":
                own = [x]
                own.append(x.clone().add_(1))
                x = own[1]
            return x + 1

        def state(self):
            return self.calls, len(self.items), len(self.rows), operator.length_hint(self.turns), self.seen.item()

    for kind in ("none", "own", "before", "attribute", "list", "dict", "iterator", "buffer", "lent", "taken"):
        expected, module = Cache(), Cache()
        observe(expected, torch.ones(1), kind)
        seen = observe(compiled(module, fullgraph=False), torch.ones(1), kind)
        assert seen.exception[0] is ValueError
        if not unsafe:
            assert module.state() == expected.state(), kind
        breaks = kind not in ("none", "own") and not unsafe
        assert bool(seen.breaks) is breaks or TORCH_2_6, kind


def test_what_an_arm_writes_keeps_the_branch():
    class Counts(nn.Module):
        def __init__(self):
            super().__init__()
            self.calls, self.rows = 0, {}
            self.register_buffer("seen", torch.zeros(1))

        def arm(self, x, kind):
            if kind == "attribute":
                self.calls += 1
            elif kind == "dict":
                self.rows["a"] = self.rows.get("a", 0) + 1
            elif kind == "buffer":
                self.seen.add_(1)
            elif kind == "storage":
                x.clone().set_(self.seen).add_(1)
            return x * 2

        def forward(self, x, kind):
            self.calls += 1
            self.rows["a"] = 0
            self.seen.add_(1)
            return _graphmend.select(x.sum() > 0, lambda: self.arm(x, kind), lambda: x * 3)

        def state(self):
            return self.calls, self.rows, self.seen.item()

    for kind in ("none", "attribute", "dict", "buffer", "storage"):
        for sign in (1, -1):
            expected, module = Counts(), Counts()
            observe(expected, torch.ones(1) * sign, kind)
            seen = observe(compiled(module, fullgraph=False), torch.ones(1) * sign, kind)
            assert module.state() == expected.state(), kind
            assert bool(seen.breaks) is (kind != "none") or TORCH_2_6, kind


# ---------------------------------------------------------------------------------------------------- assert-async


def test_assert_async_in_eager_code_is_the_original():
    _graphmend.assert_async(torch.tensor(True), "gm-0", lambda: 1 / 0)
    with pytest.raises(KeyError) as caught:
        _graphmend.assert_async(torch.tensor(False), "gm-0", lambda a: KeyError("a", a), 1)
    assert caught.value.args == ("a", 1)


@every_backend
def test_assert_async_is_translated(backend):
    _graphmend.register("gm-1", lambda: Rejected(1, "one"))
    _graphmend.register("gm-2", lambda: ValueError("two"))

    def patched(x):
        _graphmend.assert_async(x.sum() < 10, "gm-1", lambda: Rejected(1, "one"))
        _graphmend.assert_async(x.sum() < 5, "gm-2", lambda: ValueError("two"))
        return x + 1

    function = _graphmend.translate(compiled(patched, backend))
    assert function.__name__ == "patched"
    assert torch.equal(function(torch.ones(1)), torch.tensor([2.0]))
    for value, expected in ((7.0, (ValueError, ("'two'",))), (70.0, (Rejected, ("1", "'one'")))):
        seen = observe(function, torch.tensor([value]))
        assert seen.exception == (*expected, None, False) and not seen.breaks


def test_translate_takes_modules_and_leaves_other_errors():
    class Fails(nn.Module):
        def forward(self, x):
            _graphmend.assert_async(x.sum() < 5, "gm-3", lambda: ValueError("three"))
            return x.reshape(7)

    _graphmend.register("gm-3", lambda: ValueError("three"))
    module = _graphmend.translate(torch.compile(Fails(), backend="eager", fullgraph=True))
    assert observe(module, torch.ones(7) * 9).exception[:2] == (ValueError, ("'three'",))
    function = _graphmend.translate(lambda: torch.ones(2).reshape(7))
    assert observe(function).exception[0] is RuntimeError


# ---------------------------------------------------------------------------------------------------- shipping

EMBED = """\
import sys as _graphmend_sys
import types as _graphmend_types

_graphmend = _graphmend_types.ModuleType(__name__ + "._graphmend")
_graphmend = _graphmend_sys.modules.setdefault(_graphmend.__name__, _graphmend)
exec(compile(r\'\'\'{source}\'\'\', "<graphmend runtime>", "exec"), vars(_graphmend))
"""


def test_embedded_copies_share_one_order_and_count_frames(tmp_path):
    source = RUNTIME.read_text()
    assert "'''" not in source
    text = EMBED.format(source=source) + textwrap.dedent("""
        import warnings
        import torch
        def act(x, name):
            _graphmend.defer(print, name, x)
            _graphmend.defer(lambda: warnings.warn("up", stacklevel=_graphmend.stacklevel(2)))
            _graphmend.raise_if(x.sum() > 10, lambda: ValueError(name))
            return x + 1
        """).replace("ValueError(name)", 'ValueError("big")')
    modules = []
    for name in ("embedded_one", "embedded_two"):
        path = tmp_path / f"{name}.py"
        path.write_text(text)
        modules.append(load(path, name))
    one, two = modules
    assert one._graphmend is not two._graphmend

    def run(x):
        x = one.act(x, "one")
        _graphmend.defer(print, "between", x)
        return two.act(one.act(two.act(x, "two"), "one"), "two")

    expected = observe(run, torch.zeros(1))
    names = [line.split()[0] for line in expected.text.splitlines()]
    assert names == ["one", "between", "two", "one", "two"]
    assert all(event[-1][0] == __file__ for event in expected.events if event[0] == "warning")
    for backend in BACKENDS[:2]:
        seen = observe(compiled(run, backend), torch.zeros(1))
        assert without_places(seen.events) == without_places(expected.events) and not seen.breaks
    assert observe(compiled(run), torch.ones(1) * 20).exception[0] is ValueError


def test_the_public_names_have_docstrings_and_the_file_is_small():
    source = RUNTIME.read_text()
    assert len(source.splitlines()) < 1480
    own = [
        v
        for v in vars(_graphmend).values()
        if isinstance(v, types.FunctionType) and v.__module__ == _graphmend.__name__
    ]
    public = [function for function in own if not function.__name__.startswith("_")]
    assert len(public) == 25 and all(function.__doc__ for function in public)
