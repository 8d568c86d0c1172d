// Entry points, the call graph, boundaries, and what may be caught.
#include "unit/project_fixture.h"

#define HEAD "import torch\nfrom torch import nn\n"

TEST(entries_by_spelling) {
    Fixture f = {0};
    Module *m = fixture_add(
        &f, "m.py",
        "import torch as t\nfrom torch import compile as c\nimport functools\n"
        "def f1(x): return helper(x)\ndef helper(x): return x\ndef unused(x): return x\n"
        "one = t.compile(f1)\n"
        "@c\ndef f2(x): return x\n"
        "@c(dynamic=True)\ndef f3(x): return x\n"
        "def f4(x): return x\nfour = c(fullgraph=True)(f4)\n"
        "tc = functools.partial(c, mode='x')\n@tc\ndef f5(x): return x\n"
        "def f6(x): return x\nsix = tc(f6)\n"
        "class N(t.nn.Module):\n    def forward(self, x): return self.go(x)\n    def go(self, x): return x\n"
        "class M(t.nn.Module):\n    def forward(self, x): return x\n    def gen(self): return 1\n"
        "class K(t.nn.Module):\n    def forward(self, x): return x\n"
        "n = N()\nc(n)\nm = M()\nc(m.gen)\nk = K()\nk.compile()\n"
        "def wrap(fn): return c(fn)\n@wrap\ndef f7(x): return x\n"
        "def f8(x): return x\nwrap(f8)\n");
    project_analyse(f.project);
    const char *const entries[] = {"f1", "f2", "f3",        "f4",    "f5",       "f6",
                                   "f7", "f8", "N.forward", "M.gen", "K.forward"};
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        const FuncInfo *func = func_named(m, entries[i]);
        if (!func || !func->is_entry)
            printf("%s\n", entries[i]);
        EXPECT(func && func->is_entry);
    }
    EXPECT(is_reachable(m, "helper") && is_reachable(m, "N.go"));
    EXPECT(!is_reachable(m, "unused") && !is_reachable(m, "M.forward"));
    fixture_free(&f);
}

TEST(entries_without_a_site) {
    Fixture f = {0};
    Module *m = fixture_add(&f, "m.py",
                            HEAD "class N(nn.Module):\n    def forward(self, x): return x\n"
                                 "class P:\n    def forward(self, x): return x\n");
    project_analyse(f.project);
    EXPECT(is_reachable(m, "N.forward") && !is_reachable(m, "P.forward"));
    fixture_free(&f);
}

TEST(entries_of_an_unknown_target) {
    Fixture f = {0};
    Module *m = fixture_add(&f, "m.py",
                            HEAD "class N(nn.Module):\n    def forward(self, x): return x\n"
                                 "def f(x): return x\ntorch.compile(f)\ntorch.compile(load('net'))\n");
    project_analyse(f.project);
    EXPECT(is_reachable(m, "N.forward") && is_reachable(m, "f"));
    fixture_free(&f);
}

TEST(entries_named) {
    static const char *const entries[] = {"m:N.run", NULL};
    Fixture f = {.entries = entries};
    Module *m = fixture_add(
        &f, "m.py",
        HEAD "class N(nn.Module):\n    def forward(self, x): return x\n    def run(self): pass\n");
    project_analyse(f.project);
    EXPECT(is_reachable(m, "N.run") && !is_reachable(m, "N.forward") && f.diags.errors == 0);
    fixture_free(&f);
    static const char *const wrong[] = {"m:N.nothing", NULL};
    f.entries = wrong;
    fixture_add(&f, "m.py", HEAD);
    project_analyse(f.project);
    EXPECT(f.diags.errors == 1);
    fixture_free(&f);
}

