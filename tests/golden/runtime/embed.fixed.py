# graphmend-test: fix --runtime=embed
"""A print only: what the file carries of the runtime."""
import torch
import sys as _graphmend_sys
import types as _graphmend_types

_graphmend = _graphmend_types.ModuleType(__name__ + "._graphmend")  # written by graphmend fix
_graphmend = _graphmend_sys.modules.setdefault(_graphmend.__name__, _graphmend)
exec(compile(r'''"""Runtime of files patched by GraphMend: prints, logs, warnings and checks that break no graph.

Eager code acts at once: `defer(print, x)` prints, `raise_if(a, make, x)` is `if a: raise make(x)`.

Code that TorchDynamo traces records instead, in one attribute of a module object, `_sink.queue`. Dynamo keeps an
attribute write on a module object out of the graph and replays it after the graph with a plain STORE_ATTR. The
object's class defines the attribute as a property, so the setter then runs as ordinary Python with the values that
the graph produced. It goes through the queue first in, first out; an entry that raises ends it. Every graph break and
every end of a compiled frame writes once. The queue always reads as (), so no guard depends on changing state. All
copies of this runtime in a process share one sink, which keeps their common order.

What was measured (torch 2.13 and 2.6, CPU; backends eager, aot_eager and inductor) stands at what it is about. In the
body of a higher-order operator (activation checkpointing, autograd.Function) Dynamo refuses the write: the graph
breaks there, as it did before, and the body acts in eager order. In a branch of torch.cond it raises
UncapturedHigherOrderOpError, as it does for a print. Under torch.export, make_fx and FakeTensorMode nothing is
printed or checked. torch.jit.script cannot compile a function that calls this runtime.
"""

from __future__ import annotations

import enum
import functools
import logging
import re
import sys
import types
from collections import OrderedDict
from collections.abc import Iterable
from typing import Any, Callable

import torch
from torch._subclasses import FakeTensor

GRAPHMEND_RUNTIME = 1  # marks this module's frames for stacklevel()
_GRAD = "graphmend: a tensor with grad"
_NAMED = "graphmend: a tuple of a class"
_CONTAINERS = (list, tuple, dict, set, OrderedDict)  # that a snapshot rebuilds
_FIXED = (  # what reads the same after the graph, or is itself what is called
    *(type(None), bool, int, float, complex, str, bytes, slice, range, type(...), type(NotImplemented)),
    *(type, types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.ModuleType),
    *(torch.Tensor, torch.Size, torch.dtype, torch.device, torch.layout, torch.memory_format),
    *(enum.Enum, BaseException, logging.Logger, logging.LoggerAdapter, functools.partial),
)
_DEEPEST = 6  # a deeper container, or one that holds itself, is not copied
_ARM = re.compile(r"_(if_true|if_false|turn)(_\d+)?")  # as the compiler names them


class _Sink(types.ModuleType):
    makers: dict[str, Callable[[], Any]] = {}  # of register()

    @property
    def queue(self) -> tuple:
        # Dynamo reads this when it traces and in its guards, so always before it writes. The setter
        # is made only then: torch.compiler.disable imports Dynamo, which takes as long as importing
        # torch. Without disable Dynamo would compile the setter, and log breaks of its own.
        # The class is asked of the object: a file that is loaded again defines _Sink again, and finds this one.
        owner: Any = type(self)
        if owner.queue.fset is None:
            owner.queue = owner.queue.setter(torch.compiler.disable(_replay))
        return ()

    @property
    def open(self) -> bool:
        # In a functorch transform (vmap, grad) a recorded tensor would leave its level, on which AOTAutograd
        # fails: recording breaks the graph there, and the call acts in eager order.
        # Dynamo evaluates hasattr() on a module object while tracing: no guard, no graph node.
        if torch._C._functorch.maybe_current_level() is None:
            return True
        raise AttributeError("in a functorch transform")


_sink: Any = sys.modules.setdefault("_graphmend_sink_1", _Sink("_graphmend_sink_1"))


def _replay(sink: _Sink, queue: tuple) -> None:
    if _has_fake(queue):  # torch.export(strict=True) of torch 2.6
        return
    for gates, check, function, args, kwargs in queue:
        if any(bool(test) is not wanted for test, wanted in gates):
            continue  # recorded in the arm of a select() that the original would not have run
        if check is None:
            _named(function)(*_restore(args), **_restore(kwargs))
        elif _holds(check[0]) is check[1]:
            raise _error(check[2], function, _restore(args))


def defer(function: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    """Call ``function`` now (eager), or after the graph with a snapshot of the arguments (traced).

    A lambda runs under the name of the function it is written in: that is the caller which logging and warnings see,
    at the lambda's line. An argument that a snapshot cannot keep as it is breaks the graph: it is shown at once.
    """
    if _recording() and _keeps((args, kwargs)):
        _sink.queue += (((), None, function, _snapshot(args), _snapshot(kwargs)),)
    elif not _silent((*args, *kwargs.values())):
        _named(function)(*args, **kwargs)


def _holds(test: Any) -> bool:
    return bool(test[0](*_restore(test[1])) if type(test) is tuple else test)


def _error(asserts: bool, make: Any, args: tuple) -> Any:
    if not torch.compiler.is_dynamo_compiling():
        make = _named(make)  # it may log
    if not asserts:
        return make(*args)
    return AssertionError() if make is None else AssertionError(make(*args))


def _recording() -> bool:
    if not torch.compiler.is_dynamo_compiling():
        return False
    if hasattr(_sink, "open"):
        return True
    torch._dynamo.graph_break()
    return False


def _keeps(values: Any) -> bool:
    if _is_kept(values, 0):
        return True
    torch._dynamo.graph_break()
    return False


def _is_kept(value: Any, depth: int) -> bool:
    """Whether a snapshot shows the value as it is now: not an object of a class that may change."""
    if type(value) not in _CONTAINERS and not _is_named_tuple(value):
        return isinstance(value, _FIXED) or value is sys.stdout or value is sys.stderr
    items = value.values() if isinstance(value, dict) else value
    return depth < _DEEPEST and all([_is_kept(item, depth + 1) for item in items])


def _is_named_tuple(value: Any) -> bool:
    """Of typing.NamedTuple, or of torch.return_types: it shows what it holds."""
    kind = type(value)
    return isinstance(value, tuple) and kind is not tuple and kind is not torch.Size


def _silent(values: Iterable[Any]) -> bool:
    """Whether eager code runs only to be traced, by something else than Dynamo."""
    if torch.compiler.is_dynamo_compiling():
        return False
    return any(active() not in (None, False) for active in _tracers) or any(
        isinstance(value, FakeTensor) for value in values
    )


def _find_tracers() -> list[Callable[[], Any]]:
    """Tests for this thread's FakeTensorMode, make_fx, and make_fx with pre_dispatch."""
    mode = getattr(torch._C, "_get_dispatch_mode", None)
    keys = getattr(getattr(torch._C, "_TorchDispatchModeKey", None), "__members__", {})
    found = [functools.partial(mode, keys[name]) for name in ("FAKE", "PROXY") if name in keys]
    included = getattr(torch._C, "_dispatch_tls_is_dispatch_key_included", None)
    key = getattr(torch._C.DispatchKey, "PreDispatch", None)
    return found + [functools.partial(included, key)] if included and key else found


_tracers = _find_tracers()


def _has_fake(value: Any) -> bool:
    if type(value) is dict:
        value = tuple(value.values())
    if type(value) in (list, tuple, set):
        return any(map(_has_fake, value))
    return isinstance(value, FakeTensor)


def _snapshot(value: Any) -> Any:
    """Dynamo traces this: the value as it is at the call."""
    kind = type(value)
    if kind is list:
        return [_snapshot(item) for item in value]
    if kind is tuple:
        return tuple([_snapshot(item) for item in value])
    if kind is dict:
        return {key: _snapshot(item) for key, item in value.items()}
    if kind is set:
        return {_snapshot(item) for item in value}
    if kind is OrderedDict:
        return OrderedDict([(key, _snapshot(item)) for key, item in value.items()])
    if _is_named_tuple(value):
        return (_NAMED, kind, tuple([_snapshot(item) for item in value]))
    if not isinstance(value, torch.Tensor):
        return value
    clone = value.detach().clone()
    if isinstance(value, torch.nn.Parameter):
        return (_GRAD, clone, torch.nn.Parameter, value.requires_grad)
    if value.requires_grad and value.is_leaf:
        return (_GRAD, clone, None, None)
    if value.requires_grad:
        return (_GRAD, clone, None, _operator(value))
    return clone


def _restore(value: Any) -> Any:
    """After the graph: the value that a snapshot stands for."""
    kind = type(value)
    if kind is tuple and len(value) == 4 and type(value[0]) is str and value[0] == _GRAD:
        return _with_grad(*value[1:])
    if kind is tuple and len(value) == 3 and type(value[0]) is str and value[0] == _NAMED:
        items = [_restore(item) for item in value[2]]
        return value[1]._make(items) if hasattr(value[1], "_make") else value[1](items)
    if kind is list or kind is tuple or kind is set:
        return kind(map(_restore, value))
    if kind is dict or kind is OrderedDict:
        return kind((key, _restore(item)) for key, item in value.items())
    return value


# As an output of the graph the tensor itself would get a zero gradient from AOTAutograd: NaN where the
# derivative is infinite. A graph input that is no leaf shows requires_grad=True instead of its grad_fn
# with the AOTAutograd backends.
def _with_grad(clone: torch.Tensor, parameter: Any, detail: Any) -> torch.Tensor:
    """A tensor whose text is that of the one that was cloned."""
    with torch.inference_mode(False), torch.enable_grad():
        copy = clone.clone()  # the clone may be an inference tensor, or an output of the graph too
        if parameter:
            return parameter(copy, requires_grad=detail)
        name = "" if detail is None else bytes(detail.tolist()).decode().strip()
        return _node(name).apply(copy.requires_grad_()) if name else copy.requires_grad_()


def _grad_fn_name(x: torch.Tensor) -> torch.Tensor:
    """An operator, to run where autograd does: in the graph, or while AOTAutograd traces it."""
    name = type(x.grad_fn).__name__ if x.grad_fn else ""
    if name == "CppFunction":
        name = x.grad_fn.name().rpartition("::")[2]
    if name == "Error":  # AOTAutograd's, of a graph input
        name = ""
    return torch.tensor(list(name.encode()[:64].ljust(64)), dtype=torch.uint8, device=x.device)


def _define_operator() -> Any:
    """torch.ops.graphmend.grad_fn_name, which the first copy of this runtime defines for all."""
    if not hasattr(torch.ops.graphmend, "grad_fn_name"):
        _sink.library = torch.library.Library("graphmend", "FRAGMENT")
        _sink.library.define("grad_fn_name(Tensor x) -> Tensor")
        _sink.library.impl("grad_fn_name", _grad_fn_name, "CompositeImplicitAutograd")
    return torch.ops.graphmend.grad_fn_name


_operator = _define_operator()


@functools.cache
def _node(name: str) -> Any:
    """An autograd.Function whose results show grad_fn=<name>."""
    body = {"forward": staticmethod(lambda ctx, x: x.view_as(x))}
    function: Any = type(name, (torch.autograd.Function,), body)
    function._backward_cls.__name__ = name
    return function


@functools.cache
def _renamed(code: types.CodeType, filename: str, name: str) -> types.CodeType:
    return code.replace(co_name=name)  # filename: equal code of two files must not share an entry


def _named(function: Any) -> Any:
    """A lambda under the name of the function it is written in; anything else as it is."""
    if type(function) is not types.FunctionType or function.__name__ != "<lambda>":
        return function
    scope = function.__qualname__.rpartition(".<lambda>")[0].removesuffix(".<locals>")
    scopes = scope.split(".<locals>.")
    while len(scopes) > 1 and _ARM.fullmatch(scopes[-1]):
        scopes.pop()  # the arm of a select() stands for the function around it
    name = scopes[-1].rpartition(".")[2] or "<module>"
    code = _renamed(function.__code__, function.__code__.co_filename, name)
    copy = types.FunctionType(code, function.__globals__, name, function.__defaults__, function.__closure__)
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


def _never_compile_alone(scope: dict[str, Any]) -> None:
    """Dynamo inlines the functions of a module, but shall not compile them alone for a caller that it skipped."""
    from torch._C._dynamo import eval_frame

    functions = [thing for thing in scope.values() if type(thing) is types.FunctionType]
    classes = [thing for thing in scope.values() if type(thing) is type and thing.__module__ == scope["__name__"]]
    getters = [thing.fget for owner in classes for thing in vars(owner).values() if type(thing) is property]
    for function in functions + getters:
        if hasattr(eval_frame, "set_code_exec_strategy"):
            skip = eval_frame._FrameAction.SKIP
            strategy = eval_frame._FrameExecStrategy(skip, skip)
            eval_frame.set_code_exec_strategy(function.__code__, strategy)
        elif hasattr(eval_frame, "skip_code"):
            eval_frame.skip_code(function.__code__)


# The only statement that binds no name: a file that carries its runtime holds the definitions that it needs, and this.
_never_compile_alone(globals())
''', "<graphmend runtime>", "exec"), vars(_graphmend))


@torch.compile
def run(x: torch.Tensor):
    _graphmend.defer(print, "x", x)
    return x
