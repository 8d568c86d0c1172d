// May something that runs later change a value in place?
//
//     h = x if t else y        # what is x afterwards must be x, not a copy
//     y.add_(1)
//
// Input: a value, and the node after which. Output: yes, where an operation in place (changed.c), or a function that does one,
// gets something that shares a root with it (roots.c), in the rest of its function; and, if that returns it, in its callers.
#include "analysis/roots.h"

enum { MAX_CALLERS = 40 };

typedef struct Change {
    const Roots *roots;
    uint32_t until; // what comes later in the source is no matter
    bool found;
} Change;

static bool shares_root(Module *module, Node *expr, uint32_t items, const Roots *roots) {
    Roots own = {0};
    bool shared = roots_meet(roots_of(module, expr, items, &own), roots);
    roots_free(&own);
    return shared;
}

// self.update() changes a buffer of self: no telling which one.
static bool is_changed_through(Module *module, Node *arg, const Roots *roots) {
    return shares_root(module, arg, ALL_ITEMS, roots) ||
           (fact_value(module, arg).ref.kind == REF_INSTANCE &&
            roots_have_attribute(roots, fact_value(module, arg).ref.cls));
}

static bool any_argument_is_changed(Module *module, Node *call, const Roots *roots) {
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        Node *arg = call->u.call.args.items[i];
        Node *value = node_is(arg, NODE_KEYWORD)   ? arg->u.keyword.value
                      : node_is(arg, NODE_STARRED) ? arg->u.value.value
                                                   : arg;
        if (is_changed_through(module, value, roots))
            return true;
    }
    return false;
}

static bool callee_changes(Module *module, Node *call, FuncInfo *func, const Roots *roots) {
    Summary summary = summary_of_function(func);
    uint32_t touched = summary.inplace | summary.items;
    if (summary.effects & EFFECT_INPLACE && roots_have_shared_name(roots))
        return true;
    for (uint32_t i = 0; i < ORIGIN_PARAMS; i++) {
        if (!(touched & (1u << i)))
            continue;
        if (takes_many(func, i) && any_argument_is_changed(module, call, roots))
            return true;
        Node *arg = argument_of(module, call, func, i);
        if (arg && is_changed_through(module, arg, roots))
            return true;
    }
    return false;
}

static uint32_t targets_of(Module *module, Node *node, FuncInfo **targets, Ref *callee) {
    *callee = (Ref){0};
    if (!node_is(node, NODE_CALL) || node->flags & NODE_NEW)
        return 0;
    return call_targets(module, node, targets, MAX_RESULT_TARGETS, callee);
}

// A loop counts as a whole.
static uint32_t place_of(const Node *node) {
    uint32_t place = node->start;
    for (node = node->parent; node && node->kind != NODE_FUNCTION_DEF; node = node->parent)
        if (node->kind == NODE_FOR || node->kind == NODE_WHILE)
            place = node->start;
    return place;
}

static bool visit(Module *module, Node *node, void *context) {
    Change *change = context;
    if (place_of(node) >= change->until)
        return false;
    FuncInfo *targets[MAX_RESULT_TARGETS];
    Ref callee;
    uint32_t count = targets_of(module, node, targets, &callee);
    for (uint32_t i = 0; i < count && !change->found; i++)
        change->found = callee_changes(module, node, targets[i], change->roots);
    Changed changed = count ? (Changed){0} : changed_by(module, node, &callee);
    for (uint32_t i = 0; i < changed.len && !change->found; i++)
        change->found = shares_root(module, changed.items[i], ALL_ITEMS, change->roots);
    return change->found;
}

static bool is_change(Module *module, Node *node) {
    FuncInfo *targets[MAX_RESULT_TARGETS];
    Ref callee;
    uint32_t touched = 0, count = targets_of(module, node, targets, &callee);
    for (uint32_t i = 0; i < count; i++) {
        Summary summary = summary_of_function(targets[i]);
        touched |= summary.inplace | summary.items | (summary.effects & EFFECT_INPLACE);
    }
    return count ? touched != 0 : changed_by(module, node, &callee).len != 0;
}

bool changes_anything(Module *module, Node *node) {
    if (is_change(module, node))
        return true;
    for (ChildIter it = ast_children(node); ast_next(&it);)
        if (!runs_elsewhere(node, it.child) && changes_anything(module, it.child))
            return true;
    return false;
}

