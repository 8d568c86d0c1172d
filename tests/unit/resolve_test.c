// Name resolution: imports, bindings, attributes, classes.
#include "unit/project_fixture.h"

// Makes a file count for the byte scan.
#define TORCH "import torch\ntorch.compile\n"

TEST(external_names) {
    Fixture f = {0};
    Module *m = fixture_add(
        &f, "m.py",
        TORCH "import torch.nn.functional as F\nfrom torch import nn\n"
              "import logging as lg\nfrom transformers.utils import logging\n"
              "import os.path\nfrom torch import compile as c\n"
              "F.relu\nnn.Module\nlg.getLogger(__name__)\nlogging.get_logger(1)\nos.path.join\nc\n"
              "print\nlen(c)\nnn.Linear(1, 2)\n");
    project_analyse(f.project);
    EXPECT_REF(m, "F.relu", "external torch.nn.functional.relu");
    EXPECT_REF(m, "nn.Module", "external torch.nn.Module");
    EXPECT_REF(m, "lg.getLogger(__name__)", "external-instance logging.getLogger");
    EXPECT_REF(m, "logging.get_logger(1)", "external-instance transformers.utils.logging.get_logger");
    EXPECT_REF(m, "os.path.join", "external os.path.join");
    EXPECT_REF(m, "c", "external torch.compile");
    EXPECT_REF(m, "print", "builtin print");
    EXPECT_REF(m, "nn.Linear(1, 2)", "external-instance torch.nn.Linear");
    EXPECT(ref_is_external(resolve_expr(m, node_of(m, "print")), "print"));
    fixture_free(&f);
}

TEST(packages) {
    Fixture f = {0};
    fixture_add(&f, "pkg/__init__.py", "from .layers import Layer as Renamed\nfrom .sub import *\n");
    fixture_add(&f, "pkg/layers.py", "class Layer:\n    pass\n");
    fixture_add(&f, "pkg/sub/__init__.py", "from .deep import *\n");
    fixture_add(&f, "pkg/sub/deep.py", "__all__ = ['shown']\ndef shown(): pass\ndef hidden(): pass\n");
    Module *m =
        fixture_add(&f, "pkg/user.py",
                    TORCH "from . import Renamed, shown, layers\nfrom .sub import hidden\n"
                          "import pkg.sub.deep as d\nimport pkg\nfrom .nothing import lost\n"
                          "from ..beyond import far\n"
                          "Renamed\nshown\nlayers.Layer\nhidden\nd.hidden\npkg.layers.Layer()\nlost\nfar\n");
    project_analyse(f.project);
    EXPECT_REF(m, "Renamed", "class pkg.layers.Layer");
    EXPECT_REF(m, "shown", "function pkg.sub.deep.shown");
    EXPECT_REF(m, "layers.Layer", "class pkg.layers.Layer");
    EXPECT_REF(m, "hidden", "none");
    EXPECT_REF(m, "d.hidden", "function pkg.sub.deep.hidden");
    EXPECT_REF(m, "pkg.layers.Layer()", "instance pkg.layers.Layer");
    EXPECT_REF(m, "lost", "external pkg.nothing.lost");
    EXPECT_REF(m, "far", "external ..beyond.far");
    Ref dotted = resolve_dotted(f.project, NAME_OF("pkg.layers.Layer"));
    EXPECT(dotted.kind == REF_CLASS);
    fixture_free(&f);
}

TEST(import_cycles) {
    Fixture f = {0};
    fixture_add(&f, "a.py", "from b import *\nfrom b import x as y\n");
    fixture_add(&f, "b.py", "from a import *\nfrom a import y as x\ndef real(): pass\n");
    Module *m = fixture_add(&f, "m.py", TORCH "from a import real, x, y\nreal\nx\ny\n");
    project_analyse(f.project);
    EXPECT_REF(m, "real", "function b.real");
    EXPECT_REF(m, "x", "none");
    EXPECT_REF(m, "y", "none");
    fixture_free(&f);
}

// a.f is asked for first, and b.f is found on the way to it: that it was absent while a was searched does not stay.
TEST(cycles_leave_nothing_behind) {
    Fixture f = {0};
    fixture_add(&f, "own.py", "def f(): pass\n");
    fixture_add(&f, "a.py", "from own import *\nfrom b import *\n");
    fixture_add(&f, "b.py", "from a import *\n");
    Module *m = fixture_add(&f, "m.py", TORCH "import a, b\na.f\nb.f\n");
    project_analyse(f.project);
    EXPECT_REF(m, "a.f", "function own.f");
    EXPECT_REF(m, "b.f", "function own.f");
    fixture_free(&f);
}

