// What may still run in the compiled region after a point.
//
// Input: a node in compiled code and the effects looked for. Output: those that were found, and the first node that has one.
// After a node run: the rest of its statement, the statements that follow in the suites around it, everything in a loop
// around it (once more), finally blocks; then, in every reachable caller, what follows the call. An entry point's callers
// count too, as it may also be called from another region; without any, the region ends there.
//
// For EFFECT_RAISES_ON_DATA with `about`, an operation counts only if the operand that can make it raise depends on a value
// that `about` depends on. Calls of project functions are entered with those parameters as dependent whose arguments are;
// in a caller the dependent parameters become the arguments. Of an operation that other data may make raise, and of code that
// is not known, the runtime has to see whether it comes first (After.by_place).
#include "analysis/effects_internal.h"

#include <stdlib.h>

// What lies beyond MAX_FUNCTIONS_UP or MAX_INTO is not searched, and may do anything.
enum { MAX_FUNCTIONS_UP = 400, MAX_INTO = 12, MAX_DISPATCH = 8, MAX_OPERANDS = 24 };

typedef struct Search {
    uint32_t wanted;
    bool filtered; // only what meets `deps` counts as raising
    Node *untaken; // in the function of the node that was asked about: see effects_after
    After after;
    Map visited;       // functions whose callers were searched
    Map entered;       // functions entered for the filter
    AfterVisit *visit; // instead: asked about each node
    void *context;
} Search;

static bool is_done(const Search *search) {
    return (search->after.effects & search->wanted) == search->wanted;
}

static void found(Search *search, Module *module, Node *node, uint32_t effects) {
    uint32_t fresh = effects & search->wanted & ~search->after.effects;
    if (!fresh)
        return;
    if (!search->after.effects) {
        search->after.culprit = node;
        search->after.culprit_module = module;
    }
    search->after.effects |= fresh;
}

static void search_tree(Search *search, Module *module, Node *node, const Deps *deps, int depth);

// ---------------------------------------------------------------- the filter

static bool depends(Module *module, Node *expr, const Deps *on) {
    Deps deps = {0};
    deps_add(module, &deps, expr);
    bool meet = deps_meet(&deps, on);
    deps_free(&deps);
    return meet;
}

static NodeList params_of(const FuncInfo *func) {
    const Node *def = func->function->node;
    const Node *params = def->kind == NODE_LAMBDA ? def->u.lambda.params : def->u.function.params;
    return params ? params->u.items.items : (NodeList){0};
}

static void keep_self_attributes(const Deps *from, Deps *to) {
    for (uint32_t i = 0; i < from->keys.len; i++)
        if (from->keys.entries[i].key < (1u << 31))
            map_put(&to->keys, from->keys.entries[i].key, 0);
}

// Its body, with the parameters whose arguments depend on `deps`.
static void enter_function(Search *search, Module *module, Node *call, FuncInfo *func, const Deps *deps,
                           int depth) {
    if (!(summary_of_function(func).effects & EFFECT_RAISES_ON_DATA))
        return;
    Deps inner = {0};
    NodeList params = params_of(func);
    uint64_t key = map_key_ptr(func);
    for (uint32_t i = 0; i < params.len; i++) {
        Node *arg = argument_of(module, call, func, i);
        Symbol *symbol = scope_own(func->function->scope, params.items[i]->u.param.name);
        bool receiver = i == 0 && func->cls;
        if (arg && symbol && !receiver && depends(module, arg, deps)) {
            map_put(&inner.keys, map_key_ptr(symbol), 0);
            key = (key + i + 1) * 0x9e3779b97f4a7c15u;
        }
    }
    keep_self_attributes(deps, &inner);
    if (depth >= MAX_INTO && inner.keys.len) {
        found(search, module, call, search->wanted);
    } else if (depth >= MAX_INTO) {
        search->after.by_place = true;
    } else if (!map_get(&search->entered, key, NULL)) {
        map_put(&search->entered, key, 1);
        Node *def = func->function->node;
        if (def->kind == NODE_LAMBDA) {
            search_tree(search, func->module, def->u.lambda.body, &inner, depth + 1);
        } else {
            for (uint32_t i = 0; i < def->u.function.body.len && !is_done(search); i++)
                if (!child_is_eager(func->module, def, def->u.function.body.items[i]))
                    search_tree(search, func->module, def->u.function.body.items[i], &inner, depth + 1);
        }
    }
    deps_free(&inner);
}

