// Source checks, the tree of small programs, syntax errors, limits, string values.
#include "ir/ir.h"
#include "unit/test.h"

#include <stdlib.h>

static Arena *arena;
static DiagList diags;

static SyntaxTree *parse(Str text) {
    Source source;
    Str why;
    arena = arena_new();
    CHECK(source_init(&source, arena, STR("t.py"), text, &why));
    diag_init(&diags, arena);
    return syntax_parse(arena, source, &diags);
}

static void done(void) {
    diag_free(&diags);
    arena_free(arena);
}

// The dump without MODULE's line, spans and indentation: "IF NAME x PASS"; enough to tell trees apart.
static void expect_tree(int line, const char *text, const char *expected) {
    SyntaxTree *tree = parse(str_of(text));
    Buf dump = {0}, flat = {0};
    dump_ast(tree, &dump);
    const char *at = memchr(dump.ptr, '\n', dump.len);
    for (const char *end = dump.ptr + dump.len; at && at + 1 < end;) {
        const char *from = at + 1, *to = memchr(from, '\n', (size_t)(end - from));
        while (*from == ' ')
            from++;
        if (flat.len)
            buf_char(&flat, ' ');
        const char *kind_end = from;
        while (kind_end < to && *kind_end != ' ')
            kind_end++;
        buf_bytes(&flat, from, (size_t)(kind_end - from));
        from = kind_end + 1;
        while (from < to && *from != ' ')
            from++;
        buf_bytes(&flat, from, (size_t)(to - from));
        at = to;
    }
    test_expect_str(__FILE__, line, buf_view(&flat), str_of(expected));
    buf_free(&dump);
    buf_free(&flat);
    done();
}
#define EXPECT_TREE(text, expected) expect_tree(__LINE__, text, expected)

TEST(precedence_is_pythons) {
    EXPECT_TREE("a ^ b & c\n", "EXPR_STMT BIN_OP ^ NAME a BIN_OP & NAME b NAME c");
    EXPECT_TREE("a & b ^ c & d\n", "EXPR_STMT BIN_OP ^ BIN_OP & NAME a NAME b BIN_OP & NAME c NAME d");
    EXPECT_TREE("await a ** b\n", "EXPR_STMT BIN_OP ** AWAIT NAME a NAME b");
    EXPECT_TREE("-a ** -b\n", "EXPR_STMT UNARY_OP - BIN_OP ** NAME a UNARY_OP - NAME b");
    EXPECT_TREE("f(*a + b)\n", "EXPR_STMT CALL NAME f STARRED BIN_OP + NAME a NAME b");
    EXPECT_TREE("x: A[b] | c | d\n",
                "ANN_ASSIGN NAME +store x BIN_OP | BIN_OP | SUBSCRIPT NAME A NAME b NAME c NAME d");
    EXPECT_TREE("a < b is not c not in d\n", "EXPR_STMT COMPARE <,is not,not in NAME a NAME b NAME c NAME d");
}

TEST(strings) {
    EXPECT_TREE("f'{x:=5}'\n", "EXPR_STMT FSTRING FORMATTED_VALUE NAME x");
    EXPECT_TREE("f'{(x:=5)}'\n",
                "EXPR_STMT FSTRING FORMATTED_VALUE NAMED_EXPR +parens NAME +store x CONSTANT int");
    EXPECT_TREE("f'{a!r:>{w}.{p}} {b=}' 'c'\n", "EXPR_STMT STR_CONCAT FSTRING FORMATTED_VALUE !r NAME a "
                                                "FORMATTED_VALUE NAME w FORMATTED_VALUE NAME p "
                                                "FORMATTED_VALUE = NAME b CONSTANT str");
    EXPECT_TREE("rb'x'\n", "EXPR_STMT CONSTANT bytes");
    EXPECT_TREE("1_0j, 0x1, .5e-3J\n", "EXPR_STMT TUPLE CONSTANT imag CONSTANT int CONSTANT imag");
}

