"""Builds torch_ops.json and gb_registry.json from the installed torch and manual.json.

    python rules/generate.py [--out DIR]

torchgen's native_functions.yaml gives, for each operator, what it returns, what it mutates and whether it is random or
has a data-dependent result; torch itself gives the public names that exist and, called with a few plain tensors, which
operators hand one of them back although no schema says so (meshgrid, sum_to_size); manual.json adds what neither says
(which operators raise for some values, Python-level functions and methods, the effects of nn modules). Operators are
grouped by their set of flags, so the tables stay small: {"TENSOR VIEW": "view reshape ...", ...}.
tests/rules/test_generated.py compares the committed files with what this makes of the installed torch.
"""

import argparse
import collections
import collections.abc
import importlib.util
import inspect
import json
import pathlib
import re
import typing

import yaml

HERE = pathlib.Path(__file__).parent
NAMESPACES = {
    None: "torch",
    "nn": "torch.nn.functional",
    "linalg": "torch.linalg",
    "fft": "torch.fft",
    "special": "torch.special",
}
STATIC_TYPES = {"int", "SymInt", "float", "Scalar", "SymBool", "ScalarType", "QScheme", "Layout", "Device"}
TAGS = {
    "nondeterministic_seeded": "RANDOM",
    "dynamic_output_shape": "DYNAMIC_SHAPE",
    "data_dependent_output": "DATA_DEPENDENT",
}


def torch_folder() -> pathlib.Path:
    spec = importlib.util.find_spec("torch")
    if spec is None or spec.origin is None:
        raise SystemExit("torch is not installed")
    return pathlib.Path(spec.origin).parent


def returned(text: str) -> set[str]:
    """The flags of a schema's return type, "(Tensor values, Tensor indices)" for example."""
    text = text.strip()
    if text == "()":
        return {"NONE"}
    if text.startswith("("):
        return {"TENSORS"}
    kind = text.split()[0]
    base = re.sub(r"\(.*?\)", "", kind)
    if base.endswith("[]"):
        return {"TENSORS"} if base.startswith("Tensor") else {"STATIC"}
    if base == "Tensor":
        return {"TENSOR"}
    if base == "bool":
        return {"BOOL"}
    return {"STATIC"} if base in STATIC_TYPES else {"NONE"}


def schema_flags(entry: dict) -> tuple[str, set[str]]:
    """(name without overload, flags) of one entry of native_functions.yaml."""
    head, _, result = entry["func"].rpartition("->")
    name, _, rest = head.partition("(")
    base, _, overload = name.strip().partition(".")
    flags = returned(result)
    first = rest.split(",")[0]
    if base.endswith("_") and "!" in first:
        flags.add("INPLACE")
    if re.search(r"\([a-z]\)", result) or re.search(r"\([a-z] ?->", rest):
        flags.add("VIEW")
    tags = entry.get("tags", [])
    for tag in [tags] if isinstance(tags, str) else tags:
        if tag in TAGS and not overload.endswith("out"):
            flags.add(TAGS[tag])
    return base, flags


def read_schemas() -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Flags by dotted function name and by method name, overloads united (out= overloads left out)."""
    functions: dict[str, set[str]] = collections.defaultdict(set)
    methods: dict[str, set[str]] = collections.defaultdict(set)
    path = torch_folder().parent / "torchgen/packaged/ATen/native/native_functions.yaml"
    for entry in yaml.safe_load(path.read_text()):
        base, flags = schema_flags(entry)
        if entry["func"].partition("(")[0].endswith("out"):
            continue
        if "method" in entry.get("variants", "function"):
            methods[base] |= flags
        if "function" in entry.get("variants", "function"):
            module = entry.get("python_module")
            space = NAMESPACES.get(module, NAMESPACES[None])
            for prefix in (module, "special", "linalg", "fft"):
                if prefix and base.startswith(prefix + "_"):
                    functions[f"{space}.{base.removeprefix(prefix + '_')}"] |= flags
                    break
            functions[f"torch.{base}"] |= flags
            functions[f"{space}.{base}"] |= flags
    return functions, methods


NUMBER = re.compile(r"(int|SymInt|float|Scalar)(\[\d*\])?\??$")
COUNTED = 12  # "k+": from position k on; more positional arguments than this are not told apart
# Dynamo gives this one a tensor as it is.
FILLS = {("full", "fill_value")}


def parameters(signature: str) -> list[tuple[str, str, bool]]:
    """(name, type, positional) of the parameters in the text between a schema's outer parentheses."""
    found, positional = [], True
    for text in re.split(r",(?![^(\[]*[)\]])", signature):
        text = text.strip().partition("=")[0]
        if text == "*":
            positional = False
        elif text:
            kind, _, name = text.rpartition(" ")
            found.append((name, re.sub(r"\(.*?\)", "", kind), positional))
    return found


