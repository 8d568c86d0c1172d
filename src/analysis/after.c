// What may still run in the compiled region after a point.
//
// Input: a node in compiled code and the effects looked for. Output: those that were found, and the first node that has one.
// After a node run: the rest of its statement, the statements that follow in the suites around it, everything in a loop
// around it (once more), finally blocks; then, in every reachable caller, what follows the call. An entry point's callers
// count too, as it may also be called from another region; without any, the region ends there.
//
// For EFFECT_RAISES_ON_DATA with `about`, an operation counts only if the operand that can make it raise depends on a value
// that `about` depends on. Calls of project functions are entered with those parameters as dependent whose arguments are;
// in a caller the dependent parameters become the arguments.
#include "analysis/effects_internal.h"

#include <stdlib.h>

enum { MAX_AFTER_DEPTH = 250, MAX_FUNCTIONS_UP = 400, MAX_INTO = 12, MAX_DISPATCH = 8 };

typedef struct Search {
    uint32_t wanted;
    bool filtered; // only what meets `deps` counts as raising
    After after;
    Map visited; // functions whose callers were searched
    Map entered; // functions entered for the filter
    // may_change_after: in place on something that this shares a root with
    const Map *roots;
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
    Deps deps = {.unbounded_only = true};
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
            map_put(&to->keys, from->keys.entries[i].key, 1);
}

// The callee's parameters whose arguments depend on `deps`, looked for in its body.
static void enter_function(Search *search, Module *module, Node *call, FuncInfo *func, const Deps *deps,
                           int depth) {
    if (!(summary_of_function(func).effects & EFFECT_RAISES_ON_DATA))
        return;
    Deps inner = {0};
    NodeList params = params_of(func);
    uint32_t mask = 0;
    for (uint32_t i = 0; i < params.len && i < 32; i++) {
        Node *arg = argument_of(module, call, func, i);
        Symbol *symbol = scope_own(func->function->scope, params.items[i]->u.param.name);
        bool receiver = i == 0 && func->cls;
        if (arg && symbol && !receiver && depends(module, arg, deps)) {
            map_put(&inner.keys, map_key_ptr(symbol), 1);
            mask |= 1u << i;
        }
    }
    keep_self_attributes(deps, &inner);
    uint64_t key = map_key_ptr(func) ^ ((uint64_t)mask << 32) * 0x9e3779b97f4a7c15u;
    bool nothing = !inner.keys.len;
    if (!nothing && depth < MAX_INTO && !map_get(&search->entered, key, NULL)) {
        map_put(&search->entered, key, 1);
        Node *def = func->function->node;
        if (def->kind == NODE_LAMBDA) {
            search_tree(search, func->module, def->u.lambda.body, &inner, depth + 1);
        } else {
            for (uint32_t i = 0; i < def->u.function.body.len && !is_done(search); i++)
                search_tree(search, func->module, def->u.function.body.items[i], &inner, depth + 1);
        }
    }
    deps_free(&inner);
}

static bool is_project_call(Module *module, Node *node, FuncInfo **targets, uint32_t *count) {
    Ref callee;
    if (node->kind != NODE_CALL || node->flags & NODE_NEW)
        return false;
    *count = call_targets(module, node, targets, 16, &callee);
    return *count != 0;
}