static bool gets_any(Module *module, Node *call, const Deps *deps) {
    for (uint32_t i = 0; i < call->u.call.args.len; i++)
        if (depends(module, call->u.call.args.items[i], deps))
            return true;
    return false;
}

// A function that is one operator of the graph: where in it the values are used is not asked.
static void check_opaque(Search *search, Module *module, Node *call, FuncInfo *func, const Deps *deps) {
    if (!(summary_of_function(func).effects & EFFECT_RAISES_ON_DATA))
        return;
    search->after.by_place = true;
    if (gets_any(module, call, deps))
        found(search, module, call, EFFECT_RAISES_ON_DATA);
}

static bool is_project_call(Module *module, Node *node, FuncInfo **targets, uint32_t *count) {
    Ref callee;
    if (node->kind != NODE_CALL || node->flags & NODE_NEW)
        return false;
    *count = call_targets(module, node, targets, 16, &callee);
    return *count != 0;
}

// self.layer(x), checkpoint(self.layer, x) where nothing is known of the layer: it may be an nn.Embedding. Not so of
// checkpoint(wrapped(self.layer), x): those that transformers writes take hidden states.
static bool calls_unknown_value(Module *module, Node *node) {
    if (node->kind != NODE_CALL || node->flags & NODE_NEW)
        return false;
    Ref callee = resolve_expr(module, node->u.call.func);
    if (callee.kind == REF_EXTERNAL && (!is_higher_order_call(callee.name) || !node->u.call.args.len ||
                                        node_is(node->u.call.args.items[0], NODE_CALL)))
        return false;
    return effects_own(module, node).effects & EFFECT_UNKNOWN;
}

// What such a layer may look up: whole numbers, or one of the values in question itself.
static bool may_be_looked_up(Module *module, Node *arg, const Deps *deps) {
    uint8_t dtype = fact_value(module, arg).dtype;
    bool itself = dtype == DTYPE_UNKNOWN && node_is(arg, NODE_NAME) &&
                  map_get(&deps->keys, map_key_ptr(arg->u.name.symbol), NULL);
    return itself || (dtype == DTYPE_INT && depends(module, arg, deps));
}

static bool looks_up_argument(Module *module, Node *call, const Deps *deps) {
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        Node *arg = call->u.call.args.items[i];
        if (may_be_looked_up(module, node_is(arg, NODE_KEYWORD) ? arg->u.keyword.value : arg, deps))
            return true;
    }
    return false;
}

// With a size, a number or a configured value the operation raises for any data, or for none.
static bool holds_data(Module *module, Node *operand) {
    uint32_t kinds = fact_value(module, operand).kinds;
    if (kinds_only(kinds, KIND_NUMBER | KIND_STR | KIND_NONE) || kinds == KIND_STATIC)
        return false;
    Deps deps = {0};
    deps_add(module, &deps, operand);
    bool holds = deps.keys.len != 0;
    deps_free(&deps);
    return holds;
}