// What comes through more stars than are followed may be anything.
TEST(long_chains_of_stars) {
    Fixture f = {0};
    fixture_add(&f, "s0.py", "def print(): pass\n");
    for (int i = 1; i < 16; i++) {
        char path[16], text[32];
        snprintf(path, sizeof path, "s%d.py", i);
        snprintf(text, sizeof text, "from s%d import *\n", i - 1);
        fixture_add(&f, path, text);
    }
    Module *m = fixture_add(&f, "m.py", TORCH "from s15 import *\nprint\n");
    project_analyse(f.project);
    EXPECT_REF(m, "print", "none");
    fixture_free(&f);
}

TEST(lazy_packages) {
    Fixture f = {0};
    fixture_add(&f, "lib/__init__.py",
                "_import_structure = {'one': ['A']}\n_import_structure['two'] = "
                "['B']\n_import_structure['two'].append('C')\n"
                "import sys\nsys.modules[__name__] = _LazyModule(__name__, _import_structure)\n");
    fixture_add(&f, "lib/one.py", "class A: pass\n");
    fixture_add(&f, "lib/two.py", "class B: pass\nclass C: pass\n");
    fixture_add(&f, "lib/scan/__init__.py", "from x import define_import_structure\n");
    fixture_add(&f, "lib/scan/mod.py", "__all__ = ['D']\nclass D: pass\nclass E: pass\n");
    Module *m =
        fixture_add(&f, "m.py", TORCH "from lib import A, B, C\nfrom lib.scan import D, E\nA\nB\nC\nD\nE\n");
    project_analyse(f.project);
    EXPECT_REF(m, "A", "class lib.one.A");
    EXPECT_REF(m, "B", "class lib.two.B");
    EXPECT_REF(m, "C", "class lib.two.C");
    EXPECT_REF(m, "D", "class lib.scan.mod.D");
    EXPECT_REF(m, "E", "none");
    fixture_free(&f);
}

TEST(several_bindings) {
    Fixture f = {0};
    Module *m =
        fixture_add(&f, "m.py",
                    TORCH "try:\n    from fast import kernel\nexcept ImportError:\n    kernel = None\n"
                          "if is_x_available():\n    import x\nelse:\n    x = object\n"
                          "if flag:\n    import p as q\nelse:\n    import r as q\n"
                          "print = print\n"
                          "def once(): pass\nonce = torch.compile(once)\n"
                          "log = 1\ndef rebind():\n    global log\n    log = 2.0\n"
                          "kernel\nx\nq\nonce\nlog\n"
                          "def f(a):\n    b = once\n    b\n    b = a\n    return b\n"
                          "def g(n):\n    c = once\n    for i in n:\n        c\n        c = i\n");
    project_analyse(f.project);
    EXPECT_REF(m, "kernel", "external fast.kernel");
    EXPECT_REF(m, "x", "external x");
    EXPECT_REF(m, "q", "none");
    EXPECT_REF(m, "once", "function m.once");
    EXPECT_REF(m, "log", "none");
    EXPECT_REF(m, "b", "none");
    EXPECT_REF(m, "c", "none");
    fixture_free(&f);
}

TEST(rebound_by_inner_functions) {
    Fixture f = {0};
    Module *m = fixture_add(
        &f, "m.py",
        TORCH "def early():\n    global log\n    log = 1\nlog = print\nlog\n"
              "def use():\n    return log\n"
              "def outer():\n    say = print\n    def change():\n        nonlocal say\n        say = len\n"
              "    change()\n    say\n"
              "def straight():\n    tell = print\n    tell\n    tell = len\n");
    project_analyse(f.project);
    EXPECT_REF(m, "log", "none");
    EXPECT_REF(m, "say", "none");
    const Node *body = func_named(m, "straight")->function->node;
    Ref tell = resolve_expr(m, body->u.function.body.items[1]->u.value.value);
    EXPECT(ref_is_external(tell, "print"));
    fixture_free(&f);
}

TEST(shadowed_builtins) {
    Fixture f = {0};
    Module *m = fixture_add(&f, "m.py",
                            TORCH "from torch import *\nfrom other import *\nprint\nabs\nrelu\n"
                                  "def f(len):\n    return len\n");
    Module *n = fixture_add(&f, "n.py", TORCH "from torch.nn import *\nLinear\nValueError\nsum\n");
    project_analyse(f.project);
    EXPECT_REF(m, "print", "builtin print");
    EXPECT_REF(m, "abs", "none");
    EXPECT_REF(m, "relu", "none");
    EXPECT_REF(m, "len", "none");
    EXPECT_REF(n, "Linear", "external torch.nn.Linear");
    EXPECT_REF(n, "ValueError", "builtin ValueError");
    fixture_free(&f);
}

