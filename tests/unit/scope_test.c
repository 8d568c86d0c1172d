// Scopes and symbols: the rules one by one. tests/ir/compare_symtable.py compares whole trees with CPython.
#include "ir_helper.h"

TEST(locals_params_and_builtins) {
    Fixture f = fixture("import os\ndef f(a, *b, c=os, **d):\n    x = a\n    return len(x)\n");
    Scope *scope = scope_named(&f, "f");
    EXPECT(flags_of(scope, "a") == (SYM_PARAM | SYM_USED));
    EXPECT(flags_of(scope, "b") == SYM_PARAM && flags_of(scope, "c") == SYM_PARAM &&
           flags_of(scope, "d") == SYM_PARAM);
    EXPECT(flags_of(scope, "x") == (SYM_ASSIGNED | SYM_USED));
    EXPECT(scope_lookup(scope, NAME_OF("len")) == NULL);
    EXPECT(scope_lookup(scope, NAME_OF("os")) == scope_own(f.unit->scope, NAME_OF("os")));
    EXPECT(scope_own(scope, NAME_OF("os")) == NULL);
    Symbol *os = scope_own(f.unit->scope, NAME_OF("os"));
    EXPECT(os->flags & SYM_IMPORT && os->bindings.len == 1 && os->uses.len == 1); // the default is outside f
    fixture_free(&f);
}

TEST(every_name_has_its_symbol) {
    Fixture f = fixture("def f():\n    return undefined\n");
    const Symbol *symbol = nth_node(&f, NODE_NAME, 0)->u.name.symbol;
    EXPECT(symbol && symbol->flags & SYM_IMPLICIT && symbol->scope == f.unit->scope && symbol->uses.len == 1);
    fixture_free(&f);
}

TEST(class_names_are_not_seen_by_methods) {
    Fixture f = fixture("a = 1\nclass C:\n    a = 2\n    b = a\n    def m(self):\n        return a\n");
    const Symbol *outer = scope_own(f.unit->scope, NAME_OF("a"));
    const Symbol *inner = scope_own(scope_named(&f, "C"), NAME_OF("a"));
    EXPECT(outer->uses.len == 1 && line_of_node(&f, outer->uses.items[0]) == 6);
    EXPECT(inner->uses.len == 1 && line_of_node(&f, inner->uses.items[0]) == 4);
    EXPECT(scope_lookup(scope_named(&f, "m"), NAME_OF("a")) == outer);
    fixture_free(&f);
}

TEST(closures) {
    Fixture f = fixture(
        "def f(x):\n    def g():\n        def h():\n            return x\n        return h\n    return g\n");
    EXPECT(flags_of(scope_named(&f, "f"), "x") & SYM_CELL);
    EXPECT(flags_of(scope_named(&f, "g"), "x") == SYM_FREE); // hands it on
    EXPECT(flags_of(scope_named(&f, "h"), "x") == (SYM_FREE | SYM_USED));
    fixture_free(&f);
}

TEST(global_and_nonlocal) {
    Fixture f = fixture("def f():\n    global g\n    g = n = 1\n    def h():\n        nonlocal n\n        n "
                        "+= 1\n        return g\n");
    const Symbol *g = scope_own(f.unit->scope, NAME_OF("g")),
                 *n = scope_own(scope_named(&f, "f"), NAME_OF("n"));
    EXPECT(g && g->bindings.len == 1 && g->uses.len == 1 && !(g->flags & SYM_IMPLICIT));
    EXPECT(n && n->bindings.len == 2 && n->uses.len == 1); // an augmented assignment reads and binds
    EXPECT(nth_node(&f, NODE_GLOBAL, 0)->u.items.items.items[0]->u.name.symbol == g);
    EXPECT(nth_node(&f, NODE_NONLOCAL, 0)->u.items.items.items[0]->u.name.symbol == n);
    EXPECT(scope_lookup(scope_named(&f, "h"), NAME_OF("n")) == n);
    fixture_free(&f);
}