TEST(dispatch) {
    Fixture f = {0};
    fixture_add(&f, "base.py",
                HEAD "class Base(nn.Module):\n    def forward(self, x): return self.hook(x)\n"
                     "    def hook(self, x): return x\n");
    Module *sub = fixture_add(&f, "sub.py",
                              "from base import Base\nclass Sub(Base):\n    def hook(self, x): return 1\n");
    Module *m = fixture_add(
        &f, "m.py",
        HEAD
        "from base import Base\n"
        "class Act(nn.Module):\n    def forward(self, x): return x\n"
        "class Odd(nn.Module):\n    def __call__(self, x): return x\n    def forward(self, x): return x\n"
        "ACTS = {'a': Act, 'b': Odd}\n"
        "def deco(fn):\n    def inner(*a):\n        return fn(*a)\n    return inner\n"
        "class Net(Base):\n"
        "    def __init__(self, c):\n        super().__init__()\n        self.act = ACTS[c]()\n"
        "        self.seq = nn.Sequential(Act(), nn.ReLU())\n"
        "    @property\n    def size(self): return 1\n"
        "    @deco\n    def deep(self, x): return x\n"
        "    def __getitem__(self, i): return i\n"
        "    def given(self, x): return x\n"
        "    def forward(self, x):\n"
        "        x = super().forward(x)\n        x = self.act(x)\n        x = self.seq(x)\n"
        "        self.size\n        self.deep(x)\n        self[0]\n"
        "        torch.utils.checkpoint.checkpoint(self.given, x)\n"
        "        def local(y): return y\n"
        "        return map(local, map(lambda z: self.last(z), x))\n"
        "    def last(self, z): return z\n    def never(self): pass\n");
    project_analyse(f.project);
    EXPECT(is_reachable(sub, "Sub.hook"));
    EXPECT(is_reachable(m, "Act.forward") && is_reachable(m, "Odd.__call__"));
    EXPECT(calls(m, "Net.forward", m, "Net.size") && calls(m, "Net.forward", m, "Net.deep"));
    EXPECT(calls(m, "Net.forward", m, "deco.<locals>.inner") &&
           calls(m, "deco.<locals>.inner", m, "Net.deep"));
    EXPECT(calls(m, "Net.forward", m, "Net.__getitem__") && calls(m, "Net.forward", m, "Net.given"));
    EXPECT(is_reachable(m, "Net.forward.<locals>.local") && is_reachable(m, "Net.last"));
    EXPECT(!is_reachable(m, "Net.never") && !is_reachable(m, "Net.__init__") && !is_reachable(m, "deco"));
    fixture_free(&f);
}

TEST(helpers_that_never_say_torch) {
    Fixture f = {0};
    Module *h = fixture_add(&f, "helpers.py", "def show(x):\n    print(x)\ndef other(x): pass\n");
    Module *unused = fixture_add(&f, "unused.py", "def nothing(): pass\n");
    Module *m = fixture_add(&f, "m.py",
                            HEAD "from helpers import show\ndef f(x): return show(x)\ntorch.compile(f)\n");
    project_analyse(f.project);
    EXPECT(is_reachable(h, "show") && h->matters && !is_reachable(h, "other"));
    EXPECT(!unused->matters && !unused->unit && m->matters);
    fixture_free(&f);
}