class Numbers:
    """Which arguments of one operator are Python numbers in all of its overloads: no overload takes a tensor there."""

    def __init__(self) -> None:
        self.numbers: set[int | str] = set()
        self.tensors: set[int | str] = set()
        self.rest: int | None = None

    def add(self, base: str, found: list[tuple[str, str, bool]]) -> None:
        last = sum(positional for *_, positional in found) - 1
        for at, (name, kind, positional) in enumerate(found):
            keys = {name, at} if positional else {name}
            number = NUMBER.match(kind)
            if number and (base, name) not in FILLS:
                self.numbers |= keys
                if number[2] and at == last:
                    self.rest = at
            elif kind.startswith("Tensor") or number:
                self.tensors |= keys

    def text(self, skip: int) -> str:
        """As "1 2 start length"; skip: how many leading positions (self) do not count."""
        left = self.numbers - self.tensors
        if self.rest in left:
            left |= set(range(self.rest, COUNTED)) - self.tensors
        places = sorted(at - skip for at in left if isinstance(at, int) and at >= skip)
        return " ".join([*map(str, places), *sorted(name for name in left if isinstance(name, str))])


def make_numbers(manual: dict) -> dict[str, dict[str, str]]:
    """Arguments that want Python numbers, of functions and of methods: {"1 2 start length": "narrow ...", ...}."""
    import torch

    found: dict[str, Numbers] = collections.defaultdict(Numbers)
    path = torch_folder().parent / "torchgen/packaged/ATen/native/native_functions.yaml"
    for entry in yaml.safe_load(path.read_text()):
        head, _, rest = entry["func"].rpartition(" -> ")[0].partition("(")
        if not head.endswith("out"):
            base = head.partition(".")[0]
            found[base].add(base, parameters(rest.rpartition(")")[0]))
    functions, methods = collections.defaultdict(set), collections.defaultdict(set)
    for base, numbers in found.items():
        for space in ("torch", "torch.nn.functional"):
            if numbers.text(0) and not base.startswith("_") and callable(resolve(f"{space}.{base}")):
                functions[numbers.text(0)].add(f"{space}.{base}")
        if numbers.text(1) and not base.startswith("_") and hasattr(torch.Tensor, base):
            methods[numbers.text(1)].add(base)
    by_hand = {name for kind in manual["numbers"].values() for names in kind.values() for name in names.split()}
    result = {}
    for kind, table in (("functions", functions), ("methods", methods)):
        for names in table.values():
            names -= by_hand
        for key, names in manual["numbers"][kind].items():
            table[key] |= set(names.split())
        result[kind] = {key: " ".join(sorted(names)) for key, names in sorted(table.items()) if names}
    return result


def argument_names() -> dict[str, list[str]]:
    """The arguments of torch's functions, in their order: by Python's signature, or else by the schema."""
    found: dict[str, list[str]] = {}
    path = torch_folder().parent / "torchgen/packaged/ATen/native/native_functions.yaml"
    for entry in yaml.safe_load(path.read_text()):
        head, _, rest = entry["func"].rpartition(" -> ")[0].partition("(")
        if not head.endswith("out"):
            names = [name for name, _, positional in parameters(rest.rpartition(")")[0]) if positional]
            found.setdefault(f"torch.{head.partition('.')[0]}", names)
    for space in NAMESPACES.values():
        for name in dir(resolve(space)):
            try:
                signature = inspect.signature(resolve(f"{space}.{name}"))  # type: ignore[arg-type]
            except (TypeError, ValueError):
                continue
            found[f"{space}.{name}"] = list(signature.parameters)
    return found