TEST(statements) {
    EXPECT_TREE("with (a, b as c): pass\n", "WITH WITH_ITEM NAME a WITH_ITEM NAME b NAME +store c PASS");
    EXPECT_TREE("with (a, b) as c: pass\n", "WITH WITH_ITEM TUPLE +parens NAME a NAME b NAME +store c PASS");
    EXPECT_TREE("try: pass\nexcept *A as e: pass\n", "TRY PASS EXCEPT_HANDLER +star e NAME A PASS");
    EXPECT_TREE("type(x).y = 1\n", "ASSIGN ATTRIBUTE +store y CALL NAME type NAME x CONSTANT int");
    EXPECT_TREE("type(a[b.c]).x = y\n",
                "ASSIGN ATTRIBUTE +store x CALL NAME type SUBSCRIPT NAME a ATTRIBUTE c NAME b NAME y");
    EXPECT_TREE("type( f(a) )[b] = y\n",
                "ASSIGN SUBSCRIPT +store CALL NAME type CALL NAME f NAME a NAME b NAME y");
    EXPECT_TREE("type((a, b)).x = y\n",
                "ASSIGN ATTRIBUTE +store x CALL NAME type TUPLE +parens NAME a NAME b NAME y");
    EXPECT_TREE("type X[T: int, *Ts, **P] = T\n", "TYPE_ALIAS NAME +store X PARAMS PARAM T normal name=7 "
                                                  "NAME int PARAM Ts * name=16 PARAM P ** name=22 NAME T");
    EXPECT_TREE("print\nexec(print)\n", "EXPR_STMT NAME print EXPR_STMT CALL NAME exec NAME print");
    EXPECT_TREE("def f(a, /, b=1, *, c, **d): pass\n", "FUNCTION_DEF f def=0 PARAMS PARAM a posonly name=6 "
                                                       "PARAM b normal name=12 CONSTANT int PARAM c kwonly "
                                                       "name=20 PARAM d ** name=25 PASS");
    EXPECT_TREE("match x:\n case {'a': P(q, r=_), **s} | -1 as t if u: pass\n",
                "MATCH NAME x MATCH_CASE PATTERN PATTERN PATTERN CONSTANT str PATTERN NAME P PATTERN NAME "
                "+store q PATTERN "
                "PATTERN PATTERN NAME +store s PATTERN UNARY_OP - CONSTANT int NAME +store t NAME u PASS");
    EXPECT_TREE("from .. import a as b\nfrom .x.y import *\n",
                "IMPORT_FROM - level=2 ALIAS a b IMPORT_FROM x.y level=1 STAR_IMPORT");
}

static Node *item(NodeList list, uint32_t i) {
    return i < list.len ? list.items[i] : NULL;
}

TEST(errors_stay_small) {
    SyntaxTree *tree = parse(STR("import a\nclass C:\n    def f(self):\n        x = = 1\n        return x\n"
                                 "    def g(self): return 1\nprint 1\ny = 2\n"));
    NodeList body = tree->module->u.module.body;
    EXPECT(tree->has_errors && body.len == 4 && diags.list.len == 2);
    Node *cls = item(body, 1);
    EXPECT(node_is(cls, NODE_CLASS_DEF) && !(cls->flags & NODE_OPAQUE) && cls->u.cls.body.len == 2);
    EXPECT(item(cls->u.cls.body, 0)->flags & NODE_OPAQUE);
    EXPECT(!(item(cls->u.cls.body, 1)->flags & NODE_OPAQUE));
    EXPECT(node_is(item(body, 2), NODE_STMT_ERROR) && node_is(item(body, 3), NODE_ASSIGN));
    EXPECT(!(item(body, 3)->flags & NODE_OPAQUE));
    EXPECT(diags.list.items[0].line == 4 && diags.list.items[1].line == 7);
    done();
    EXPECT(syntax_error_count(STR("x = (1\n")) > 0 && syntax_error_count(STR("x = 1\n")) == 0);
    tree = parse(STR("class B[T = int]:\n    x = 1\n\n    def m(self): pass\n\nz = 1\n"));
    EXPECT(item(tree->module->u.module.body, 0)->flags & NODE_OPAQUE);
    EXPECT(node_is(item(tree->module->u.module.body, 1), NODE_ASSIGN) && diags.list.len > 0);
    done();
}

