#!/usr/bin/env python
"""Small random modules in the style of the behaviour suite: `generate(seed)` gives one as source text.

A module is one entry (a function or an nn.Module) full of branches on tensor values, and inputs that take them on
different sides. Nothing is promised of what a module computes: it may raise, warn or print; original and patched form
shall only do so alike. The same seed gives the same text.
"""

from __future__ import annotations

import ast
import itertools
import random
import sys
from collections.abc import Iterator
from contextlib import contextmanager

INPUTS = [
    "0.5, -1.0, 2.0, 0.25",
    "-1.5, 3.0, -6.0, -0.75",
    "5.0, -7.0, 17.0, 3.0",
    "0.0, 0.0, 0.0, 0.0",
    "1.0, 2.0, 3.0, 4.0",
    "-1.0, -2.0, -3.0, -4.0",
    "0.5, float('nan'), 2.0, 1.0",
    "0.5, float('inf'), -2.0, 1.0",
]

OWN_TEXTS = ("bad ", "too low", "never")  # how the texts of a program's own exceptions begin

PRELUDE = """\
import contextlib
import logging
import warnings

import torch
import torch.nn.functional as F
from torch import nn

ENTRY, EXPECT = "{entry}", "declined"
{grad}
logger = logging.getLogger("generated")
TOTAL = 0
SEEN = []
TABLE = {{0: 1.0, 1: 2.0, "a": 0.5}}
ITEMS = [1.0, 2.0, 3.0]


def observe():
    return [TOTAL, SEEN]
"""

HELPERS = {
    "soften": "def soften(t, k=0.5, *, bias=1.0):\n    return t * k + bias\n",
    "guarded": 'def guarded(t):\n    if t.sum() < -12:\n        raise ValueError("too low")\n    return t * 2\n',
    "noted": "def noted(t):\n    global TOTAL\n    TOTAL += 1\n    return t + TOTAL\n",
    "shout": 'def shout(t):\n    print("shout", tuple(t.shape))\n    return t - 1\n',
    "bump": "def bump(t):\n    t.add_(1)\n    return t\n",
    "branchy": "def branchy(t):\n    if t.max() > 3:\n        return t - 1\n    return t\n",
    "remember": "def remember(t):\n    SEEN.append(t.mean())\n    return t\n",
    "alias": "def alias(t):\n    return t\n",
    "choose": "def choose(t, up):\n    return t * 2 if up else t / 2\n",
    "raises": 'def raises(t):\n    raise KeyError("never", 3)\n',
    "pair": "def pair(t):\n    return t + 1, t * 2\n",
}


def _choices(text: str) -> list[str]:
    return [choice.strip() for choice in text.split(" ;")]