static void check_raise(Search *search, Module *module, Node *node, const Deps *deps, int depth) {
    FuncInfo *targets[16];
    uint32_t count;
    if (is_project_call(module, node, targets, &count)) {
        for (uint32_t i = 0; i < count && !is_done(search); i++)
            if (func_is_opaque(targets[i]))
                check_opaque(search, module, node, targets[i], deps);
            else
                enter_function(search, module, node, targets[i], deps, depth);
        return;
    }
    if (calls_unknown_value(module, node)) {
        search->after.by_place = true;
        if (looks_up_argument(module, node, deps))
            found(search, module, node, EFFECT_RAISES_ON_DATA);
    }
    if (!(effects_own(module, node).effects & EFFECT_RAISES_ON_DATA))
        return;
    Node *operands[MAX_OPERANDS];
    uint32_t operand_count = raise_operands(module, node, operands, MAX_OPERANDS);
    for (uint32_t i = 0; i < operand_count; i++) {
        bool all = operand_count == MAX_OPERANDS;
        if ((!all && !holds_data(module, operands[i])) || index_fits(module, node, operands[i]))
            continue;
        if ((all || depends(module, operands[i], deps)) && !lookup_is_covered(module, node, operands[i])) {
            found(search, module, node, EFFECT_RAISES_ON_DATA);
            return;
        }
        search->after.by_place = true;
    }
}

// ---------------------------------------------------------------- walking

static void check_node(Search *search, Module *module, Node *node, const Deps *deps, int depth) {
    if (search->visit) {
        if (search->visit(module, node, search->context))
            search->after.effects = search->wanted;
        return;
    }
    uint32_t wanted = search->wanted;
    if (search->filtered && wanted & EFFECT_RAISES_ON_DATA) {
        check_raise(search, module, node, deps, depth);
        wanted &= ~(uint32_t)EFFECT_RAISES_ON_DATA;
    }
    if (wanted & ~search->after.effects)
        found(search, module, node, summary_effects(effects_own(module, node)) & wanted);
}

// A guard's exception is made late and in its turn, so neither what its constructor is given nor what it could itself raise
// comes too early.
static bool is_quiet(const Search *search) {
    return !(search->wanted & ~(uint32_t)(EFFECT_GIVES_AWAY | EFFECT_RAISES_ON_DATA | EFFECT_UNKNOWN));
}

static bool place_in(NodeList list, const Node *node, uint32_t *at) {
    for (uint32_t i = 0; i < list.len; i++)
        if (list.items[i] == node) {
            *at = i;
            return true;
        }
    return false;
}

static bool in_body(const Node *node, const Node *branch) {
    uint32_t at;
    while (node->parent && node->parent != branch)
        node = node->parent;
    return node->parent && place_in(branch->u.branch.body, node, &at);
}

// audios, starts = None, None: where every other binding is in the branch.
static bool stays_none(const Node *name, const Node *untaken) {
    const Symbol *symbol = node_is(name, NODE_NAME) ? name->u.name.symbol : NULL;
    if (!symbol || symbol->scope->kind != SCOPE_FUNCTION || symbol->scope->is_dynamic ||
        symbol->flags & (SYM_CELL | SYM_GLOBAL | SYM_NONLOCAL))
        return false;
    for (uint32_t i = 0; i < symbol->bindings.len; i++) {
        const Node *binding = symbol->bindings.items[i], *assign = binding->parent, *value;
        if (in_body(binding, untaken))
            continue;
        uint32_t at = 0;
        bool in_tuple = node_is(assign, NODE_TUPLE) && place_in(assign->u.items.items, binding, &at);
        if (!node_is(binding, NODE_NAME) || !node_is(in_tuple ? assign->parent : assign, NODE_ASSIGN))
            return false;
        value = (in_tuple ? assign->parent : assign)->u.assign.value;
        if (in_tuple)
            value = node_is(value, NODE_TUPLE) && value->u.items.items.len == assign->u.items.items.len
                        ? value->u.items.items.items[at]
                        : NULL;
        if (!node_const(value, CONST_NONE))
            return false;
    }
    return symbol->bindings.len > 0;
}