static const char net_text[] = TORCH
    "from torch import nn\nfrom typing import Optional, List\n"
    "class Layer(nn.Module):\n    def forward(self, x): return x\n"
    "class Other(Layer): pass\n"
    "ACTS = {'a': Layer, 'b': Other}\n"
    "class Net(nn.Module):\n"
    "    table = ACTS\n"
    "    def __init__(self, n, given: Layer, maybe: Optional['Layer'] = None):\n"
    "        self.one = Layer()\n"
    "        self.many = nn.ModuleList([Layer() for _ in range(n)])\n"
    "        self.grown = nn.ModuleList()\n"
    "        self.grown.append(Layer())\n"
    "        seq = []\n"
    "        for i in range(n):\n            seq.append(Layer())\n"
    "        self.seq = nn.Sequential(*seq)\n"
    "        self.given = given\n"
    "        self.maybe = maybe\n"
    "        self.act = ACTS[n]()\n"
    "        self.two = Layer() if n else Other()\n"
    "    def helper(self): pass\n"
    "    @property\n    def prop(self): return self.one\n"
    "    @classmethod\n    def build(cls): return cls(1)\n"
    "    def forward(self, x):\n"
    "        f = self.helper\n"
    "        f\n"
    "        for i, (layer, y) in enumerate(zip(self.many, x)):\n            layer\n"
    "        for item in self.grown[1:]:\n            item\n"
    "        self.one\n        self.many\n        self.seq\n        self.given\n        self.maybe\n        "
    "self.two\n"
    "        self.act\n        self.prop\n        self.build\n        self.many[0]\n        self.parameters\n"
    "        self.one.to(x)\n"
    "        self.unknown\n"
    "Net.build()\n";

TEST(attributes) {
    Fixture f = {0};
    Module *m = fixture_add(&f, "m.py", net_text);
    project_analyse(f.project);
    EXPECT_REF(m, "f", "method m.Net.helper");
    EXPECT_REF(m, "layer", "instance m.Layer");
    EXPECT_REF(m, "item", "instance m.Layer");
    EXPECT_REF(m, "self.one", "instance m.Layer");
    EXPECT_REF(m, "self.many", "list of instance m.Layer");
    EXPECT_REF(m, "self.seq", "list of instance m.Layer");
    EXPECT_REF(m, "self.given", "instance m.Layer");
    EXPECT_REF(m, "self.maybe", "none"); // may be None
    EXPECT_REF(m, "self.two", "none");
    EXPECT_REF(m, "self.act", "none");
    EXPECT_REF(m, "self.prop", "instance m.Layer");
    EXPECT_REF(m, "self.build", "method m.Net.build");
    EXPECT_REF(m, "self.many[0]", "instance m.Layer");
    EXPECT_REF(m, "self.parameters", "external torch.nn.Module.parameters");
    EXPECT_REF(m, "self.one.to(x)", "instance m.Layer");
    EXPECT_REF(m, "self.unknown", "none");
    EXPECT_REF(m, "Net.build()", "instance m.Net");
    Ref refs[8];
    bool complete = false;
    EXPECT(resolve_candidates(m, node_of(m, "self.act"), refs, 8, &complete) == 2 && complete);
    fixture_free(&f);
}

TEST(loggers_of_the_project) {
    Fixture f = {0};
    fixture_add(&f, "lib/__init__.py", "");
    fixture_add(&f, "lib/log.py",
                "import logging\ndef get_logger(name=None) -> logging.Logger:\n"
                "    return logging.getLogger(name)\ndef plain(name):\n    return logging.getLogger(name)\n");
    Module *m = fixture_add(&f, "lib/m.py",
                            TORCH "from .log import get_logger, plain\nfrom . import log\n"
                                  "a = get_logger(__name__)\nb = plain(1)\nlog.get_logger(2)\na\nb\n"
                                  "def f():\n    own = a\n    own.info\n    own\n");
    project_analyse(f.project);
    EXPECT_REF(m, "a", "external-instance logging.Logger");
    EXPECT_REF(m, "b", "external-instance logging.getLogger");
    EXPECT_REF(m, "log.get_logger(2)", "external-instance logging.Logger");
    EXPECT_REF(m, "own", "external-instance logging.Logger");
    fixture_free(&f);
}

TEST(super_and_self) {
    Fixture f = {0};
    Module *m =
        fixture_add(&f, "m.py",
                    TORCH "class A:\n    def run(self): pass\n"
                          "class B(A):\n    def run(self):\n        super().run\n        super(B, self).run\n"
                          "        me = self\n        me\n"
                          "    @staticmethod\n    def free(self):\n        return self\n");
    project_analyse(f.project);
    EXPECT_REF(m, "super().run", "method m.A.run");
    EXPECT_REF(m, "super(B, self).run", "method m.A.run");
    EXPECT_REF(m, "me", "instance m.B");
    EXPECT_REF(m, "self", "none"); // the static method's
    fixture_free(&f);
}