UNARY = _choices("""
    -{a} ; {a}.abs() ; torch.relu({a}) ; {a}.clamp(-2, 2) ; {a}.exp() ; {a}.sqrt() ; {a}.log() ;
    torch.sigmoid({a}) ; {a}.cumsum(0) ; {a}.flip(0) ; {a}.softmax(-1) ; F.gelu({a}) ; torch.nan_to_num({a}) ;
    {a}.clone() ; {a}.detach() ; {a}.contiguous() ; {a}.view(-1) ; {a}[:] ; {a}.sort().values ; {a} ** 2 ;
    {a} * 2 ; {a} + 1.5 ; {a} / 3 ; 1 / {a} ; {a}.pow(0.5) ; {a}.square() ; {a}.norm() * {a} ; {a}.tanh() ;
    torch.clamp({a}, min=-3.0, max=3.0) ; {a}.float() ; {a}.to(torch.float32) ; {a}.masked_fill({a} > 2, 0.0) ;
    torch.zeros_like({a}) ; {a}.round() ; {a} % 2 ; {a} // 2 ; {a} + torch.rand_like({a}) ; F.dropout({a}, 0.5)
""")
BINARY = _choices("""
    {a} + {b} ; {a} - {b} ; {a} * {b} ; {a} / {b} ; torch.maximum({a}, {b}) ; torch.where({a} > 0, {a}, {b}) ;
    torch.lerp({a}, {b}, 0.25) ; torch.stack([{a}, {b}]).mean(0) ; {a} * {b}.mean() ; {a} @ {b} + {a} ;
    torch.atan2({a}, {b}) ; {a}[{b}.long()] ; {a}[{b}.argsort()]
""")
ODD = _choices("""
    {a}.double() ; {a}.half() ; {a}.long() ; {a}[:2] ; {a}[1:] ; {a}.unsqueeze(0) ; {a}.sum() ;
    {a}.mean(0, keepdim=True) ; {a}.repeat(2) ; {a}[:1].expand(4) ; torch.zeros(4) ; torch.ones(()) ; {a} > 0 ;
    {a}.argmax() ; torch.arange(4) ; {a}[{a} > 0] ; {a}.to(torch.bfloat16) ; {a}.max() ;
    {a}.item() * 1.0 if {a}.numel() == 1 else {a}
""")
TESTS = _choices("""
    {a}.sum() > {c} ; {a}.mean() < {b}.mean() ; ({a} > {c}).any() ; ({a} < {c}).all() ; torch.isnan({a}).any() ;
    not torch.isfinite({a}).all() ; {a}.max() > {c} ; {a}.min() <= {c} ; {a}[0] > {c} ; torch.isinf({a}).any() ;
    {a}.abs().max() >= {c} ; {a}.sum() == 0 ; {c} < {a}.sum() < 6 ; torch.equal({a}, {b}) ; {a}.mean() > {c} ;
    torch.any({a} != {b}) ; {a}.argmax() == 0 ; bool({a}.sum() > {c}) ; {a}.sum().item() > {c} ; {a}.norm() > 2 ;
    torch.allclose({a}, {b}) ; {a}.sum() ; {a}[-1] ; ({a} * {b}).sum() > 0 ; {a}.prod().lt({c}) ;
    torch.logical_or(({a} > 4).any(), {b}.sum() < 0) ; {a}.isnan().any() or {b}.isnan().any() ;
    float({a}.max()) > {c}
""")
STATIC = _choices("""
    flag ; not flag ; n > 1 ; n == 2 ; scale > 0.5 ; {a} is not None ; {a}.shape[0] > 2 ;
    {a}.dtype == torch.float32 ; torch.is_grad_enabled() ; {a}.dim() == 1 ; len(ITEMS) > n ; flag and n > 1
""")

STEPS = _choices(
    "return t * 2 ; self.count += 1; return t ; return self.lin(t) if t.sum() > 0 else t ; return t + self.gain"
)