// if audios is not None: ...
static bool never_runs(const Search *search, const Node *branch, int depth) {
    const Node *test = node_is(branch, NODE_IF) && search->untaken && !depth ? branch->u.branch.test : NULL;
    return node_is(test, NODE_COMPARE) && test->u.compare.comparators.len == 1 &&
           test->u.compare.ops[0] == OP_IS_NOT &&
           node_const(test->u.compare.comparators.items[0], CONST_NONE) &&
           stays_none(test->u.compare.left, search->untaken);
}

static void search_tree(Search *search, Module *module, Node *node, const Deps *deps, int depth) {
    if (is_done(search) || (node_is(node, NODE_RAISE) && is_quiet(search)))
        return;
    if (never_runs(search, node, depth)) {
        for (uint32_t i = 0; i < node->u.branch.orelse.len; i++)
            search_tree(search, module, node->u.branch.orelse.items[i], deps, depth);
        return;
    }
    check_node(search, module, node, deps, depth);
    for (ChildIter it = ast_children(node); ast_next(&it);)
        if (!runs_elsewhere(node, it.child) && !child_is_eager(module, node, it.child))
            search_tree(search, module, it.child, deps, depth);
}

static bool leaves(const Node *stmt) {
    return stmt->kind == NODE_RETURN || stmt->kind == NODE_RAISE || stmt->kind == NODE_BREAK ||
           stmt->kind == NODE_CONTINUE;
}

// What a statement must do at least for the search to find something in it.
static uint32_t sought(const Search *search) {
    uint32_t raises = search->filtered && search->wanted & EFFECT_RAISES_ON_DATA ? EFFECT_UNKNOWN : 0;
    return (search->wanted & ~search->after.effects) | raises;
}

// The statement itself has nothing, or (behind) those behind it have nothing. Of what a rewrite made nothing is kept.
static bool has_nothing(const Search *search, Module *module, Node *stmt, bool behind) {
    if (stmt->flags & NODE_NEW)
        return false;
    if (search->visit) {
        Siblings changes = changes_around(module, stmt);
        return !(behind ? changes.behind : changes.own);
    }
    Siblings around = effects_around(module, stmt);
    uint32_t loud = behind ? around.behind : around.own;
    uint32_t quiet = behind ? around.behind_quiet : around.own_quiet;
    return !((is_quiet(search) ? quiet : loud) & sought(search));
}

static void search_list(Search *search, Module *module, NodeList list, uint32_t from, const Deps *deps,
                        bool *left) {
    if (from && from < list.len && has_nothing(search, module, list.items[from - 1], true)) {
        *left |= leaves(list.items[list.len - 1]);
        return;
    }
    for (uint32_t i = from; i < list.len && !*left; i++) {
        Node *stmt = list.items[i];
        if (!has_nothing(search, module, stmt, false))
            search_tree(search, module, stmt, deps, 0);
        *left = leaves(stmt);
    }
}

