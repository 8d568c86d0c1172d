// The printer over whole files: what is not changed prints as it is, and what is rebuilt node by node means the same.
//
//     print_roundtrip_test [FILE_OR_DIR...]     default: tests/behaviour/suite, tests/unit
//
// 1. An untouched tree prints its bytes; so does one whose every node is marked changed.
// 2. Statements and expressions are replaced by new nodes of the same structure, all of them or some at random; the text
//    must parse without errors into the same tree (spans and parentheses aside) and hold the same comments.
#include "ir/ir.h"
#include "unit/test.h"

#include <stdlib.h>

static Arena *arena;
static uint32_t seed;

static uint32_t roll(void) {
    return seed = seed * 1664525u + 1013904223u, seed >> 16;
}

static SyntaxTree *parse(Str path, Str bytes) {
    Source source;
    Str why;
    if (!source_init(&source, arena, path, bytes, &why))
        return NULL;
    DiagList diags;
    diag_init(&diags, arena);
    SyntaxTree *tree = syntax_parse(arena, source, &diags);
    diag_free(&diags);
    return tree;
}

static void mark_dirty(Node *node) {
    node->flags |= NODE_DIRTY;
    for (ChildIter it = ast_children(node); ast_next(&it);)
        mark_dirty(it.child);
}

// ---------------------------------------------------------------- rebuilding
static bool can_be_new(const Node *node) {
    switch (node->kind) {
    case NODE_MATCH:
    case NODE_MATCH_CASE:
    case NODE_PATTERN:
    case NODE_FSTRING:
    case NODE_FORMATTED_VALUE:
    case NODE_STR_CONCAT:
    case NODE_TYPE_ALIAS:
    case NODE_STMT_ERROR:
    case NODE_EXPR_ERROR:
        return false;
    case NODE_EXCEPT_HANDLER:
        return !(node->flags & NODE_EXCEPT_STAR); // the grammar takes no mix of except* and except *
    case NODE_CONSTANT:
        return node->u.constant.kind >= CONST_TRUE;
    default:
        return true;
    }
}

static Node *rebuilt(Node *node, uint32_t percent);

static void rebuild_children(Node *node, uint32_t percent) {
    for (ChildIter it = ast_children(node); ast_next(&it);)
        *it.slot = rebuilt(it.child, percent);
}

static NodeList copy_list(NodeList list) {
    return ast_list(arena, list.len, list.items);
}

// A new node with the same members; its lists are its own.
static Node *shallow_copy(const Node *node) {
    Node *fresh = ast_new(arena, (NodeKind)node->kind);
    ast_copy(node, fresh);
    fresh->start = fresh->end = 0;
    fresh->parent = NULL;
    fresh->flags = NODE_NEW;
    fresh->flags |= node->flags & (NODE_ASYNC | NODE_ELIF | NODE_STORE | NODE_EXCEPT_STAR);
    switch (node->kind) {
#define COPY(list) fresh->u.list = copy_list(node->u.list)
    case NODE_FUNCTION_DEF:
        COPY(function.decorators);
        COPY(function.type_params);
        COPY(function.body);
        break;
    case NODE_CLASS_DEF:
        COPY(cls.decorators);
        COPY(cls.type_params);
        COPY(cls.args);
        COPY(cls.body);
        break;
    case NODE_DELETE:
    case NODE_IMPORT:
    case NODE_GLOBAL:
    case NODE_NONLOCAL:
    case NODE_PARAMS:
    case NODE_TUPLE:
    case NODE_LIST:
    case NODE_SET:
    case NODE_DICT:
        COPY(items.items);
        break;
    case NODE_IMPORT_FROM:
        COPY(from.items);
        break;
    case NODE_ASSIGN:
        COPY(assign.targets);
        break;
    case NODE_FOR:
        COPY(loop.body);
        COPY(loop.orelse);
        break;
    case NODE_IF:
    case NODE_WHILE:
        COPY(branch.body);
        COPY(branch.orelse);
        break;
    case NODE_WITH:
        COPY(with.items);
        COPY(with.body);
        break;
    case NODE_TRY:
        COPY(try_.body);
        COPY(try_.handlers);
        COPY(try_.orelse);
        COPY(try_.finalbody);
        break;
    case NODE_EXCEPT_HANDLER:
        COPY(handler.body);
        break;
    case NODE_CALL:
        COPY(call.args);
        break;
    case NODE_COMPARE:
        COPY(compare.comparators);
        break;
    case NODE_LIST_COMP:
    case NODE_SET_COMP:
    case NODE_DICT_COMP:
    case NODE_GENERATOR_EXP:
        COPY(comp.clauses);
        break;
    case NODE_COMPREHENSION:
        COPY(comprehension.ifs);
        break;
#undef COPY
    default:
        break;
    }
    return fresh;
}