static uint32_t depth_of(Node *node) {
    uint32_t deepest = 0;
    for (ChildIter it = ast_children(node); ast_next(&it);) {
        uint32_t depth = depth_of(it.child);
        if (depth > deepest)
            deepest = depth;
    }
    return deepest + 1;
}

TEST(depth_is_capped) {
    static const char *const forms[][3] = {{"(", "1", ")"},   {"-", "1", ""},        {"[", "1", "]"},
                                           {"f(", "1", ")"},  {"1 + ", "1", ""},     {"x[", "1", "]"},
                                           {"not ", "1", ""}, {"lambda: ", "1", ""}, {"f'{", "1", "}'"}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        Buf text = {0};
        for (int k = 0; k < 5000; k++)
            buf_cstr(&text, forms[i][0]);
        buf_cstr(&text, forms[i][1]);
        for (int k = 0; k < 5000; k++)
            buf_cstr(&text, forms[i][2]);
        buf_cstr(&text, "\ny = 1\n");
        SyntaxTree *tree = parse(buf_view(&text));
        EXPECT(depth_of(tree->module) < 2500);
        done();
        buf_free(&text);
    }
    Buf text = {0};
    buf_cstr(&text, "if a: pass\n");
    for (int k = 0; k < 5000; k++)
        buf_cstr(&text, "elif a: pass\n");
    buf_cstr(&text, "y = 1\n");
    SyntaxTree *tree = parse(buf_view(&text));
    EXPECT(node_is(item(tree->module->u.module.body, 0), NODE_STMT_ERROR) && diags.list.len >= 1);
    EXPECT(node_is(item(tree->module->u.module.body, 1), NODE_ASSIGN));
    done();
    buf_free(&text);
}

static void expect_source(int line, Str text, const char *reason, uint32_t fault_line) {
    Arena *own = arena_new();
    Source source;
    Str why = {0};
    bool good = source_init(&source, own, STR("t.py"), text, &why);
    if (reason)
        test_expect_str(__FILE__, line, good ? STR("accepted") : why, str_of(reason));
    else if (!good)
        test_fail(__FILE__, line, "refused");
    if (source.fault_line != fault_line)
        test_fail(__FILE__, line, "another line");
    arena_free(own);
}

TEST(sources) {
    expect_source(__LINE__, STR("x\0y"), "binary file", 0);
    expect_source(__LINE__, STR("a\nb\xff\n"), "invalid UTF-8", 2);
    expect_source(__LINE__, STR("\xed\xa0\x80"), "invalid UTF-8", 1);
    expect_source(__LINE__, STR("#!x\n# -*- coding: latin-1 -*-\nx\n"), NULL, 0);
    expect_source(__LINE__, STR("# coding: latin-1\n'\xc3\xa9'\n"), "encoding latin-1 is not supported", 1);
    expect_source(__LINE__, STR("# vim: set fileencoding=UTF_8 :\n'\xc3\xa9'\n"), NULL, 0);
    expect_source(__LINE__, STR("x\n# coding: koi8-r\n"), NULL, 0); // behind code it is no cookie
    Arena *own = arena_new();
    Source source;
    Str why;
    EXPECT(source_init(&source, own, STR("t.py"),
                       STR("\xEF\xBB\xBF"
                           "a\xc3\xa9z\r\nb\rc\n"),
                       &why));
    EXPECT(source.line_count == 4 && str_eq(source.newline, STR("\r\n")));
    Place place = source_place(&source, 6);
    EXPECT(place.line == 1 && place.column == 3);
    place = source_place(&source, 9);
    EXPECT(place.line == 2 && place.column == 1);
    EXPECT(str_eq(source_line(&source, 2), STR("b")) && str_eq(source_line(&source, 3), STR("c")));
    arena_free(own);
}