TEST(boundaries) {
    Fixture f = {0};
    Module *m =
        fixture_add(&f, "m.py",
                    HEAD "import torch._dynamo\n"
                         "def tracing():\n    try:\n        return torch.compiler.is_compiling()\n"
                         "    except Exception:\n        return False\n"
                         "@torch.compiler.disable\ndef off(x): return a_off(x)\ndef a_off(x): return x\n"
                         "@torch._dynamo.disable(recursive=True)\ndef off2(x): return x\n"
                         "def f(x):\n"
                         "    off(x); off2(x)\n"
                         "    if not torch.compiler.is_compiling():\n        eager(1)\n"
                         "    else:\n        compiled(2)\n"
                         "    if tracing() and x:\n        compiled(3)\n    else:\n        compiled(4)\n"
                         "    if torch.jit.is_tracing():\n        eager(5)\n"
                         "    if not torch.jit.is_tracing():\n        compiled(6)\n"
                         "    y = eager(7) if not tracing() else compiled(8)\n"
                         "    inside = tracing()\n    if not inside:\n        eager(9)\n"
                         "    for i in x:\n        if tracing():\n            continue\n        eager(10)\n"
                         "    if tracing():\n        return compiled(11)\n"
                         "    eager(12)\n"
                         "def eager(x): pass\ndef compiled(x): pass\n"
                         "torch.compile(f)\n");
    project_analyse(f.project);
    EXPECT(!is_reachable(m, "off") && !is_reachable(m, "off2") && !is_reachable(m, "a_off"));
    EXPECT(is_reachable(m, "compiled") && !is_reachable(m, "eager"));
    static const int eager[] = {1, 5, 7, 9, 10, 12}, compiled[] = {2, 3, 4, 6, 8, 11};
    char text[32];
    for (size_t i = 0; i < 6; i++) {
        snprintf(text, sizeof text, "eager(%d)", eager[i]);
        bool wrong = node_in_compiled_code(m, node_of(m, text));
        snprintf(text, sizeof text, "compiled(%d)", compiled[i]);
        bool right = node_in_compiled_code(m, node_of(m, text));
        if (wrong || !right)
            printf("%d %d\n", eager[i], compiled[i]);
        EXPECT(!wrong && right);
    }
    fixture_free(&f);
}

static bool is_call(Module *module, Node *stmt) {
    (void)module;
    return node_is(stmt, NODE_EXPR_STMT) && node_is(stmt->u.value.value, NODE_CALL);
}

TEST(catching) {
    Fixture f = {.prints = is_call};
    Module *m = fixture_add(
        &f, "m.py",
        HEAD "import contextlib, warnings\n"
             "@contextlib.contextmanager\ndef plain():\n    yield\n"
             "@contextlib.contextmanager\ndef swallow():\n    try:\n        yield\n    except ValueError:\n  "
             "      pass\n"
             "class Manager:\n    def __enter__(self): return self\n    def __exit__(self, *a): return True\n"
             "def deep(x): return x\n"
             "def middle(x): return deep(x)\n"
             "def fine(x): return x\n"
             "def f(x):\n"
             "    try:\n        g(1)\n        middle(x)\n    except ValueError:\n        g(2)\n    else:\n   "
             "     g(3)\n"
             "    with torch.no_grad(), warnings.catch_warnings():\n        g(4)\n"
             "    with contextlib.suppress(ValueError):\n        g(5)\n"
             "    with plain():\n        g(6)\n"
             "    with swallow():\n        g(7)\n"
             "    with Manager():\n        g(8)\n"
             "    with torch.no_grad() if x else contextlib.nullcontext():\n        g(9)\n"
             "    try:\n        g(10)\n    finally:\n        close(x)\n"
             "    try:\n        done = g(11)\n    finally:\n        close(done)\n"
             "    with unknown(x):\n        g(12)\n"
             "    try:\n        g(13)\n    finally:\n        x = x + 1\n"
             "    fine(x)\n"
             "torch.compile(f)\n");
    project_analyse(f.project);
    static const bool caught[] = {true, false, false, false, true, false, true,
                                  true, false, true,  true,  true, false};
    for (int i = 1; i <= 13; i++) {
        char text[32];
        snprintf(text, sizeof text, "g(%d)", i);
        bool is = node_may_be_caught(m, node_of(m, text), NULL, NULL, NULL) == CATCH_LIKELY;
        if (is != caught[i - 1])
            printf("%s\n", text);
        EXPECT(is == caught[i - 1]);
    }
    Node *where = NULL;
    Module *in = NULL;
    Node *deep = func_named(m, "deep")->function->node->u.function.body.items[0];
    Node *fine = func_named(m, "fine")->function->node->u.function.body.items[0];
    EXPECT(node_may_be_caught(m, deep, NULL, &where, &in) && node_is(where, NODE_TRY) && in == m);
    EXPECT(!node_may_be_caught(m, fine, NULL, &where, &in));
    fixture_free(&f);
}