def make_places(wanted: set[str]) -> dict[str, str]:
    """Where functions take arguments with those names: {"3 inplace": "torch.nn.functional.dropout ...", ...}."""
    table = collections.defaultdict(set)
    for dotted, names in argument_names().items():
        last = dotted.rpartition(".")[2]
        keys = [*(str(at) for at, name in enumerate(names) if name in wanted), *(n for n in names if n in wanted)]
        if keys and not last.startswith("_") and callable(resolve(dotted)):
            table[" ".join(keys)].add(dotted)
    return {keys: " ".join(sorted(names)) for keys, names in sorted(table.items())}


def annotated(function: object) -> set[str]:
    """Flags of a Python-level function from its return annotation."""
    try:
        result = inspect.signature(function).return_annotation  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return set()
    import torch

    if result is torch.Tensor or result == "Tensor":
        return {"TENSOR"}
    if typing.get_origin(result) in (tuple, list):
        return {"TENSORS"}
    return {"BOOL"} if result is bool else set()


def resolve(dotted: str) -> object | None:
    import torch

    value: object = torch
    for part in dotted.split(".")[1:]:
        value = getattr(value, part, None)
    return value


def finish(table: dict[str, set[str]], manual: dict[str, str]) -> dict[str, set[str]]:
    """Adds the flags that manual.json gives by hand ("-FLAG": takes one away), and what follows from others."""
    for flag, names in manual.items():
        for name in names.split():
            if flag.startswith("-"):
                table.get(name, set()).discard(flag[1:])
            else:
                table.setdefault(name, set()).add(flag)
    for flags in table.values():
        if "BOOL" in flags and "DATA_DEPENDENT" not in flags:
            flags.add("STATIC")
        if "INPLACE" in flags:
            flags.discard("VIEW")
    return {name: flags for name, flags in table.items() if flags and not name.rpartition(".")[2].startswith("_")}


def grouped(table: dict[str, set[str]]) -> dict[str, str]:
    groups = collections.defaultdict(list)
    for name, flags in table.items():
        groups[" ".join(sorted(flags))].append(name)
    return {flags: " ".join(sorted(names)) for flags, names in sorted(groups.items())}


def storages(value: object) -> set[int]:
    """Where the tensors in a value keep their elements."""
    import torch

    if isinstance(value, torch.Tensor):
        return {value.untyped_storage().data_ptr()} if value.layout == torch.strided and value.numel() else set()
    return set().union(*map(storages, value)) if isinstance(value, (list, tuple)) else set()


def hands_back(function: object) -> bool:
    """For some plain arguments the result is one of them, or a view of one, though the schema does not say so."""
    import torch

    try:
        has_inplace = "inplace" in inspect.signature(function).parameters  # type: ignore[arg-type]
    except (TypeError, ValueError):
        has_inplace = False
    kinds = (torch.float32, torch.int64, torch.bool)
    for x in (torch.ones(shape, dtype=kind) for kind in kinds for shape in ((), (2,), (2, 2))):
        more = ((x, x), (x, x, x), (x, 1), (x, 0), (x, 0.0, False), (x, (2, 2)), ([x, x],))
        more += ((x, tuple(x.shape)), (x, x.dtype), (x, "cpu"), (x, 0, 0, 2), ("i->i", x), ("ij->ji", x))
        for arguments in ((x,), *(() if has_inplace else more)):
            try:
                result = function(*arguments)  # type: ignore[operator]
            except Exception:  # what does not take these arguments says nothing
                continue
            if storages(result) & storages(arguments):
                return True
    return False


def add_views(table: dict[str, set[str]], resolved: collections.abc.Callable[[str], object]) -> None:
    for name, flags in table.items():
        if flags & {"TENSOR", "TENSORS"} and not flags & {"VIEW", "INPLACE"} and hands_back(resolved(name)):
            flags.add("VIEW")