class Generator:
    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.rng = random.Random(seed)
        self.lines: list[str] = []
        self.depth = 1
        self.tensors = ["x", "y"]
        self.numbers = ["n", "scale"]
        self.maybe: list[str] = []
        self.helpers: set[str] = set()
        self.loops = 0
        self.fresh = 0
        self.budget = self.rng.choice([6, 9, 12, 16])
        self.module = self.chance(0.4)
        self.grad = self.chance(0.35)
        # Most programs stay tame, so that rewrites happen and are put to the test; the rest mixes everything in.
        self.wild = self.rng.choice([0.0, 0.05, 0.15, 0.3])
        self.output = self.rng.choice([0.0, 0.1, 0.3])

    # ------------------------------------------------------------ small things
    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    def pick(self, items: list[str]) -> str:
        return self.rng.choice(items)

    def emit(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    def new(self, stem: str) -> str:
        self.fresh += 1
        return f"{stem}{self.fresh}"

    def helper(self, name: str) -> str:
        self.helpers.add(name)
        return name

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """An indented suite; names that it binds are only maybe bound behind it."""
        self.emit(head)
        self.depth += 1
        kept = list(self.tensors), list(self.numbers)
        at = len(self.lines)
        yield
        if len(self.lines) == at:
            self.emit("pass")
        self.depth -= 1
        self.maybe += [t for t in self.tensors if t not in kept[0]]
        self.tensors, self.numbers = kept

    # ------------------------------------------------------------ expressions
    def tensor(self) -> str:
        if self.maybe and self.chance(0.2 * self.wild):
            return self.pick(self.maybe)
        return self.pick(self.tensors)

    def number(self) -> str:
        return self.pick([*self.numbers, "2", "0.5", "-1", "1.25"])

    def value(self, depth: int = 0) -> str:
        """Mostly a float tensor of four elements."""
        a = self.tensor() if depth > 1 or self.chance(0.6) else f"({self.value(depth + 1)})"
        r = self.rng.random()
        if r < 0.42:
            return self.pick(UNARY).format(a=a)
        if r < 0.62:
            return self.pick(BINARY).format(a=a, b=self.tensor())
        if r < 0.70:
            return f"{a} {self.pick(['+', '*', '-'])} {self.number()}"
        if r < 0.76 and depth < 2:
            return f"({self.value(depth + 1)} if {self.test()} else {self.value(depth + 1)})"
        if r < 0.80:
            return self.comprehension(a)
        if r < 0.86:
            return self.call(a)
        if r < 0.86 + 0.4 * self.wild:
            return self.risky(a)
        return a

    def comprehension(self, a: str) -> str:
        return self.pick(
            [
                f"sum([{a} * i for i in range(3)])",
                f"torch.stack([t + {self.number()} for t in {a}])",
                f"torch.stack([{a} * k for k in ITEMS if k > 1.5]).sum(0)",
                f"(lambda t: t * {self.number()})({a})",
                f"max([{a}.sum(), {self.tensor()}.sum()])",
            ]
        )

    def call(self, a: str) -> str:
        if self.module and self.chance(0.6):
            options = [
                "self.lin({a})",
                "self.other({a})",
                "self.norm({a})",
                "{a} * self.gain",
                "self.act({a})",
                "{a} + self.ema",
            ]
            options += ["self.drop({a})", "self.step({a})"] if self.chance(0.4) else []
            return self.pick(options).format(a=a)
        name = self.pick(
            ["soften", "alias", "choose", "branchy", "pair", *(list(HELPERS) if self.chance(self.wild) else [])]
        )
        self.helper(name)
        extra = {
            "soften": self.pick(["", ", 2", ", k=scale", ", bias=n"]),
            "choose": ", " + self.pick(["flag", "n > 1", self.test()]),
        }
        return f"{name}({a}{extra.get(name, '')})" + (f"[{self.pick(['0', '1', '-1', 'n'])}]" if name == "pair" else "")

    def risky(self, a: str) -> str:
        """May raise, draws random numbers, is of another type, shape or dtype."""
        r = self.rng.random()
        if r < 0.45:
            return self.pick(ODD).format(a=a)
        return self.pick(
            [
                f"{a} / n",
                f"TABLE[n] * {a}",
                f"{a} * ITEMS[n]",
                f"{a} * int({self.tensor()}.sum())",
                f"{a} + torch.rand_like({a})",
                f"F.dropout({a}, 0.5)",
                f"{a}[n]",
                "None",
                "1.5",
                "True",
                f"{a} * (1 / scale)",
                f"getattr({a}, 'data')",
                f"{a}.index_select(0, {self.tensor()}.long().clamp(0, 3))",
                f"{a}.add_(1)",
                f"{a}.mul_(0.5)",
                f"{a}.detach().add_(1)",
                f"torch.randn(4) + {a}",
                f"{a}.reshape(2, 2)",
                f"F.embedding(torch.arange(4) % 5, torch.ones(5, 4)).sum(0) + {a}",
                f"{a}.view(4).fill_(1.0)",
                f"float({a}.sum())",
                f"({a}, {a})",
                f"{a}.sum().sqrt()",
                f"torch.linalg.inv(torch.diag({a})) @ {a}",
                f"{a} + TABLE.get(n, 0.0)",
                f"{a} * math_less",
            ]
        )

    def data_test(self) -> str:
        return self.pick(TESTS).format(a=self.tensor(), b=self.tensor(), c=self.pick(["0", "1", "-2", "3.5", "0.5"]))

    def static_test(self) -> str:
        options = [*STATIC, "self.training", "self.count > 1"] if self.module else STATIC
        return self.pick(options).format(a=self.tensor())

    def test(self) -> str:
        r = self.rng.random()
        if r < 0.52:
            return self.data_test()
        if r < 0.62:
            return f"not ({self.data_test()})"
        if r < 0.68:
            return f"{self.static_test()} and {self.data_test()}"
        if r < 0.72:
            return f"{self.data_test()} and {self.static_test()}"
        if r < 0.76:
            return f"{self.static_test()} or {self.data_test()}"
        if r < 0.79:
            return f"({self.data_test()}) {self.pick(['and', 'or'])} ({self.data_test()})"
        if r < 0.82:
            inner = f"({self.data_test()}) {self.pick(['and', 'or'])} ({self.test()})"
            return f"{self.data_test()} {self.pick(['and', 'or'])} not ({inner})"
        if r < 0.86:
            name = self.new("w")
            a = self.tensor()
            test = f"({name} := {a}.{self.pick(['max', 'sum', 'mean'])}()) > {self.pick(['0', '1', '2'])}"
            self.maybe.append(name)
            if self.chance(0.5):
                self.tensors.append(name)
            return test
        if r < 0.88:
            return f"({self.data_test()} if {self.static_test()} else {self.data_test()})"
        return self.static_test()

    # ------------------------------------------------------------ statements
    def suite(self, size: int) -> None:
        for _ in range(self.rng.randint(1, size)):
            if self.budget <= 0:
                break
            self.budget -= 1
            self.statement()

    def statement(self) -> None:
        weights: dict[str, float] = {
            "branch": 4,
            "assign": 4,
            "pair": 0.5,
            "augment": 0.8,
            "ternary": 1,
            "loop": 0.7,
            "early": 0.6,
            "say": 8 * self.output,
            "guard": 0.5,
            "attribute": 0.6 if self.module else 0,
            "inner": 0.3,
            "swap": 0.2,
            "inplace": 0.3 + 4 * self.wild,
            "attempt": 3 * self.wild,
            "context": 0.3 + self.wild,
            "write": 2 * self.wild,
            "delete": 0.5 * self.wild,
            "while": 0.3,
            "none": 0.3,
            "jump": 1.5 if self.loops else 0,
            "search": 0.8,
        }
        if self.depth > 4:
            for deep in ("branch", "loop", "inner", "while", "attempt", "search"):
                weights[deep] = 0
        kind = self.rng.choices(list(weights), list(weights.values()))[0]
        getattr(self, "s_" + kind)()

    def target(self) -> str:
        if self.chance(0.7):
            return self.pick([t for t in self.tensors if t not in ("x", "y")] or self.tensors)
        return self.new("v")

    def bind(self, name: str) -> None:
        if name not in self.tensors:
            self.tensors.append(name)

    def s_assign(self) -> None:
        value, name = self.value(), self.target()
        self.emit(f"{name} = {value}")
        self.bind(name)

    def s_ternary(self) -> None:
        one, two, test, name = self.value(1), self.value(1), self.test(), self.target()
        form = self.pick(
            ["{n} = {a} if {t} else {b}", "{n} = torch.add({a} if {t} else {b}, 1)", "{n} = ({a} if {t} else {b}) * 2"]
        )
        self.emit(form.format(n=name, a=one, b=two, t=test))
        self.bind(name)

    def s_pair(self) -> None:
        one, two = self.value(1), self.value(1)
        a, b = self.target(), self.new("v")
        if self.chance(0.3):
            self.helper("pair")
            self.emit(f"{a}, {b} = pair({one})")
        else:
            self.emit(f"{a}, {b} = {one}, {two}")
        self.bind(a)
        self.bind(b)

    def s_swap(self) -> None:
        a, b = self.tensor(), self.tensor()
        self.emit(f"{a}, {b} = {b}, {a}")

    def s_augment(self) -> None:
        if self.chance(0.5):
            self.emit(f"{self.pick(self.numbers)} {self.pick(['+=', '*=', '-='])} {self.pick(['1', '2', '0.5'])}")
        elif self.chance(0.3 + self.wild):
            self.emit(f"{self.tensor()} {self.pick(['+=', '*='])} {self.pick([self.tensor(), '1', '0.5'])}")
        else:
            name = self.new("k")
            self.emit(f"{name} = {self.pick(['0', '1', '0.5', 'n'])}")
            self.numbers.append(name)

    def s_none(self) -> None:
        name = self.new("m")
        self.emit(f"{name} = None")
        with self.block(f"if {self.test()}:"):
            self.emit(f"{name} = {self.value()}")
        with self.block(f"if {name} is not None:"):
            self.emit(f"{self.target()} = {name} + 1")

    def s_inplace(self) -> None:
        a = self.tensor()
        if self.chance(0.3):
            view = self.new("view")
            self.emit(f"{view} = {a}{self.pick(['[1:]', '[:2]', '.view(-1)', '[:]', '.detach()'])}")
            self.tensors.append(view)
            a = view
        self.emit(
            self.pick(
                [
                    "{a}.add_(1)",
                    "{a}[0] = 2.0",
                    "{a}.mul_(0.5)",
                    "{a}.clamp_(-1, 1)",
                    "{a}[0] += 1",
                    "{a}.copy_({b})",
                    "torch.relu_({a})",
                    "{a}[{b} > 0] = 0.0",
                    "torch.add({a}, 1, out={a})",
                ]
            ).format(a=a, b=self.tensor())
        )

    def s_branch(self) -> None:
        size = 2 if self.chance(0.7) else 3
        with self.block(f"if {self.test()}:"):
            self.suite(size)
        while self.chance(0.25):
            with self.block(f"elif {self.test()}:"):
                self.suite(size)
        if self.chance(0.5):
            with self.block("else:"):
                self.suite(size)
        if self.chance(0.25):  # a name that all arms bind
            name = self.new("z")
            one, two = self.value(1), self.value(1)
            with self.block(f"if {self.test()}:"):
                self.emit(f"{name} = {one}")
                self.suite(1)
            with self.block("else:"):
                self.suite(1)
                self.emit(f"{name} = {two}")
            self.bind(name)

    def result(self) -> str:
        form = self.pick(
            [
                "{a}",
                "{a}",
                "{a}",
                "{a}, {b}",
                "({a}, ({b}, {k}))",
                "[{a}, {b}]",
                "{{'a': {a}, 'k': {k}}}",
                "{e}",
                "{a}, {e}",
            ]
        )
        if self.chance(0.1 * self.wild):
            return "None"
        return form.format(a=self.tensor(), b=self.tensor(), k=self.pick(self.numbers), e=self.value(1))

    def s_early(self) -> None:
        with self.block(f"if {self.test()}:"):
            if self.chance(0.3):
                self.suite(1)
            self.emit(f"return {self.result()}")
        if self.chance(0.2):
            with self.block("else:"):
                self.suite(2)

    def s_loop(self) -> None:
        head = self.pick(
            [
                "for i in range(3):",
                "for i in range(n):",
                f"for item in {self.tensor()}:",
                "for i, item in enumerate(ITEMS):",
            ]
        )
        self.loops += 1
        with self.block(head):
            if "i," in head or "item" not in head:
                self.numbers.append("i")
            if "item" in head:
                (self.numbers if "enumerate" in head else self.tensors).append("item")
            self.suite(2)
        self.loops -= 1
        if self.chance(0.15):
            with self.block("else:"):
                self.suite(1)

    def s_search(self) -> None:
        """A loop that a test on data ends, or whose turns it cuts short; mostly tame enough to be traced to its end."""
        name, item = self.target(), self.new("it")
        head = self.pick([f"range({self.pick(['2', '3', 'n'])})", "ITEMS", f"enumerate({self.tensor()})", "[x, y]"])
        self.emit(f"{name} = {self.value(1)}")
        self.bind(name)
        self.loops += 1
        with self.block(f"for {'k, ' if 'enumerate' in head else ''}{item} in {head}:"):
            (self.numbers if head[0] in "rI" else self.tensors).append(item)
            if self.chance(0.6):
                self.emit(f"{name} = {self.pick([*UNARY, *BINARY]).format(a=name, b=self.tensor())}")
            if self.chance(0.3):
                self.s_say()
            with self.block(f"if {self.test()}:"):
                if self.chance(0.3):
                    self.emit(f"{name} = {self.value(1)}")
                self.emit(self.pick(["break", "break", "continue"]))
            if self.chance(0.7):
                self.emit(f"{self.pick([name, name, self.tensor()])} = {self.value(1)}")
            if self.chance(self.wild):
                self.suite(1)
        self.loops -= 1

    def s_while(self) -> None:
        count, a = self.new("c"), self.tensor()
        self.emit(f"{count} = 0")
        self.loops += 1
        with self.block(f"while {count} < 3 and ({self.data_test()}):"):
            self.emit(f"{count} += 1")
            self.emit(f"{a} = {a} * 0.5")
            self.suite(1)
        self.loops -= 1

    def s_jump(self) -> None:
        with self.block(f"if {self.test()}:"):
            if self.chance(0.4):
                self.suite(1)
            self.emit(self.pick(["break", "continue"]))

    def s_say(self) -> None:
        a, text = self.tensor(), self.new("said ")
        self.emit(
            self.pick(
                [
                    f'print("{text}")',
                    f'print("{text}", {a})',
                    f'print("{text}", {a}.sum().item())',
                    f'print(f"{text} {{{a}.mean():.3f}}")',
                    f'logger.warning("{text} %s", {a}.shape)',
                    f'logger.info("{text}")',
                    f'warnings.warn("{text}")',
                    f'logger.warning(f"{text} {{{a}}}")',
                    f'print("{text}", {self.pick(self.numbers)})',
                    f'warnings.warn(f"{text} {{{a}.max()}}", UserWarning)',
                ]
            )
        )

    def s_guard(self) -> None:
        text, a = self.new("bad "), self.tensor()
        test = self.pick(
            [
                "{a}.sum() < -9",
                "{a}.max() > 16",
                "torch.isnan({a}).any()",
                "not torch.isfinite({a}).all()",
                "flag and {a}.min() < -6",
                "{a}.shape[0] != 4",
                "({a}.sum() < -8) or ({a}.sum() > 30)",
            ]
        ).format(a=a)
        message = self.pick(
            [
                f'"{text}"',
                f'f"{text} {{{a}.shape}}"',
                f'f"{text} {{{a}}}"',
                f'"{text}", {a}.sum().item()',
                f'"{text}", n',
            ]
        )
        if self.chance(0.25):
            message = f'f"{text} {{{a}.mean()}}"'
            self.emit(f"assert not ({test}), {message}")
            return
        with self.block(f"if {test}:"):
            if self.chance(0.2):
                self.s_say()
            self.emit(f"raise {self.pick(['ValueError', 'RuntimeError', 'IndexError'])}({message})")

    def s_attribute(self) -> None:
        self.emit(
            self.pick(
                [
                    "self.count += 1",
                    "self.count = n",
                    "self.last = {a}",
                    "self.ema = {a} * 0.5",
                    "self.ema.add_({a}.detach())",
                    "self.seen.append({a}.mean())",
                    "self.last = None",
                    "self.table['k'] = {a}",
                    "{t} = {a} if self.last is None else self.last",
                    "self.ema.copy_({a}.detach())",
                ]
            ).format(a=self.tensor(), t=self.target() if "x" in self.tensors else "x")
        )

    def s_write(self) -> None:
        self.emit(
            self.pick(
                [
                    "SEEN.append({a})",
                    "SEEN.append(n)",
                    "TABLE[n] = {k}",
                    "ITEMS[0] = {k}",
                    "SEEN[:] = []",
                    "TABLE.update(b=1)",
                    "SEEN.append({a}.sum())",
                ]
            ).format(a=self.tensor(), k=self.pick(self.numbers))
        )

    def s_delete(self) -> None:
        name = self.new("d")
        self.emit(f"{name} = {self.value()}")
        with self.block(f"if {self.test()}:"):
            self.emit(f"del {name}")
        self.maybe.append(name)

    def s_attempt(self) -> None:
        with self.block("try:"):
            self.suite(2)
            if self.chance(0.4):
                self.s_guard()
        handler = self.pick(
            ["except ValueError as error:", "except Exception:", "except (RuntimeError, KeyError):", "finally:"]
        )
        with self.block(handler):
            if "as error" in handler and self.chance(0.5):
                self.emit('print("caught", error)')
            self.suite(1)

    def s_context(self) -> None:
        head = self.pick(["torch.no_grad()", "torch.enable_grad()", "contextlib.nullcontext()", "torch.no_grad()"])
        if self.chance(self.wild):
            head = self.pick(["contextlib.suppress(ValueError)", "warnings.catch_warnings()"])
        self.emit(f"with {head}:")
        self.depth += 1
        at = len(self.lines)
        self.suite(2)
        if len(self.lines) == at:
            self.emit("pass")
        self.depth -= 1

    def s_inner(self) -> None:
        name = self.new("inner")
        number = self.pick([k for k in self.numbers if k != "i"])
        kept = self.tensors, self.loops
        self.loops = 0
        with self.block(f"def {name}(t, k=2):"):
            if self.chance(0.4):
                self.emit(f"nonlocal {number}")
                self.emit(f"{number} += 1")
            if self.chance(0.6):
                with self.block(f"if {self.data_test()}:" if self.chance(0.4) else "if t.sum() > 1:"):
                    self.emit(f"return t * k + {self.tensor()}")
            self.emit(f"return t - {self.tensor()}")
        self.tensors, self.loops = kept
        self.emit(f"{self.target()} = {name}({self.tensor()})")

    # ------------------------------------------------------------ the module
    def body(self) -> None:
        if self.chance(0.7):
            self.emit("h = x * 1")
            self.tensors.append("h")
        else:
            self.emit("h = x")
            self.tensors.append("h")
        if self.chance(0.15 + self.wild):
            self.emit("global TOTAL")
            self.emit("TOTAL += 1")
        while self.budget > 0:
            self.budget -= 1
            self.statement()
        self.emit(f"return {self.result()}")

    def cases(self) -> list[str]:
        lines = ["", "", "def cases():", "    def t(*values):"]
        lines.append("        return torch.tensor(values)" + (".requires_grad_()" if self.grad else ""))
        lines += ["", "    return ["]
        for _ in range(4):
            x = self.pick(INPUTS if self.chance(0.4) else INPUTS[:6])
            y = self.pick(INPUTS[:6])
            flag, n = (
                self.pick(["True", "True", "False"]),
                self.pick(["2", "2", "2", "1", "0" if self.chance(self.wild) else "2"]),
            )
            keyword = self.pick(["{}", "{}", "{'scale': 0.25}"])
            lines.append(f"        ((t({x}), t({y}), {flag}, {n}), {keyword}),")
        return [*lines, "    ]", ""]

    def generate(self) -> str:
        if self.module:
            self.depth = 2
        self.body()
        inner, out = self.lines, [f'"""Generated: seed {self.seed}."""', ""]
        entry = "build()" if self.module else "work"
        out += PRELUDE.format(entry=entry, grad="GRAD = True" if self.grad else "").split("\n")
        text = "\n".join(inner)
        for name in HELPERS:
            if name in self.helpers or f"{name}(" in text:
                out += ["", HELPERS[name]]
        out.append("")
        if self.module:
            out += self.module_text(text)
        else:
            out += ["def work(x, y, flag=True, n=2, *, scale=1.0):", text, "", "", "compiled = torch.compile(work)"]
        return "\n".join(out + self.cases())

    def module_text(self, text: str) -> list[str]:
        mode = self.pick(["", ".eval()"])
        step = self.pick(STEPS)
        return [
            "class Net(nn.Module):",
            "    def __init__(self):",
            "        super().__init__()",
            "        self.lin = nn.Linear(4, 4)",
            "        self.other = nn.Linear(4, 4)",
            "        self.norm = nn.LayerNorm(4)",
            "        self.drop = nn.Dropout(0.5)",
            f"        self.act = {self.pick(['nn.ReLU()', 'nn.GELU()', 'torch.tanh', 'nn.Dropout(0.2)', 'F.relu'])}",
            "        self.gain = nn.Parameter(torch.ones(4))",
            '        self.register_buffer("ema", torch.zeros(4))',
            "        self.count = 0",
            "        self.last = None",
            "        self.seen = []",
            "        self.table = {}",
            "",
            "    def step(self, t):",
            "        " + step,
            "",
            "    def forward(self, x, y, flag=True, n=2, *, scale=1.0):",
            text,
            "",
            "",
            "def build():",
            f"    return Net(){mode}",
            "",
            "",
            "compiled = torch.compile(Net())",
        ]


def _dead_lookups(tree: ast.Module) -> list[int]:
    """Lines that look something up only for the next statement to overwrite it.

    Dynamo leaves such an operator out of a graph, and with it the error that it could raise: of the original too,
    where it is one graph.
    """
    lines = []
    bodies = [getattr(node, name, []) for node in ast.walk(tree) for name in ("body", "orelse")]
    for body in bodies:
        for one, two in itertools.pairwise(body if isinstance(body, list) else []):
            if isinstance(one, ast.Assign) and isinstance(two, ast.Assign) and "long()" in ast.unparse(one.value):
                read = {node.id for node in ast.walk(two.value) if isinstance(node, ast.Name)}
                name = ast.unparse(one.targets[0])
                if name == ast.unparse(two.targets[0]) and name not in read:
                    lines.append(one.lineno)
    return lines


def generate(seed: int) -> str:
    text = Generator(seed).generate()
    dead = _dead_lookups(ast.parse(text))
    return "".join(line for at, line in enumerate(text.splitlines(keepends=True), 1) if at not in dead)


if __name__ == "__main__":
    print(generate(int(sys.argv[1])))
