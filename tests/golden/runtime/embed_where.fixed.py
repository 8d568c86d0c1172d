# graphmend-test: fix --runtime=embed
"""A branch only: what the file carries of the runtime."""
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

import functools
import logging
import re
import sys
import types
from collections import OrderedDict
from typing import Any, Callable

import torch
from torch._subclasses import FakeTensor

GRAPHMEND_RUNTIME = 1  # marks this module's frames for stacklevel()
_GRAD = "graphmend: a tensor with grad"
_NAMED = "graphmend: a tuple of a class"
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


def _is_traced(test: Any) -> bool:
    """A traced tensor with one element: any other has no truth, and Python says so."""
    return isinstance(test, torch.Tensor) and test.numel() == 1 and _recording()


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


def _changed(effects: Any) -> list[Any]:
    """What was there before the graph and has been changed in it, as Dynamo's variables."""
    variables = [variable for variable in effects.id_to_variable.values() if effects.is_modified(variable)]
    return [variable for variable in variables if not type(variable.mutation_type).__name__.endswith("New")]


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


def _name_of(node: Any) -> str:
    return str(getattr(node.target, "__name__", node.target)).strip("_")


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


def _has_fake(value: Any) -> bool:
    if type(value) is dict:
        value = tuple(value.values())
    if type(value) in (list, tuple, set):
        return any(map(_has_fake, value))
    return isinstance(value, FakeTensor)


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
    x = _graphmend.select((x > 3).any(),
        lambda: x - 1, lambda: x, smooth=True)
    return x
