// Reaching definitions.
#include "ir_helper.h"

// The lines of the bindings that reach the nth read of `name` in the function.
static Str reaching(Fixture *f, const char *function, const char *name, uint32_t nth) {
    static Buf text;
    text.len = 0;
    const Symbol *symbol = scope_lookup(scope_named(f, function), intern(str_of(name)));
    for (Node **binding = defuse_reaching(f->unit, vec_at(&symbol->uses, nth)); *binding; binding++)
        buf_printf(&text, "%s%u", text.len ? " " : "", line_of_node(f, *binding));
    return text.len ? buf_view(&text) : STR("");
}

TEST(last_binding_wins) {
    Fixture f = fixture("def f(x):\n    a = x\n    x = 1\n    x = x + 1\n    return x\n");
    EXPECT_STR(reaching(&f, "f", "x", 0), "1");
    EXPECT_STR(reaching(&f, "f", "x", 1), "3");
    EXPECT_STR(reaching(&f, "f", "x", 2), "4");
    fixture_free(&f);
}

TEST(branches_join) {
    Fixture f =
        fixture("def f(x, c):\n    if c:\n        x = 1\n    elif c > 1:\n        x = 2\n    return x\n");
    EXPECT_STR(reaching(&f, "f", "x", 0), "1 3 5");
    fixture_free(&f);
}

TEST(a_loop_may_run_never) {
    Fixture f =
        fixture("def f(s):\n    x = 0\n    for x in s:\n        print(x)\n        x += 1\n    return x\n");
    EXPECT_STR(reaching(&f, "f", "x", 0), "3");
    EXPECT_STR(reaching(&f, "f", "x", 1), "3");
    EXPECT_STR(reaching(&f, "f", "x", 2), "2 5");
    fixture_free(&f);
}

TEST(exceptions_come_from_the_middle) {
    Fixture f = fixture("def f(g):\n"
                        "    x = 0\n"
                        "    try:\n"
                        "        x = g(1)\n"
                        "        x = g(2)\n"
                        "    except E:\n"
                        "        print(x)\n"
                        "    return x\n");
    EXPECT_STR(reaching(&f, "f", "x", 0), "2 4 5");
    EXPECT_STR(reaching(&f, "f", "x", 1), "2 4 5");
    fixture_free(&f);
}

TEST(finally_sees_all_ways) {
    Fixture f = fixture("def f(g):\n    x = 0\n    try:\n        x = g()\n        return x\n    finally:\n   "
                        "     print(x)\n");
    EXPECT_STR(reaching(&f, "f", "x", 0), "4");
    EXPECT_STR(reaching(&f, "f", "x", 1), "2 4");
    fixture_free(&f);
}

TEST(conditional_bindings_in_expressions) {
    Fixture f = fixture("def f(c, s):\n"
                        "    x = 0\n"
                        "    c and (x := 1)\n"
                        "    print(x)\n"
                        "    [(x, x := y) for y in s]\n"
                        "    (x := 2)\n"
                        "    return x\n");
    EXPECT_STR(reaching(&f, "f", "x", 0), "2 3");
    EXPECT_STR(reaching(&f, "f", "x", 1), "2 3 5");
    EXPECT_STR(reaching(&f, "f", "x", 2), "6");
    fixture_free(&f);
}

TEST(patterns_and_handlers) {
    Fixture f = fixture("def f(v):\n"
                        "    x = 0\n"
                        "    match v:\n"
                        "        case [x] | (x, _): print(x)\n"
                        "    try: v()\n"
                        "    except E as x: print(x)\n"
                        "    del x\n"
                        "    return x\n");
    EXPECT_STR(reaching(&f, "f", "x", 0), "2 4 4");
    EXPECT_STR(reaching(&f, "f", "x", 1), "6");
    EXPECT_STR(reaching(&f, "f", "x", 2), "7");
    fixture_free(&f);
}

TEST(definitions_and_imports_bind) {
    Fixture f = fixture("def f():\n    import a.b\n    def a(): pass\n    class a(a): pass\n    return a\n");
    EXPECT_STR(reaching(&f, "f", "a", 0), "3");
    EXPECT_STR(reaching(&f, "f", "a", 1), "4");
    fixture_free(&f);
}

TEST(what_runs_later_sees_all) {
    Fixture f = fixture(
        "def f(x):\n    g = lambda: x\n    x = 1\n    h = [x for _ in ()]\n    x = 2\n    return g, h\n");
    EXPECT_STR(reaching(&f, "f", "x", 0), "1 3 5");
    EXPECT_STR(reaching(&f, "f", "x", 1), "3");
    fixture_free(&f);
}

TEST(inner_functions_may_rebind) {
    Fixture f = fixture(
        "def f(x):\n    def g():\n        nonlocal x\n        x = 1\n    x = 2\n    g()\n    return x\n");
    EXPECT_STR(reaching(&f, "f", "x", 0), "4 5");
    fixture_free(&f);
}

TEST(module_names_have_all_bindings) {
    Fixture f = fixture("x = 1\nx = 2\nprint(x)\ndef f():\n    return x\n");
    EXPECT_STR(reaching(&f, "f", "x", 0), "1 2");
    EXPECT_STR(reaching(&f, "f", "x", 1), "1 2");
    fixture_free(&f);
}

TEST(lambda_parameters) {
    Fixture f = fixture("def f():\n    return lambda x: (x, x := 1, x)\n");
    const Symbol *x = scope_own(scope_of_kind(&f, SCOPE_LAMBDA), NAME_OF("x"));
    EXPECT(defuse_reaching(f.unit, x->uses.items[0])[0] == x->bindings.items[0]);
    EXPECT(defuse_reaching(f.unit, x->uses.items[1])[0] == x->bindings.items[1]);
    fixture_free(&f);
}

int main(void) {
    RUN(last_binding_wins);
    RUN(branches_join);
    RUN(a_loop_may_run_never);
    RUN(exceptions_come_from_the_middle);
    RUN(finally_sees_all_ways);
    RUN(conditional_bindings_in_expressions);
    RUN(patterns_and_handlers);
    RUN(definitions_and_imports_bind);
    RUN(what_runs_later_sees_all);
    RUN(inner_functions_may_rebind);
    RUN(module_names_have_all_bindings);
    RUN(lambda_parameters);
    return test_report();
}