// ---------------------------------------------------------------- all that a function changes

// Where a value has no root in common with it, nothing need be looked for.
typedef struct Changes {
    Roots roots;
    Map classes; // of the objects of which something is changed
    bool shared; // a function changes what names of modules and closures hold
} Changes;

static void collect_through(Module *module, Node *arg, Changes *all) {
    Node *value = node_is(arg, NODE_KEYWORD)   ? arg->u.keyword.value
                  : node_is(arg, NODE_STARRED) ? arg->u.value.value
                                               : arg;
    Fact fact = fact_value(module, value);
    roots_add(module, &all->roots, value);
    if (fact.ref.kind == REF_INSTANCE)
        map_put(&all->classes, map_key_ptr(fact.ref.cls), (uintptr_t)fact.ref.cls);
}

static void collect_callee(Module *module, Node *call, FuncInfo *func, Changes *all) {
    Summary summary = summary_of_function(func);
    uint32_t touched = summary.inplace | summary.items;
    all->shared |= (summary.effects & EFFECT_INPLACE) != 0;
    for (uint32_t i = 0; i < ORIGIN_PARAMS; i++) {
        if (!(touched & (1u << i)))
            continue;
        for (uint32_t k = 0; takes_many(func, i) && k < call->u.call.args.len; k++)
            collect_through(module, call->u.call.args.items[k], all);
        Node *arg = argument_of(module, call, func, i);
        if (arg)
            collect_through(module, arg, all);
    }
}

static void collect(Module *module, Node *node, Changes *all) {
    FuncInfo *targets[MAX_RESULT_TARGETS];
    Ref callee;
    if (node_is_stmt(node) && !(node->flags & NODE_NEW) && !changes_around(module, node).own)
        return;
    uint32_t count = targets_of(module, node, targets, &callee);
    for (uint32_t i = 0; i < count; i++)
        collect_callee(module, node, targets[i], all);
    Changed changed = count ? (Changed){0} : changed_by(module, node, &callee);
    for (uint32_t i = 0; i < changed.len; i++)
        roots_add(module, &all->roots, changed.items[i]);
    for (ChildIter it = ast_children(node); ast_next(&it);)
        if (!runs_elsewhere(node, it.child))
            collect(module, it.child, all);
}

static const Changes *changes_in(Module *module, Node *function) {
    MemoValue value;
    if (memo_get(module, function, ASPECT_CHANGED, &value))
        return value.pointer;
    Changes *changes = ARENA_NEW(module->unit->arena, Changes);
    NodeList body =
        node_is(function, NODE_LAMBDA) ? (NodeList){&function->u.lambda.body, 1} : function->u.function.body;
    for (uint32_t i = 0; i < body.len; i++)
        collect(module, body.items[i], changes);
    memo_keep(module, &changes->roots.keys);
    memo_keep(module, &changes->classes);
    memo_put(module, function, ASPECT_CHANGED, (MemoValue){.pointer = changes});
    return changes;
}

// May anything in the function around the node change what has these roots?
static bool is_changed_in_function(Module *module, Node *node, const Roots *roots) {
    Node *function = node_function(node);
    if (!function || function->flags & NODE_NEW)
        return true;
    const Changes *changes = changes_in(module, function);
    if (roots_meet(roots, &changes->roots) || (changes->shared && roots_have_shared_name(roots)))
        return true;
    for (uint32_t i = 0; i < changes->classes.len; i++)
        if (roots_have_attribute(roots, (ClassInfo *)changes->classes.entries[i].value))
            return true;
    return false;
}

// After the node.
static bool is_changed_after(Module *module, Node *node, const Roots *roots, uint32_t until) {
    Change change = {.roots = roots, .until = until};
    if (is_changed_in_function(module, node, roots))
        after_in_function(module, node, visit, &change);
    return change.found;
}

// ---------------------------------------------------------------- the callers

typedef struct Returns {
    uint32_t len;
    Node **items;
} Returns;
typedef VEC(Node *) NodeVec;

