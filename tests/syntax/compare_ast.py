"""Compares graphmend's tree with CPython's own, node by node: kinds, names, operators and byte spans.

    compare_ast.py --dump 'build/release/graphmend dump --ast' FILE_OR_DIR...

The dump command gets file names appended (one call per --batch files) and prints, per file, its tree in the form of
src/ir/dump_ast.c, preceded by "=== PATH" when there is more than one. Files that the running Python cannot parse are
skipped, as are spans inside f-strings before Python 3.12, which CPython gets wrong.

Documented differences: and/or nest here, a span here includes parentheses, decorators belong to the span of their def,
a comprehension's generator keeps its call's parentheses (as in CPython), match patterns are one kind, CPython
counts the semicolon behind a block's last statement, identifiers are not normalised (NFKC).
"""

from __future__ import annotations

import argparse
import ast
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

FSTRING_SPANS = sys.version_info >= (3, 12)
OPERATORS = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.MatMult: "@", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%",
    ast.Pow: "**", ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
    ast.Not: "not", ast.Invert: "~", ast.UAdd: "+", ast.USub: "-", ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<",
    ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is", ast.IsNot: "is not", ast.In: "in",
    ast.NotIn: "not in", ast.And: "and", ast.Or: "or",
}  # fmt: skip


class Tree(NamedTuple):
    """Either side's node in a common form; start is None where CPython has no position."""

    kind: str
    start: int | None
    end: int | None
    scalars: str
    children: list[Tree]
    flags: frozenset[str] = frozenset()
    pattern: bool = False


class Mismatch(Exception):
    pass


# ---------------------------------------------------------------- our side


def read_dump(text: str) -> Tree:
    stack: list[Tree] = []
    for line in text.split("\n"):
        if not line or line.startswith("#"):
            continue
        body = line.lstrip(" ")
        depth = (len(line) - len(body)) // 2
        kind, span, *words = body.split(" ")
        flags = set()
        while words and len(words[0]) > 1 and words[0][0] == "+":
            flags.add(words.pop(0)[1:])
        start, end = map(int, span.split(":"))
        node = Tree(kind, start, end, " ".join(words), [], frozenset(flags))
        del stack[depth:]
        if stack:
            stack[-1].children.append(node)
        stack.append(node)
    return stack[0]


def simplify(node: Tree) -> Tree:
    """Flattens what CPython keeps flat; turns strings into one leaf with their replacement fields."""
    children = [simplify(child) for child in node.children]
    if node.kind == "BOOL_OP":
        left = children[0]
        if left.kind == "BOOL_OP" and left.scalars == node.scalars and "parens" not in left.flags:
            children = left.children + children[1:]
    if node.kind in ("STR_CONCAT", "FSTRING"):
        flat: list[Tree] = []
        for child in children:
            if child.kind == "FORMATTED_VALUE":
                flat.append(child)
            else:
                flat.extend(child.children)
        return node._replace(kind="STRING", scalars="", children=flat)
    if node.kind == "CONSTANT" and node.scalars in ("str", "bytes"):
        return node._replace(kind="STRING", scalars="", children=[])
    return node._replace(children=children)


# ---------------------------------------------------------------- CPython's side


