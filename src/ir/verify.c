// The invariant checker. Debug builds run it after every pass; it panics at the first thing that does not
// hold.
//
// Input: a unit in any state a pass may leave it in. It reads the tree once, the scopes once, and the CFGs
// that exist: linear in what is there. What it checks is listed in ir.h; the messages say which node.
#include "ir/ir.h"

// Enough to find the node: kind and span.
#define FAIL(node, what)                                                                                     \
    PANIC("%s: %s %u:%u", (what), node_kind_name((NodeKind)(node)->kind), (node)->start, (node)->end)

// ---------------------------------------------------------------- the tree

// Decorators stand before a def's name, comprehension elements before its clauses: only the span is ordered
// for certain.
static void check_child(const Node *parent, const Node *child) {
    if (child->parent != parent)
        FAIL(child, "wrong parent link");
    if (child->start > child->end)
        FAIL(child, "span ends before it starts");
    bool fresh = child->flags & NODE_NEW, altered = parent->flags & (NODE_NEW | NODE_DIRTY);
    if (fresh && !altered)
        FAIL(child, "new node in an untouched parent");
    if (child->flags & NODE_DIRTY && !altered)
        FAIL(child, "changed node in an untouched parent");
    if (!fresh && !altered && (child->start < parent->start || child->end > parent->end))
        FAIL(child, "node outside its parent's span");
}

static void check_name(const Node *node) {
    if (node->flags & NODE_NEW)
        return;
    const Symbol *symbol = node->u.name.symbol;
    if (!symbol)
        FAIL(node, "name without symbol");
    if (symbol->real != symbol || symbol->name != node->u.name.name)
        FAIL(node, "name with another one's symbol");
}

// Right parent links leave no room for a cycle or for a node below two parents.
static void check_tree(Unit *unit) {
    typedef struct Level {
        Node *node;
        uint32_t depth;
    } Level;
    VEC(Level) stack = {0};
    vec_push(&stack, ((Level){unit->tree->module, 0}));
    while (stack.len > 0) {
        Level level = vec_pop(&stack);
        Node *node = level.node;
        if (level.depth > NODE_DEPTH_MAX)
            FAIL(node, "nested too deep");
        if (node->kind == NODE_NAME)
            check_name(node);
        for (ChildIter it = ast_children(node); ast_next(&it);) {
            check_child(node, it.child);
            vec_push(&stack, ((Level){it.child, level.depth + 1}));
        }
    }
    vec_free(&stack);
}

// ---------------------------------------------------------------- scopes

static void check_symbol(const Scope *scope, const Symbol *symbol) {
    if (symbol->scope != scope || !symbol->real || symbol->real->real != symbol->real)
        FAIL(scope->owner, "broken symbol in the scope of");
    if (symbol->real != symbol && symbol->bindings.len + symbol->uses.len > 0)
        FAIL(scope->owner, "bindings away from the binding scope, in");
}

static void check_scopes(const Unit *unit) {
    for (uint32_t i = 0; i < unit->scopes.len; i++) {
        const Scope *scope = unit->scopes.items[i];
        CHECK(scope->owner != NULL);
        CHECK((scope->parent == NULL) == (scope == unit->scope));
        if (scope_is_function(scope) && (!scope->function || scope->function->scope != scope))
            FAIL(scope->owner, "scope without function");
        for (uint32_t k = 0; k < scope->symbols.len; k++)
            check_symbol(scope, (const Symbol *)scope->symbols.entries[k].value);
    }
}

// ---------------------------------------------------------------- control flow

static uint32_t count_successors(const Block *from, const Block *to) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < from->successors.len; i++)
        count += from->successors.items[i].to == to;
    return count;
}

static void check_cfg(const Cfg *cfg) {
    uint32_t forward = 0, backward = 0;
    for (uint32_t i = 0; i < cfg->blocks.len; i++) {
        const Block *block = cfg->blocks.items[i];
        CHECK(block->id == i);
        forward += block->successors.len;
        backward += block->predecessors.len;
        for (uint32_t k = 0; k < block->successors.len; k++)
            CHECK(!block->reachable || block->successors.items[k].to->reachable);
        for (uint32_t k = 0; k < block->predecessors.len; k++)
            CHECK(count_successors(block->predecessors.items[k], block) > 0);
    }
    CHECK(forward == backward);
    CHECK(cfg->exit->successors.len == 0 && cfg->raise_exit->successors.len == 0);
}

void unit_verify(Unit *unit) {
    check_tree(unit);
    check_scopes(unit);
    for (uint32_t i = 0; i < unit->functions.len; i++)
        if (unit->functions.items[i]->cfg)
            check_cfg(unit->functions.items[i]->cfg);
}