// What follows `child` inside the compound statement `parent`.
static void search_after_child(Search *search, Module *module, Node *parent, Node *child, const Deps *deps,
                               bool *left) {
    uint32_t at;
    switch ((NodeKind)parent->kind) {
    case NODE_FOR:
    case NODE_WHILE: // the loop goes round again
        search_tree(search, module, parent, deps, 0);
        *left = false;
        return;
    case NODE_IF:
        if (place_in(parent->u.branch.body, child, &at))
            search_list(search, module, parent->u.branch.body, at + 1, deps, left);
        else if (place_in(parent->u.branch.orelse, child, &at))
            search_list(search, module, parent->u.branch.orelse, at + 1, deps, left);
        else
            search_tree(search, module, parent, deps, 0);
        return;
    case NODE_WITH:
        if (place_in(parent->u.with.body, child, &at))
            search_list(search, module, parent->u.with.body, at + 1, deps, left);
        else
            search_tree(search, module, parent, deps, 0);
        return;
    case NODE_MATCH_CASE:
        if (place_in(parent->u.match_case.body, child, &at))
            search_list(search, module, parent->u.match_case.body, at + 1, deps, left);
        return;
    case NODE_EXCEPT_HANDLER:
        if (place_in(parent->u.handler.body, child, &at))
            search_list(search, module, parent->u.handler.body, at + 1, deps, left);
        return;
    case NODE_TRY: {
        bool ignored = false;
        if (place_in(parent->u.try_.body, child, &at)) {
            search_list(search, module, parent->u.try_.body, at + 1, deps, left);
            for (uint32_t i = 0; i < parent->u.try_.handlers.len; i++)
                search_tree(search, module, parent->u.try_.handlers.items[i], deps, 0);
            search_list(search, module, parent->u.try_.orelse, 0, deps, &ignored);
        } else if (place_in(parent->u.try_.orelse, child, &at)) {
            search_list(search, module, parent->u.try_.orelse, at + 1, deps, left);
        } else if (place_in(parent->u.try_.finalbody, child, &at)) {
            search_list(search, module, parent->u.try_.finalbody, at + 1, deps, left);
            return;
        }
        ignored = false;
        search_list(search, module, parent->u.try_.finalbody, 0, deps, &ignored);
        return;
    }
    case NODE_MODULE:
        return;
    default: // expressions and simple statements: what is evaluated after the child
        check_node(search, module, parent, deps, 0);
        for (ChildIter it = ast_children(parent); ast_next(&it);)
            if (it.child != child && !runs_elsewhere(parent, it.child) &&
                (it.child->start >= child->end || it.child->flags & (NODE_STORE | NODE_DEL) ||
                 parent->kind == NODE_IF_EXP || parent->kind >= NODE_LIST_COMP))
                search_tree(search, module, it.child, deps, 0);
    }
}

static void search_callers(Search *search, FuncInfo *func, const Deps *deps);

static void search_function(Search *search, Module *module, Node *node, const Deps *deps) {
    bool left = false;
    Node *child = node;
    if (node->kind == NODE_IF) // a guard that did not raise goes on in its else
        search_list(search, module, node->u.branch.orelse, 0, deps, &left);
    left = false;
    for (Node *parent = node->parent; parent && !is_done(search); child = parent, parent = parent->parent) {
        if (parent->kind == NODE_FUNCTION_DEF) {
            uint32_t at;
            if (place_in(parent->u.function.body, child, &at) && !left)
                search_list(search, module, parent->u.function.body, at + 1, deps, &left);
            break;
        }
        if (parent->kind == NODE_LAMBDA || parent->kind == NODE_CLASS_DEF)
            break;
        if (left && parent->kind != NODE_TRY && parent->kind != NODE_FOR && parent->kind != NODE_WHILE)
            continue;
        search_after_child(search, module, parent, child, deps, &left);
    }
    FuncInfo *func = function_info(module, node);
    if (func && !is_done(search))
        search_callers(search, func, deps);
}

// In a caller, what depended on a parameter depends on what the argument was made from.
static void caller_deps(FuncInfo *func, Module *module, Node *call, const Deps *deps, Deps *outer) {
    NodeList params = params_of(func);
    for (uint32_t i = 0; deps && i < params.len; i++) {
        Symbol *symbol = scope_own(func->function->scope, params.items[i]->u.param.name);
        if (!symbol || !map_get(&deps->keys, map_key_ptr(symbol), NULL))
            continue;
        Node *arg = argument_of(module, call, func, i);
        if (arg && !(i == 0 && func->cls))
            deps_add(module, outer, arg);
    }
    if (deps)
        keep_self_attributes(deps, outer);
}

// A call that could run any of a great many functions (`self.decoder(x)` where any model may be the decoder) is followed up
// only within the module: it says nothing about this function in particular.
bool edge_is_followed(const FuncInfo *caller, const FuncInfo *func, const CallEdge *edge) {
    uint32_t targets = 0;
    if (edge->certain || caller->module == func->module)
        return true;
    for (uint32_t i = 0; i < caller->calls.len && targets <= MAX_DISPATCH; i++)
        targets += caller->calls.items[i].call == edge->call;
    return targets <= MAX_DISPATCH;
}

