// For the tests of src/ir: a unit from text, and names as text.
#ifndef GM_IR_HELPER_H
#define GM_IR_HELPER_H

#include "ir/ir.h"
#include "test.h"

typedef struct Fixture {
    Arena *arena;
    DiagList diags;
    Unit *unit;
} Fixture;

static inline Fixture fixture(const char *text) {
    Fixture f = {.arena = arena_new()};
    diag_init(&f.diags, f.arena);
    Source source;
    Str why;
    CHECK(source_init(&source, f.arena, STR("test.py"), str_of(text), &why));
    f.unit = unit_new(syntax_parse(f.arena, source, &f.diags));
    unit_verify(f.unit);
    return f;
}

static inline void fixture_free(Fixture *f) {
    unit_verify(f->unit); // with whatever CFGs the test built
    unit_free(f->unit);
    diag_free(&f->diags);
    arena_free(f->arena);
}

// The function or class of that (last) name; NULL if there is none.
static inline Scope *scope_named(const Fixture *f, const char *name) {
    for (uint32_t i = 0; i < f->unit->scopes.len; i++) {
        Scope *scope = f->unit->scopes.items[i];
        const Node *owner = scope->owner;
        Name own = node_is(owner, NODE_FUNCTION_DEF) ? owner->u.function.name
                   : node_is(owner, NODE_CLASS_DEF)  ? owner->u.cls.name
                                                     : 0;
        if (own && scope->kind != SCOPE_TYPE_PARAMS && str_eq(name_str(own), str_of(name)))
            return scope;
    }
    return NULL;
}

static inline Function *function_named(const Fixture *f, const char *name) {
    return scope_named(f, name)->function;
}

static inline Scope *scope_of_kind(const Fixture *f, ScopeKind kind) {
    for (uint32_t i = 0; i < f->unit->scopes.len; i++)
        if (f->unit->scopes.items[i]->kind == kind)
            return f->unit->scopes.items[i];
    return NULL;
}

static inline uint32_t flags_of(const Scope *scope, const char *name) {
    const Symbol *symbol = map_ptr(&scope->symbols, intern(str_of(name)));
    return symbol ? symbol->flags : 0;
}

// The nth (from 0) node of a kind, in source order of a walk; NULL if there are fewer.
static inline Node *find_node(Node *node, NodeKind kind, uint32_t *nth) {
    if (node->kind == (uint16_t)kind && (*nth)-- == 0)
        return node;
    for (ChildIter it = ast_children(node); ast_next(&it);) {
        Node *found = find_node(it.child, kind, nth);
        if (found)
            return found;
    }
    return NULL;
}

static inline Node *nth_node(const Fixture *f, NodeKind kind, uint32_t nth) {
    return find_node(f->unit->tree->module, kind, &nth);
}

static inline Str text_of(const Fixture *f, const Node *node) {
    return node_text(f->unit->tree, node);
}

static inline uint32_t line_of_node(const Fixture *f, const Node *node) {
    return source_place(&f->unit->tree->source, node->start).line;
}

// The statement that starts on a line; of several (a compound one and its head) the outermost.
static inline Node *stmt_on_line(Node *node, const Source *source, uint32_t line) {
    if (node_is_stmt(node) && source_place(source, node->start).line == line)
        return node;
    for (ChildIter it = ast_children(node); ast_next(&it);) {
        Node *found = stmt_on_line(it.child, source, line);
        if (found)
            return found;
    }
    return NULL;
}

static inline Node *stmt_at(const Fixture *f, uint32_t line) {
    return stmt_on_line(f->unit->tree->module, &f->unit->tree->source, line);
}

#endif