TEST(caught_by_a_wrapper) {
    Fixture f = {0};
    Module *m =
        fixture_add(&f, "m.py",
                    HEAD "import functools\n"
                         "def safe(fn):\n    @functools.wraps(fn)\n    def inner(*a):\n        try:\n        "
                         "    return fn(*a)\n"
                         "        except ValueError:\n            return None\n    return inner\n"
                         "def open_(fn):\n    def inner(*a):\n        return fn(*a)\n    return inner\n"
                         "@safe\ndef one(x): return x\n"
                         "@open_\ndef two(x): return x\n"
                         "@open_\ndef three(x): return x\n"
                         "def f(x):\n    one(x)\n    two(x)\n    try:\n        three(x)\n    except "
                         "ValueError:\n        pass\n"
                         "torch.compile(f)\n");
    project_analyse(f.project);
    EXPECT(func_named(m, "one")->caught);
    EXPECT(!func_named(m, "two")->caught); // open_'s wrapper is also called under a try, but not for two
    EXPECT(func_named(m, "three")->caught);
    fixture_free(&f);
}

TEST(unknown_call_under_a_try) {
    Fixture f = {0};
    Module *m =
        fixture_add(&f, "m.py",
                    HEAD "class Layer(nn.Module):\n    def forward(self, x): return inner(x)\n"
                         "def inner(x): return x\n"
                         "class Net(nn.Module):\n    def __init__(self, layer):\n        self.layer = layer\n"
                         "    def forward(self, x):\n        try:\n            return self.layer(x.add(1))\n"
                         "        except ValueError:\n            return x\n");
    project_analyse(f.project);
    EXPECT(func_named(m, "Layer.forward")->caught && func_named(m, "inner")->caught);
    fixture_free(&f);
    Module *n = fixture_add(&f, "n.py",
                            HEAD "class Layer(nn.Module):\n    def forward(self, x): return x\n"
                                 "class Net(nn.Module):\n    def forward(self, x):\n"
                                 "        try:\n            return x.shape.frobnicate(1)\n"
                                 "        except ValueError:\n            return x\n");
    project_analyse(f.project);
    EXPECT(!func_named(n, "Layer.forward")->caught);
    fixture_free(&f);
}

TEST(higher_order) {
    Fixture f = {0};
    Module *m = fixture_add(
        &f, "m.py",
        HEAD
        "from torch.utils.checkpoint import checkpoint\n"
        "class Op(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, x): return deep(x)\n"
        "def deep(x): return x\ndef block(x): return inner(x)\ndef inner(x): return x\n"
        "def plain(x): return x\n"
        "def f(x):\n    checkpoint(block, x, use_reentrant=False)\n    Op.apply(x)\n    return plain(x)\n"
        "torch.compile(f)\n");
    project_analyse(f.project);
    EXPECT(is_reachable(m, "Op.forward") && func_named(m, "deep")->higher_order);
    EXPECT(func_named(m, "block")->higher_order && func_named(m, "inner")->higher_order);
    EXPECT(!func_named(m, "plain")->higher_order && !func_named(m, "f")->higher_order);
    fixture_free(&f);
}

TEST(dump) {
    Fixture f = {0};
    fixture_add(&f, "m.py", HEAD "def g(x): return x\ndef f(x):\n    return g(x)\ntorch.compile(f)\n");
    project_analyse(f.project);
    Buf out = {0};
    dump_calls(f.project, &out, false);
    EXPECT_STR(buf_view(&out), "m:g reachable\nm:f entry reachable\n  5:12 m:g\n");
    buf_free(&out);
    dump_calls(f.project, &out, true);
    EXPECT(str_find(buf_view(&out), STR("\"m:f\" -> \"m:g\";"), NULL));
    buf_free(&out);
    fixture_free(&f);
}

int main(void) {
    RUN(entries_by_spelling);
    RUN(entries_without_a_site);
    RUN(entries_of_an_unknown_target);
    RUN(entries_named);
    RUN(dispatch);
    RUN(helpers_that_never_say_torch);
    RUN(boundaries);
    RUN(catching);
    RUN(caught_by_a_wrapper);
    RUN(unknown_call_under_a_try);
    RUN(higher_order);
    RUN(dump);
    return test_report();
}
