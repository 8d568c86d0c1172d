# graphmend-test: fix --runtime=embed
"""A guard only: what the file carries of the runtime."""
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

import dis
import functools
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
_NAMED = "graphmend: a tuple of a class"
_OUTPUT = frozenset(
    "print write defer defer_warning debug info warn warning warning_once error exception critical log".split()
    + "input exec eval breakpoint".split()
)
_UNKNOWN = object()
_QUIET = (torch, torch.Tensor, torch.nn.Module, dict, list, set, str)  # their methods print nothing
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


def raise_if(cond: Any, make: Callable[..., Any], *args: Any, unsafe: bool = False, places: bool = False) -> None:
    """``if cond: raise make(*args)``, after the graph if ``cond`` is a traced tensor.

    Only if nothing else in the graph writes what was there before, as Python state or a tensor in
    place after the check: whoever catches the exception would see it. ``unsafe`` takes that. ``places``:
    and only if nothing that follows in the graph can fail first; look-ups by index are kept from it.
    """
    _check(cond, True, False, make, args, unsafe, places)


class Later(NamedTuple):
    """A test that is decided after the graph, by what it reads then."""

    test: Callable[..., Any]
    values: tuple  # as a snapshot keeps them
    now: tuple


def _is_traced(test: Any) -> bool:
    """A traced tensor with one element: any other has no truth, and Python says so."""
    return isinstance(test, torch.Tensor) and test.numel() == 1 and _recording()


_DIVIDES = frozenset("pow ipow floordiv ifloordiv mod imod floor_divide remainder fmod".split())


def _may_not_fit(table: Any, index: Any, value: Any) -> bool:
    """Whether a store is made at places that may be out of range, or of more values than a mask may have."""
    parts = (*index, value) if isinstance(index, tuple) else (index, value)
    *parts, value = [getattr(part, "meta", {}).get("example_value", part) for part in parts]
    places = [part for part in parts if isinstance(part, (torch.Tensor, list))]
    many = len(places) > 1 or (isinstance(value, torch.Tensor) and value.numel() != 1)
    return bool(places) and (many or getattr(places[0], "dtype", None) is not torch.bool)


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
''', "<graphmend runtime>", "exec"), vars(_graphmend))


@torch.compile
def run(x: torch.Tensor):
    _graphmend.raise_if((x > 3).any(),
        lambda: ValueError("too big"))
    return x
