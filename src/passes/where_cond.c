// [Where], arms of which only the one that is taken may run: they draw random numbers, or fail on values that are the other
// arm's business (an index, a look-up, a division). The runtime's cond() runs them under torch.cond:
//     if noisy.any():               ->  x = _graphmend.cond(noisy.any(), lambda: x + torch.rand_like(x), lambda: x)
//         x = x + torch.rand_like(x)
// What torch.cond asks of its arms beyond that (alike results, no change of state, nothing that cannot be traced) cond()
// tries while tracing; where it does not hold, the branch runs as it did.
//
// Input: an expression of an arm, or the arms. Declined, by the callers: with --cond=never; an expression that writes, prints
// or calls what is unknown; Python's and numpy's random numbers, which Dynamo draws for both arms; arms that record output or
// a check (records-in-branch), because in the body of a higher-order operator nothing can be recorded.
#include "detect/output.h"
#include "passes/where.h"
#include "rules/rules.h"

bool where_may_run_taken(PassContext *context, Node *expr) {
    const uint32_t allowed = EFFECT_RNG | EFFECT_MAY_RAISE | EFFECT_RAISES_ON_DATA;
    return context->options->cond && !(effects_of_expr(context->module, expr) & ~allowed);
}

bool where_is_cond(const PassContext *context, const Node *call) {
    return call->flags & NODE_NEW && runtime_function(context, call) == NAME_OF("cond");
}

static bool is_recorder(PassContext *context, Node *node) {
    static const char *const quiet[] = {"select", "cond",  "negate",   "both",
                                        "either", "equal", "allclose", "later"};
    if (!node_is(node, NODE_CALL))
        return false;
    if (!(node->flags & NODE_NEW))
        return output_kind(context->module, node) != OUTPUT_NONE;
    Name function = runtime_function(context, node);
    for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++)
        if (function && str_eq(name_str(function), str_of(quiet[i])))
            return false;
    return function != 0;
}

Node *where_recorder(PassContext *context, Node *node) {
    if (is_recorder(context, node))
        return node;
    for (ChildIter it = ast_children(node); ast_next(&it);) {
        Node *found = where_recorder(context, it.child);
        if (found)
            return found;
    }
    return NULL;
}
