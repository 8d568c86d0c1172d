"""Runtime of files patched by GraphMend: prints, logs, warnings and checks that break no graph.

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

import dis
import enum
import functools
import logging
import re
import sys
import types
from collections import OrderedDict
from collections.abc import Iterable
from contextvars import ContextVar
from typing import Any, Callable, NamedTuple

import torch
from torch._subclasses import FakeTensor

GRAPHMEND_RUNTIME = 1  # marks this module's frames for stacklevel()
_GRAD = "graphmend: a tensor with grad"
_HAS_COND = hasattr(torch, "cond") and torch.__version__ >= (2, 13)  # measured
_HAS_ASSERT = torch.__version__ >= (2, 13)  # measured: AOTAutograd of 2.6 and 2.8 may drop torch._assert_async
_NAMED = "graphmend: a tuple of a class"
_CONTAINERS = (list, tuple, dict, set, OrderedDict)  # that a snapshot rebuilds
_FIXED = (  # what reads the same after the graph, or is itself what is called
    *(type(None), bool, int, float, complex, str, bytes, slice, range, type(...), type(NotImplemented)),
    *(type, types.FunctionType, types.BuiltinFunctionType, types.MethodType, types.ModuleType),
    *(torch.Tensor, torch.Size, torch.dtype, torch.device, torch.layout, torch.memory_format),
    *(enum.Enum, BaseException, logging.Logger, logging.LoggerAdapter, functools.partial),
)
_DEEPEST = 6  # a deeper container, or one that holds itself, is not copied
_OUTPUT = frozenset(
    "print write defer defer_warning debug info warn warning warning_once error exception critical log".split()
    + "input exec eval breakpoint".split()
)
_UNKNOWN = object()
_QUIET = (torch, torch.Tensor, torch.nn.Module, dict, list, set, str)  # their methods print nothing
_ARM = re.compile(r"_(if_true|if_false|turn)(_\d+)?")  # as the compiler names them
_MAX_TURNS = 64  # of a traced loop that may end earlier: each costs time to compile and to run


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


def defer_warning(function: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    """defer(), of a call that warns: where a handler could catch the warning as an exception, now."""
    if _recording() and _is_caught():
        torch._dynamo.graph_break()
        _named(function)(*args, **kwargs)
    else:
        defer(function, *args, **kwargs)


def store(owner: Any, name: str, value: Any) -> None:
    """``setattr(owner, name, value)``, after the graph if traced: the value itself, no snapshot."""
    if _recording():
        _sink.queue += (((), None, setattr, (owner, name, value), {}),)
    else:
        setattr(owner, name, value)


def raise_if(cond: Any, make: Callable[..., Any], *args: Any, unsafe: bool = False, places: bool = False) -> None:
    """``if cond: raise make(*args)``, after the graph if ``cond`` is a traced tensor.

    Only if nothing else in the graph writes what was there before, as Python state or a tensor in
    place after the check: whoever catches the exception would see it. ``unsafe`` takes that. ``places``:
    and only if nothing that follows in the graph can fail first; look-ups by index are kept from it.
    """
    _check(cond, True, False, make, args, unsafe, places)


def raise_unless(cond: Any, make: Callable[..., Any], *args: Any, unsafe: bool = False, places: bool = False) -> None:
    """``if not cond: raise make(*args)``, as raise_if()."""
    _check(cond, False, False, make, args, unsafe, places)


def needs(cond: Any, make: Callable[..., Any], value: Any, *, unsafe: bool = False, places: bool = False) -> Any:
    """``cond``, of a branch that raises ``make(value)`` where ``value`` is None: False, if that can wait."""
    return False if value is None and _defers(cond, True, False, make, (value,), unsafe, places) else cond


def assert_that(
    cond: Any, make: Callable[..., Any] | None = None, *args: Any, unsafe: bool = False, places: bool = False
) -> None:
    """``assert cond, make(*args)``, as raise_if(). Under ``python -O`` it does nothing."""
    if __debug__:
        _check(cond, False, True, make, args, unsafe, places)


def caused(exc: Any, cause: Any) -> BaseException:
    """The exception that ``raise exc from cause`` would raise."""
    exc = exc() if isinstance(exc, type) else exc
    exc.__cause__ = cause() if isinstance(cause, type) else cause
    return exc


def stacklevel(level: int) -> int:
    """What a lambda given to defer() passes as stacklevel where the original passed ``level``.

    Level 1 is the lambda, which stands for the user's function. Beyond it the frames of this runtime and of Dynamo do
    not count, nor do arms (what this runtime calls), nor the first other one: the user's or the compiled function.
    """
    if level < 2:
        return level
    frame, between, others = sys._getframe(1), 0, 0
    while others < level and frame.f_back is not None:
        frame = frame.f_back
        is_arm = frame.f_back is not None and "GRAPHMEND_RUNTIME" in frame.f_back.f_globals
        if is_arm or _is_ours(frame.f_globals):
            between += 1
        else:
            others += 1
    return level + between + 1


def negate(test: Any) -> Any:
    """``not test``; of a traced tensor, a tensor."""
    if _is_traced(test):
        return test.reshape(()) == 0
    return not test


class Later(NamedTuple):
    """A test that is decided after the graph, by what it reads then."""

    test: Callable[..., Any]
    values: tuple  # as a snapshot keeps them
    now: tuple


def later(test: Callable[..., Any], *values: Any) -> Any:
    """``test(*values)``; where it is traced, what raise_if() and its kin decide after the graph."""
    if _recording() and not _is_caught():
        return Later(test, _snapshot(values), values)
    return test(*values)


def both(left: Any, right: Callable[[], Any]) -> Any:
    """``left and right()``; of a traced tensor, a tensor, and then ``right`` is called in any case."""
    if _is_traced(left):
        other = right()
        if isinstance(other, torch.Tensor) and other.numel() == 1:
            return torch.logical_and(left.reshape(()), other.reshape(()))
        return left if other else False  # breaks the graph for a tensor that has no truth
    return left and right()


def either(left: Any, right: Callable[[], Any]) -> Any:
    """``left or right()``; of a traced tensor, a tensor, and then ``right`` is called in any case."""
    if _is_traced(left):
        other = right()
        if isinstance(other, torch.Tensor) and other.numel() == 1:
            return torch.logical_or(left.reshape(()), other.reshape(()))
        return True if other else left
    return left or right()


def equal(left: Any, right: Any) -> Any:
    """``torch.equal(left, right)``; of traced tensors, a tensor."""
    if isinstance(left, torch.Tensor) and isinstance(right, torch.Tensor) and _recording():
        if left.shape != right.shape:
            return False
        if left.dtype == right.dtype and left.device == right.device:
            return (left == right).all()
    return torch.equal(left, right)


def allclose(left: Any, right: Any, rtol: float = 1e-5, atol: float = 1e-8, equal_nan: bool = False) -> Any:
    """``torch.allclose(...)``; of traced tensors, a tensor."""
    if isinstance(left, torch.Tensor) and isinstance(right, torch.Tensor) and _recording():
        return torch.isclose(left, right, rtol, atol, equal_nan).all()
    return torch.allclose(left, right, rtol, atol, equal_nan)


def select(
    test: Any,
    if_true: Callable[..., Any],
    if_false: Callable[..., Any],
    *values: Any,
    smooth: bool = False,
    stores: bool = False,
    alone: Any = (),
) -> Any:
    """``if_true(*values) if test else if_false(*values)``.

    Where ``test`` is a traced tensor both arms run and torch.where picks each value, if the two
    arms give plain tensors of the same shape, strides, dtype and device, or equal Python values;
    what they record is kept for the arm that the test picks. Otherwise, and where a result needs
    a gradient and the arms are not ``smooth`` (the derivative of the untaken one could be
    infinite, and its parameters would get zeros for gradients instead of None), the branch breaks
    the graph as it did. ``stores``: in place, into values that only their names know; here into copies.
    Others that only their names know, or else the result would be another one, are in ``alone``. Looked into here.
    """
    if _is_traced(test):
        holds = test.reshape(()) != 0
        picked = _attempt(functools.partial(_both_arms, holds, if_true, if_false, values, smooth, stores, alone))
        if picked is not None:
            return picked[0]
        torch._dynamo.graph_break()
    return if_true(*values) if test else if_false(*values)


# torch.cond (2.13): where it cannot be captured (other dtypes, ranks or structures, an arm that gives one
# of its inputs or a view of it, a print, a graph break, with gradients a write into a tensor)
# compilation fails, in default mode too. Arms of other shapes make sizes unknown. So both arms are tried
# in a higher-order operator that may break the graph, what they give is compared, that is taken out of
# the graph again, and only then torch.cond is called, on arms that clone. Random numbers and the
# generator's state are those of the branch, under inductor too, except that inductor draws the seeds of
# a graph's other random numbers when the graph begins. No recompilation when the test changes sides.
#
# Its gradients are bit for bit those of the branch if _compare_gradients() holds. Elsewhere: operands of
# the untaken arm get zeros instead of None; the taken arm runs again in the backward pass, with other
# random numbers and without autocast; results that need no gradient get one; with one that is no float,
# with an operand changed in place since, or where the arms' gradients have other strides, the backward
# pass fails, under AOTAutograd while compiling; and it gives no second derivative, silently with the
# eager backend (AOTAutograd refuses to, so as before).
def cond(
    test: Any,
    if_true: Callable[..., Any],
    if_false: Callable[..., Any],
    *values: Any,
    random: bool = False,
    alone: Any = (),
) -> Any:
    """``if_true(*values) if test else if_false(*values)``, for arms that must not run untaken.

    Where ``test`` is a traced tensor torch.cond runs the arm that it picks, in the graph, if both
    arms give alike values, as select() asks, in dense tensors; if nothing that an exception in the
    arm would lose is written before; outside of activation checkpointing; and if no result needs a
    gradient, or the arms draw no ``random`` numbers and have alike ones (_compare_gradients).
    Otherwise, and with torch before 2.13, the branch breaks the graph as it did.
    """
    if _is_traced(test) and _HAS_COND:
        holds = test.reshape(()) != 0
        attempt = functools.partial(_one_arm, holds, if_true, if_false, values, random, may_raise=True, alone=alone)
        picked = _attempt(attempt)
        if picked is not None:
            return picked[0]
        torch._dynamo.graph_break()
    return if_true(*values) if test else if_false(*values)


def select_one(test: Any, if_true: Callable[..., Any], if_false: Callable[..., Any], *values: Any) -> Any:
    """select(), of arms that cost: where torch.cond takes them, as in cond(), the one that is picked runs."""
    if _is_traced(test) and _HAS_COND:
        holds = test.reshape(()) != 0
        picked = _attempt(functools.partial(_one_arm, holds, if_true, if_false, values), _trace_trial)
        if picked is not None:
            return picked[0]
    return select(test, if_true, if_false, *values)


class Loop(NamedTuple):
    """How a traced loop stands that a test on data ends: what its turns' tests came to, and how many there were."""

    test: torch.Tensor
    turns: int


