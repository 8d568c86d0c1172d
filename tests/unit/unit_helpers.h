// For unit tests of the analysis: a project of one module made from text, and its nodes by their text.
#ifndef GM_UNIT_HELPERS_H
#define GM_UNIT_HELPERS_H

#include <stdio.h>

#include "analysis/analysis.h"

static int passed, failed;
static void check_at(bool ok, int line, const char *what) {
    ok ? passed++ : failed++;
    if (!ok)
        printf("FAILED line %d: %s\n", line, what);
}
#define T(cond) check_at((cond), __LINE__, #cond)

typedef struct World {
    Arena *arena;
    DiagList diags;
    Project *project;
    Module *module;
} World;

static World world_open(const char *source) {
    World world = {.arena = arena_new()};
    diag_init(&world.diags, world.arena);
    static const ProjectOptions options = {.jobs = 1};
    world.project = project_new(&world.diags, &options);
    world.module = project_add_bytes(world.project, STR("model.py"), str_of(source));
    project_analyse(world.project);
    return world;
}

static void world_close(World *world) {
    project_free(world->project);
    diag_free(&world->diags);
    arena_free(world->arena);
}

// The `nth` (from 0) node of a kind (or any expression: NODE_KIND_COUNT) with that text, in source order.
static Node *find_in(Module *module, Node *node, Str text, int kind, int *nth) {
    bool right = kind == NODE_KIND_COUNT ? node_is_expr(node) : node->kind == kind;
    if (right && str_eq(node_text(module->unit->tree, node), text) && (*nth)-- == 0)
        return node;
    for (ChildIter it = ast_children(node); ast_next(&it);) {
        Node *found = find_in(module, it.child, text, kind, nth);
        if (found)
            return found;
    }
    return NULL;
}

static Node *nth_node(World *world, const char *text, int kind, int nth) {
    Node *node = find_in(world->module, world->module->unit->tree->module, str_of(text), kind, &nth);
    if (!node)
        fprintf(stderr, "no node: %s\n", text);
    CHECK(node);
    return node;
}
static inline Node *expr_at(World *world, const char *text) {
    return nth_node(world, text, NODE_KIND_COUNT, 0);
}

static inline FuncInfo *func_at(World *world, const char *name) {
    for (uint32_t i = 0; i < world->module->functions.len; i++)
        if (str_eq(name_str(world->module->functions.items[i]->name), str_of(name)))
            return world->module->functions.items[i];
    PANIC("no function %s", name);
}

#endif