static bool holds_new(Node *node) {
    for (ChildIter it = ast_children(node); ast_next(&it);)
        if (it.child->flags & (NODE_NEW | NODE_DIRTY))
            return true;
    return false;
}

// An original parent gets new children through ast_replace, as passes do it; a new one simply holds them.
static void rebuild_in_place(Node *node, uint32_t percent) {
    uint32_t count = 0;
    for (ChildIter it = ast_children(node); ast_next(&it);)
        count++;
    Node **children = ARENA_ARRAY(arena, Node *, count); // not on the stack: trees are deep
    count = 0;
    for (ChildIter it = ast_children(node); ast_next(&it);)
        children[count++] = it.child;
    for (uint32_t i = 0; i < count; i++) {
        Node *fresh = rebuilt(children[i], percent);
        if (fresh != children[i])
            ast_replace(children[i], fresh);
    }
}

static Node *rebuilt(Node *node, uint32_t percent) {
    if (node->kind == NODE_FSTRING || node->kind == NODE_STR_CONCAT || node->kind == NODE_PATTERN)
        return node;
    if (!can_be_new(node) || roll() % 100 >= percent) {
        rebuild_in_place(node, percent);
        if (holds_new(node))
            node->flags |= NODE_DIRTY;
        return node;
    }
    Node *fresh = shallow_copy(node);
    rebuild_children(fresh, percent);
    return fresh;
}

// ---------------------------------------------------------------- comparing
static void put_shape(Buf *out, Node *node, uint32_t depth) {
    Str kind = str_of(node_kind_name((NodeKind)node->kind));
    buf_repeat(out, ' ', depth);
    buf_str(out, kind);
    switch (node->kind) {
    case NODE_NAME:
        buf_printf(out, " %s", name_str(node->u.name.name).ptr);
        break;
    case NODE_ATTRIBUTE:
        buf_printf(out, " %s", name_str(node->u.attribute.attr).ptr);
        break;
    case NODE_KEYWORD:
        buf_printf(out, " %u", node->u.keyword.name);
        break;
    case NODE_PARAM:
        buf_printf(out, " %u %d", node->u.param.name, (int)node->u.param.kind);
        break;
    case NODE_ALIAS:
        buf_printf(out, " %u %u", node->u.alias.name, node->u.alias.as);
        break;
    case NODE_BIN_OP:
    case NODE_BOOL_OP:
        buf_printf(out, " %s", op_text(node->u.binary.op));
        break;
    case NODE_UNARY_OP:
        buf_printf(out, " %s", op_text(node->u.unary.op));
        break;
    case NODE_AUG_ASSIGN:
        buf_printf(out, " %s", op_text(node->u.aug.op));
        break;
    case NODE_CONSTANT:
        buf_printf(out, " %d", (int)node->u.constant.kind);
        break;
    case NODE_COMPARE:
        for (uint32_t i = 0; i < node->u.compare.comparators.len; i++)
            buf_printf(out, " %s", op_text(node->u.compare.ops[i]));
        break;
    case NODE_FUNCTION_DEF:
        buf_printf(out, " %u %d", node->u.function.name, node->flags & NODE_ASYNC);
        break;
    case NODE_CLASS_DEF:
        buf_printf(out, " %u", node->u.cls.name);
        break;
    default:
        break;
    }
    buf_char(out, '\n');
    for (ChildIter it = ast_children(node); ast_next(&it);)
        put_shape(out, it.child, depth + 1);
}

static Str shape(SyntaxTree *tree) {
    Buf out = {0};
    put_shape(&out, tree->module, 0);
    Str text = str_dup(arena, buf_view(&out));
    buf_free(&out);
    return text;
}

static int compare_str(const void *a, const void *b) {
    return str_cmp(*(const Str *)a, *(const Str *)b);
}

static bool same_comments(SyntaxTree *before, SyntaxTree *after) {
    uint32_t count = before->comment_count;
    if (count != after->comment_count)
        return false;
    Str *one = ARENA_ARRAY(arena, Str, count + 1), *other = ARENA_ARRAY(arena, Str, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        one[i] = source_span(&before->source, before->comments[i].start, before->comments[i].end);
        other[i] = source_span(&after->source, after->comments[i].start, after->comments[i].end);
    }
    qsort(one, count, sizeof *one, compare_str);
    qsort(other, count, sizeof *other, compare_str);
    for (uint32_t i = 0; i < count; i++)
        if (!str_eq(one[i], other[i]))
            return false;
    return true;
}