def turn(loop: Any, keep: Callable[[], tuple], body: Callable[..., tuple], *values: Any) -> tuple:
    """One turn of a loop with a break: ``body(*values)``, a test and the names that the loop binds.

    The first result says whether the loop has ended, for ended() and the next turn. Where the test is a traced
    tensor, the loop goes on to its last turn; from the turn on that ended it, the names stay as they are in
    ``keep()``. Where select() could not do that, or after _MAX_TURNS, the test breaks the graph as it did.
    """
    if not isinstance(loop, Loop):
        test, *names = body(*values)
        return (_loop(test, 1), *names)
    if loop.turns == _MAX_TURNS and _is_traced(loop.test):
        torch._dynamo.graph_break()

    def go_on() -> tuple:
        test, *names = body(*values)
        if _is_traced(test):
            return (test.reshape(()) != 0, *names)
        return (torch.full_like(loop.test, True if test else False), *names)

    test, *names = select(loop.test, lambda: (loop.test, *keep()), go_on)
    return (_loop(test, loop.turns + 1), *names)


def ended(loop: Any) -> bool:
    """Whether to leave the loop. A traced loop goes on: turn() keeps what it gave."""
    if isinstance(loop, Loop):
        return not _is_traced(loop.test) and bool(loop.test)
    return loop


def rand_below(draw: torch.Tensor, bound: Any) -> Any:
    """``draw < bound``, of what torch.rand gave: traced, no tensor where the bound is zero, which no draw is below."""
    if torch.compiler.is_dynamo_compiling() and isinstance(bound, (int, float)) and bound <= 0:
        return False if draw.numel() == 1 else draw < bound
    return draw < bound


def assert_async(cond: Any, uid: str, make: Callable[..., Any], *args: Any) -> None:
    """``if not cond: raise make(*args)``, but inside the graph where ``cond`` is a traced tensor.

    Opt-in, and weaker than raise_unless(): nothing runs after a graph that fails, so what was
    deferred before the check is lost; and on CUDA it fails as a device-side assert, whose text
    does not arrive for translate(), and after which the CUDA context is gone.
    """
    if _HAS_ASSERT and torch.compiler.is_dynamo_compiling() and isinstance(cond, torch.Tensor):
        torch._assert_async(cond, uid)
    else:
        raise_unless(cond, make, *args)


def register(uid: str, make: Callable[[], Any]) -> None:
    """At module level: the exception that a failing assert_async(_, uid, ...) stands for."""
    _sink.makers[uid] = make


