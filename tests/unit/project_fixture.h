// Modules in memory for the tests of src/project, and how to point at an expression in one of them.
#ifndef GM_PROJECT_FIXTURE_H
#define GM_PROJECT_FIXTURE_H

#include "project/project.h"
#include "unit/test.h"

typedef struct Fixture {
    Arena *arena;
    DiagList diags;
    Project *project;
    const char *const *entries;
    bool (*prints)(Module *module, Node *stmt);
} Fixture;

static inline Module *fixture_add(Fixture *fixture, const char *path, const char *text) {
    if (!fixture->project) {
        fixture->arena = arena_new();
        diag_init(&fixture->diags, fixture->arena);
        ProjectOptions options = {.jobs = 1, .entries = fixture->entries, .prints = fixture->prints};
        fixture->project = project_new(&fixture->diags, &options);
    }
    return project_add_bytes(fixture->project, str_of(path), str_of(text));
}

static inline void fixture_free(Fixture *fixture) {
    project_free(fixture->project);
    diag_free(&fixture->diags);
    arena_free(fixture->arena);
    *fixture = (Fixture){0};
}

// The last node in source order whose text is that, the outermost one of them. NULL if there is none.
static inline Node *find_node(Module *module, Node *from, const char *text) {
    Node *found = NULL;
    for (ChildIter it = ast_children(from); ast_next(&it);) {
        Node *inner = find_node(module, it.child, text);
        if (str_eq(node_text(module->unit->tree, it.child), str_of(text)))
            inner = it.child;
        found = inner ? inner : found;
    }
    return found;
}

static inline Node *node_of(Module *module, const char *text) {
    Node *found = module->unit ? find_node(module, module->unit->tree->module, text) : NULL;
    if (!found)
        printf("no node with the text %s\n", text);
    // An expression statement has the text of its expression.
    return node_is(found, NODE_EXPR_STMT) ? found->u.value.value : found;
}

// A reference in one line: "external torch.nn.Linear", "instance model.Net", "list of instance model.Layer".
static inline void put_ref(const Ref *ref, Buf *out) {
    static const char *const kinds[] = {"none",    "module",   "class",    "function",
                                        "method",  "instance", "external", "external-instance",
                                        "builtin", "list"};
    buf_cstr(out, kinds[ref->kind]);
    Module *in = ref->cls ? ref->cls->module : ref->func ? ref->func->module : NULL;
    Name name = ref->func ? ref->func->name : ref->cls ? ref->cls->name : ref->name;
    if (ref->kind == REF_LIST) {
        buf_cstr(out, " of ");
        if (ref->element)
            put_ref(ref->element, out);
        else
            buf_cstr(out, "unknown");
    } else if (ref->kind != REF_NONE) {
        buf_char(out, ' ');
        if (in)
            buf_printf(out, "%.*s.", STR_ARG(name_str(in->name)));
        buf_str(out, name_str(name));
    }
}

#define EXPECT_REF(module, text, expected)                                                                   \
    do {                                                                                                     \
        Node *node_ = node_of((module), (text));                                                             \
        Ref ref_ = node_ ? resolve_expr((module), node_) : (Ref){0};                                         \
        Buf buf_ = {0};                                                                                      \
        put_ref(&ref_, &buf_);                                                                               \
        EXPECT_STR(buf_view(&buf_), (expected));                                                             \
        buf_free(&buf_);                                                                                     \
    } while (0)

static inline FuncInfo *func_named(Module *module, const char *name) {
    for (uint32_t i = 0; i < module->functions.len; i++)
        if (str_eq(name_str(module->functions.items[i]->name), str_of(name)))
            return module->functions.items[i];
    printf("no function %s\n", name);
    return NULL;
}

static inline bool is_reachable(Module *module, const char *name) {
    const FuncInfo *func = func_named(module, name);
    return func && func->reachable;
}

static inline bool calls(Module *module, const char *caller, Module *in, const char *callee) {
    const FuncInfo *func = func_named(module, caller), *target = func_named(in, callee);
    for (uint32_t i = 0; func && target && i < func->calls.len; i++)
        if (func->calls.items[i].callee == target)
            return true;
    return false;
}

#endif
