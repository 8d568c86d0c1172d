// Is code dear to run where its result is not needed?
//
// Input: a node; what is below it is left out, and what a call calls counts. Cheap is what one pass over the data gives:
// elementwise operators, views, reductions, norms, look-ups. Costly are products of matrices, convolutions, attention,
// sorting, decompositions, transforms and the like (HEAVY in rules/manual.json), modules that do these, functions of the
// project in which one of them stands, and loops. What cannot be followed counts as cheap: this decides between two right
// ways only.
#include "analysis/effects_internal.h"

enum { MAX_COST_DEPTH = 200 };

static bool costs(Module *module, Node *node, int depth);

// Bottom (0) in a cycle: what a recursive function calls beside itself decides. 1: cheap, 2: costly.
static MemoValue compute_cost(Module *module, void *subject, Path path, void *context) {
    Node *def = subject;
    (void)path, (void)context;
    bool costly = false;
    if (def->kind == NODE_LAMBDA)
        costly = costs(module, def->u.lambda.body, 0);
    for (uint32_t i = 0; def->kind == NODE_FUNCTION_DEF && i < def->u.function.body.len && !costly; i++)
        costly = costs(module, def->u.function.body.items[i], 0);
    return (MemoValue){.bits = costly ? 2 : 1};
}

static bool function_costs(FuncInfo *func) {
    return memo(func->module, func->function->node, ASPECT_COST, (Path){0}, compute_cost, NULL,
                (MemoValue){.bits = 1})
               .bits == 2;
}

static bool call_costs(Module *module, Node *call) {
    FuncInfo *targets[8];
    Ref callee;
    uint32_t count = call_targets(module, call, targets, 8, &callee);
    for (uint32_t i = 0; i < count; i++)
        if (function_costs(targets[i]))
            return true;
    if (callee.kind == REF_EXTERNAL && torch_function_flags(callee.name) & OP_HEAVY)
        return true;
    if (callee.kind == REF_EXTERNAL_INSTANCE)
        return torch_module_flags(callee.name) & OP_HEAVY;
    Node *func = call->u.call.func;
    return !count && node_is(func, NODE_ATTRIBUTE) &&
           is_tensor(fact_value(module, func->u.attribute.value)) &&
           torch_method_flags(func->u.attribute.attr) & OP_HEAVY;
}

static bool costs_itself(Module *module, Node *node) {
    bool loops = node_is(node, NODE_FOR) || node_is(node, NODE_WHILE);
    bool multiplies = node_is(node, NODE_BIN_OP) && node->u.binary.op == OP_MATMUL;
    return loops || multiplies ||
           (node_is(node, NODE_CALL) && !(node->flags & NODE_NEW) && call_costs(module, node));
}

static bool costs(Module *module, Node *node, int depth) {
    if (depth > MAX_COST_DEPTH)
        return false;
    if (costs_itself(module, node))
        return true;
    for (ChildIter it = ast_children(node); ast_next(&it);)
        if (costs(module, it.child, depth + 1))
            return true;
    return false;
}

bool is_costly(Module *module, Node *node) {
    memo_begin(module);
    return costs_itself(module, node);
}