def translate(function: Any) -> Any:
    """A compiled function or module that raises the registered exception for a failed check."""
    if isinstance(function, torch.nn.Module):
        function.forward = translate(function.forward)
        return function

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except RuntimeError as error:
            found = [uid for uid in _sink.makers if uid in str(error)]
            if not found:
                raise
        raise _sink.makers[max(found, key=len)]()

    return wrapper


def translating(decorator: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """torch.compile, or torch.compile(...), as a decorator whose results go through translate()."""
    return lambda function: translate(decorator(function))


def _is_traced(test: Any) -> bool:
    """A traced tensor with one element: any other has no truth, and Python says so."""
    return isinstance(test, torch.Tensor) and test.numel() == 1 and _recording()


def _loop(test: Any, turns: int) -> Any:
    return Loop(test.reshape(()) != 0, turns) if _is_traced(test) else bool(test)


def _attempt(attempt: Callable[[], Any], trace: Any = None) -> Any:
    """``attempt()``, and a graph break, or None, where that cannot be traced."""
    picked = None
    torch._dynamo.comptime.comptime(trace or _trace_attempt)
    return picked  # outside of Dynamo comptime() does nothing


def _trace_attempt(context: Any) -> None:
    """While Dynamo traces _attempt(): calls ``attempt`` and gives ``picked`` what it gives.

    An operator that refuses its operands (a shape that only the taken arm would meet) and a
    torch.cond that cannot be captured end the compilation with an error, which no handler in traced
    code sees. The original has no such error: here they become graph breaks.
    """
    tracing = context._i_will_not_complain_if_bc_breaks_InstructionTranslator()
    known = set(tracing.output.graph.nodes)
    try:
        _trace(context)
        if any(node not in known and _fails_when_run(node) for node in tracing.output.graph.nodes):
            raise RuntimeError("it would fail when run")
    except (torch._dynamo.exc.RestartAnalysis, torch._dynamo.exc.Unsupported):
        raise
    except Exception as error:
        context.graph_break(f"graphmend: an arm of the branch cannot be traced: {error}")


# Tracing accepts these, and the graph fails when it runs (measured on torch 2.13, CPU): operators on tensors of
# dtypes that they do not have, a negative power or a division of whole numbers, a dim that is out of range, reductions
# of nothing (or they warn).
_OF_SOMETHING = frozenset("max min median nanmedian mode std var std_mean var_mean".split())
_BITWISE = frozenset("and or xor invert bitwise_and bitwise_or bitwise_xor bitwise_not".split())
_OF_NO_FLOAT = _BITWISE | frozenset("lshift ilshift rshift irshift gcd lcm".split())
_OF_NO_FLOAT |= frozenset("bitwise_left_shift bitwise_right_shift".split())
_OF_NO_HALF = frozenset(
    "cholesky cholesky_inverse cholesky_solve complex det pdist polar qr svd triangular_solve".split()
)
_SHAPES = frozenset(
    "getitem setitem clone contiguous detach view view_as reshape reshape_as flatten unflatten transpose permute t"
    " movedim unsqueeze squeeze expand expand_as repeat repeat_interleave tile narrow select split chunk unbind flip"
    " roll cat concat stack zeros_like ones_like full_like new_zeros new_ones new_full new_tensor to type type_as"
    " float half double bfloat16 long int bool cpu cuda where masked_fill cond wrap".split()
)
_ARITHMETIC = frozenset("add iadd mul imul truediv div true_divide eq ne sum prod any all".split())
_DIVIDES = frozenset("pow ipow floordiv ifloordiv mod imod floor_divide remainder fmod".split())
_OF_COMPLEX = _SHAPES | _ARITHMETIC | frozenset("sub isub rsub neg abs angle conj real imag exp view_as_real".split())
_OF_BOOL = (
    _SHAPES | _ARITHMETIC | _BITWISE | frozenset("lt le gt ge cumsum logical_and logical_or logical_xor".split())
) | frozenset("logical_not masked_select max min amax amin count_nonzero tril triu isin nonzero".split())
_OF_WHOLE = (
    _OF_BOOL | _DIVIDES | frozenset("sub isub rsub neg negative abs square sign argmax argmin sort".split())
) | (
    frozenset("argsort topk clamp clamp_min clamp_max clip maximum minimum gather index_select scatter one_hot".split())
)
_OF_ONE_DTYPE = frozenset(
    "matmul imatmul mm bmm mv dot inner addmm baddbmm linear einsum cdist conv1d conv2d conv3d bilinear".split()
)
_CONVERTING = frozenset("masked_fill fill clamp clamp_min clamp_max clip".split())
_BY_DIM = frozenset("softmax log_softmax sort argsort".split())


def _fails_when_run(node: Any) -> bool:
    """Tracing accepts what is an error, or a warning, when the graph runs: max() of an empty tensor."""
    name = _name_of(node)
    operands = [node for node in (*node.args, *node.kwargs.values()) if isinstance(node, torch.fx.Node)]
    values = [value for node in operands if isinstance(value := node.meta.get("example_value"), torch.Tensor)]
    others = (*node.args[1:], *node.kwargs.values())
    other = node.kwargs.get("dim", node.args[1] if len(node.args) > 1 else None)
    floats = any(value.is_floating_point() for value in values)
    for value in values:
        if (
            (name in _OF_SOMETHING and any(size == 0 for size in value.shape))  # of a size that varies this is a guard
            or (name in _OF_NO_FLOAT and (value.is_floating_point() or value.is_complex()))
            or (name in _OF_NO_HALF and value.dtype in (torch.float16, torch.bfloat16))
            or (value.is_complex() and name not in _OF_COMPLEX)
            or (not floats and not value.is_complex() and name not in _OF_WHOLE)
            or (name in _DIVIDES and not floats and not (isinstance(other, (int, float)) and other > 0))
            or (value.dtype is torch.bool and name in _OF_WHOLE - _OF_BOOL)
            or (name in _OF_ONE_DTYPE and value.dtype is not values[0].dtype)
            or (name == "imul" and not value.is_floating_point())
            or (name in _BY_DIM and type(other) is int and not -value.dim() <= other < max(1, value.dim()))
        ):
            return True
    return (
        name in ("as_strided", "diagonal_scatter")
        or (name == "bucketize" and any(value.dim() != 1 for value in values[1:]))
        or (name == "setitem" and _may_not_fit(*node.args))
        or (name in _CONVERTING and not all(_converts(given, values[0].dtype) for given in others))
    )


def _may_not_fit(table: Any, index: Any, value: Any) -> bool:
    """Whether a store is made at places that may be out of range, or of more values than a mask may have."""
    parts = (*index, value) if isinstance(index, tuple) else (index, value)
    *parts, value = [getattr(part, "meta", {}).get("example_value", part) for part in parts]
    places = [part for part in parts if isinstance(part, (torch.Tensor, list))]
    many = len(places) > 1 or (isinstance(value, torch.Tensor) and value.numel() != 1)
    return bool(places) and (many or getattr(places[0], "dtype", None) is not torch.bool)


def _converts(number: Any, dtype: torch.dtype) -> bool:
    if not isinstance(number, (int, float)) or dtype is torch.bool or dtype.is_complex:
        return not isinstance(number, complex)
    info = torch.finfo(dtype) if dtype.is_floating_point else torch.iinfo(dtype)
    return info.min <= number <= info.max or (dtype.is_floating_point and number - number != 0)


def _trace_trial(context: Any) -> None:
    """_trace_attempt(), but what cannot be traced gives None: tracing starts anew and leaves it out."""
    tracing = context._i_will_not_complain_if_bc_breaks_InstructionTranslator()
    failed, fail = _speculate(tracing)
    if failed:
        return
    try:
        _trace(context)
    except torch._dynamo.exc.RestartAnalysis:
        raise
    except Exception:
        fail()


def _speculate(tracing: Any) -> tuple[bool, Callable[[], None]]:
    """Whether the selection has failed in this graph before, and what to call if it does: tracing starts anew."""
    log, caller = tracing.speculation_log, tracing
    while _is_ours(caller.f_globals):
        caller = caller.parent
    place, failed = (caller.f_code, caller.instruction_pointer), vars(log).setdefault("graphmend", set())

    def fail() -> None:
        failed.add(place)
        log.clear()  # without the selection other entries follow
        raise torch._dynamo.exc.SpeculationRestartAnalysis(restart_reason="graphmend: a branch without torch.cond")

    return place in failed, fail


def _trace(context: Any) -> None:
    tracing = context._i_will_not_complain_if_bc_breaks_InstructionTranslator()
    names = tracing.symbolic_locals
    logger = logging.getLogger("torch._subclasses.fake_tensor")  # it reports refused operands
    heard, logger.disabled = logger.disabled, True
    try:
        names["picked"] = names["attempt"].call_function(tracing, [], {})
    finally:
        logger.disabled = heard


def _both_arms(
    holds: torch.Tensor, if_true: Any, if_false: Any, values: tuple, smooth: bool, stores: bool, alone: Any
) -> Any:
    before, noticed, _count = _writes(), stores and not _alike(values, values), 0
    known = (*_as_tuple(alone), *(values if stores else ()))
    if known and not noticed:
        torch._dynamo.comptime.comptime(_check_alone)
    if stores and not noticed:
        torch._dynamo.comptime.comptime(_check_stores)
    one = _arm(holds, True, if_true, values, stores)
    two = _arm(holds, False, if_false, values, stores)
    if stores and not noticed:
        torch._dynamo.comptime.comptime(_check_stored)
    if (
        _alike(one, two)
        and not noticed
        and _writes() == before
        and ((smooth and torch.is_grad_enabled()) or not _needs_grad((one, two)))
        and _on(holds.device, one)
    ):
        picked = _pick(holds, one, two)
        if _alike(picked, one):  # torch.where gives other strides than an expanded tensor's
            return (picked,)
    return None


def _as_tuple(value: Any) -> tuple:
    return value if isinstance(value, tuple) else (value,)


def _check_alone(context: Any) -> None:
    """Sets ``noticed``, whether something else that may be looked at again has one of the ``known`` values.

    The text says that nothing has, but a layer may have been replaced by one that hands on what it gets, a method
    overridden, or a hook set that keeps its output. Looked at are inputs and parameters, what is written, and the names
    in all frames that are read later, but for items of tuples: of those the text tells which are.
    """
    from torch._dynamo.bytecode_analysis import livevars_analysis

    tracing = context._i_will_not_complain_if_bc_breaks_InstructionTranslator()
    names, output, frame = tracing.symbolic_locals, tracing.output, tracing
    effects, resumed = output.side_effects, output.root_tx.f_code.co_name.startswith("torch_dynamo_resume")
    known = [variable.realize() for variable in names["known"].items]
    kind = torch._dynamo.variables.TensorVariable
    nodes = {variable.as_proxy().node for variable in known if isinstance(variable, kind)}
    held = {_storage_of(node) for node in nodes}
    noticed = None in held or any(
        _storage_of(node) in held and not (resumed and node in nodes)
        for node in output.graph.nodes
        if node.op in ("placeholder", "get_attr")
    )
    written = _changed(effects)
    while frame is not None:
        if "GRAPHMEND_RUNTIME" not in frame.f_globals:
            read = livevars_analysis(frame.instructions, frame.current_instruction)
            written += [frame.symbolic_locals[name] for name in read if name in frame.symbolic_locals]
            written += frame.stack
        frame = getattr(frame, "parent", None)
    noticed = noticed or _may_hold(written, effects.store_attr_mutations, held)
    names["noticed"] = torch._dynamo.variables.ConstantVariable.create(noticed)


def _storage_of(node: Any) -> int | None:
    value = node.meta.get("example_value")
    return value.untyped_storage()._cdata if isinstance(value, torch.Tensor) and value.layout is torch.strided else None


def _may_hold(variables: list[Any], attributes: dict[Any, dict[str, Any]], held: set[int | None]) -> bool:
    """Whether one of Dynamo's variables, or what is in it, is a tensor with one of these storages."""
    kinds, met = torch._dynamo.variables, set()
    while variables:
        variable = variables.pop()
        variable = variable.unwrap() if hasattr(variable, "unwrap") else variable
        if id(variable) in met or isinstance(variable, kinds.TupleVariable):
            continue
        met.add(id(variable))
        if isinstance(variable, kinds.TensorVariable) and _storage_of(variable.as_proxy().node) in held:
            return True
        if isinstance(variable, (kinds.BaseListVariable, kinds.ConstDictVariable)):
            variables += variable.items.values() if isinstance(variable.items, dict) else variable.items
        variables += attributes.get(variable, {}).values()
    return False


def _check_stores(context: Any) -> None:
    """In _both_arms(): sets ``noticed``, whether stores into the values could be told from stores into copies.

    Where autograd has kept a value for a derivative, the backward pass fails after a store.
    """
    names = context._i_will_not_complain_if_bc_breaks_InstructionTranslator().symbolic_locals
    proxies = [variable.as_proxy() for variable in names["values"].items]
    stored = {proxy.node for proxy in proxies if isinstance(proxy, torch.fx.Proxy)}
    made, noticed = set(stored), not stored.issubset(context.graph().nodes)
    for node in context.graph().nodes:
        value = node.meta.get("example_value")
        if node in stored and isinstance(value, torch.Tensor):
            noticed |= node.op == "placeholder" and torch.is_grad_enabled()  # what has kept it is not known
            noticed |= torch.empty_like(value).stride() != value.stride()
        if made.intersection((node, *node.all_input_nodes)):
            made.add(node)
            noticed |= _needs_grad(value)
        noticed |= _name_of(node) == "enter_inference_mode"  # whose tensors take stores nowhere else
    names["noticed"] = torch._dynamo.variables.ConstantVariable.create(noticed)
    names["_count"] = torch._dynamo.variables.ConstantVariable.create(len(context.graph().nodes))


def _check_stored(context: Any) -> None:
    """In _both_arms(): sets ``noticed``, whether the arms, all nodes but the first ``_count``, work with gradients.

    Dynamo of torch 2.6 does not see that a store of what needs one gives a tensor one.
    """
    names = context._i_will_not_complain_if_bc_breaks_InstructionTranslator().symbolic_locals
    nodes = list(context.graph().nodes)[names["_count"].as_python_constant() :]
    nodes += [operand for node in nodes for operand in node.all_input_nodes]
    noticed = any(_needs_grad(node.meta.get("example_value")) for node in nodes)
    names["noticed"] = torch._dynamo.variables.ConstantVariable.create(noticed)


def _arm(holds: torch.Tensor, wanted: bool, arm: Callable[..., Any], values: tuple, stores: bool) -> Any:
    before = len(_sink.queue)
    if stores:
        values = tuple([value.clone() if isinstance(value, torch.Tensor) else value for value in values])
    result = arm(*values)
    queue = _sink.queue
    if len(queue) > before:
        gated = [((*entry[0], (holds, wanted)), *entry[1:]) for entry in queue[before:]]
        _sink.queue = (*queue[:before], *gated)
    return result


def _one_arm(
    holds: torch.Tensor,
    if_true: Any,
    if_false: Any,
    values: tuple,
    random: bool = False,
    may_raise: bool = False,
    alone: Any = (),
) -> Any:
    placed, noticed, known = True, False, _as_tuple(alone)
    if known:
        torch._dynamo.comptime.comptime(_check_alone)
    if noticed:
        return None
    torch._dynamo.comptime.comptime(_check_place)
    if not placed:
        return None
    found = torch.ops.higher_order.wrap(_compare, if_true, if_false, values, random)
    torch._dynamo.comptime.comptime(_forget_comparison)
    if found is None:
        return None
    tensors = torch.cond(holds, lambda: _fresh_tensors(if_true(*values)), lambda: _fresh_tensors(if_false(*values)), ())
    pattern, wanting = found
    torch._dynamo.comptime.comptime(_finish_cond)
    if torch.is_grad_enabled():  # with any operand that needs a gradient all results have one
        tensors = [_evened(tensor) if wants else tensor.detach() for tensor, wants in zip(tensors, wanting)]
    return (_filled(pattern, list(tensors)),)


def _check_place(context: Any) -> None:
    """A graph break where the original, which breaks the graph at the branch, would tell it from torch.cond.

    For arms that may both run (not ``may_raise``) sets ``placed`` instead.

    Activation checkpointing runs its body again: a torch.cond in it would draw other random numbers. And an arm that
    raises takes with it what its graph has not yet written: Python's state, records, inputs changed in place.
    """
    tracing = context._i_will_not_complain_if_bc_breaks_InstructionTranslator()
    names, output = tracing.symbolic_locals, tracing.output
    may_raise = names["may_raise"].as_python_constant()
    known = (None, torch.ops.higher_order.wrap, torch.ops.higher_order.cond)
    effects = output.side_effects
    placed = all(tracer.source_target in known for tracer in output.tracers)
    names["placed"] = torch._dynamo.variables.ConstantVariable.create(placed)
    if not may_raise:
        return
    if not placed:
        context.graph_break("graphmend: a branch in the body of a higher-order operator")
    if output.root_tracer.has_input_mutation().has_mutation or _changed(effects):
        context.graph_break("graphmend: a branch that may raise, after something was written")


def _changed(effects: Any) -> list[Any]:
    """What was there before the graph and has been changed in it, as Dynamo's variables."""
    variables = [variable for variable in effects.id_to_variable.values() if effects.is_modified(variable)]
    return [variable for variable in variables if not type(variable.mutation_type).__name__.endswith("New")]


def _compare(if_true: Callable[..., Any], if_false: Callable[..., Any], values: tuple, random: bool) -> Any:
    """A dry run of both arms: what they give with ... for each tensor, and which need a gradient; None: unlike."""
    one, two = if_true(*values), if_false(*values)
    pattern, tensors = _pattern(one), _fresh_tensors(one)
    if not tensors or not _alike(one, two) or not _alike(one, _filled(pattern, list(tensors))):
        return None
    given, same = (_tensors(one), _tensors(two)), False
    if _needs_grad((one, two)) and not random:
        torch._dynamo.comptime.comptime(_compare_gradients)
    if _needs_grad((one, two)) and not same:
        return None
    return pattern, [_needs_grad(tensor) for tensor in given[0]]


def _compare_gradients(context: Any) -> None:
    """In _compare(): sets ``same``, whether torch.cond gives all tensors the gradients that the branch gives.

    Its backward pass gives every operand a gradient, zeros where the arm does not reach it, and it
    adds up those of an operand's uses in the arm before those of others. So the one result that
    needs a gradient must reach every operand that does, once, in both arms. Not under autocast,
    which the backward pass would have to repeat, and not where a second derivative could be asked
    for: AOTAutograd refuses that, but torch.cond gives none and says nothing.
    """
    tracing = context._i_will_not_complain_if_bc_breaks_InstructionTranslator()
    names, output = tracing.symbolic_locals, tracing.output
    given = [[_example(variable.as_proxy()) for variable in arm.items] for arm in names["given"].items]
    pairs = [pair for pair in zip(*given) if any(map(_needs_grad, pair))]
    operands = [operand for operand in map(_example, output.current_tracer.lifted_freevars) if _needs_grad(operand)]
    backend = getattr(torch._dynamo.eval_frame.innermost_backend(output.compiler_fn), "compiler_name", "")
    failed, fail = _speculate(tracing)
    same = (
        not failed
        and torch.is_grad_enabled()
        and (backend == "inductor" or backend.startswith("aot_"))
        and len(pairs) == 1
        and all(map(_needs_grad, pairs[0]))
        and all(tensor.is_floating_point() for tensor in given[0])
        and not any(torch.is_autocast_enabled(operand.device.type) for operand in operands)
        and all(_reaches_once(result, operands) and _has_even_gradients(result, operands) for result in pairs[0])
    )
    if same:
        output.register_finalizer_fns.append(functools.partial(_refuse_functions, fail))
    names["same"] = torch._dynamo.variables.ConstantVariable.create(same)


def _refuse_functions(fail: Callable[[], None], graph: Any) -> None:
    """Starts tracing anew, without the torch.cond, where an autograd.Function may give its result no gradient."""
    if any(node.target is torch.ops.higher_order.autograd_function_apply for node in _nodes(graph)):
        fail()


def _example(proxy: Any) -> Any:
    return proxy.node.meta["example_value"]


def _reaches_once(result: torch.Tensor, operands: list) -> bool:
    """Whether the derivative of ``result`` leads to each of the operands by one way, and nowhere else."""
    edges = [torch.autograd.graph.get_gradient_edge(operand) for operand in operands]
    ends = {(edge.node, edge.output_nr): 0 for edge in edges}
    start = torch.autograd.graph.get_gradient_edge(result)
    ahead, seen = [(start.node, start.output_nr)], set()
    while ahead:
        node, output = ahead.pop()
        if (node, output) in ends:
            ends[node, output] += 1
        elif node not in seen:
            seen.add(node)
            # A function of someone's own, and a sparse gradient, are not taken apart; a leaf is no operand.
            ours = type(node).__name__ == "CondAutogradOpBackward" or not isinstance(node, torch._C._FunctionBase)
            if not ours or not node.next_functions or getattr(node, "_saved_sparse", False):
                return False
            ahead.extend(following for following in node.next_functions if following[0] is not None)
    return all(count == 1 for count in ends.values())


def _has_even_gradients(result: Any, operands: list) -> bool:
    """torch.cond takes its arms' gradients for its results: their strides must be alike too."""
    with result.fake_mode, torch._dispatch.python.enable_python_dispatcher():
        gradients = torch.autograd.grad(result, operands, torch.ones_like(result), retain_graph=True)
    return all(gradient.is_contiguous() for gradient in gradients)


def _evened(tensor: torch.Tensor) -> torch.Tensor:
    """The tensor, through which a gradient comes back with the strides of a new tensor."""
    return tensor.reshape(-1).mul(1).view_as(tensor)


def _tensors(value: Any) -> tuple:
    if isinstance(value, torch.Tensor):
        return (value,)
    return tuple([tensor for item in value for tensor in _tensors(item)]) if isinstance(value, tuple) else ()


def _forget_comparison(context: Any) -> None:
    """Takes the dry run out of the graph: there both arms would run."""
    graph = context.graph()
    for node in reversed(graph.nodes):
        if node.target is torch.ops.higher_order.wrap:
            graph.erase_node(node)
            return


def _finish_cond(context: Any) -> None:
    """Makes the torch.cond that was traced last say and keep less.

    torch.fx prints where an operator failed in a module of a graph, but not for the graph itself.
    And for its backward pass torch.cond saves all operands: copies, as they may be changed in place
    before that, where the original saves none.
    """
    tracing = context._i_will_not_complain_if_bc_breaks_InstructionTranslator()
    graph = context.graph()
    node = next(node for node in reversed(graph.nodes) if node.target is torch.ops.higher_order.cond)
    for arm in node.args[1:3]:
        type(tracing.output.nn_modules[arm.target])._wrapped_call = staticmethod(_forward)
    if any(wants.as_python_constant() for wants in tracing.symbolic_locals["wanting"].items):
        with graph.inserting_before(node):
            node.args = (*node.args[:3], tuple([_copied(graph, operand) for operand in node.args[3]]))


def _copied(graph: Any, operand: Any) -> Any:
    value = operand.meta["example_value"]
    if not isinstance(value, torch.Tensor) or isinstance(value, torch.nn.Parameter):
        return operand
    copy = graph.call_method("clone", (operand,))
    copy.meta.update(operand.meta)
    return copy


def _forward(module: Any, *args: Any) -> Any:
    return module.forward(*args)


def _fresh_tensors(value: Any) -> tuple:
    """What an arm of torch.cond may give: tensors, none of them one that was there before."""
    if isinstance(value, torch.Tensor):
        return (value.clone(memory_format=torch.contiguous_format),)
    if isinstance(value, tuple):
        return tuple([tensor for item in value for tensor in _fresh_tensors(item)])
    return ()


def _pattern(value: Any) -> Any:
    if isinstance(value, torch.Tensor):
        return ...
    return tuple([_pattern(item) for item in value]) if isinstance(value, tuple) else value


def _filled(pattern: Any, tensors: list) -> Any:
    if pattern is ...:
        return tensors.pop(0)
    return tuple([_filled(item, tensors) for item in pattern]) if isinstance(pattern, tuple) else pattern


def _alike(one: Any, two: Any) -> bool:
    if isinstance(one, torch.Tensor) and isinstance(two, torch.Tensor):
        return (
            type(one) is torch.Tensor
            and type(two) is torch.Tensor
            and one.shape == two.shape
            and one.dtype == two.dtype
            and one.device == two.device
            and one.layout == two.layout == torch.strided
            and one.stride() == two.stride()
        )
    if type(one) is not type(two):
        return False
    if isinstance(one, (tuple, list)):
        return (
            type(one) is tuple  # a list is an object that may be changed: it stays the one that it is
            and len(one) == len(two)
            and all([_alike(a, b) for a, b in zip(one, two)])
        )
    if isinstance(one, float) and one == 0:
        return str(one) == str(two)  # -0.0
    return one is None or (type(one) in (bool, int, float, str) and one == two)


def _needs_grad(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return any([_needs_grad(item) for item in value])
    return isinstance(value, torch.Tensor) and value.requires_grad


def _on(device: torch.device, value: Any) -> bool:
    if isinstance(value, tuple):
        return all([_on(device, item) for item in value])
    return not isinstance(value, torch.Tensor) or value.device == device


def _pick(holds: torch.Tensor, one: Any, two: Any) -> Any:
    if isinstance(one, torch.Tensor):
        return torch.where(holds, one, two)
    if isinstance(one, tuple):
        return tuple([_pick(holds, a, b) for a, b in zip(one, two)])
    return one


def _check(cond: Any, fails: bool, asserts: bool, make: Any, args: tuple, unsafe: bool, places: bool) -> None:
    if _defers(cond, fails, asserts, make, args, unsafe, places):
        return
    if isinstance(cond, Later):
        cond = cond.test(*cond.now)
    if not _silent((cond, *args)) and (True if cond else False) is fails:
        raise _error(asserts, make, args)


def _defers(cond: Any, fails: bool, asserts: bool, make: Any, args: tuple, unsafe: bool, places: bool) -> bool:
    made = False
    if isinstance(cond, (torch.Tensor, Later)) and _recording():
        torch._dynamo.comptime.comptime(_check_made)
    else:
        return False
    if (
        made
        or _is_caught()
        or (not unsafe and _is_noticed())
        or (places and not _covers((cond.reshape(()) != 0) == fails if _is_traced(cond) else None))
    ):
        return False
    # A plain tuple: the copy of this runtime that owns the sink has another Later.
    test = (cond.test, cond.values) if isinstance(cond, Later) else cond.detach().clone()
    _sink.queue += (((), (test, fails, asserts), make, _snapshot(args), {}),)
    return True


def _check_made(context: Any) -> None:
    """In _defers(): sets ``made``, whether the exception shows an object that the graph makes, and that changes.

    Dynamo makes such an object anew after the graph, and gives it its attributes after the check. An array and an
    iterator show then what has become of them.
    """
    names = context._i_will_not_complain_if_bc_breaks_InstructionTranslator().symbolic_locals
    names["made"] = torch._dynamo.variables.ConstantVariable.create(_is_made(names["args"]))


def _is_made(variable: Any) -> bool:
    kinds, variable = torch._dynamo.variables, variable.realize()
    if isinstance(variable, kinds.TensorVariable):
        return isinstance(variable, kinds.NumpyNdarrayVariable)
    if isinstance(variable, kinds.BaseListVariable):
        return any(map(_is_made, variable.items))
    if type(variable) is kinds.ConstDictVariable:
        return any(map(_is_made, variable.items.values()))
    new = type(getattr(variable, "mutation_type", None)).__name__.endswith("New")
    named = type(variable).__name__
    return "Iterator" in named or (new and (isinstance(variable, kinds.UserDefinedObjectVariable) or "Dict" in named))


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


def _constant(function: Any) -> Any:
    """Dynamo runs it and takes the answer for a constant, as torch.compiler.assume_constant_result says."""
    function._dynamo_marked_constant = True
    return function


@_constant
def _is_caught() -> bool:
    """While tracing: whether code around the check, up to where tracing began, may catch its exception."""
    try:
        from torch._dynamo.symbolic_convert import InstructionTranslator

        frame = InstructionTranslator.current_tx().output.current_tx
        while frame is not None:
            # torch's own functions, such as no_grad's wrapper, let an exception pass.
            foreign = not str(frame.f_globals.get("__name__")).startswith("torch.")
            if foreign and not _is_ours(frame.f_globals) and _frame_catches(frame):
                return True
            frame = getattr(frame, "parent", None)
    except (ImportError, AttributeError):  # a Dynamo that is built otherwise
        return True
    return False


@_constant
def _is_noticed() -> bool:
    """While tracing a check: whether whoever catches its exception could tell that the graph went on after it.

    What the graph writes after the check is known when it is complete: then tracing starts anew, and the
    check breaks the graph. What was written before it Dynamo writes after the graph, perhaps after the check.
    """
    try:
        from torch._dynamo.symbolic_convert import InstructionTranslator

        tracing = InstructionTranslator.current_tx()
        failed, fail = _speculate(tracing)
        output = tracing.output
        written, versions = _written(output)
        if failed or written:
            return True
        output.register_finalizer_fns.append(lambda graph: _written(output) == ([], versions) or fail())
    except (ImportError, AttributeError):  # a Dynamo that is built otherwise
        pass
    return False


def _nodes(graph: torch.fx.GraphModule) -> list:
    return [node for part in graph.modules() if isinstance(part, torch.fx.GraphModule) for node in part.graph.nodes]


# What looks up by an index that may be out of range: which argument is the index, and which the table.
_LOOKUPS = {
    "gather": (2, "index", 0, "input"),
    "index_select": (2, "index", 0, "input"),
    "take_along_dim": (1, "indices", 0, "input"),
    "embedding": (0, "input", 1, "weight"),
    "cross_entropy": (1, "target", 0, "input"),
    "nll_loss": (1, "target", 0, "input"),
}

# What else may fail on data, as torch.linalg may; of whole numbers _DIVIDES and a rounding_mode too.
_FAILING = frozenset(
    "assert_async bernoulli binary_cross_entropy bincount binomial cholesky cholesky_inverse cholesky_solve ctc_loss"
    " embedding_bag fake_quantize_per_channel_affine gaussian_nll_loss gumbel_softmax histc histogram histogramdd"
    " index_add index_copy index_fill index_put index_reduce inverse istft lobpcg logdet lu lu_solve masked_scatter"
    " matrix_power max_unpool1d max_unpool2d max_unpool3d multi_margin_loss multilabel_margin_loss multinomial"
    " nanquantile normal nuclear_norm one_hot pca_lowrank pinverse poisson put qr quantile repeat_interleave scatter"
    " scatter_add scatter_reduce segment_reduce slogdet sparse_coo_tensor svd svd_lowrank take tensor_split"
    " triangular_solve unravel_index".split()
)


def _name_of(node: Any) -> str:
    return str(getattr(node.target, "__name__", node.target)).strip("_")


def _argument(node: Any, place: int, name: str, default: Any = None) -> Any:
    return node.args[place] if len(node.args) > place else node.kwargs.get(name, default)


def _covers(failed: Any) -> bool:
    """While tracing a check: whether, where it ``failed`` (None: unknown), nothing that follows fails first."""
    covers = False
    torch._dynamo.comptime.comptime(_cover)
    return covers


def _cover(context: Any) -> None:
    """In _covers(): sets ``covers``. What is looked up is known when the graph is complete: there each look-up gets the
    first place where the check fails. If one cannot, tracing starts anew, and the check breaks the graph.
    """
    tracing = context._i_will_not_complain_if_bc_breaks_InstructionTranslator()
    known, fail = _speculate(tracing)
    names, frame = tracing.symbolic_locals, tracing
    while frame is not None and not (_is_ours(frame.f_globals) and frame.f_code.co_name == "_arm"):
        frame = getattr(frame, "parent", None)
    # In an arm of a select() the check may fail although the original would not have come there.
    failed = None if frame else getattr(names["failed"].as_proxy(), "node", None)
    if not known:
        tracing.output.register_finalizer_fns.append(lambda graph: _cover_nodes(graph, failed) or fail())
    names["covers"] = torch._dynamo.variables.ConstantVariable.create(not known)


def _cover_nodes(graph: torch.fx.GraphModule, failed: Any) -> bool:
    nodes = list(graph.graph.nodes)
    failed = failed if failed in nodes else None
    before = set(nodes[: nodes.index(failed)] if failed else ())
    for node in _nodes(graph):
        if node not in before and _may_fail(node) and not _cover_node(node, failed):
            return False
    graph.recompile()
    return True


def _may_fail(node: Any) -> bool:
    """Whether it may fail on data when it runs, or is code that is not known."""
    name, target, others = _name_of(node), node.target, (*node.args[1:], *node.kwargs.values())
    values = [node.meta.get("example_value") for node in node.all_input_nodes]
    floats = any(isinstance(value, torch.Tensor) and value.is_floating_point() for value in values)
    divides = (name in _DIVIDES or "rounding_mode" in node.kwargs) and not floats
    foreign = isinstance(target, types.FunctionType) and not target.__module__.startswith("torch.")
    return (
        (name in _LOOKUPS or name in _FAILING or node.op == "call_module" or foreign)
        or (name.startswith("linalg_") and name != "linalg_vector_norm")
        or getattr(target, "namespace", "aten") not in ("aten", "prims", "higher_order")
        or (name == "getitem" and _may_not_fit(*node.args, 0))
        or (name == "setitem" and _may_not_fit(*node.args))
        or (divides and any(isinstance(other, torch.fx.Node) for other in others))
    )


def _cover_node(node: Any, failed: Any) -> bool:
    try:
        place, key, table_place, table_key = _LOOKUPS[_name_of(node)]
        index, table = _argument(node, place, key), _argument(node, table_place, table_key)
        value, sizes = index.meta["example_value"], table.meta["example_value"].shape
        if _name_of(node) == "cross_entropy" and value.is_floating_point():  # probabilities
            return True
        known = torch.fx.experimental.symbolic_shapes.statically_known_true
        fits = not value.is_floating_point() and all(known(size > 0) for size in sizes)
        if not fits or failed.graph is not node.graph or failed.meta["example_value"].device != value.device:
            return False
    except (AttributeError, KeyError, TypeError):  # among others: no index that is a tensor
        return False
    with node.graph.inserting_before(node):
        covered = node.graph.call_method("masked_fill", (index, failed, 0))
    covered.meta["example_value"] = value
    node.replace_input_with(index, covered)
    return True


@_constant
def _writes() -> int:
    """While tracing: another number whenever something that was there before has been written since."""
    try:
        from torch._dynamo.symbolic_convert import InstructionTranslator

        output = InstructionTranslator.current_tx().output
        written, versions = _written(output)
        vars(output).setdefault("graphmend", []).append(written)  # none of them makes place for another
        return hash((tuple(map(id, written)), tuple(versions)))
    except (ImportError, AttributeError):
        return 0


def _written(output: Any) -> tuple[list, list]:
    """What tracing has written of what was there before it, with what that holds now; and the inputs' versions."""
    effects, written = output.side_effects, []
    for variable in effects.id_to_variable.values():
        own = vars(variable)  # what is asked of a property may compute, and raise
        existing = type(variable.mutation_type).__name__.endswith("Existing")
        if existing and own.get("value") is not _sink and effects.is_modified(variable):
            items = vars(own.get("_base_vt") or variable).get("items")
            if isinstance(items, dict):
                items = [part for pair in items.items() for part in pair]
            written += [variable, *effects.store_attr_mutations.get(variable, {}).values()]
            written += items if isinstance(items, list) else []
            written += [own.get(name) for name in ("index", "advance_count")]  # of iterators
    nodes = output.root_tracer.graph.nodes
    written += [node for node in nodes if _name_of(node).partition("_.")[0] == "set"]  # x.set_(y): x is y from now on
    inputs = [node.meta.get("example_value") for node in nodes if node.op == "placeholder"]
    return written, [value._version for value in inputs if isinstance(value, torch.Tensor) and value._version]


def _frame_catches(frame: Any) -> bool:
    """Whether a handler, or a context manager that Dynamo does not model, is around the instruction of a frame."""
    managers = [block.with_context for block in frame.block_stack]
    if sys.version_info < (3, 11):  # a block for each try too
        return any(map(_may_suppress, managers))
    entry = frame.current_instruction.exn_tab_entry
    while entry is not None:
        handler = frame.instructions[frame.indexof[entry.target] :]
        names = [instruction.opname for instruction in handler[:2]]
        if names[-1] == "WITH_EXCEPT_START":
            if _may_suppress(managers.pop() if managers else None):
                return True
        elif names[0] == "PUSH_EXC_INFO" and _handles(handler, frame.f_globals):
            return True
        entry = entry.target.exn_tab_entry
    return False


def _handles(handler: list, scope: dict[str, Any]) -> bool:
    """Whether it is an except clause, or a finally clause that may print, which comes before the exception."""
    for at, step in enumerate(handler):
        if step.opname in ("POP_EXCEPT", "CHECK_EXC_MATCH", "CHECK_EG_MATCH"):
            return True
        if step.opname == "RERAISE":
            return _prints(handler[:at], scope, set())
    return True


def _prints(steps: Iterable[Any], scope: dict[str, Any], seen: set, known: dict[str, Any] | None = None) -> bool:
    """Whether instructions may print something: all that they call is not known to print nothing.

    ``known``: locals whose values are known. ``held`` is what the last instruction gave, as far as that is known.
    """
    held: Any = _UNKNOWN
    for step in steps:
        name, code, owner = step.argval, step.opname, held
        is_method = code == "LOAD_METHOD" or (code == "LOAD_ATTR" and sys.version_info >= (3, 12) and step.arg & 1)
        if code == "LOAD_GLOBAL":
            held = scope.get(name, _UNKNOWN)
        elif code == "LOAD_ATTR":
            held = getattr(owner, "__dict__", {}).get(name, _UNKNOWN)
        else:
            held = known.get(name, _UNKNOWN) if known and code.startswith("LOAD_FAST") else _UNKNOWN
        if (
            (isinstance(name, str) and name in _OUTPUT)
            or code in ("PUSH_NULL", "BEFORE_WITH", "LOAD_SPECIAL", "LOAD_SUPER_ATTR", "IMPORT_NAME")  # nameless here
            or (code.endswith("_ATTR") and isinstance(_of_class(owner, name), property))
            or (is_method and _method_prints(owner, name, seen))
            or (code == "LOAD_GLOBAL" and _value_prints(scope.get(name), step.arg & 1, seen))
            or (isinstance(name, types.CodeType) and _prints(dis.get_instructions(name), scope, seen))
        ):
            return True
    return False


def _of_class(owner: Any, name: str) -> Any:
    return next((vars(kind)[name] for kind in type(owner).__mro__ if name in vars(kind)), None)


def _method_prints(owner: Any, name: str, seen: set) -> bool:
    """Whether a method may print: a function of a known object's class by what it does, any other by its name."""
    method = _of_class(owner, name)
    if type(method) is types.FunctionType and name not in getattr(owner, "__dict__", {}):
        return _value_prints(method, True, seen, owner)
    return not (isinstance(owner, ContextVar) or any(hasattr(kind, name) for kind in _QUIET))


def _value_prints(value: Any, is_called: int, seen: set, owner: Any = None) -> bool:
    """Whether what a global name holds may print when it is called, here or by what it is given to. None: a builtin.

    Of a method, ``owner`` is what it is called on.
    """
    kind = value if isinstance(value, (type, types.FunctionType)) else type(value)
    if kind.__module__.partition(".")[0] in ("builtins", "torch"):
        return False
    if type(kind) is not types.FunctionType:
        return kind is value or bool(is_called)
    if (kind, id(owner)) in seen:
        return False
    seen.add((kind, id(owner)))
    known = {} if owner is None else {name: owner for name in kind.__code__.co_varnames[:1]}
    return _prints(dis.get_instructions(kind), kind.__globals__, seen, known)


def _may_suppress(manager: Any) -> bool:
    """Whether a with statement may end an exception: those that Dynamo models (no_grad, autocast) do not."""
    from torch._dynamo.variables import ctx_manager

    return manager is None or isinstance(manager, ctx_manager.GenericContextWrappingVariable)


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


def _is_ours(scope: dict[str, Any]) -> bool:
    return "GRAPHMEND_RUNTIME" in scope or str(scope.get("__name__")).startswith("torch._dynamo.")


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
