// What rewrites print as: the layouts of the two main rewrites, parentheses, suites, semicolons, comments.
//
// Each case names a source, finds nodes in it by their text, replaces something, and compares the whole output, which
// must also parse without errors.
#include "ir/ir.h"
#include "unit/test.h"

#include <stdlib.h>

static Arena *arena;
static SyntaxTree *tree;

static void load(const char *text) {
    arena = arena_new();
    Source source;
    Str why;
    CHECK(source_init(&source, arena, STR("t.py"), str_of(text), &why));
    DiagList diags;
    diag_init(&diags, arena);
    tree = syntax_parse(arena, source, &diags);
    CHECK(diags.list.len == 0);
    diag_free(&diags);
}

static Node *search(Node *node, NodeKind kind, Str text) {
    if (node->kind == (uint16_t)kind && !(node->flags & NODE_NEW) && str_starts(node_text(tree, node), text))
        return node;
    Node *found = NULL;
    for (ChildIter it = ast_children(node); !found && ast_next(&it);)
        found = search(it.child, kind, text);
    return found;
}

static Node *find(NodeKind kind, const char *text) {
    Node *node = search(tree->module, kind, str_of(text));
    if (!node)
        PANIC("no %s %s", node_kind_name(kind), text);
    return node;
}

static void expect_at(int line, const char *expected) {
    Buf out = {0};
    print_unit(tree, &out);
    test_expect_str(__FILE__, line, buf_view(&out), str_of(expected));
    if (syntax_error_count(buf_view(&out)))
        test_fail(__FILE__, line, "the output does not parse");
    buf_free(&out);
    arena_free(arena);
}
#define EXPECT_OUTPUT(text) expect_at(__LINE__, text)

static Node *runtime_call(const char *name, uint32_t len, Node *const *args) {
    return ast_call(arena, ast_attribute(arena, ast_name(arena, STR("_g")), str_of(name)), len, args);
}

static Node *lambda(const char *parameter, Node *body) {
    Node *node = ast_new(arena, NODE_LAMBDA);
    node->u.lambda.body = body;
    if (!parameter)
        return node;
    Node *param = ast_new(arena, NODE_PARAM);
    param->u.param.name = intern(str_of(parameter));
    param->u.param.kind = PARAM_NORMAL;
    node->u.lambda.params = ast_new(arena, NODE_PARAMS);
    node->u.lambda.params->u.items.items = ast_list(arena, 1, &param);
    return node;
}

static Node *sequence(uint32_t len, Node *const *items) {
    Node *node = ast_new(arena, NODE_STMT_SEQ);
    node->u.items.items = ast_list(arena, len, items);
    return node;
}

static void defer(Node *statement) {
    Node *args[] = {lambda("x", statement->u.value.value), ast_name(arena, STR("x"))};
    ast_replace(statement, ast_expr_stmt(arena, runtime_call("defer", 2, args)));
}

// if C: raise E  ->  _g.raise_if(C, lambda: E)
static void trap(Node *branch) {
    Node *raise = branch->u.branch.body.items[branch->u.branch.body.len - 1];
    Node *args[] = {branch->u.branch.test, lambda(NULL, raise->u.raise.exc)};
    ast_replace(branch, ast_expr_stmt(arena, runtime_call("raise_if", 2, args)));
}

// ---------------------------------------------------------------- the two main rewrites
TEST(defer_keeps_lines) {
    load("def f(x):\n    logger.info(\"a %s\",\n        x)  # note\n    return x\n");
    defer(find(NODE_EXPR_STMT, "logger"));
    EXPECT_OUTPUT(
        "def f(x):\n    _g.defer(lambda x: logger.info(\"a %s\",\n        x), x)  # note\n    return x\n");
}

TEST(trap_keeps_lines) {
    load("def f(x):\n    if cond:  # why\n        # comment\n        raise ValueError(\n            \"m\"\n  "
         "      )\n    return x\n");
    trap(find(NODE_IF, "if"));
    EXPECT_OUTPUT("def f(x):\n    _g.raise_if(cond,  # why\n        # comment\n        lambda: ValueError(\n "
                  "           \"m\"\n"
                  "        ))\n    return x\n");
    load("if a and \\\n   b:\n    raise E  # t\n");
    trap(find(NODE_IF, "if"));
    EXPECT_OUTPUT("_g.raise_if(a and \\\n   b,\n    lambda: E)  # t\n");
    load("if (\n    a  # first\n    and b\n):\n\n    raise E()\nz\n");
    trap(find(NODE_IF, "if"));
    EXPECT_OUTPUT("_g.raise_if((\n    a  # first\n    and b\n),\n\n    lambda: E())\nz\n");
}