static void find_returns(Node *node, NodeVec *found, bool outermost) {
    bool other = node->kind == NODE_FUNCTION_DEF || node->kind == NODE_CLASS_DEF;
    if ((other && !outermost) || node_is_expr(node))
        return;
    if (node->kind == NODE_RETURN && node->u.value.value)
        vec_push(found, node);
    for (ChildIter it = ast_children(node); ast_next(&it);)
        find_returns(it.child, found, false);
}

// Those that were there at first: what a rewrite makes of them returns no more.
static const Returns *returns_of(FuncInfo *func) {
    Module *module = func->module;
    MemoValue value;
    if (memo_get(module, func->function->node, ASPECT_RETURNS, &value))
        return value.pointer;
    NodeVec found = {0};
    find_returns(func->function->node, &found, true);
    Returns *returns = ARENA_NEW(module->unit->arena, Returns);
    returns->len = found.len;
    returns->items = ARENA_ARRAY(module->unit->arena, Node *, found.len + 1);
    for (uint32_t i = 0; i < found.len; i++)
        returns->items[i] = found.items[i];
    vec_free(&found);
    memo_put(module, func->function->node, ASPECT_RETURNS, (MemoValue){.pointer = returns});
    return returns;
}

static uint32_t items_in(Module *module, Node *value, const Roots *roots) {
    if (!shares_root(module, value, ALL_ITEMS, roots))
        return 0;
    uint32_t items = 0;
    bool tuple = tuple_shape(module, value).is;
    for (uint32_t i = 0; tuple && i <= ITEM_REST; i++)
        items |= shares_root(module, value, item_at(i), roots) ? item_at(i) : 0;
    return tuple ? items : ALL_ITEMS;
}

// Of what the function around the node returns, the items that share a root with those.
static uint32_t items_returned(Module *module, Node *node, const Roots *roots) {
    FuncInfo *func = function_info(module, node);
    if (!func || func->function->node->kind != NODE_FUNCTION_DEF || !func->callers.len)
        return 0;
    const Returns *returns = returns_of(func);
    uint32_t items = 0;
    for (uint32_t i = 0; i < returns->len && items != ALL_ITEMS; i++)
        items |= items_in(func->module, returns->items[i]->u.value.value, roots);
    return items;
}

static bool may_change(Module *module, Node *node, Node *expr, uint32_t items, Map *visited);

// `items` of what the call gives, and of the name that gets it.
static bool result_changes(Module *module, Node *call, uint32_t items, Map *visited) {
    Node *statement = node_statement(call);
    if (node_is(statement, NODE_ASSIGN) && statement->u.assign.value == call)
        return may_change(module, statement, statement->u.assign.targets.items[0], items, visited);
    return may_change(module, call, call, items, visited);
}

static bool callers_change(FuncInfo *func, uint32_t items, Map *visited) {
    for (uint32_t i = 0; i < func->callers.len; i++) {
        FuncInfo *caller = func->callers.items[i];
        for (uint32_t j = 0; caller->reachable && j < caller->calls.len; j++) {
            const CallEdge *edge = &caller->calls.items[j];
            Node *call = edge->call;
            if (edge->callee != func || !edge_is_followed(caller, func, edge) ||
                map_get(visited, map_key_ptr(call), NULL))
                continue;
            map_put(visited, map_key_ptr(call), 1);
            if (result_changes(caller->module, call, items, visited))
                return true;
        }
    }
    return false;
}

static bool may_change(Module *module, Node *node, Node *expr, uint32_t items, Map *visited) {
    Roots own = {0};
    const Roots *roots = roots_of(module, expr, items, &own);
    bool changed = is_changed_after(module, node, roots, UINT32_MAX);
    uint32_t returned = changed ? 0 : items_returned(module, node, roots);
    roots_free(&own);
    if (returned && visited->len >= MAX_CALLERS)
        return true;
    return changed || (returned && callers_change(function_info(module, node), returned, visited));
}

// ---------------------------------------------------------------- the public face

static bool target_may_change(Module *module, Node *stmt, Map *visited) {
    bool changes = false;
    if (node_is(stmt, NODE_ASSIGN))
        for (uint32_t i = 0; i < stmt->u.assign.targets.len && !changes; i++)
            changes = may_change(module, stmt, stmt->u.assign.targets.items[i], ALL_ITEMS, visited);
    return changes;
}

