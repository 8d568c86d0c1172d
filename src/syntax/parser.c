// Runs tree-sitter over a Source and hands the concrete tree to the lowering; the cursor the lowering walks with.
//
// Input: a Source. Output: a SyntaxTree. Never fails: what the grammar cannot read is reported once per place and marked
// in the tree. tree-sitter knows only \n and \r\n as line ends; a file with lone \r is parsed from a copy with \n in
// their place, which keeps every offset.
#include "syntax/lower.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

const TSLanguage *tree_sitter_python(void);

// ---------------------------------------------------------------- symbols
enum { SYMBOLS_MAX = 512, FIELDS_MAX = 64 };
static uint16_t cst_of[SYMBOLS_MAX];
static pthread_once_t symbols_once = PTHREAD_ONCE_INIT;

static uint16_t cst_named(const char *name) {
#define N(symbol)                                                                                            \
    if (strcmp(name, #symbol) == 0)                                                                          \
        return CST_##symbol;
#define T(symbol, text)
    CST_SYMBOLS(N, T)
#undef N
#undef T
    return CST_OTHER;
}

static uint16_t cst_token(const char *name) {
#define N(symbol)
#define T(symbol, text)                                                                                      \
    if (strcmp(name, text) == 0)                                                                             \
        return TOK_##symbol;
    CST_SYMBOLS(N, T)
#undef N
#undef T
    return CST_OTHER;
}

static void symbols_init(void) {
    const TSLanguage *language = tree_sitter_python();
    uint32_t count = ts_language_symbol_count(language);
    CHECK(count <= SYMBOLS_MAX);
    for (uint32_t i = 0; i < count; i++) {
        const char *name = ts_language_symbol_name(language, (TSSymbol)i);
        TSSymbolType type = ts_language_symbol_type(language, (TSSymbol)i);
        if (type == TSSymbolTypeRegular)
            cst_of[i] = cst_named(name);
        else if (type == TSSymbolTypeAnonymous)
            cst_of[i] = cst_token(name);
    }
}

// ---------------------------------------------------------------- cursor
static void here(Lower *l, Cur *c) {
    c->node = ts_tree_cursor_current_node(&l->cursor);
    TSSymbol symbol = ts_node_symbol(c->node);
    c->cst = symbol < SYMBOLS_MAX ? cst_of[symbol] : CST_ERROR;
    c->start = ts_node_start_byte(c->node);
    c->end = ts_node_end_byte(c->node);
}

Cur cur_here(Lower *l) {
    Cur c;
    here(l, &c);
    return c;
}

bool cur_has_error(Lower *l, const Cur *c) {
    return l->careful && ts_node_has_error(c->node);
}

static void comment_add(Lower *l, const Cur *c) {
    uint32_t end = c->end;
    while (end > c->start && l->bytes[end - 1] == '\r')
        end--; // the grammar's comment runs up to the \n
    vec_push(&l->comments, ((Comment){c->start, end}));
}

void lower_report(Lower *l, uint32_t at, const char *what) {
    Place place = source_place(&l->tree->source, at);
    diag_add(l->diags, DIAG_WARNING, l->tree->source.path, place.line, place.column, "%s", what);
    l->broken = true;
    l->tree->has_errors = true;
}

static bool is_error(const Cur *c) {
    return c->cst == CST_ERROR || ts_node_is_missing(c->node);
}

// The error at the cursor; those inside of it are told too.
static void report_error(Lower *l, const Cur *c) {
    if (ts_node_is_missing(c->node))
        lower_report(l, c->start, "syntax error: something is missing here");
    else
        lower_report(l, c->start, "syntax error");
}

void cur_skip(Lower *l, const Cur *c) {
    bool look = cur_has_error(l, c);
    uint32_t depth = 0;
    for (;;) {
        Cur at;
        here(l, &at);
        if (at.cst == CST_comment)
            comment_add(l, &at);
        else if (look && is_error(&at))
            report_error(l, &at);
        if (ts_tree_cursor_goto_first_child(&l->cursor)) {
            depth++;
            continue;
        }
        while (depth && !ts_tree_cursor_goto_next_sibling(&l->cursor)) {
            ts_tree_cursor_goto_parent(&l->cursor);
            depth--;
        }
        if (!depth)
            return;
    }
}

// Moves past comments and errors; at the last child returns to the parent. In a suite an ERROR takes the place of a
// statement, so there it is offered.
static bool settle(Lower *l, Cur *c, bool suite) {
    for (;;) {
        here(l, c);
        if (c->cst == CST_comment) {
            comment_add(l, c);
        } else if (l->careful && is_error(c)) {
            cur_skip(l, c);
            if (suite && c->cst == CST_ERROR && c->end > c->start)
                return true;
        } else if (c->cst != CST_line_continuation) {
            return true;
        }
        if (!ts_tree_cursor_goto_next_sibling(&l->cursor))
            break;
    }
    ts_tree_cursor_goto_parent(&l->cursor);
    return false;
}

static bool next(Lower *l, Cur *c, bool suite) {
    if (ts_tree_cursor_goto_next_sibling(&l->cursor))
        return settle(l, c, suite);
    ts_tree_cursor_goto_parent(&l->cursor);
    return false;
}

bool cur_first(Lower *l, Cur *c) {
    return ts_tree_cursor_goto_first_child(&l->cursor) && settle(l, c, false);
}
bool cur_next(Lower *l, Cur *c) {
    return next(l, c, false);
}
bool cur_first_stmt(Lower *l, Cur *c) {
    return ts_tree_cursor_goto_first_child(&l->cursor) && settle(l, c, true);
}
bool cur_next_stmt(Lower *l, Cur *c) {
    return next(l, c, true);
}

// ---------------------------------------------------------------- shared helpers
bool lower_deeper(Lower *l, const Cur *c) {
    if (++l->depth <= AST_MAX_DEPTH)
        return true;
    l->depth--;
    if (!l->too_deep) {
        char what[64];
        snprintf(what, sizeof what, "nested more than %d levels deep (AST_MAX_DEPTH)", AST_MAX_DEPTH);
        lower_report(l, c->start, what);
    }
    l->too_deep = true;
    return false;
}

Node *lower_node(Lower *l, NodeKind kind, uint32_t start, uint32_t end) {
    Node *node = ast_node(l->arena, kind);
    node->start = start;
    node->end = end;
    return node;
}

NodeList lower_take(Lower *l, uint32_t base) {
    Node **items =
        l->stack.items ? l->stack.items + base : NULL; // nothing was ever pushed: NULL + 0 is undefined
    NodeList list = ast_list(l->arena, l->stack.len - base, items);
    l->stack.len = base;
    return list;
}

Name lower_name(Lower *l, uint32_t start, uint32_t end) {
    return intern((Str){l->bytes + start, end - start});
}

// ---------------------------------------------------------------- entry
// A copy with \n for each lone \r; NULL: there is none.
static char *with_newlines(Str bytes) {
    char *copy = NULL;
    for (const char *p = bytes.ptr, *end = p + bytes.len; (p = memchr(p, '\r', (size_t)(end - p))); p++) {
        if (p + 1 < end && p[1] == '\n')
            continue;
        if (!copy) {
            copy = heap_alloc(bytes.len, 1);
            memcpy(copy, bytes.ptr, bytes.len);
        }
        copy[p - bytes.ptr] = '\n';
    }
    return copy;
}

static TSTree *run_parser(Str text) {
    TSParser *parser = ts_parser_new();
    CHECK(ts_parser_set_language(parser, tree_sitter_python()));
    TSTree *tree = ts_parser_parse_string(parser, NULL, text.ptr, (uint32_t)text.len);
    CHECK(tree != NULL);
    ts_parser_delete(parser);
    return tree;
}

// NULL: some of them are no comments.
static TSTree *parse_without(Str text, const CommentList *comments) {
    char *copy = heap_alloc(text.len, 1);
    memcpy(copy, text.ptr, text.len);
    comments_blank(comments, copy);
    TSTree *tree = run_parser((Str){copy, text.len});
    free(copy);
    if (!comments_in_token(comments, ts_tree_root_node(tree)))
        return tree;
    ts_tree_delete(tree);
    return NULL;
}

// spared: the comments that the tree does not have; freed by the caller.
static TSTree *parse_bytes(Str bytes, CommentList *spared) {
    char *copy = with_newlines(bytes);
    Str text = {copy ? copy : bytes.ptr, bytes.len};
    *spared = comments_in_runs(text);
    TSTree *tree = spared->len ? parse_without(text, spared) : NULL;
    if (!tree) {
        vec_clear(spared);
        tree = run_parser(text);
    }
    free(copy);
    return tree;
}

// Both in source order.
static void merge_comments(SyntaxTree *tree, const CommentList *seen, const CommentList *spared) {
    tree->comment_count = seen->len + spared->len;
    tree->comments = ARENA_ARRAY(tree->arena, Comment, tree->comment_count);
    for (uint32_t i = 0, s = 0; i + s < tree->comment_count;) {
        bool next_seen = s == spared->len || (i < seen->len && seen->items[i].start < spared->items[s].start);
        tree->comments[i + s] = next_seen ? seen->items[i] : spared->items[s];
        i += next_seen;
        s += !next_seen;
    }
}

// Sets parent links, top down, with a stack of its own.
static void link_parents(Node *module) {
    VEC(Node *) todo = {0};
    vec_push(&todo, module);
    while (todo.len) {
        Node *node = vec_pop(&todo);
        for (ChildIter it = ast_children(node); ast_next(&it);) {
            it.child->parent = node;
            vec_push(&todo, it.child);
        }
    }
    vec_free(&todo);
}

static void lower_module(Lower *l, SyntaxTree *tree) {
    Cur root = cur_here(l);
    Node *module = lower_node(l, NODE_MODULE, 0, (uint32_t)tree->source.bytes.len);
    if (root.cst == CST_ERROR) { // nothing at all could be read
        cur_skip(l, &root);
        Node *error = lower_node(l, NODE_STMT_ERROR, root.start, root.end);
        module->u.module.body = ast_list(l->arena, 1, &error);
    } else {
        module->u.module.body = lower_suite(l);
    }
    tree->module = module;
}

SyntaxTree *syntax_parse(Arena *arena, Source source, DiagList *diags) {
    pthread_once(&symbols_once, symbols_init);
    SyntaxTree *tree = ARENA_NEW(arena, SyntaxTree);
    tree->source = source;
    tree->arena = arena;
    CommentList spared;
    TSTree *concrete = parse_bytes(source.bytes, &spared);
    TSNode root = ts_tree_root_node(concrete);
    Lower l = {.tree = tree, .arena = arena, .diags = diags, .bytes = source.bytes.ptr};
    l.careful = ts_node_has_error(root);
    l.cursor = ts_tree_cursor_new(root);
    lower_module(&l, tree);
    lower_lines(&l);
    link_parents(tree->module);
    merge_comments(tree, &l.comments, &spared);
    tree->source.quote = l.quotes[1] > l.quotes[0] ? '\'' : '"';
    ts_tree_cursor_delete(&l.cursor);
    ts_tree_delete(concrete);
    vec_free(&l.stack);
    vec_free(&l.comments);
    vec_free(&spared);
    return tree;
}

uint32_t syntax_error_count(Str bytes) {
    CommentList spared;
    TSTree *concrete = parse_bytes(bytes, &spared);
    vec_free(&spared);
    TSNode root = ts_tree_root_node(concrete);
    uint32_t count = 0;
    if (ts_node_has_error(root)) {
        TSTreeCursor cursor = ts_tree_cursor_new(root);
        for (bool more = true; more;) {
            TSNode node = ts_tree_cursor_current_node(&cursor);
            if (ts_node_is_error(node) || ts_node_is_missing(node))
                count++;
            more = ts_node_has_error(node) && ts_tree_cursor_goto_first_child(&cursor);
            while (!more) {
                more = ts_tree_cursor_goto_next_sibling(&cursor);
                if (!more && !ts_tree_cursor_goto_parent(&cursor))
                    break;
            }
        }
        ts_tree_cursor_delete(&cursor);
    }
    ts_tree_delete(concrete);
    return count;
}