class Reader:
    def __init__(self, source: bytes) -> None:
        self.source = source
        self.lines = [0]
        body = source.replace(b"\r\n", b" \n").replace(b"\r", b"\n")
        at = body.find(b"\n")
        while at >= 0:
            self.lines.append(at + 1)
            at = body.find(b"\n", at + 1)
        self.bom = 3 if source.startswith(b"\xef\xbb\xbf") else 0
        self.spans = True

    def span(self, node: Any) -> tuple[int | None, int | None]:
        if not self.spans:
            return None, None
        return self.at(node.lineno, node.col_offset), self.at(node.end_lineno, node.end_col_offset)

    def at(self, line: int, column: int) -> int:
        return self.lines[line - 1] + column + (self.bom if line == 1 else 0)

    def make(self, kind: str, node: Any, scalars: str, children: list[Any]) -> Tree:
        start, end = self.span(node) if hasattr(node, "lineno") else (None, None)
        kids = [self.read(child) if isinstance(child, ast.AST) else child for child in children if child is not None]
        return Tree(kind, start, end, scalars, kids)

    def read(self, node: Any) -> Tree:
        return getattr(self, "read_" + type(node).__name__)(node)

    def many(self, node: Any, kind: str, *children: Any, scalars: str = "") -> Tree:
        flat: list[Any] = []
        for child in children:
            flat.extend(child) if isinstance(child, list) else flat.append(child)
        return self.make(kind, node, scalars, flat)

    # statements
    def read_Module(self, n: Any) -> Tree:
        return self.many(n, "MODULE", n.body)

    def type_params(self, n: Any) -> list[Tree]:
        found = []
        for p in getattr(n, "type_params", []):
            form = {"TypeVar": "normal", "TypeVarTuple": "*", "ParamSpec": "**"}[type(p).__name__]
            found.append(self.many(p, "PARAM", getattr(p, "bound", None), scalars=f"{p.name} {form}"))
        return found

    def read_FunctionDef(self, n: Any) -> Tree:
        parts = (n.decorator_list, self.type_params(n), n.args, n.returns, n.body)
        return self.many(n, "FUNCTION_DEF", *parts, scalars=n.name)

    read_AsyncFunctionDef = read_FunctionDef

    def read_ClassDef(self, n: Any) -> Tree:
        arguments = sorted(n.bases + n.keywords, key=lambda a: (a.lineno, a.col_offset))
        return self.many(n, "CLASS_DEF", n.decorator_list, self.type_params(n), arguments, n.body, scalars=n.name)

    def read_Return(self, n: Any) -> Tree:
        return self.many(n, "RETURN", n.value)

    def read_Delete(self, n: Any) -> Tree:
        return self.many(n, "DELETE", n.targets)

    def read_Assign(self, n: Any) -> Tree:
        return self.many(n, "ASSIGN", n.targets, n.value)

    def read_AugAssign(self, n: Any) -> Tree:
        return self.many(n, "AUG_ASSIGN", n.target, n.value, scalars=OPERATORS[type(n.op)])

    def read_AnnAssign(self, n: Any) -> Tree:
        return self.many(n, "ANN_ASSIGN", n.target, n.annotation, n.value)

    def read_TypeAlias(self, n: Any) -> Tree:
        params = self.type_params(n)
        holder = [Tree("PARAMS", None, None, "", params)] if params else []
        return self.many(n, "TYPE_ALIAS", n.name, holder, n.value)

    def read_For(self, n: Any) -> Tree:
        return self.many(n, "FOR", n.target, n.iter, n.body, n.orelse)

    read_AsyncFor = read_For

    def read_While(self, n: Any) -> Tree:
        return self.many(n, "WHILE", n.test, n.body, n.orelse)

    def read_If(self, n: Any) -> Tree:
        return self.many(n, "IF", n.test, n.body, n.orelse)

    def read_With(self, n: Any) -> Tree:
        return self.many(n, "WITH", n.items, n.body)

    read_AsyncWith = read_With

    def read_withitem(self, n: Any) -> Tree:
        return self.many(n, "WITH_ITEM", n.context_expr, n.optional_vars)

    def read_Raise(self, n: Any) -> Tree:
        return self.many(n, "RAISE", n.exc, n.cause)

    def read_Try(self, n: Any) -> Tree:
        return self.many(n, "TRY", n.body, n.handlers, n.orelse, n.finalbody)

    read_TryStar = read_Try

    def read_ExceptHandler(self, n: Any) -> Tree:
        return self.many(n, "EXCEPT_HANDLER", n.type, n.body, scalars=n.name or "-")

    def read_Assert(self, n: Any) -> Tree:
        return self.many(n, "ASSERT", n.test, n.msg)

    def read_Import(self, n: Any) -> Tree:
        return self.many(n, "IMPORT", n.names)

    def read_ImportFrom(self, n: Any) -> Tree:
        return self.many(n, "IMPORT_FROM", n.names, scalars=f"{n.module or '-'} level={n.level}")

    def read_alias(self, n: Any) -> Tree:
        if n.name == "*":
            return self.many(n, "STAR_IMPORT")
        return self.many(n, "ALIAS", scalars=f"{n.name} {n.asname or '-'}")

    def read_Global(self, n: Any) -> Tree:
        return self.many(n, "GLOBAL", [Tree("NAME", None, None, name, []) for name in n.names])

    def read_Nonlocal(self, n: Any) -> Tree:
        return self.read_Global(n)._replace(kind="NONLOCAL")

    def read_Expr(self, n: Any) -> Tree:
        return self.many(n, "EXPR_STMT", n.value)

    def read_Pass(self, n: Any) -> Tree:
        return self.many(n, type(n).__name__.upper())

    read_Break = read_Continue = read_Pass

    # match
    def read_Match(self, n: Any) -> Tree:
        return self.many(n, "MATCH", n.subject, n.cases)

    def read_match_case(self, n: Any) -> Tree:
        return self.many(n, "MATCH_CASE", n.pattern, n.guard, n.body)

    def pattern(self, n: Any, *parts: Any) -> Tree:
        return self.many(n, "PATTERN", *parts)

    def bound(self, name: str | None) -> Tree | None:
        return Tree("NAME", None, None, name, []) if name else None

    def read_MatchValue(self, n: Any) -> Tree:
        return self.pattern(n, n.value)

    def read_MatchSingleton(self, n: Any) -> Tree:
        return self.pattern(n, Tree("CONSTANT", None, None, str(n.value), []))

    def read_MatchSequence(self, n: Any) -> Tree:
        return self.pattern(n, n.patterns)

    def read_MatchOr(self, n: Any) -> Tree:
        return self.pattern(n, n.patterns)

    def read_MatchStar(self, n: Any) -> Tree:
        return self.pattern(n, self.bound(n.name))

    def read_MatchAs(self, n: Any) -> Tree:
        return self.pattern(n, n.pattern, self.bound(n.name))

    def read_MatchMapping(self, n: Any) -> Tree:
        parts: list[Any] = [part for pair in zip(n.keys, n.patterns) for part in pair]
        if n.rest:
            parts.append(Tree("PATTERN", None, None, "", [self.bound(n.rest)]))  # type: ignore[list-item]
        return self.pattern(n, parts)

    def read_MatchClass(self, n: Any) -> Tree:
        keywords = [Tree("PATTERN", None, None, "", [self.read(p)]) for p in n.kwd_patterns]
        return self.pattern(n, n.cls, n.patterns, keywords)

    # parameters
    def read_arguments(self, n: Any) -> Tree:
        plain = [(a, "posonly") for a in n.posonlyargs] + [(a, "normal") for a in n.args]
        defaults = [None] * (len(plain) - len(n.defaults)) + n.defaults
        params = [self.param(a, form, value) for (a, form), value in zip(plain, defaults)]
        if n.vararg:
            params.append(self.param(n.vararg, "*", None))
        params += [self.param(a, "kwonly", value) for a, value in zip(n.kwonlyargs, n.kw_defaults)]
        if n.kwarg:
            params.append(self.param(n.kwarg, "**", None))
        return Tree("PARAMS", None, None, "", params)

    def param(self, n: Any, form: str, default: Any) -> Tree:
        made = self.many(n, "PARAM", n.annotation, default, scalars=f"{n.arg} {form} name={self.span(n)[0]}")
        return made._replace(start=None, end=None)

    # expressions
    def read_Name(self, n: Any) -> Tree:
        return self.many(n, "NAME", scalars=n.id)

    def read_Constant(self, n: Any) -> Tree:
        if isinstance(n.value, (str, bytes)):
            return self.many(n, "STRING")
        word = {bool: str(n.value), type(None): "None", type(...): "...", int: "int", float: "float", complex: "imag"}
        return self.many(n, "CONSTANT", scalars=word[type(n.value)])

    def read_JoinedStr(self, n: Any) -> Tree:
        outer, self.spans = self.spans, self.spans and FSTRING_SPANS
        made = self.many(n, "STRING", [v for v in n.values if isinstance(v, ast.FormattedValue)])
        self.spans = outer
        start, end = self.span(n)
        return made._replace(start=start, end=end)

    def read_FormattedValue(self, n: Any) -> Tree:
        spec = [v for v in n.format_spec.values if isinstance(v, ast.FormattedValue)] if n.format_spec else []
        return self.many(n, "FORMATTED_VALUE", n.value, spec)

    def read_Attribute(self, n: Any) -> Tree:
        return self.many(n, "ATTRIBUTE", n.value, scalars=n.attr)

    def read_Subscript(self, n: Any) -> Tree:
        return self.many(n, "SUBSCRIPT", n.value, n.slice)

    def read_Slice(self, n: Any) -> Tree:
        return self.many(n, "SLICE", n.lower, n.upper, n.step)

    def read_Call(self, n: Any) -> Tree:
        arguments = sorted(n.args + n.keywords, key=lambda a: (a.lineno, a.col_offset))
        return self.many(n, "CALL", n.func, arguments)

    def read_keyword(self, n: Any) -> Tree:
        return self.many(n, "KEYWORD", n.value, scalars=n.arg or "-")

    def read_Starred(self, n: Any) -> Tree:
        return self.many(n, "STARRED", n.value)

    def read_BinOp(self, n: Any) -> Tree:
        return self.many(n, "BIN_OP", n.left, n.right, scalars=OPERATORS[type(n.op)])

    def read_BoolOp(self, n: Any) -> Tree:
        return self.many(n, "BOOL_OP", n.values, scalars=OPERATORS[type(n.op)])

    def read_UnaryOp(self, n: Any) -> Tree:
        return self.many(n, "UNARY_OP", n.operand, scalars=OPERATORS[type(n.op)])

    def read_Compare(self, n: Any) -> Tree:
        return self.many(n, "COMPARE", n.left, n.comparators, scalars=",".join(OPERATORS[type(o)] for o in n.ops))

    def read_IfExp(self, n: Any) -> Tree:
        return self.many(n, "IF_EXP", n.body, n.test, n.orelse)

    def read_Lambda(self, n: Any) -> Tree:
        return self.many(n, "LAMBDA", n.args, n.body)

    def read_Tuple(self, n: Any) -> Tree:
        return self.many(n, "TUPLE", n.elts)

    def read_List(self, n: Any) -> Tree:
        return self.many(n, "LIST", n.elts)

    def read_Set(self, n: Any) -> Tree:
        return self.many(n, "SET", n.elts)

    def read_Dict(self, n: Any) -> Tree:
        items = [
            Tree("DICT_ITEM", None, None, "", [self.read(p) for p in (k, v) if p]) for k, v in zip(n.keys, n.values)
        ]
        return self.many(n, "DICT", items)

    def comp(self, n: Any, kind: str, *parts: Any) -> Tree:
        return self.many(n, kind, *parts, n.generators)

    def read_ListComp(self, n: Any) -> Tree:
        return self.comp(n, "LIST_COMP", n.elt)

    def read_SetComp(self, n: Any) -> Tree:
        return self.comp(n, "SET_COMP", n.elt)

    def read_GeneratorExp(self, n: Any) -> Tree:
        return self.comp(n, "GENERATOR_EXP", n.elt)

    def read_DictComp(self, n: Any) -> Tree:
        return self.comp(n, "DICT_COMP", n.key, n.value)

    def read_comprehension(self, n: Any) -> Tree:
        return self.many(n, "COMPREHENSION", n.target, n.iter, n.ifs)

    def read_Await(self, n: Any) -> Tree:
        return self.many(n, "AWAIT", n.value)

    def read_Yield(self, n: Any) -> Tree:
        return self.many(n, "YIELD", n.value)

    def read_YieldFrom(self, n: Any) -> Tree:
        return self.many(n, "YIELD_FROM", n.value)

    def read_NamedExpr(self, n: Any) -> Tree:
        return self.many(n, "NAMED_EXPR", n.target, n.value)


