// Branches on a random draw that is compared with a rate, as layer dropout writes them:
//     draw = torch.rand([])                    draw = torch.rand([])
//     if draw < self.layerdrop:          ->    if _graphmend.rand_below(draw, self.layerdrop):
//         continue                                 continue
// A draw of torch.rand is never below zero. Where the rate, a Python number while tracing, is zero (the usual configuration),
// the test is a constant for TorchDynamo and the branch breaks no graph; for any other rate it breaks as it did.
//
// Takes what no selection could be made of. Passes over a draw that is used otherwise than in comparisons: it could be changed
// in place.
#include "passes/where.h"

static bool is_torch_rand(Module *module, const Node *value) {
    if (!node_is(value, NODE_CALL) ||
        !ref_is_external(resolve_expr(module, value->u.call.func), "torch.rand"))
        return false;
    for (uint32_t i = 0; i < value->u.call.args.len; i++) {
        const Node *arg = value->u.call.args.items[i];
        if (node_is(arg, NODE_KEYWORD) && str_eq(name_str(arg->u.keyword.name), STR("out")))
            return false; // a tensor that others have
    }
    return true;
}

static bool is_bound_to_draw(Module *module, const Node *binding) {
    const Node *assign = binding->parent;
    return node_is(binding, NODE_NAME) && node_is(assign, NODE_ASSIGN) && assign->u.assign.targets.len == 1 &&
           assign->u.assign.targets.items[0] == binding && is_torch_rand(module, assign->u.assign.value);
}

static bool is_only_compared(Node *node, const Symbol *symbol) {
    bool only = true;
    if (node_is(node, NODE_NAME) && node->u.name.symbol == symbol && !(node->flags & NODE_STORE))
        return node_is(node->parent, NODE_COMPARE);
    for (ChildIter it = ast_children(node); only && ast_next(&it);)
        only = is_only_compared(it.child, symbol);
    return only;
}

static bool is_draw(Module *module, Node *expr) {
    if (!node_is(expr, NODE_NAME))
        return is_torch_rand(module, expr);
    const Symbol *symbol = expr->u.name.symbol;
    const Function *function = unit_function_at(module->unit, expr);
    if (!symbol || !function || symbol->scope != function->scope || !is_only_compared(function->node, symbol))
        return false;
    Node **reaching = defuse_reaching(module->unit, expr);
    bool is = reaching && reaching[0];
    for (uint32_t i = 0; is && reaching[i]; i++)
        is = is_bound_to_draw(module, reaching[i]);
    return is;
}

// The first `draw < rate` in a test, or NULL.
static Node *comparison_in(Module *module, Node *test) {
    if (node_is(test, NODE_COMPARE) && test->u.compare.comparators.len == 1 &&
        test->u.compare.ops[0] == OP_LT && is_draw(module, test->u.compare.left))
        return test;
    Node *found = NULL;
    for (ChildIter it = ast_children(test); !found && ast_next(&it);)
        found = comparison_in(module, it.child);
    return found;
}

void where_draw(PassContext *context, Finding *finding) {
    Node *branch = finding->node;
    Node *test = node_is(branch, NODE_IF) ? branch->u.branch.test : branch->u.if_exp.test;
    Node *comparison = comparison_in(context->module, test);
    if (!comparison)
        return;
    Node *args[] = {comparison->u.compare.left, comparison->u.compare.comparators.items[0]};
    ast_replace(comparison, runtime_call(context, "rand_below", 2, args));
    finding_accept(finding, STATUS_GUARDED);
}