// The call itself is not kept, only its arguments: the line of its closing bracket is.
TEST(closing_line_is_kept) {
    load("def f(x):\n    print(\n        \"a\",  # one\n        x,\n    )  # t\n    return x\n");
    Node *call = find(NODE_CALL, "print");
    Node *args[] = {call->u.call.func, call->u.call.args.items[0], call->u.call.args.items[1]};
    ast_replace(call->parent, ast_expr_stmt(arena, runtime_call("defer", 3, args)));
    EXPECT_OUTPUT(
        "def f(x):\n    _g.defer(print,\n        \"a\",  # one\n        x,\n    )  # t\n    return x\n");
}

TEST(kept_lines_are_indented) {
    load("if a:\n    x = 1\nelif b:\n    x = f(\n        2)\n");
    Node *branch = find(NODE_IF, "if"), *second = branch->u.branch.orelse.items[0];
    Node *inner[] = {second->u.branch.test, second->u.branch.body.items[0]->u.assign.value};
    Node *outer[] = {branch->u.branch.test, branch->u.branch.body.items[0]->u.assign.value,
                     runtime_call("select", 2, inner)};
    ast_replace(branch, ast_expr_stmt(arena, runtime_call("select", 3, outer)));
    EXPECT_OUTPUT("_g.select(a,\n    1,\n    _g.select(b,\n        f(\n            2)))\n");
}

TEST(trap_crlf_and_tabs) {
    load("def f(x):\r\n\tif c:\t# why\r\n\t\traise E(x)\r\n\treturn x\r\n");
    trap(find(NODE_IF, "if"));
    EXPECT_OUTPUT("def f(x):\r\n\t_g.raise_if(c,\t# why\r\n\t\tlambda: E(x))\r\n\treturn x\r\n");
    load("if c: # why\r    raise E(x)\rx\r");
    trap(find(NODE_IF, "if"));
    EXPECT_OUTPUT("_g.raise_if(c, # why\r    lambda: E(x))\rx\r");
}

TEST(trap_inline) {
    load("if c: raise E(1)  # t\ny = 1; z = 2\n");
    trap(find(NODE_IF, "if"));
    EXPECT_OUTPUT("_g.raise_if(c, lambda: E(1))  # t\ny = 1; z = 2\n");
}

TEST(trap_in_elif) {
    load("if a:\n    x()\nelif c:  # why\n    # more\n    raise E(1)\ny\n");
    trap(find(NODE_IF, "elif"));
    EXPECT_OUTPUT("if a:\n    x()\nelse:  # why\n    _g.raise_if(c,  # more\n        lambda: E(1))\ny\n");
}

TEST(lost_comments_go_above) {
    load("def f():\n    x = a + \\\n        b\n    if c:  # why\n        # one\n        raise E\n    pass\n");
    Node *branch = find(NODE_IF, "if");
    ast_replace(branch, ast_expr_stmt(arena, ast_text(arena, STR("g()"))));
    EXPECT_OUTPUT("def f():\n    x = a + \\\n        b\n    # why\n    # one\n    g()\n    pass\n");
    load("y = (  # inner\n    f(x))\n"); // the call's span holds the parentheses
    ast_replace(find(NODE_CALL, "("), ast_name(arena, STR("z")));
    EXPECT_OUTPUT("# inner\ny = z\n");
    load("y = [f(  # inner\n    x), 2]\n");
    ast_replace(find(NODE_CALL, "f"), ast_name(arena, STR("z")));
    EXPECT_OUTPUT("# inner\ny = [z, 2]\n");
}

TEST(long_call_is_broken) {
    static const char name[] = "an_argument_with_a_rather_long_name_to_fill_the_line_with";
    load("def f():\n    old()\n    z\n");
    Node *args[] = {ast_name(arena, STR("short_one")), ast_name(arena, str_of(name)),
                    ast_name(arena, str_of(name))};
    Node *items[] = {ast_expr_stmt(arena, runtime_call("choose", 3, args)),
                     ast_expr_stmt(arena, runtime_call("choose", 2, args + 1)),
                     ast_expr_stmt(arena, runtime_call("choose", 2, args))};
    args[1] = ast_name(arena, str_of(name));
    items[2]->u.value.value = runtime_call("a_call_with_a_name_that_is_rather_long", 2, args);
    ast_replace(find(NODE_EXPR_STMT, "old"), sequence(3, items));
    EXPECT_OUTPUT(
        "def f():\n    _g.choose(\n        short_one,\n"
        "        an_argument_with_a_rather_long_name_to_fill_the_line_with,\n"
        "        an_argument_with_a_rather_long_name_to_fill_the_line_with,\n    )\n    _g.choose(\n"
        "        an_argument_with_a_rather_long_name_to_fill_the_line_with,\n"
        "        an_argument_with_a_rather_long_name_to_fill_the_line_with,\n    )\n"
        "    _g.a_call_with_a_name_that_is_rather_long(\n"
        "        short_one, an_argument_with_a_rather_long_name_to_fill_the_line_with\n    )\n    z\n");
    load("def f():\n    old()\n    z\n"); // a line for a line: nothing below moves
    Node *same[] = {ast_name(arena, str_of(name)), ast_name(arena, str_of(name))};
    ast_replace(find(NODE_EXPR_STMT, "old"), ast_expr_stmt(arena, runtime_call("choose", 2, same)));
    EXPECT_OUTPUT("def f():\n    _g.choose(an_argument_with_a_rather_long_name_to_fill_the_line_with, "
                  "an_argument_with_a_rather_long_name_to_fill_the_line_with)\n    z\n");
}

