// What runs eagerly although it stands in a compiled function.
//
// Input: a test, a node. Output: what an is_compiling() query gives while Dynamo traces, and whether a node can only run
// when it does not. Knows torch.compiler.is_compiling and kin (true), torch.jit.is_tracing and is_scripting (false), their
// negations and conjunctions, False and True, names that hold one (DEBUG = False), functions of the project that return one, and the early return
// (`if is_compiling(): return ...` leaves the rest of its block to eager mode).

#include "project/internal.h"
#include "rules/rules.h"

// ---------------------------------------------------------------- queries

// torch.jit's and torch.onnx's queries are false under Dynamo, and so is is_exporting outside torch.export.
static int named_query(Name dotted) {
    if (!is_compiling_query(dotted))
        return 0;
    Str path = name_str(dotted);
    bool no = str_starts(path, STR("torch.jit.")) || str_starts(path, STR("torch.onnx.")) ||
              str_ends(path, STR("is_exporting"));
    return no ? -1 : 1;
}

static bool is_false(const Node *value) {
    return !value || node_const(value, CONST_FALSE) || node_const(value, CONST_NONE);
}

// A function that returns such a query on some path and otherwise only False (not installed, an old version).
static int function_query(FuncInfo *func) {
    Project *project = func->module->project;
    if (func->query != -2)
        return func->query;
    if (project->query_depth >= QUERY_DEPTH_MAX)
        return 0;
    project->query_depth++;
    func->query = 0; // while it is being looked at
    int result = 0;
    bool other = false;
    Walk walk = {0};
    walk_body(&walk, func->function->node);
    for (Node *at; (at = walk_next(&walk));) {
        bool lambda = node_is(func->function->node, NODE_LAMBDA);
        if (lambda || node_is(at, NODE_RETURN)) {
            Node *value = lambda ? at : at->u.value.value;
            int truth = is_false(value) ? 0 : query_truth(func->module, value);
            other |= (truth == 0 && !is_false(value)) || (truth != 0 && result != 0 && truth != result);
            result = truth ? truth : result;
        } else if (!node_is_scope(at) && !node_is_expr(at)) {
            walk_children(&walk, at);
        }
    }
    walk_free(&walk);
    project->query_depth--;
    func->query = (int8_t)(other ? 0 : result);
    return func->query;
}

static int call_query(Module *module, Node *call) {
    const RefList *funcs = resolve_values(module, call->u.call.func);
    if (funcs->len != 1 || funcs->unknown)
        return 0;
    const Ref *ref = &funcs->items[0];
    if (ref->kind == REF_EXTERNAL)
        return named_query(ref->name);
    return ref->kind == REF_FUNCTION || ref->kind == REF_METHOD ? function_query(ref->func) : 0;
}

static int bool_query(Module *module, const Node *node) {
    int left = query_truth(module, node->u.binary.left), right = query_truth(module, node->u.binary.right);
    int absorbing = node->u.binary.op == OP_BOOL_AND ? -1 : 1;
    if (left == absorbing || right == absorbing)
        return absorbing;
    return left == right ? left : 0;
}

int query_truth(Module *module, Node *test) {
    Project *project = module->project;
    int truth = 0;
    if (!test || test->flags & NODE_NEW || project->query_depth >= QUERY_DEPTH_MAX)
        return 0;
    project->query_depth++;
    if (node_is(test, NODE_UNARY_OP) && test->u.unary.op == OP_NOT)
        truth = -query_truth(module, test->u.unary.operand);
    else if (node_is(test, NODE_BOOL_OP))
        truth = bool_query(module, test);
    else if (node_is(test, NODE_CALL))
        truth = call_query(module, test);
    else if (node_is(test, NODE_CONSTANT))
        truth = is_false(test) ? -1 : node_const(test, CONST_TRUE);
    else if (node_is(test, NODE_NAME))
        truth = query_truth(module, name_single_value(module, test));
    project->query_depth--;
    return truth;
}

