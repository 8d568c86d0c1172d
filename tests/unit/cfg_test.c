// Control flow: reachability, the ways through try and with, and liveness.
#include "ir_helper.h"

// Names live after the statement that starts on the line, in the order of their first mention.
static Str live_after(Fixture *f, const char *function, uint32_t line) {
    static Buf text;
    text.len = 0;
    for (Symbol **live = cfg_live_after(function_cfg(function_named(f, function)), stmt_at(f, line)); *live;
         live++)
        buf_printf(&text, "%s%s", text.len ? " " : "", name_str((*live)->name).ptr);
    return text.len ? buf_view(&text) : STR("");
}

static Block *block_at(Fixture *f, const char *function, const Node *node) {
    Cfg *cfg = function_cfg(function_named(f, function));
    uintptr_t where = 0;
    CHECK(map_get(&cfg->place, map_key_ptr(node), &where));
    return vec_at(&cfg->blocks, (uint32_t)(where >> 32));
}

static bool is_reachable(Fixture *f, const char *function, uint32_t line) {
    return block_at(f, function, stmt_at(f, line))->reachable;
}

static bool has_edge(const Block *from, const Block *to, EdgeKind kind) {
    for (uint32_t i = 0; i < from->successors.len; i++)
        if (from->successors.items[i].to == to && from->successors.items[i].kind == kind)
            return true;
    return false;
}

TEST(straight_code_is_one_block) {
    Fixture f = fixture("def f(a):\n    b = a\n    c = b + a\n    return c\n");
    Cfg *cfg = function_cfg(function_named(&f, "f"));
    EXPECT(cfg->blocks.len == 3 && cfg->blocks.items[0]->nodes.len == 3);
    EXPECT(has_edge(cfg->blocks.items[0], cfg->exit, EDGE_NEXT));
    EXPECT(has_edge(cfg->blocks.items[0], cfg->raise_exit, EDGE_EXCEPTION));
    fixture_free(&f);
}

TEST(what_cannot_raise) {
    Fixture f = fixture("def f(a):\n    if a is None:\n        return 1\n    b = a\n");
    EXPECT(!function_cfg(function_named(&f, "f"))->raise_exit->reachable);
    fixture_free(&f);
}

TEST(endless_loop) {
    Fixture f = fixture("def f(a):\n    while True:\n        a()\n    return 1\ndef g(a):\n    while 1:\n    "
                        "    if a(): break\n    return 1\n");
    EXPECT(!function_cfg(function_named(&f, "f"))->exit->reachable);
    EXPECT(!is_reachable(&f, "f", 4) && is_reachable(&f, "g", 8));
    fixture_free(&f);
}

TEST(code_behind_jumps) {
    Fixture f = fixture("def f(a):\n"
                        "    for x in a:\n"
                        "        continue\n"
                        "        a = 1\n"
                        "    else:\n"
                        "        raise a\n"
                        "    a = 2\n");
    EXPECT(!is_reachable(&f, "f", 4) && is_reachable(&f, "f", 6) && !is_reachable(&f, "f", 7));
    fixture_free(&f);
}

TEST(both_arms_return) {
    Fixture f = fixture("def f(a):\n    if a:\n        return 1\n    elif a > 1:\n        return 2\n    "
                        "else:\n        return 3\n    a = 1\n");
    EXPECT(!is_reachable(&f, "f", 8));
    EXPECT_STR(live_after(&f, "f", 2), "");
    fixture_free(&f);
}

TEST(finally_on_every_way) {
    Fixture f = fixture("def f(a):\n"
                        "    while a():\n"
                        "        try:\n"
                        "            if a.x: return 1\n"
                        "            if a.y: break\n"
                        "            if a.z: continue\n"
                        "            a()\n"
                        "        finally:\n"
                        "            a.close()\n"
                        "        a.after()\n"
                        "    return 2\n");
    Cfg *cfg = function_cfg(function_named(&f, "f"));
    const Block *finally = block_at(&f, "f", stmt_at(&f, 9));
    EXPECT(has_edge(finally, cfg->exit, EDGE_FINALLY));                                        // return
    EXPECT(has_edge(finally, block_at(&f, "f", stmt_at(&f, 11)), EDGE_FINALLY));               // break
    EXPECT(has_edge(finally, block_at(&f, "f", stmt_at(&f, 2)->u.branch.test), EDGE_FINALLY)); // continue
    EXPECT(has_edge(finally, cfg->raise_exit, EDGE_FINALLY));                                  // exception
    EXPECT(has_edge(finally, block_at(&f, "f", stmt_at(&f, 10)), EDGE_NEXT));                  // normal
    fixture_free(&f);
}