// ---------------------------------------------------------------- parentheses
static Node *binary(NodeKind kind, Op op, Node *left, Node *right) {
    Node *node = ast_new(arena, kind);
    node->u.binary.left = left;
    node->u.binary.right = right;
    node->u.binary.op = op;
    return node;
}

TEST(parentheses) {
    load("r = a + b, c if d else e\n");
    Node *sum = find(NODE_BIN_OP, "a"), *choice = find(NODE_IF_EXP, "c"), *tuple = find(NODE_TUPLE, "a");
    ast_replace(tuple, binary(NODE_BIN_OP, OP_MUL, sum, choice));
    EXPECT_OUTPUT("r = (a + b) * (c if d else e)\n");
    load("r = not q\n");
    Node *both = binary(NODE_BOOL_OP, OP_BOOL_AND, ast_name(arena, STR("a")), ast_name(arena, STR("b")));
    ast_replace(find(NODE_NAME, "q"), both);
    EXPECT_OUTPUT("r = not (a and b)\n");
    load("r = f((y := 1), lambda: 2, *z)\n");
    Node *call = find(NODE_CALL, "f");
    ast_replace(call, runtime_call("call", 3, call->u.call.args.items));
    EXPECT_OUTPUT("r = _g.call((y := 1), lambda: 2, *z)\n");
    load("r = s(x for x in y)\n");
    ast_replace(find(NODE_GENERATOR_EXP, "("), ast_name(arena, STR("w")));
    EXPECT_OUTPUT("r = s(w)\n");
}

TEST(newline_needs_brackets) {
    load("def f():\n    g([a\n       + b])\n");
    Node *statement = ast_new(arena, NODE_RETURN);
    statement->u.value.value = find(NODE_BIN_OP, "a");
    ast_replace(find(NODE_EXPR_STMT, "g"), statement);
    EXPECT_OUTPUT("def f():\n    return (a\n       + b)\n");
    load("def f():\n    g([a\n       + b])\n");
    Node *sum = find(NODE_BIN_OP, "a");
    ast_replace(find(NODE_EXPR_STMT, "g"), ast_expr_stmt(arena, runtime_call("h", 1, &sum)));
    EXPECT_OUTPUT("def f():\n    _g.h(a\n       + b)\n");
}

TEST(words_do_not_touch) {
    load("def f():\n    return(x)\n");
    ast_replace(find(NODE_NAME, "(x)"), ast_name(arena, STR("y")));
    EXPECT_OUTPUT("def f():\n    return y\n");
    load("a = (b)if(c)else(d)\n");
    ast_replace(find(NODE_NAME, "(c)"), ast_name(arena, STR("y")));
    EXPECT_OUTPUT("a = (b)if y else(d)\n");
}

// ---------------------------------------------------------------- suites
static Node *def(const char *name, NodeList body) {
    Node *node = ast_new(arena, NODE_FUNCTION_DEF);
    node->u.function.name = intern(str_of(name));
    node->u.function.body = body;
    return node;
}

TEST(suites_are_indented) {
    load("def f():\n    if c:  # why\n        x = \"\"\"a\n  b\"\"\"  # tail\n\n        # about y\n        y "
         "= g(\n            x)\n"
         "    return y\n");
    Node *branch = find(NODE_IF, "if");
    Node *items[] = {def("arm", branch->u.branch.body), ast_expr_stmt(arena, ast_text(arena, STR("arm()")))};
    ast_replace(branch, sequence(2, items));
    EXPECT_OUTPUT("def f():\n    def arm():  # why\n        x = \"\"\"a\n  b\"\"\"  # tail\n\n        # "
                  "about y\n        y = g(\n"
                  "            x)\n    arm()\n    return y\n");
    load("def f():\n  x = [\n    1,\n  # odd\n  ]\n  return x\n");
    Node *assign = find(NODE_ASSIGN, "x"), *test = ast_name(arena, STR("c"));
    Node *guard = ast_new(arena, NODE_IF);
    guard->u.branch.test = test;
    guard->u.branch.body = ast_list(arena, 1, &assign);
    ast_replace(assign, guard);
    EXPECT_OUTPUT("def f():\n  if c:\n    x = [\n      1,\n    # odd\n    ]\n  return x\n");
    load("class A:\n\tdef f(self):\n\t\tif c:\n\t\t\tif d:\n\t\t\t\tx()\n\t\t\t\t'''s\n\t\t\t\t'''\n");
    Node *outer = find(NODE_IF, "if c");
    ast_replace(outer, sequence(1, outer->u.branch.body.items));
    EXPECT_OUTPUT("class A:\n\tdef f(self):\n\t\tif d:\n\t\t\tx()\n\t\t\t'''s\n\t\t\t\t'''\n");
}