static void report(Str path, const char *what, Str before, Str after) {
    size_t at = 0;
    while (at < before.len && at < after.len && before.ptr[at] == after.ptr[at])
        at++;
    size_t from = at > 120 ? at - 120 : 0;
    printf("%.*s: %s at %zu:\n--- %.*s\n+++ %.*s\n", STR_ARG(path), what, at,
           (int)(before.len - from < 400 ? before.len - from : 400), before.ptr + from,
           (int)(after.len - from < 400 ? after.len - from : 400), after.ptr + from);
    expectations_failed++;
}

static bool check_rebuilt(Str path, Str bytes, uint32_t percent) {
    SyntaxTree *tree = parse(path, bytes), *plain = parse(path, bytes);
    rebuild_in_place(tree->module, percent);
    Buf out = {0};
    print_unit(tree, &out);
    Str text = str_dup(arena, buf_view(&out));
    buf_free(&out);
    SyntaxTree *again = parse(path, text);
    bool good = again && !syntax_error_count(text);
    if (!good) {
        char label[64];
        snprintf(label, sizeof label, "does not parse when rebuilt (%u%%)", percent);
        Place place = {0};
        DiagList diags;
        diag_init(&diags, arena);
        Source source;
        Str why;
        if (source_init(&source, arena, path, text, &why))
            syntax_parse(arena, source, &diags);
        if (diags.list.len)
            place = (Place){diags.list.items[0].line, diags.list.items[0].column};
        printf("%.*s: %s, line %u: %.*s\n", STR_ARG(path), label, place.line,
               STR_ARG(place.line ? source_line(&source, place.line) : (Str){0}));
        if (getenv("GM_SHOW"))
            printf("%.*s\n", STR_ARG(text));
        expectations_failed++;
        return false;
    }
    Str before = shape(plain), after = shape(again);
    if (!str_eq(before, after))
        return report(path, "is another program when rebuilt", before, after), false;
    if (!same_comments(plain, again)) {
        printf("%.*s: comments are lost when rebuilt (%u%%): %u, %u\n", STR_ARG(path), percent,
               plain->comment_count, again->comment_count);
        if (getenv("GM_SHOW"))
            printf("%.*s\n", STR_ARG(text));
        expectations_failed++;
        return false;
    }
    return true;
}

static void check_file(const char *path) {
    arena = arena_new();
    Buf bytes = {0};
    Str why, name = str_of(path);
    SyntaxTree *tree = NULL;
    if (file_read(path, &bytes, arena, &why))
        tree = parse(name, buf_view(&bytes));
    if (tree) {
        Buf out = {0};
        print_unit(tree, &out);
        if (!str_eq(buf_view(&out), buf_view(&bytes)))
            report(name, "untouched", buf_view(&bytes), buf_view(&out));
        mark_dirty(tree->module);
        out.len = 0;
        print_unit(tree, &out);
        if (!str_eq(buf_view(&out), buf_view(&bytes)))
            report(name, "marked changed", buf_view(&bytes), buf_view(&out));
        buf_free(&out);
        static const uint32_t percents[] = {100, 50, 10, 2};
        for (size_t i = 0; i < 4 && !tree->has_errors; i++) {
            seed = (uint32_t)bytes.len;
            check_rebuilt(name, buf_view(&bytes), percents[i]);
        }
    }
    buf_free(&bytes);
    arena_free(arena);
}

static const char **roots;

static bool visit(void *context, const char *relative, FileKind kind) {
    if (kind == FILE_REGULAR && str_ends(str_of(relative), STR(".py"))) {
        Buf path = {0};
        buf_printf(&path, "%s/%s", (const char *)context, relative);
        buf_char(&path, 0);
        check_file(path.ptr);
        buf_free(&path);
    }
    return true;
}

TEST(files) {
    for (const char **root = roots; *root; root++) {
        if (!file_is_dir(*root)) {
            check_file(*root);
            continue;
        }
        Arena *walk = arena_new();
        Str why;
        EXPECT(file_walk(*root, visit, (void *)(uintptr_t)*root, walk, &why));
        arena_free(walk);
    }
}

int main(int argc, char **argv) {
    static const char *defaults[] = {"tests/behaviour/suite", "tests/behaviour/examples", "src/runtime",
                                     NULL};
    roots = argc > 1 ? (const char **)(uintptr_t)(argv + 1) : defaults;
    RUN(files);
    return test_report();
}
