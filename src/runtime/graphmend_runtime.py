"""Runtime of files patched by GraphMend: prints, logs, warnings and checks that do not break the graph.

Eager code acts at once: ``defer(print, x)`` prints, ``raise_if(bad, make, x)`` is ``if bad: raise make(x)``.

Code that TorchDynamo traces records instead. The record is one attribute, ``_sink.queue``, of a module object.
Dynamo keeps an attribute write on a module object out of the graph and replays it after the graph with a plain
STORE_ATTR; as the object's class defines that attribute as a property, the setter then runs as ordinary Python,
with the values that the graph produced. It works through the queue first in, first out; the first entry that
raises ends it, as it would have ended the original. Each graph break and each end of a compiled frame writes
once. The queue reads as ``()`` at all times, so no guard depends on changing state and nothing recompiles.
Every copy of this runtime in a process writes to the same sink, so their common order is kept.

Measured on torch 2.13 and 2.6 (CPU; backends eager, aot_eager, inductor):

- Dynamo refuses the write in the body of a higher-order operator (activation checkpointing,
  autograd.Function): it breaks the graph there, as it did before, and the body acts in eager order. In a
  branch of torch.cond it raises UncapturedHigherOrderOpError, as it did for the print.
- In a functorch transform (vmap, grad) a recorded tensor would leave its level (aot_eager fails on that), so
  recording breaks the graph there and the call acts in eager order.
- Under torch.export, make_fx, FakeTensorMode and torch.jit.trace nothing is printed and nothing is checked.
  torch.export(strict=True) adds PyTorch's own warning about side effects on torch 2.13.
- torch.jit.script cannot compile a function that calls this runtime.
- Python state (attributes, lists, dicts) written in the same graph: what Dynamo touched before the sink is
  written after it, so lost when a check raises; what it touched after the sink is written even though the check
  raises. ``begin()`` as an entry function's first statement makes the sink the last write. Tensors changed in
  place are changed by the graph, whether or not a check raises.
- A tensor that requires grad and is printed becomes a differentiable output of the graph, as at a graph break.
"""

from __future__ import annotations

import functools
import sys
import types
from collections.abc import Iterable
from typing import Any, Callable

import torch
from torch._subclasses.fake_tensor import FakeTensor

GRAPHMEND_RUNTIME = 1  # marks this module's frames for stacklevel()
_KEPT = "graphmend: a tensor and its clone"


class _Sink(types.ModuleType):
    makers: dict[str, Callable[[], Any]] = {}  # of register()

    @property
    def queue(self) -> tuple:
        # Dynamo reads this when it traces and in its guards, so always before it writes. Only now is the
        # setter made: torch.compiler.disable imports Dynamo, which takes as long as importing torch. Without
        # disable, Dynamo would compile the setter, and log breaks of its own.
        _Sink.queue = property(lambda self: (), torch.compiler.disable(_replay))  # type: ignore
        return ()

    @property
    def open(self) -> bool:
        # Dynamo evaluates hasattr() on a module object while it traces, and neither guards on the answer nor
        # puts it into the graph.
        if torch._C._functorch.maybe_current_level() is None:
            return True
        raise AttributeError("a functorch transform is active")


_sink: Any = sys.modules.setdefault("_graphmend_sink_1", _Sink("_graphmend_sink_1"))


def _replay(sink: _Sink, queue: tuple) -> None:
    if _has_fake(queue):  # torch.export(strict=True) before torch 2.7
        return
    for cond, polarity, function, args, kwargs in queue:
        if polarity is None:
            _named(function)(*_restore(args), **_restore(kwargs))
        elif bool(cond) is polarity:
            raise function(*_restore(args))