static void search_callers(Search *search, FuncInfo *func, const Deps *deps) {
    if (map_get(&search->visited, map_key_ptr(func), NULL))
        return;
    if (search->visited.len > MAX_FUNCTIONS_UP) {
        found(search, func->module, func->function->node, search->wanted);
        return;
    }
    map_put(&search->visited, map_key_ptr(func), 1);
    search->untaken = NULL;
    Map seen = {0};
    for (uint32_t i = 0; i < func->callers.len && !is_done(search); i++) {
        FuncInfo *caller = func->callers.items[i];
        if (!caller->reachable || map_get(&seen, map_key_ptr(caller), NULL))
            continue;
        map_put(&seen, map_key_ptr(caller), 1);
        for (uint32_t j = 0; j < caller->calls.len && !is_done(search); j++) {
            const CallEdge *edge = &caller->calls.items[j];
            if (edge->callee != func || !edge_is_followed(caller, func, edge))
                continue;
            Deps outer = {0};
            caller_deps(func, caller->module, edge->call, deps, &outer);
            search_function(search, caller->module, edge->call, &outer);
            deps_free(&outer);
        }
    }
    map_free(&seen);
}

After effects_after(Module *module, Node *node, uint32_t wanted, Node *about, Node *untaken) {
    if (about) { // what it depends on need not be known where nothing could raise
        After any = effects_after(module, node, wanted | EFFECT_UNKNOWN, NULL, untaken);
        if (!any.effects)
            return any;
    }
    memo_begin(module);
    Search search = {.wanted = wanted, .filtered = about != NULL, .untaken = untaken};
    Deps deps = {0};
    if (about)
        deps_add(module, &deps, about);
    search_function(&search, module, node, &deps);
    deps_free(&deps);
    map_free(&search.visited);
    map_free(&search.entered);
    return search.after;
}

void after_in_function(Module *module, Node *node, AfterVisit *visit, void *context) {
    Search search = {.wanted = UINT32_MAX, .visit = visit, .context = context};
    FuncInfo *func = function_info(module, node);
    if (func)
        map_put(&search.visited, map_key_ptr(func), 1);
    search_function(&search, module, node, NULL);
    map_free(&search.visited);
}

// ---------------------------------------------------------------- the whole region

static bool found_in_function(FuncInfo *func, uint32_t wanted, After *after) {
    Node *def = func->function->node;
    if (!(summary_effects(summary_of_function(func)) & wanted))
        return false;
    NodeList body = def->kind == NODE_LAMBDA ? (NodeList){0} : def->u.function.body;
    *after = (After){.effects = summary_effects(summary_of_function(func)) & wanted,
                     .culprit = def,
                     .culprit_module = func->module};
    for (uint32_t i = body.len; i-- > 0;)
        if (!child_is_eager(func->module, def, body.items[i]) &&
            summary_effects(effects_in(func->module, body.items[i])) & wanted)
            after->culprit = body.items[i];
    return true;
}

After effects_in_region(Module *module, Node *node, uint32_t wanted) {
    memo_begin(module);
    After after = {0};
    VEC(FuncInfo *) work = {0};
    Map seen = {0};
    FuncInfo *func = function_info(module, node);
    if (func)
        vec_push(&work, func);
    for (uint32_t next = 0; next < work.len && !after.effects; next++) {
        func = work.items[next];
        if (map_get(&seen, map_key_ptr(func), NULL) || found_in_function(func, wanted, &after))
            continue;
        map_put(&seen, map_key_ptr(func), 1);
        for (uint32_t i = 0; i < func->callers.len; i++)
            if (func->callers.items[i]->reachable &&
                !map_get(&seen, map_key_ptr(func->callers.items[i]), NULL))
                vec_push(&work, func->callers.items[i]);
    }
    map_free(&seen);
    vec_free(&work);
    return after;
}