static int cached_truth(Module *module, Node *test) {
    uintptr_t cached = 0;
    if (map_get(&module->project->query_nodes, map_key_ptr(test), &cached))
        return (int)cached - 2;
    int truth = query_truth(module, test);
    map_put(&module->project->query_nodes, map_key_ptr(test), (uintptr_t)(truth + 2));
    return truth;
}

// ---------------------------------------------------------------- places

static bool arm_is_eager(Module *module, Node *parent, const Node *child) {
    switch (parent->kind) {
    case NODE_IF:
    case NODE_WHILE: {
        if (child == parent->u.branch.test)
            return false;
        int truth = cached_truth(module, parent->u.branch.test);
        if (truth == 0)
            return false;
        return list_spans(parent->u.branch.body, child) ? truth < 0 : node_is(parent, NODE_IF) && truth > 0;
    }
    case NODE_IF_EXP: {
        int truth = child == parent->u.if_exp.test ? 0 : cached_truth(module, parent->u.if_exp.test);
        return child == parent->u.if_exp.body ? truth < 0 : truth > 0;
    }
    case NODE_BOOL_OP: {
        int truth = child == parent->u.binary.right ? cached_truth(module, parent->u.binary.left) : 0;
        return truth == (parent->u.binary.op == OP_BOOL_AND ? -1 : 1);
    }
    default:
        return false;
    }
}

static bool stmt_ends_compiled(Module *module, Node *stmt) {
    if (!node_is(stmt, NODE_IF))
        return false;
    bool body = stmts_leave(stmt->u.branch.body), orelse = stmts_leave(stmt->u.branch.orelse);
    if (!body && !orelse)
        return false;
    int truth = cached_truth(module, stmt->u.branch.test);
    return (truth > 0 && body) || (truth < 0 && orelse);
}

// Where the first statement of the list ends that leaves what follows to eager mode; UINT32_MAX without one. Cached.
static uint32_t leaves_at(Module *module, NodeList list) {
    Map *cache = &module->project->leaves;
    uintptr_t cached = 0;
    if (map_get(cache, map_key_ptr(list.items), &cached))
        return (uint32_t)cached;
    uint32_t at = UINT32_MAX;
    for (uint32_t i = 0; i < list.len && at == UINT32_MAX; i++)
        if (stmt_ends_compiled(module, list.items[i]))
            at = list.items[i]->end;
    map_put(cache, map_key_ptr(list.items), at);
    return at;
}

static bool left_before(Module *module, NodeList list, const Node *child) {
    return list_spans(list, child) && child->start >= leaves_at(module, list);
}

static bool stmt_follows_leave(Module *module, const Node *parent, const Node *child) {
    switch (parent->kind) {
    case NODE_FUNCTION_DEF:
        return left_before(module, parent->u.function.body, child);
    case NODE_IF:
    case NODE_WHILE:
        return left_before(module, parent->u.branch.body, child) ||
               left_before(module, parent->u.branch.orelse, child);
    case NODE_FOR:
        return left_before(module, parent->u.loop.body, child) ||
               left_before(module, parent->u.loop.orelse, child);
    case NODE_WITH:
        return left_before(module, parent->u.with.body, child);
    case NODE_TRY:
        return left_before(module, parent->u.try_.body, child) ||
               left_before(module, parent->u.try_.orelse, child);
    default:
        return false;
    }
}

bool child_is_eager(Module *module, Node *parent, const Node *child) {
    return arm_is_eager(module, parent, child) ||
           (node_is_stmt(child) && stmt_follows_leave(module, parent, child));
}

static bool node_is_eager_only(Module *module, const Node *node) {
    const Function *function = unit_function_at(module->unit, node);
    const Node *end = function ? function->node : NULL;
    for (const Node *at = node; at != end && at->parent; at = at->parent)
        if (child_is_eager(module, at->parent, at))
            return true;
    return false;
}

bool node_in_compiled_code(Module *module, Node *node) {
    if (!module->unit)
        return false;
    const FuncInfo *func = function_info(module, node);
    return func && func->reachable && !node_is_eager_only(module, node);
}