TEST(sequences) {
    Node *items[2];
    load("import a  # noqa\nimport b\n");
    items[0] = find(NODE_IMPORT, "import a"), items[1] = ast_text(arena, STR("import r"));
    ast_replace(items[0], sequence(2, items));
    EXPECT_OUTPUT("import a  # noqa\nimport r\nimport b\n");
    load("a; b; c\n");
    items[0] = ast_expr_stmt(arena, ast_name(arena, STR("x"))),
    items[1] = ast_expr_stmt(arena, ast_name(arena, STR("y")));
    ast_replace(find(NODE_EXPR_STMT, "b"), sequence(2, items));
    EXPECT_OUTPUT("a; x; y; c\n");
    load("if a: b\nelse: c\n");
    items[0] = ast_expr_stmt(arena, ast_name(arena, STR("x"))),
    items[1] = ast_expr_stmt(arena, ast_name(arena, STR("y")));
    ast_replace(find(NODE_EXPR_STMT, "c"), sequence(2, items));
    EXPECT_OUTPUT("if a: b\nelse: x; y\n");
    load("x\n");
    ast_replace(find(NODE_EXPR_STMT, "x"), sequence(0, NULL));
    EXPECT_OUTPUT("pass\n");
}

static Node *guarded(Node *statement) {
    Node *guard = ast_new(arena, NODE_IF);
    guard->u.branch.test = ast_name(arena, STR("g"));
    guard->u.branch.body = ast_list(arena, 1, &statement);
    return guard;
}

TEST(lines_are_broken_up) {
    Node *statement;
    load("def f():\n    a; b; c;  # t\n    d\n");
    statement = find(NODE_EXPR_STMT, "b");
    ast_replace(statement, guarded(statement));
    EXPECT_OUTPUT("def f():\n    a\n    if g:\n        b\n    c  # t\n    d\n");
    load("def f():\n    if a: b; c  # t\n    else: d\n");
    statement = find(NODE_EXPR_STMT, "c");
    ast_replace(statement, guarded(statement));
    EXPECT_OUTPUT("def f():\n    if a:\n        b\n        if g:\n            c  # t\n    else: d\n");
    load("if a: b\nelse: d\n");
    statement = find(NODE_EXPR_STMT, "d");
    ast_replace(statement, guarded(statement));
    EXPECT_OUTPUT("if a: b\nelse:\n    if g:\n        d\n");
}

TEST(untouched) {
    static const char *const texts[] = {"",
                                        "x",
                                        "\xEF\xBB\xBFx = 1\n",
                                        "a\r\nb\r\n",
                                        "a\rb\r",
                                        "if a:\n\tb\n\f\nc",
                                        "# only\n",
                                        "\n\n",
                                        "x = 1;\ny = 2; z\n",
                                        "def f():\n    pass\n    # end\n"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        load(texts[i]);
        EXPECT_OUTPUT(texts[i]);
        load(texts[i]);
        tree->module->flags |= NODE_DIRTY;
        EXPECT_OUTPUT(texts[i]);
    }
}

TEST(bom_and_first_statement) {
    load("\xEF\xBB\xBF"
         "a  # c\nb\n");
    ast_replace(find(NODE_EXPR_STMT, "a"), guarded(ast_expr_stmt(arena, ast_name(arena, STR("x")))));
    EXPECT_OUTPUT("\xEF\xBB\xBF"
                  "if g:\n    x  # c\nb\n");
}

int main(void) {
    RUN(defer_keeps_lines);
    RUN(trap_keeps_lines);
    RUN(closing_line_is_kept);
    RUN(kept_lines_are_indented);
    RUN(trap_crlf_and_tabs);
    RUN(trap_inline);
    RUN(trap_in_elif);
    RUN(lost_comments_go_above);
    RUN(long_call_is_broken);
    RUN(parentheses);
    RUN(newline_needs_brackets);
    RUN(words_do_not_touch);
    RUN(suites_are_indented);
    RUN(sequences);
    RUN(lines_are_broken_up);
    RUN(untouched);
    RUN(bom_and_first_statement);
    return test_report();
}