def make_functions(schemas: dict[str, set[str]], manual: dict) -> dict[str, dict[str, str]]:
    table = {name: flags for name, flags in schemas.items() if callable(resolve(name))}
    for space in NAMESPACES.values():
        for name in dir(resolve(space)):
            dotted = f"{space}.{name}"
            if not name.startswith("_") and dotted not in table and callable(resolve(dotted)):
                flags = annotated(resolve(dotted))
                if not flags and space == "torch.nn.functional":
                    flags = set(schemas.get(f"torch.{name}", ()))
                if flags:
                    table[dotted] = flags
    table = finish(table, manual["functions"])
    add_views(table, resolve)
    by_space: dict[str, dict[str, set[str]]] = collections.defaultdict(dict)
    for dotted, flags in table.items():
        space, _, name = dotted.rpartition(".")
        by_space[space][name] = flags
    return {space: grouped(names) for space, names in sorted(by_space.items())}


def make_methods(schemas: dict[str, set[str]], manual: dict) -> dict[str, set[str]]:
    import torch

    table = {name: flags for name, flags in schemas.items() if hasattr(torch.Tensor, name)}
    table = finish(table, manual["methods"])
    add_views(table, lambda name: getattr(torch.Tensor, name))
    return table


def unshared(methods: dict[str, set[str]], manual: dict) -> tuple[str, str]:
    """Tensor methods that no builtin container, string or module has ("likely"), and those that no other common object
    has either ("distinctive"): calling one of these shows that the receiver is a tensor."""
    import torch

    taken = set(dir(torch.nn.Module()))
    others = [str, bytes, bytearray, list, dict, set, frozenset, tuple, int, float, complex, range, slice, type, object]
    others += [collections.deque, collections.OrderedDict, collections.Counter, collections.defaultdict, pathlib.Path]
    others += [re.Match, re.Pattern, Exception, torch.Size, torch.Generator, memoryview]
    for other in others:
        taken |= set(dir(other))
    likely = {name for name in methods if name not in taken and not name.startswith("_")}
    return " ".join(sorted(likely)), " ".join(sorted(likely - set(manual["not_distinctive"].split())))


def make_modules(manual: dict) -> dict[str, str]:
    """What calling an instance of each torch.nn class gives and does."""
    import torch

    table: dict[str, set[str]] = {}
    for name in dir(torch.nn):
        cls = getattr(torch.nn, name)
        if isinstance(cls, type) and issubclass(cls, torch.nn.Module) and cls is not torch.nn.Module:
            table[name] = annotated(cls.forward) or set()
    return grouped(finish(table, manual["modules"]))


def make_operators() -> dict:
    import torch

    manual = json.loads((HERE / "manual.json").read_text())
    functions, schemas = read_schemas()
    methods = make_methods(schemas, manual)
    likely, distinctive = unshared(methods, manual)
    shared = " ".join(sorted(set(likely.split()) - set(distinctive.split())))
    return {
        "torch": torch.__version__.partition("+")[0],
        "functions": make_functions(functions, manual),
        "methods": grouped(methods),
        "distinctive": distinctive,
        "likely": shared,
        "modules": make_modules(manual),
        "numbers": make_numbers(manual),
        "inplace": make_places({"inplace"}),
        "statistics": make_places({"running_mean", "running_var"}),
    }


def make_registry() -> dict[str, list[str]]:
    """GB id -> [type, context], the newest entry of each."""
    registry = json.loads((torch_folder() / "_dynamo/graph_break_registry.json").read_text())

    def short(text: str) -> str:
        text = " ".join(text.split())
        return text if len(text) <= 100 else text[:97] + "..."

    first = {key: entries[0] for key, entries in sorted(registry.items())}
    return {key: [short(entry["Gb_type"]), short(entry["Context"])] for key, entry in first.items()}


def write(path: pathlib.Path, value: object, indent: int | None) -> None:
    separators = (",", ": ") if indent is not None else (",", ":")
    text = json.dumps(value, indent=indent, separators=separators, ensure_ascii=True)
    path.write_text(text.replace("],", "],\n") + "\n" if indent is None else text + "\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=HERE)
    options = parser.parse_args()
    write(options.out / "torch_ops.json", make_operators(), 1)
    write(options.out / "gb_registry.json", make_registry(), None)


if __name__ == "__main__":
    main()