TEST(finally_behind_return_only) {
    Fixture f =
        fixture("def f(a):\n    try:\n        return a()\n    finally:\n        a.close()\n    a = 1\n");
    EXPECT(is_reachable(&f, "f", 5) && !is_reachable(&f, "f", 6));
    fixture_free(&f);
}

TEST(nested_finally) {
    Fixture f = fixture("def f(a):\n"
                        "    try:\n"
                        "        try:\n"
                        "            return a\n"
                        "        finally:\n"
                        "            a = 1\n"
                        "    finally:\n"
                        "        a = 2\n");
    Block *inner = block_at(&f, "f", stmt_at(&f, 6)), *outer = block_at(&f, "f", stmt_at(&f, 8));
    EXPECT(has_edge(inner, outer, EDGE_FINALLY) && !has_edge(inner, outer, EDGE_NEXT));
    EXPECT(has_edge(outer, function_cfg(function_named(&f, "f"))->exit, EDGE_FINALLY));
    fixture_free(&f);
}

TEST(handlers) {
    Fixture f = fixture("def f(a):\n"
                        "    try:\n"
                        "        a()\n"
                        "        a.b()\n"
                        "    except KeyError as e:\n"
                        "        return e\n"
                        "    except (A, B):\n"
                        "        pass\n"
                        "    else:\n"
                        "        return a\n"
                        "    return 0\n");
    Cfg *cfg = function_cfg(function_named(&f, "f"));
    const Node *handlers[] = {nth_node(&f, NODE_EXCEPT_HANDLER, 0), nth_node(&f, NODE_EXCEPT_HANDLER, 1)};
    Block *first = block_at(&f, "f", handlers[0]->u.handler.type),
          *second = block_at(&f, "f", handlers[1]->u.handler.type);
    EXPECT(has_edge(block_at(&f, "f", stmt_at(&f, 3)), first, EDGE_EXCEPTION));
    EXPECT(has_edge(block_at(&f, "f", stmt_at(&f, 4)), first, EDGE_EXCEPTION));
    EXPECT(block_at(&f, "f", stmt_at(&f, 3)) != block_at(&f, "f", stmt_at(&f, 4)));
    EXPECT(has_edge(first, block_at(&f, "f", handlers[0]), EDGE_TRUE) && has_edge(first, second, EDGE_FALSE));
    EXPECT(has_edge(second, block_at(&f, "f", handlers[1]), EDGE_TRUE));
    EXPECT(cfg->raise_exit->reachable && is_reachable(&f, "f", 11)); // by the second handler
    fixture_free(&f);
}

TEST(with_may_swallow) {
    Fixture f = fixture("def f(a):\n    with a as b:\n        return b()\n    return 2\ndef g(a):\n    with "
                        "a:\n        return 1\n    return 2\n");
    EXPECT(is_reachable(&f, "f", 4) && !is_reachable(&f, "g", 8));
    fixture_free(&f);
}

TEST(match_cases) {
    Fixture f = fixture("def f(a):\n"
                        "    match a:\n"
                        "        case 1: return 1\n"
                        "        case x if x > 2: return x\n"
                        "        case _: return 3\n"
                        "    a = 1\n"
                        "def g(a):\n"
                        "    match a:\n"
                        "        case 1: return 1\n"
                        "    a = 1\n");
    EXPECT(!is_reachable(&f, "f", 6) && is_reachable(&f, "g", 10));
    fixture_free(&f);
}