TEST(style_of_the_file) {
    SyntaxTree *tree = parse(STR("def f():\n  '''d'''\n  return 'a', 'b', \"c\"\n"));
    EXPECT(str_eq(tree->source.indent_unit, STR("  ")) && tree->source.quote == '\'');
    done();
    tree = parse(STR("if a: b\nclass C:\n\tx = 1\n"));
    EXPECT(str_eq(tree->source.indent_unit, STR("\t")) && tree->source.quote == '"');
    done();
    tree = parse(STR("x = [ # a\n  1, # b\n]\n# c\n\"# no\"\r\n# d\r\n"));
    EXPECT(tree->comment_count == 4);
    EXPECT(str_eq(source_span(&tree->source, tree->comments[3].start, tree->comments[3].end), STR("# d")));
    done();
}

static void expect_value(int line, const char *literal, const char *expected) {
    SyntaxTree *tree = parse(str_of(literal));
    Node *statement = item(tree->module->u.module.body, 0);
    Str value = {0};
    bool known = node_is(statement, NODE_EXPR_STMT) &&
                 node_string_value(tree, statement->u.value.value, arena, &value);
    if (expected)
        test_expect_str(__FILE__, line, known ? value : STR("(unknown)"), str_of(expected));
    else if (known)
        test_fail(__FILE__, line, "a value where there is none to know");
    done();
}

static SyntaxTree *parse_run(const char *before, uint32_t comments, const char *after) {
    Buf text = {0};
    buf_cstr(&text, before);
    for (uint32_t i = 0; i < comments; i++)
        buf_printf(&text, "    # comment %u\r\n\n", i);
    buf_cstr(&text, after);
    SyntaxTree *tree = parse(buf_view(&text));
    buf_free(&text);
    return tree;
}

TEST(a_long_run_of_comments_is_kept) {
    SyntaxTree *tree = parse_run("def f(x):  # a\n    x = '#'\n", 1000, "    return x  # b\n");
    EXPECT(tree->comment_count == 1002 && diags.list.len == 0);
    const Comment *comments = tree->comments;
    EXPECT(str_eq(source_span(&tree->source, comments[1].start, comments[1].end), STR("# comment 0")));
    EXPECT(
        str_eq(source_span(&tree->source, comments[1000].start, comments[1000].end), STR("# comment 999")));
    EXPECT(str_eq(source_span(&tree->source, comments[1001].start, comments[1001].end), STR("# b")));
    const Node *def = tree->module->u.module.body.items[0];
    EXPECT(def->u.function.body.len == 2 && def->u.function.body.items[1]->kind == NODE_RETURN);
    done();
}

TEST(what_looks_like_comments_in_a_string_is_no_comment) {
    SyntaxTree *tree = parse_run("x = f\"\"\"{'\"\"\"'}\n", 1000, "{y}\"\"\"\n");
    EXPECT(tree->comment_count == 0 && diags.list.len == 0);
    const Node *string = tree->module->u.module.body.items[0]->u.assign.value;
    EXPECT(string->kind == NODE_FSTRING && string->u.items.items.len == 2);
    done();
}

TEST(string_values) {
    expect_value(__LINE__, "'a\\n\\x41\\u00e9\\101\\q'",
                 "a\nA\xc3\xa9"
                 "A\\q");
    expect_value(__LINE__, "r'a\\n' \"b\" '''c\r\nd'''", "a\\nbc\nd");
    expect_value(__LINE__, "('a'\n  'b')", "ab");
    expect_value(__LINE__, "( # c\n 'b')", NULL);
    expect_value(__LINE__, "f'a'", NULL);
    expect_value(__LINE__, "b'a'", NULL);
    expect_value(__LINE__, "'\\N{DASH}'", NULL);
    expect_value(__LINE__, "'\\ud800'", NULL);
    expect_value(__LINE__, "u''", "");
}

int main(void) {
    RUN(precedence_is_pythons);
    RUN(strings);
    RUN(statements);
    RUN(errors_stay_small);
    RUN(depth_is_capped);
    RUN(sources);
    RUN(style_of_the_file);
    RUN(a_long_run_of_comments_is_kept);
    RUN(what_looks_like_comments_in_a_string_is_no_comment);
    RUN(string_values);
    return test_report();
}