# ---------------------------------------------------------------- comparison


def only_parens(text: bytes) -> bool:
    """Nothing but parentheses, white space, line joins and comments."""
    lines = text.replace(b"\r", b"\n").split(b"\n")
    return all(not line.split(b"#")[0].strip(b"() \t\f\\,") for line in lines)


def spans_agree(mine: Tree, theirs: Tree, source: bytes) -> bool:
    if theirs.start is None or theirs.end is None or mine.start is None or mine.end is None:
        return True
    start, end = mine.start, mine.end
    if mine.kind in ("FUNCTION_DEF", "CLASS_DEF"):
        start = int(mine.scalars.split("def=")[1])
        if mine.start != start and source[mine.start : mine.start + 1] != b"@":
            return False
    if (start, end) == (theirs.start, theirs.end):
        return True
    if mine.kind == "PATTERN":
        return True
    if start == theirs.start and source[end : theirs.end].strip() == b";":
        return True
    if "parens" not in mine.flags or not (start <= theirs.start and theirs.end <= end):
        return False
    return only_parens(source[start : theirs.start]) and only_parens(source[theirs.end : end])


def scalars_agree(mine: Tree, theirs: Tree) -> bool:
    ours = mine.scalars
    if mine.kind in ("FUNCTION_DEF", "CLASS_DEF"):
        ours = ours.split(" def=")[0]
    if mine.kind == "FORMATTED_VALUE":
        return True
    if mine.kind == "PARAM" and ("name=" not in theirs.scalars or "name=None" in theirs.scalars):
        return ours.split(" name=")[0] == theirs.scalars.split(" name=")[0]
    return ours == theirs.scalars