// self.layer(x) where nothing is known of the layer: it may be an nn.Embedding.
static bool calls_unknown_value(Module *module, Node *node) {
    if (node->kind != NODE_CALL || node->flags & NODE_NEW ||
        resolve_expr(module, node->u.call.func).kind == REF_EXTERNAL)
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

static void check_raise(Search *search, Module *module, Node *node, const Deps *deps, int depth) {
    FuncInfo *targets[16];
    uint32_t count;
    if (is_project_call(module, node, targets, &count)) {
        for (uint32_t i = 0; i < count && !is_done(search); i++)
            enter_function(search, module, node, targets[i], deps, depth);
        return;
    }
    if (calls_unknown_value(module, node) && looks_up_argument(module, node, deps))
        found(search, module, node, EFFECT_RAISES_ON_DATA);
    if (!(effects_own(module, node).effects & EFFECT_RAISES_ON_DATA))
        return;
    Node *operands[24];
    uint32_t operand_count = raise_operands(module, node, operands, 24);
    for (uint32_t i = 0; i < operand_count; i++)
        if (depends(module, operands[i], deps)) {
            found(search, module, node, EFFECT_RAISES_ON_DATA);
            return;
        }
}

// ---------------------------------------------------------------- may_change_after

static void add_roots(Module *module, Map *roots, Node *expr, int depth);

static void binding_roots(Module *module, Map *roots, Node *binding, int depth) {
    Node *node = binding->parent;
    for (; node_is(node, NODE_TUPLE) || node_is(node, NODE_LIST) || node_is(node, NODE_STARRED);
         node = node->parent) {}
    if (node_is(node, NODE_ASSIGN))
        add_roots(module, roots, node->u.assign.value, depth);
    else if (node_is(node, NODE_NAMED_EXPR))
        add_roots(module, roots, node->u.named.value, depth);
    else if (node_is(node, NODE_FOR))
        add_roots(module, roots, node->u.loop.iter, depth);
}

// self.linear(x): a module of torch's whose result is always a new tensor.
static bool makes_new_tensor(Module *module, Node *call) {
    Ref callee = resolve_expr(module, call->u.call.func);
    uint32_t flags = callee.kind == REF_EXTERNAL_INSTANCE ? torch_module_flags(callee.name) : 0;
    return flags & OP_RETURNS_TENSOR && !(flags & (OP_VIEW | OP_INPLACE | OP_RANDOM)) &&
           module_is_plain(module, call->u.call.func);
}

// Symbols whose object the expression's value may be, or a view of it.
static void add_roots(Module *module, Map *roots, Node *expr, int depth) {
    if (!expr || depth > MAX_INTO)
        return;
    switch ((NodeKind)expr->kind) {
    case NODE_NAME: {
        Symbol *symbol = expr->u.name.symbol;
        if (!symbol || map_get(roots, map_key_ptr(symbol), NULL))
            return;
        map_put(roots, map_key_ptr(symbol), 1);
        for (uint32_t i = 0; i < symbol->bindings.len; i++)
            if (node_is(symbol->bindings.items[i], NODE_NAME))
                binding_roots(module, roots, symbol->bindings.items[i], depth + 1);
        return;
    }
    case NODE_ATTRIBUTE:
        if (node_is(expr->u.attribute.value, NODE_NAME) &&
            fact_value(module, expr->u.attribute.value).ref.kind == REF_INSTANCE)
            map_put(roots, expr->u.attribute.attr, 1);
        else
            add_roots(module, roots, expr->u.attribute.value, depth + 1);
        return;
    case NODE_SUBSCRIPT:
        add_roots(module, roots, expr->u.subscript.value, depth + 1);
        return;
    case NODE_IF_EXP:
        add_roots(module, roots, expr->u.if_exp.body, depth + 1);
        add_roots(module, roots, expr->u.if_exp.orelse, depth + 1);
        return;
    case NODE_TUPLE:
    case NODE_LIST:
    case NODE_DICT:
        for (uint32_t i = 0; i < expr->u.items.items.len; i++)
            add_roots(module, roots, expr->u.items.items.items[i], depth + 1);
        return;
    case NODE_DICT_ITEM:
        add_roots(module, roots, expr->u.dict_item.value, depth + 1);
        return;
    case NODE_CALL: {
        if (expr->flags & NODE_NEW) { // select(test, lambda: x, lambda: y)
            for (uint32_t i = 0; i < expr->u.call.args.len; i++)
                if (node_is(expr->u.call.args.items[i], NODE_LAMBDA))
                    add_roots(module, roots, expr->u.call.args.items[i]->u.lambda.body, depth + 1);
            return;
        }
        // A view, an in-place method, or something that hands an argument back.
        if (!origin_of(module, expr, LEVEL_SELF) && is_tensor(fact_value(module, expr)) &&
            !node_is(expr->u.call.func, NODE_ATTRIBUTE))
            return;
        if (makes_new_tensor(module, expr))
            return;
        Node *func = expr->u.call.func;
        uint32_t flags = node_is(func, NODE_ATTRIBUTE) ? torch_method_flags(func->u.attribute.attr) : 0;
        if (node_is(func, NODE_ATTRIBUTE) && flags & (OP_VIEW | OP_INPLACE))
            add_roots(module, roots, func->u.attribute.value, depth + 1);
        else if (!flags)
            for (uint32_t i = 0; i < expr->u.call.args.len; i++)
                add_roots(module, roots, expr->u.call.args.items[i], depth + 1);
        return;
    }
    case NODE_NAMED_EXPR:
        add_roots(module, roots, expr->u.named.value, depth + 1);
        return;
    default:
        return;
    }
}

static bool shares_root(Module *module, Node *expr, const Map *roots) {
    Map own = {0};
    add_roots(module, &own, expr, 0);
    bool shared = false;
    for (uint32_t i = 0; i < own.len && !shared; i++)
        shared = map_get(roots, own.entries[i].key, NULL);
    map_free(&own);
    return shared;
}

static void check_change(Search *search, Module *module, Node *node) {
    Node *target = NULL;
    if (node->kind == NODE_AUG_ASSIGN) {
        target = node->u.aug.target;
        uint32_t kinds = fact_value(module, node->u.aug.value).kinds;
        if (node_is(target, NODE_NAME) && kinds_only(kinds, KIND_STR))
            return;
        if (node_is(node->u.aug.value, NODE_TUPLE)) // outputs += (weights,): no tensor takes a tuple
            return;
    } else if (node->kind == NODE_SUBSCRIPT && node->flags & (NODE_STORE | NODE_DEL)) {
        target = node->u.subscript.value;
        if (kinds_only(fact_value(module, target).kinds, KIND_SEQUENCE | KIND_DICT))
            return; // an item of a list or dict: no tensor changes
    } else if (node->kind == NODE_CALL && !(node->flags & NODE_NEW)) {
        FuncInfo *targets[16];
        uint32_t count;
        Node *func = node->u.call.func;
        if (is_project_call(module, node, targets, &count)) {
            for (uint32_t i = 0; i < count; i++) {
                Summary summary = summary_of_function(targets[i]);
                uint32_t touched = summary.inplace | summary.items;
                for (uint32_t p = 0; p < ORIGIN_PARAMS; p++) {
                    Node *arg = touched & (1u << p) ? argument_of(module, node, targets[i], p) : NULL;
                    if (arg && shares_root(module, arg, search->roots))
                        found(search, module, node, EFFECT_INPLACE);
                }
            }
            return;
        }
        if (node_is(func, NODE_ATTRIBUTE) && torch_method_flags(func->u.attribute.attr) & OP_INPLACE)
            target = func->u.attribute.value;
        else if (node_is(func, NODE_ATTRIBUTE) && str_ends(name_str(func->u.attribute.attr), STR("_")))
            target = func->u.attribute.value;
        else if (fact_call_keyword(node, "out"))
            target = fact_call_keyword(node, "out");
        else if (fact_call_keyword(node, "inplace"))
            target = fact_call_arg(node, 0, "input");
        else if (effects_of_call(module, node).inplace |
                 (effects_of_call(module, node).effects & EFFECT_INPLACE))
            target = fact_call_arg(node, 0, "input");
    }
    if (target && shares_root(module, target, search->roots))
        found(search, module, node, EFFECT_INPLACE);
}

// ---------------------------------------------------------------- walking

static void check_node(Search *search, Module *module, Node *node, const Deps *deps, int depth) {
    if (search->roots) {
        check_change(search, module, node);
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

static void search_nested(Search *search, Module *module, Node *node, const Deps *deps, int depth,
                          int nesting) {
    if (is_done(search) || nesting > MAX_AFTER_DEPTH)
        return;
    // A guard's exception is made late and in its turn, so neither what its constructor is given nor what it could itself raise
    // comes too early.
    if (node_is(node, NODE_RAISE) &&
        !(search->wanted & ~(uint32_t)(EFFECT_GIVES_AWAY | EFFECT_RAISES_ON_DATA)))
        return;
    check_node(search, module, node, deps, depth);
    for (ChildIter it = ast_children(node); ast_next(&it);)
        if (!runs_elsewhere(node, it.child))
            search_nested(search, module, it.child, deps, depth, nesting + 1);
}

static void search_tree(Search *search, Module *module, Node *node, const Deps *deps, int depth) {
    search_nested(search, module, node, deps, depth, 0);
}

static void search_list(Search *search, Module *module, NodeList list, uint32_t from, const Deps *deps,
                        bool *left) {
    for (uint32_t i = from; i < list.len && !*left; i++) {
        Node *stmt = list.items[i];
        search_tree(search, module, stmt, deps, 0);
        *left = stmt->kind == NODE_RETURN || stmt->kind == NODE_RAISE || stmt->kind == NODE_BREAK ||
                stmt->kind == NODE_CONTINUE;
    }
}

static bool place_in(NodeList list, const Node *node, uint32_t *at) {
    for (uint32_t i = 0; i < list.len; i++)
        if (list.items[i] == node) {
            *at = i;
            return true;
        }
    return false;
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
static bool is_followed(const FuncInfo *caller, const FuncInfo *func, const CallEdge *edge) {
    uint32_t targets = 0;
    if (edge->certain || caller->module == func->module)
        return true;
    for (uint32_t i = 0; i < caller->calls.len && targets <= MAX_DISPATCH; i++)
        targets += caller->calls.items[i].call == edge->call;
    return targets <= MAX_DISPATCH;
}

static void search_callers(Search *search, FuncInfo *func, const Deps *deps) {
    if (map_get(&search->visited, map_key_ptr(func), NULL) || search->visited.len > MAX_FUNCTIONS_UP)
        return;
    map_put(&search->visited, map_key_ptr(func), 1);
    Map seen = {0};
    for (uint32_t i = 0; i < func->callers.len && !is_done(search); i++) {
        FuncInfo *caller = func->callers.items[i];
        if (!caller->reachable || map_get(&seen, map_key_ptr(caller), NULL))
            continue;
        map_put(&seen, map_key_ptr(caller), 1);
        for (uint32_t j = 0; j < caller->calls.len && !is_done(search); j++) {
            const CallEdge *edge = &caller->calls.items[j];
            if (edge->callee != func || !is_followed(caller, func, edge))
                continue;
            Deps outer = {0};
            caller_deps(func, caller->module, edge->call, deps, &outer);
            search_function(search, caller->module, edge->call, &outer);
            deps_free(&outer);
        }
    }
    map_free(&seen);
}

After effects_after(Module *module, Node *node, uint32_t wanted, Node *about) {
    memo_begin();
    Search search = {.wanted = wanted, .filtered = about != NULL};
    Deps deps = {0};
    if (about)
        deps_add(module, &deps, about);
    search_function(&search, module, node, &deps);
    deps_free(&deps);
    map_free(&search.visited);
    map_free(&search.entered);
    return search.after;
}

// ---------------------------------------------------------------- the whole region

static bool found_in_function(FuncInfo *func, uint32_t wanted, After *after) {
    Node *def = func->function->node;
    if (!(summary_effects(summary_of_function(func)) & wanted))
        return false;
    NodeList body = def->kind == NODE_LAMBDA ? (NodeList){0} : def->u.function.body;
    *after = (After){summary_effects(summary_of_function(func)) & wanted, def, func->module};
    for (uint32_t i = body.len; i-- > 0;)
        if (summary_effects(effects_in(func->module, body.items[i])) & wanted)
            after->culprit = body.items[i];
    return true;
}

After effects_in_region(Module *module, Node *node, uint32_t wanted) {
    memo_begin();
    After after = {0};
    VEC(FuncInfo *) work = {0};
    Map seen = {0};
    FuncInfo *func = function_info(module, node);
    if (func)
        vec_push(&work, func);
    for (uint32_t next = 0; next < work.len && next < MAX_FUNCTIONS_UP && !after.effects; next++) {
        func = work.items[next];
        if (map_get(&seen, map_key_ptr(func), NULL) || found_in_function(func, wanted, &after))
            continue;
        map_put(&seen, map_key_ptr(func), 1);
        for (uint32_t i = 0; i < func->callers.len; i++)
            if (func->callers.items[i]->reachable)
                vec_push(&work, func->callers.items[i]);
    }
    map_free(&seen);
    vec_free(&work);
    return after;
}

// ---------------------------------------------------------------- may_change_after

static bool returns_root(Module *module, FuncInfo *func, const Map *roots, Node *node, int depth) {
    if (depth > 100 || (depth && (node->kind == NODE_FUNCTION_DEF || node->kind == NODE_CLASS_DEF)))
        return false;
    if (node->kind == NODE_RETURN)
        return node->u.value.value && shares_root(module, node->u.value.value, roots);
    if (node_is_expr(node))
        return false;
    for (ChildIter it = ast_children(node); ast_next(&it);)
        if (returns_root(module, func, roots, it.child, depth + 1))
            return true;
    return false;
}

static bool may_change(Module *module, Node *node, Node *expr, Map *visited) {
    Map roots = {0}, own = {0};
    add_roots(module, &roots, expr, 0);
    if (expr->kind == NODE_NAME && expr->u.name.symbol) // aliases that are made later: y = x; y.add_(1)
        map_put(&roots, map_key_ptr(expr->u.name.symbol), 1);
    Search search = {.wanted = EFFECT_INPLACE, .roots = &roots};
    FuncInfo *func = function_info(module, node);
    if (func)
        map_put(&search.visited, map_key_ptr(func), 1); // callers: below, with their own names
    search_function(&search, module, node, NULL);
    bool changes = search.after.effects != 0;
    if (!changes && func && func->function->node->kind == NODE_FUNCTION_DEF && visited->len < 40 &&
        returns_root(module, func, &roots, func->function->node, 0)) {
        for (uint32_t i = 0; i < func->callers.len && !changes; i++) {
            FuncInfo *caller = func->callers.items[i];
            for (uint32_t j = 0; caller->reachable && j < caller->calls.len && !changes; j++) {
                Node *call = caller->calls.items[j].call;
                if (caller->calls.items[j].callee != func || map_get(visited, map_key_ptr(call), NULL))
                    continue;
                map_put(visited, map_key_ptr(call), 1);
                Node *stmt = node_statement(call), *target = call;
                if (node_is(stmt, NODE_ASSIGN) && stmt->u.assign.targets.len)
                    target = stmt->u.assign.targets.items[0];
                changes = may_change(caller->module, stmt, target, visited);
            }
        }
    }
    map_free(&search.visited);
    map_free(&search.entered);
    map_free(&own);
    map_free(&roots);
    return changes;
}

static bool target_may_change(Module *module, Node *stmt, Map *visited) {
    bool changes = false;
    if (node_is(stmt, NODE_ASSIGN))
        for (uint32_t i = 0; i < stmt->u.assign.targets.len && !changes; i++)
            changes = may_change(module, stmt, stmt->u.assign.targets.items[i], visited);
    return changes;
}

// y = f(x): neither y nor what f may have handed back, x, is changed afterwards.
bool value_may_change_after(Module *module, Node *expr) {
    memo_begin();
    Map visited = {0};
    bool changes =
        may_change(module, expr, expr, &visited) || target_may_change(module, node_statement(expr), &visited);
    map_free(&visited);
    return changes;
}

bool result_may_change(Module *module, Node *node) {
    FuncInfo *func = function_info(module, node);
    for (uint32_t i = 0; func && i < func->callers.len; i++) {
        FuncInfo *caller = func->callers.items[i];
        for (uint32_t j = 0; caller->reachable && j < caller->calls.len; j++)
            if (caller->calls.items[j].callee == func && is_followed(caller, func, &caller->calls.items[j]) &&
                value_may_change_after(caller->module, caller->calls.items[j].call))
                return true;
    }
    return false;
}

// A callee that is not known is taken not to change its arguments.
bool may_change_after(Module *module, Node *node, Node *expr) {
    memo_begin();
    Map visited = {0};
    bool changes = may_change(module, node, expr, &visited);
    map_free(&visited);
    return changes;
}