TEST(comprehensions) {
    Fixture f = fixture("def f(x):\n    return [(x, w := x) for x in x if x for y in x]\n");
    Scope *scope = scope_named(&f, "f"), *inner = scope_of_kind(&f, SCOPE_COMPREHENSION);
    const Symbol *x = scope_own(scope, NAME_OF("x"));
    EXPECT(x->uses.len == 1 && str_eq(text_of(&f, x->uses.items[0]->parent), STR("for x in x if x")));
    EXPECT(scope_own(inner, NAME_OF("x"))->uses.len == 4);
    EXPECT(scope_own(inner, NAME_OF("w")) == NULL && scope_own(scope, NAME_OF("w")) != NULL);
    EXPECT(flags_of(scope, "w") & SYM_CELL);
    fixture_free(&f);
}

TEST(outer_parts_of_definitions) {
    Fixture f = fixture("@d\ndef f(a: t = v) -> r:\n    pass\nclass C(b, metaclass=m):\n    pass\n");
    static const char *const names[] = {"d", "t", "v", "r", "b", "m"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        EXPECT(flags_of(f.unit->scope, names[i]) == (SYM_USED | SYM_IMPLICIT));
    EXPECT(scope_named(&f, "f")->symbols.len == 1 && scope_named(&f, "C")->symbols.len == 0);
    for (uint32_t i = 0; i < 6; i++) // d t v r b m: all evaluated in the module
        EXPECT(unit_scope_at(f.unit, nth_node(&f, NODE_NAME, i)) == f.unit->scope);
    fixture_free(&f);
}

TEST(bindings_of_all_kinds) {
    Fixture f = fixture("def f(s):\n"
                        "    import a.b, c.d as e\n"
                        "    from m import n as o\n"
                        "    for i, (j, *k) in s: pass\n"
                        "    with s as w, s as s.attr: pass\n"
                        "    try: pass\n"
                        "    except s as err: pass\n"
                        "    match s:\n"
                        "        case {'k': q, **rest} | C(z, at=q) as whole: pass\n"
                        "    del s\n"
                        "    x: int\n"
                        "    y: int = 1\n"
                        "    class K: pass\n");
    Scope *scope = scope_named(&f, "f");
    static const char *const bound[] = {"a",   "e", "o",    "i", "j",     "k", "w",
                                        "err", "q", "rest", "z", "whole", "y", "K"};
    for (size_t i = 0; i < sizeof bound / sizeof *bound; i++)
        EXPECT(flags_of(scope, bound[i]) & SYM_ASSIGNED);
    static const char *const unbound[] = {"b", "c", "d", "m", "n", "attr", "at"};
    for (size_t i = 0; i < sizeof unbound / sizeof *unbound; i++)
        EXPECT(flags_of(scope, unbound[i]) == 0);
    EXPECT(flags_of(scope, "x") == SYM_ANNOTATED && scope_own(scope, NAME_OF("x"))->bindings.len == 0);
    EXPECT(flags_of(scope, "s") & SYM_DELETED && flags_of(scope, "err") & SYM_DELETED);
    EXPECT(scope_own(scope, NAME_OF("q"))->bindings.len == 2);
    fixture_free(&f);
}

TEST(type_parameters) {
    Fixture f = fixture(
        "def f[T: int](a: T) -> T:\n    return T\nclass C[U](Base[U]):\n    x: U\ntype A[V] = list[V]\n");
    EXPECT(scope_own(f.unit->scope, NAME_OF("T")) == NULL && scope_own(f.unit->scope, NAME_OF("A")) != NULL);
    for (uint32_t i = 0; i < f.unit->scope->symbols.len; i++)
        EXPECT(!strchr("TUV", name_str((Name)f.unit->scope->symbols.entries[i].key).ptr[0]));
    const Symbol *t = scope_lookup(scope_named(&f, "f"), NAME_OF("T"));
    EXPECT(t && t->scope->kind == SCOPE_TYPE_PARAMS && t->uses.len == 3 && t->flags & SYM_CELL);
    const Node *annotation = nth_node(&f, NODE_PARAMS, 0)->u.items.items.items[0]->u.param.annotation;
    EXPECT(unit_scope_at(f.unit, annotation) == t->scope);
    fixture_free(&f);
}

TEST(star_import_and_dynamic_names) {
    Fixture f = fixture("from m import *\ndef f(a):\n    vars(a)\n    return b\ndef g():\n    return "
                        "locals()\ndef h():\n    a.eval(), (yield)\n");
    EXPECT(f.unit->scope->has_star_import);
    const Symbol *b = map_ptr(&f.unit->scope->symbols, NAME_OF("b"));
    EXPECT(b->bindings.len == 1 && node_is(b->bindings.items[0], NODE_STAR_IMPORT));
    EXPECT(!scope_named(&f, "f")->is_dynamic && scope_named(&f, "g")->is_dynamic &&
           !scope_named(&f, "h")->is_dynamic);
    EXPECT(!scope_named(&f, "f")->has_yield && scope_named(&f, "h")->has_yield);
    fixture_free(&f);
}

TEST(functions_and_their_names) {
    Fixture f = fixture("class C:\n    class D:\n        def m(self):\n            def n(): pass\n           "
                        " return lambda: 1\n");
    static const char *const names[] = {"C.D.m", "C.D.m.<locals>.n", "C.D.m.<locals>.<lambda>"};
    EXPECT(f.unit->functions.len == 3);
    for (uint32_t i = 0; i < 3; i++)
        EXPECT_STR(name_str(vec_at(&f.unit->functions, i)->qualname), names[i]);
    EXPECT(vec_at(&f.unit->functions, 0)->cls == scope_named(&f, "D")->owner);
    EXPECT(vec_at(&f.unit->functions, 1)->outer == vec_at(&f.unit->functions, 0));
    EXPECT(vec_at(&f.unit->functions, 1)->cls == NULL);
    fixture_free(&f);
}

TEST(fresh_names) {
    Fixture f = fixture("def f(t):\n    t_2 = other\n");
    EXPECT_STR(name_str(unit_fresh_name(f.unit, STR("new"))), "new");
    EXPECT_STR(name_str(unit_fresh_name(f.unit, STR("new"))), "new_2");
    EXPECT_STR(name_str(unit_fresh_name(f.unit, STR("t"))), "t_3");
    EXPECT_STR(name_str(unit_fresh_name(f.unit, STR("other"))), "other_2");
    fixture_free(&f);
}

TEST(verify_finds_what_is_wrong) {
    Fixture f = fixture("x = y\n");
    Node *y = nth_node(&f, NODE_NAME, 1);
    const Node *parent = y->parent;
    EXPECT_PANIC((y->parent = NULL, unit_verify(f.unit)));
    EXPECT_PANIC((y->u.name.symbol = NULL, unit_verify(f.unit)));
    EXPECT_PANIC((y->end = 100, unit_verify(f.unit)));
    EXPECT_PANIC((y->flags |= NODE_NEW, unit_verify(f.unit)));
    EXPECT(y->parent == parent); // those were other processes
    ast_replace(y, ast_text(f.arena, STR("1")));
    fixture_free(&f);
}

int main(void) {
    RUN(locals_params_and_builtins);
    RUN(every_name_has_its_symbol);
    RUN(class_names_are_not_seen_by_methods);
    RUN(closures);
    RUN(global_and_nonlocal);
    RUN(comprehensions);
    RUN(outer_parts_of_definitions);
    RUN(bindings_of_all_kinds);
    RUN(type_parameters);
    RUN(star_import_and_dynamic_names);
    RUN(functions_and_their_names);
    RUN(fresh_names);
    RUN(verify_finds_what_is_wrong);
    return test_report();
}