TEST(live_names) {
    Fixture f = fixture("def f(a, b, c):\n"
                        "    x = a\n"
                        "    y = b\n"
                        "    if c:\n"
                        "        x = 1\n"
                        "    else:\n"
                        "        z = 2\n"
                        "    return x\n");
    EXPECT_STR(live_after(&f, "f", 2), "b c x");
    EXPECT_STR(live_after(&f, "f", 3), "c x"); // y is never read
    EXPECT_STR(live_after(&f, "f", 5), "x");
    EXPECT_STR(live_after(&f, "f", 4), "x"); // behind the whole if
    EXPECT_STR(live_after(&f, "f", 7), "x");
    fixture_free(&f);
}

TEST(live_around_loops) {
    Fixture f =
        fixture("def f(a):\n    s = 0\n    for x in a:\n        s = s + x\n        t = s\n    return s\n");
    EXPECT_STR(live_after(&f, "f", 2), "a s");
    EXPECT_STR(live_after(&f, "f", 4), "s");
    EXPECT_STR(live_after(&f, "f", 5), "s");
    fixture_free(&f);
}

TEST(live_along_exceptions) {
    Fixture f = fixture(
        "def f(a):\n    x = 1\n    try:\n        x = a()\n    except E:\n        pass\n    return x\n");
    EXPECT_STR(live_after(&f, "f", 2), "a x"); // a() may raise before x is bound
    fixture_free(&f);
}

TEST(captured_names_live_always) {
    Fixture f = fixture("def f(a, b, c, d):\n"
                        "    g = lambda: a\n"
                        "    h = [b for _ in d]\n"
                        "    k = (c for _ in d)\n"
                        "    m = any(d for _ in [])\n"
                        "    return 1\n");
    EXPECT_STR(live_after(&f, "f", 6), "a c");
    EXPECT_STR(live_after(&f, "f", 2), "a b c d");
    EXPECT_STR(live_after(&f, "f", 3), "a c d");
    EXPECT_STR(live_after(&f, "f", 5), "a c");
    fixture_free(&f);
}

TEST(locals_reads_all) {
    Fixture f = fixture("def f(a):\n    b = 1\n    print(locals())\n    return 1\n");
    EXPECT_STR(live_after(&f, "f", 3), "a b");
    fixture_free(&f);
}

TEST(text_reads_all) {
    Fixture f = fixture("def f(a):\n    b = a\n    a.x()\n    return 1\n");
    EXPECT_STR(live_after(&f, "f", 2), "a");
    function_changed(function_named(&f, "f"));
    ast_replace(stmt_at(&f, 3), ast_text(f.arena, STR("use(b)")));
    EXPECT_STR(live_after(&f, "f", 2), "a b");
    fixture_free(&f);
}

TEST(evaluation_order) {
    Fixture f = fixture("def f(x, y, z):\n    pass\n    x = x + 1\n    y += 1\n    a and (z := 1)\n    del "
                        "y\n    return x, z\n");
    EXPECT_STR(live_after(&f, "f", 2), "x y z");
    EXPECT_STR(live_after(&f, "f", 4), "x y z"); // z may stay as it was
    EXPECT_STR(live_after(&f, "f", 5), "x y z"); // del needs y
    fixture_free(&f);
}

TEST(dot_form) {
    Fixture f = fixture("def f(a):\n    return \"\\n\" + a\n");
    Buf out = {0};
    dump_cfg(f.unit, &out, true);
    EXPECT(str_starts(buf_view(&out), STR("digraph cfg {\n")) && str_ends(buf_view(&out), STR("  }\n}\n")));
    EXPECT(str_find(buf_view(&out), STR("2: return \\\"\\\\n\\\" + a\\l"), NULL));
    buf_free(&out);
    fixture_free(&f);
}

int main(void) {
    RUN(straight_code_is_one_block);
    RUN(what_cannot_raise);
    RUN(endless_loop);
    RUN(code_behind_jumps);
    RUN(both_arms_return);
    RUN(finally_on_every_way);
    RUN(finally_behind_return_only);
    RUN(nested_finally);
    RUN(handlers);
    RUN(with_may_swallow);
    RUN(match_cases);
    RUN(live_names);
    RUN(live_around_loops);
    RUN(live_along_exceptions);
    RUN(captured_names_live_always);
    RUN(locals_reads_all);
    RUN(text_reads_all);
    RUN(evaluation_order);
    RUN(dot_form);
    return test_report();
}