static const ClassInfo *class_named(Module *module, const char *name) {
    for (uint32_t i = 0; i < module->classes.len; i++)
        if (str_eq(name_str(module->classes.items[i]->name), str_of(name)))
            return module->classes.items[i];
    return NULL;
}

TEST(hierarchy) {
    Fixture f = {0};
    Module *m = fixture_add(&f, "m.py",
                            TORCH "import torch.nn as nn\n"
                                  "class A(nn.Module):\n    def go(self): pass\n"
                                  "class B(A): pass\nclass C(A):\n    def go(self): pass\n"
                                  "class D(B, C): pass\n"
                                  "class E(E): pass\n"
                                  "class P(Q): pass\nclass Q(P): pass\n"
                                  "class Odd(A, D): pass\n"
                                  "class Bad(ValueError): pass\nclass Worse(Bad): pass\n"
                                  "class Unknown(make()): pass\n"
                                  "class Param(nn.Parameter): pass\n");
    project_analyse(f.project);
    ClassInfo *d = (ClassInfo *)class_named(m, "D");
    EXPECT(class_is_nn_module(d));
    EXPECT_STR(name_str(class_find_method(d, NAME_OF("go"))->name), "C.go");
    EXPECT(class_find_method((ClassInfo *)class_named(m, "Odd"), NAME_OF("go")) != NULL);
    EXPECT(!class_is_nn_module((ClassInfo *)class_named(m, "E")));
    EXPECT(!class_is_nn_module((ClassInfo *)class_named(m, "P")));
    EXPECT(!class_is_nn_module((ClassInfo *)class_named(m, "Param")));
    EXPECT(class_is_exception((ClassInfo *)class_named(m, "Worse")));
    EXPECT(!class_is_exception(d));
    EXPECT(class_bases_known(d));
    EXPECT(!class_bases_known((ClassInfo *)class_named(m, "Unknown")));
    fixture_free(&f);
}

TEST(attribute_tables) {
    Fixture f = {0};
    Module *m = fixture_add(
        &f, "m.py",
        TORCH
        "from torch import nn\nclass N(nn.Module):\n    level = 1\n    def __init__(self):\n"
        "        self.a, self.b = 1, 2\n        self.register_buffer('c', torch.ones(2))\n"
        "        self.d = nn.Parameter(torch.ones(1))\n        setattr(self, 'e', 3)\n"
        "    def later(this):\n        this.a = 5\n        this.f += 1\n        setattr(this, name, 1)\n");
    project_analyse(f.project);
    ClassInfo *cls = (ClassInfo *)class_named(m, "N");
    const AttrInfo *a = class_find_attr(cls, NAME_OF("a"));
    EXPECT(a && a->values.len == 2 && a->in_init && a->outside_init);
    EXPECT(class_find_attr(cls, NAME_OF("c"))->is_buffer);
    EXPECT(class_find_attr(cls, NAME_OF("d"))->is_parameter);
    EXPECT(class_find_attr(cls, NAME_OF("e")) != NULL);
    EXPECT(class_find_attr(cls, NAME_OF("f")) && !class_find_attr(cls, NAME_OF("f"))->in_init);
    EXPECT(class_find_attr(cls, NAME_OF("level"))->writers.items[0] == NULL);
    EXPECT(cls->dynamic_attrs);
    fixture_free(&f);
}

TEST(hostile_depth) {
    Fixture f = {0};
    Buf text = {0};
    buf_cstr(&text, TORCH "x0 = torch\n");
    for (int i = 1; i < 3000; i++)
        buf_printf(&text, "x%d = x%d\n", i, i - 1);
    buf_cstr(&text, "x2999\nclass C0: pass\n");
    for (int i = 1; i < 500; i++)
        buf_printf(&text, "class C%d(C%d): pass\n", i, i - 1);
    buf_char(&text, '\0');
    Module *m = fixture_add(&f, "m.py", text.ptr);
    project_analyse(f.project);
    EXPECT_REF(m, "x2999", "none"); // RESOLVE_MAX_DEPTH
    EXPECT(!class_is_nn_module((ClassInfo *)class_named(m, "C499")));
    buf_free(&text);
    fixture_free(&f);
}

int main(void) {
    RUN(external_names);
    RUN(packages);
    RUN(import_cycles);
    RUN(cycles_leave_nothing_behind);
    RUN(long_chains_of_stars);
    RUN(lazy_packages);
    RUN(several_bindings);
    RUN(rebound_by_inner_functions);
    RUN(shadowed_builtins);
    RUN(attributes);
    RUN(loggers_of_the_project);
    RUN(super_and_self);
    RUN(hierarchy);
    RUN(attribute_tables);
    RUN(hostile_depth);
    return test_report();
}