def unwrap_pattern(node: Tree) -> Tree:
    """A parenthesised pattern is a pattern in a pattern here."""
    while node.kind == "PATTERN" and len(node.children) == 1 and node.children[0].kind == "PATTERN":
        node = node.children[0]
    return node


def compare(mine: Tree, theirs: Tree, source: bytes) -> None:
    if mine.kind == "PATTERN" and theirs.kind == "PATTERN":
        mine, theirs = unwrap_pattern(mine), unwrap_pattern(theirs)
    where = f"{mine.start}:{mine.end} {source[mine.start : mine.end][:60]!r}"
    if mine.kind != theirs.kind:
        raise Mismatch(f"{where}: {mine.kind} where CPython has {theirs.kind} {theirs.start}:{theirs.end}")
    if not scalars_agree(mine, theirs):
        raise Mismatch(f"{where}: {mine.kind} {mine.scalars!r} where CPython has {theirs.scalars!r}")
    if mine.kind != "MODULE" and not spans_agree(mine, theirs, source):
        raise Mismatch(f"{where}: {mine.kind} where CPython's spans {theirs.start}:{theirs.end}")
    if len(mine.children) != len(theirs.children):
        kinds = [c.kind for c in mine.children], [c.kind for c in theirs.children]
        raise Mismatch(f"{where}: {mine.kind} has children {kinds[0]}, CPython's {kinds[1]}")
    for one, other in zip(mine.children, theirs.children):
        compare(one, other, source)