// y = f(x): neither y nor what f may have handed back, x, is changed afterwards.
bool value_may_change_after(Module *module, Node *expr) {
    memo_begin(module);
    Map visited = {0};
    bool changes = may_change(module, expr, expr, ALL_ITEMS, &visited) ||
                   target_may_change(module, node_statement(expr), &visited);
    map_free(&visited);
    return changes;
}

bool result_may_change(Module *module, Node *node) {
    FuncInfo *func = function_info(module, node);
    for (uint32_t i = 0; func && i < func->callers.len; i++) {
        FuncInfo *caller = func->callers.items[i];
        for (uint32_t j = 0; caller->reachable && j < caller->calls.len; j++)
            if (caller->calls.items[j].callee == func &&
                edge_is_followed(caller, func, &caller->calls.items[j]) &&
                value_may_change_after(caller->module, caller->calls.items[j].call))
                return true;
    }
    return false;
}

// How a name is used from number `at` of its uses on.
typedef struct Reads {
    uint32_t at, until; // the end of the last statement there; UINT32_MAX: not for its value only
    bool augmented;     // x += 1
} Reads;

static Reads *reads_of(Module *module, const Symbol *symbol) {
    MemoValue value;
    if (memo_get(module, symbol, ASPECT_READ, &value))
        return (Reads *)value.pointer;
    Reads *reads = ARENA_NEW(module->unit->arena, Reads);
    reads->at = symbol->uses.len;
    for (uint32_t i = 0; i < symbol->bindings.len; i++)
        if (node_is(symbol->bindings.items[i]->parent, NODE_AUG_ASSIGN))
            reads->augmented = true;
    memo_put(module, symbol, ASPECT_READ, (MemoValue){.pointer = reads});
    return reads;
}

// Where the name has been read for the last time, if it is read for its value only and never changed. The passes ask from the
// last branch to the first, so what was found is gone on with.
static uint32_t read_until(Module *module, Node *node, const Node *binding) {
    const Symbol *symbol = node_is(binding, NODE_NAME) ? binding->u.name.symbol : NULL;
    if (!symbol || symbol->scope->kind != SCOPE_FUNCTION || symbol->scope->is_dynamic ||
        symbol->flags & (SYM_CELL | SYM_GLOBAL | SYM_NONLOCAL) || place_of(node) != node->start)
        return UINT32_MAX;
    Reads anew = {.at = symbol->uses.len}, *reads = reads_of(module, symbol);
    uint32_t from = nodes_from(symbol->uses.items, symbol->uses.len, node->end);
    if (reads->augmented)
        return UINT32_MAX;
    if (from > reads->at)
        reads = &anew;
    for (; reads->at > from && reads->until != UINT32_MAX; reads->at--) {
        Node *use = symbol->uses.items[reads->at - 1], *statement = node_statement(use);
        if (!is_read_for_value(module, use) || (use->parent->flags & (NODE_STORE | NODE_DEL)))
            reads->until = UINT32_MAX;
        else
            reads->until = statement->end > reads->until ? statement->end : reads->until;
    }
    return node->end > reads->until ? node->end : reads->until;
}

// Something in the function, or in its callers, may change it at some time.
static bool is_changed_at_all(Module *module, Node *node, Node *expr) {
    Roots own = {0};
    const Roots *roots = roots_of(module, expr, ALL_ITEMS, &own);
    bool changed = is_changed_in_function(module, node, roots) || items_returned(module, node, roots);
    roots_free(&own);
    return changed;
}

static bool is_changed_until(Module *module, Node *node, Node *expr, uint32_t until) {
    Roots own = {0};
    bool changed = is_changed_after(module, node, roots_of(module, expr, ALL_ITEMS, &own), until);
    roots_free(&own);
    return changed;
}

bool may_change_after(Module *module, Node *node, Node *expr) {
    memo_begin(module);
    if (!is_changed_at_all(module, node, expr))
        return false;
    uint32_t until = read_until(module, node, expr);
    if (until != UINT32_MAX)
        return is_changed_until(module, node, expr, until);
    Map visited = {0};
    bool changes = may_change(module, node, expr, ALL_ITEMS, &visited);
    map_free(&visited);
    return changes;
}