def defer(function: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    """Call ``function`` now (eager), or after the graph with a snapshot of the arguments (traced).

    A lambda written in the user's file runs under the name of the function around it, so that the caller which
    logging and warnings see is that function, at that line.
    """
    if _recording():
        _sink.queue += ((None, None, function, _snapshot(args), _snapshot(kwargs)),)
    elif not _silent((*args, *kwargs.values())):
        _named(function)(*args, **kwargs)


def raise_if(cond: Any, make: Callable[..., Any], *args: Any) -> None:
    """``if cond: raise make(*args)``, after the graph if ``cond`` is a traced tensor."""
    _check(cond, True, make, args)


def raise_unless(cond: Any, make: Callable[..., Any], *args: Any) -> None:
    """``if not cond: raise make(*args)``, after the graph if ``cond`` is a traced tensor."""
    _check(cond, False, make, args)


def assert_that(cond: Any, make: Callable[..., Any] | None = None, *args: Any) -> None:
    """``assert cond, make(*args)``. Under ``python -O`` it does nothing."""
    if __debug__:
        _check(cond, False, _assertion, (make, *args))


def caused(exc: Any, cause: Any) -> BaseException:
    """The exception that ``raise exc from cause`` would raise."""
    exc = exc() if isinstance(exc, type) else exc
    exc.__cause__ = cause() if isinstance(cause, type) else cause
    return exc


def stacklevel(level: int) -> int:
    """What a lambda given to defer() passes as ``stacklevel`` where the original call passed ``level``.

    Level 1 is the lambda. Levels from 2 on count from the caller of the user's function, or of the compiled
    function, so the frames between the two are added.
    """
    if level < 2:
        return level
    frame = sys._getframe(1).f_back
    while frame is not None and _is_ours(frame.f_globals):
        frame, level = frame.f_back, level + 1
    return level + 1


def begin() -> None:
    """As an entry function's first statement: other Python state is written before the queue is worked through."""
    if torch.compiler.is_dynamo_compiling():
        _sink.queue  # noqa: B018 (Dynamo writes back in reverse order of first use)


def assert_async(cond: Any, uid: str, make: Callable[..., Any], *args: Any) -> None:
    """``if not cond: raise make(*args)``, but inside the graph where ``cond`` is a traced tensor.

    Opt-in, and weaker than raise_unless(). What was deferred before a failing check is lost, for nothing after the
    graph runs. On CUDA a failing check is a device-side assert: its text does not arrive, so translate() cannot
    help, and the CUDA context is gone.
    """
    if torch.compiler.is_dynamo_compiling() and isinstance(cond, torch.Tensor):
        torch._assert_async(cond, uid)
    else:
        raise_unless(cond, make, *args)


def register(uid: str, make: Callable[[], Any]) -> None:
    """At module level: the exception, without run-time values, that a failing assert_async(_, uid, ...) means."""
    _sink.makers[uid] = make


def translate(function: Any) -> Any:
    """Wrap a compiled function or module: the RuntimeError of an assert_async becomes the registered exception."""
    if isinstance(function, torch.nn.Module):
        function.forward = translate(function.forward)
        return function

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except RuntimeError as error:
            for uid, make in _sink.makers.items():
                if uid in str(error):
                    raise make() from None
            raise

    return wrapper


def _check(cond: Any, polarity: bool, make: Callable[..., Any], args: tuple) -> None:
    if isinstance(cond, torch.Tensor) and _recording():
        _sink.queue += ((cond.detach().clone(), polarity, make, _snapshot(args), {}),)
    elif not _silent((cond, *args)) and (True if cond else False) is polarity:
        raise make(*args)


def _assertion(make: Callable[..., Any] | None, *args: Any) -> AssertionError:
    return AssertionError() if make is None else AssertionError(make(*args))


def _recording() -> bool:
    if not torch.compiler.is_dynamo_compiling():
        return False
    if hasattr(_sink, "open"):
        return True
    torch._dynamo.graph_break()
    return False


def _silent(values: Iterable[Any]) -> bool:
    """Whether this eager code only runs to be traced: a result, if there is one, has no value yet."""
    if torch.compiler.is_dynamo_compiling():
        return False
    key, mode = torch._C._TorchDispatchModeKey, torch._C._get_dispatch_mode
    return (
        torch.jit.is_tracing()
        or mode(key.FAKE) is not None
        or mode(key.PROXY) is not None
        or torch._ops._len_torch_dispatch_stack_pre_dispatch() > 0
        or any(isinstance(value, FakeTensor) for value in values)
    )


def _has_fake(value: Any) -> bool:
    if isinstance(value, dict):
        value = value.values()
    elif not isinstance(value, (list, tuple, set)):
        return isinstance(value, FakeTensor)
    return any(map(_has_fake, value))


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
    if not isinstance(value, torch.Tensor):
        return value
    clone = value.detach().clone()
    if value.requires_grad or isinstance(value, torch.nn.Parameter):
        return (_KEPT, value, clone)  # its text names its grad_fn, or that it is a Parameter
    return clone


def _restore(value: Any) -> Any:
    """After the graph: the value that a snapshot stands for."""
    kind = type(value)
    if kind is tuple and len(value) == 3 and type(value[0]) is str and value[0] == _KEPT:
        return _tensor_or_clone(value[1], value[2])
    if kind is list or kind is tuple or kind is set:
        return kind(map(_restore, value))
    if kind is dict:
        return {key: _restore(item) for key, item in value.items()}
    return value


def _tensor_or_clone(tensor: torch.Tensor, clone: torch.Tensor) -> torch.Tensor:
    """The tensor, unless it changed after the snapshot."""
    try:
        if tensor.shape == clone.shape and torch.equal(_bytes(tensor), _bytes(clone)):
            return tensor
    except RuntimeError:  # a layout that has no bytes to compare
        pass
    if isinstance(tensor, torch.nn.Parameter):
        return torch.nn.Parameter(clone, tensor.requires_grad)
    return clone.requires_grad_(tensor.requires_grad)


def _bytes(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.detach().contiguous().reshape(-1).view(torch.uint8)


@functools.lru_cache(maxsize=None)
def _renamed(code: types.CodeType, filename: str, name: str) -> types.CodeType:
    return code.replace(co_name=name)  # filename: equal code of two files must not share an entry


def _named(function: Any) -> Any:
    """A lambda under the name of the function it is written in; anything else as it is."""
    if type(function) is not types.FunctionType or function.__name__ != "<lambda>":
        return function
    scope = function.__qualname__.rpartition(".<lambda>")[0]
    if scope.endswith(".<locals>"):
        scope = scope[: -len(".<locals>")]
    name = scope.rpartition(".")[2] or "<module>"
    code = _renamed(function.__code__, function.__code__.co_filename, name)
    copy = types.FunctionType(
        code, function.__globals__, name, function.__defaults__, function.__closure__
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


def _is_ours(scope: dict[str, Any]) -> bool:
    return "GRAPHMEND_RUNTIME" in scope or str(scope.get("__name__")).startswith("torch._dynamo.")


def _never_compile_alone(*functions: types.FunctionType) -> None:
    """Dynamo inlines these, but does not compile them as frames of their own when eager code calls them."""
    from torch._C._dynamo import eval_frame

    for function in functions:
        if hasattr(eval_frame, "set_code_exec_strategy"):
            skip = eval_frame._FrameAction.SKIP
            strategy = eval_frame._FrameExecStrategy(skip, skip)
            eval_frame.set_code_exec_strategy(function.__code__, strategy)
        elif hasattr(eval_frame, "skip_code"):
            eval_frame.skip_code(function.__code__)


_never_compile_alone(defer, raise_if, raise_unless, assert_that, assert_async)
_never_compile_alone(_Sink.queue.fget, _Sink.open.fget)  # type: ignore