def check(path: str, dump: str) -> str:
    """'same', 'skipped', 'errors' (we report a syntax error Python does not) or a mismatch."""
    source = Path(path).read_bytes()
    try:
        expected = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return "skipped"
    if dump.startswith("!"):
        return "skipped"
    try:
        compare(simplify(read_dump(dump)), Reader(source).read(expected), source)
    except Mismatch as mismatch:
        if any(line.startswith("#") for line in dump.splitlines()[:50]) or "ERROR" in dump:
            first = next((line for line in dump.splitlines() if line.startswith("#")), "#?")
            return "errors " + first
        return str(mismatch)
    return "same"


def dumps(command: list[str], paths: list[str], batch: int) -> list[tuple[str, str]]:
    results = []
    for at in range(0, len(paths), batch):
        some = paths[at : at + batch]
        done = subprocess.run(command + some, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        output = done.stdout.decode("utf-8", "surrogateescape")
        if batch == 1:
            results.append((some[0], output.removeprefix(f"=== {some[0]}\n")))
            continue
        for part in output.split("=== ")[1:]:
            path, _, dump = part.partition("\n")
            results.append((path, dump))
    return results


def main() -> int:
    sys.setrecursionlimit(20000)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dump", required=True, help="command that dumps the trees of the files appended to it")
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--show", type=int, default=40)
    parser.add_argument("paths", nargs="+")
    options = parser.parse_args()
    files: list[str] = []
    for path in options.paths:
        files += sorted(map(str, Path(path).rglob("*.py"))) if Path(path).is_dir() else [path]
    counts: dict[str, int] = {}
    for path, dump in dumps(shlex.split(options.dump), files, options.batch):
        verdict = check(path, dump)
        word = verdict.split()[0] if verdict.split()[0] in ("same", "skipped", "errors") else "different"
        counts[word] = counts.get(word, 0) + 1
        if word in ("errors", "different") and counts[word] <= options.show:
            print(f"{path}: {verdict}")
    print(", ".join(f"{count} {word}" for word, count in sorted(counts.items())))
    return 1 if counts.get("different") else 0


if __name__ == "__main__":
    sys.exit(main())
