// The place deep inside that is meant by "something after the guard writes state": from a call into the functions that it runs,
// down to the write, the operator or the call of unknown code itself.
//
//     self.encoder(x)  ->  Encoder.forward: self.layers[i](x)  ->  Layer.forward: x[mask] = 0
//
// Input: a node that has one of some effects. Output: the first node below it, or in what it calls, that has one by itself. A
// function that changes a parameter is entered only for those parameters whose arguments outlive the call.
#include "analysis/effects_internal.h"

enum { MAX_CALLS_DOWN = 64, MAX_CALLEES = 6, ALL_PARAMS = (1u << ORIGIN_PARAMS) - 1 };

typedef struct Sought {
    uint32_t effects;
    uint32_t params; // what is done to one of these parameters counts too
} Sought;

static Summary of_params(Summary summary, uint32_t params) {
    summary.inplace &= params;
    summary.sure_inplace &= params;
    summary.sure_items &= params;
    summary.attrs &= params;
    summary.items &= params;
    summary.given &= params;
    return summary;
}

static uint32_t sought_in(Summary summary, Sought sought) {
    return summary_effects(of_params(summary, sought.params)) & sought.effects;
}

static Node *first_in(Module *module, Node *node, Sought sought) {
    if (sought_in(effects_own(module, node), sought))
        return node;
    for (ChildIter it = ast_children(node); ast_next(&it);) {
        Node *found = runs_elsewhere(node, it.child) ? NULL : first_in(module, it.child, sought);
        if (found)
            return found;
    }
    return NULL;
}

static Node *first_in_function(FuncInfo *func, Sought sought) {
    Node *def = func->function->node;
    if (!sought_in(summary_of_function(func), sought))
        return NULL;
    if (def->kind == NODE_LAMBDA)
        return first_in(func->module, def->u.lambda.body, sought);
    Node *found = NULL;
    for (uint32_t i = 0; i < def->u.function.body.len && !found; i++)
        found = first_in(func->module, def->u.function.body.items[i], sought);
    return found;
}

// The parameters of the callee by which the call has what is sought.
static uint32_t params_sought(Module *module, Node *call, FuncInfo *func, Sought sought) {
    Summary callee = summary_of_function(func);
    uint32_t params = 0;
    for (uint32_t i = 0; i < ORIGIN_PARAMS; i++) {
        Node *arg = argument_of(module, call, func, i);
        uint32_t origin =
            arg ? origin_of(module, arg, LEVEL_SELF) | origin_of(module, arg, LEVEL_CONTENTS) : ORIGIN_OTHER;
        if (sought_in(summary_passed(callee, 1u << i, origin), sought))
            params |= 1u << i;
    }
    return params;
}

// One call further down, or false where nothing of the project's is called.
static bool step_down(After *at, Sought *sought) {
    FuncInfo *targets[MAX_CALLEES];
    Ref callee;
    if (!node_is(at->culprit, NODE_CALL) || at->culprit->flags & NODE_NEW)
        return false;
    uint32_t count = call_targets(at->culprit_module, at->culprit, targets, MAX_CALLEES, &callee);
    for (uint32_t i = 0; i < count; i++) {
        Sought inner = {sought->effects, params_sought(at->culprit_module, at->culprit, targets[i], *sought)};
        Node *found = first_in_function(targets[i], inner);
        if (!found)
            continue;
        *at = (After){at->effects, found, targets[i]->module};
        *sought = inner;
        return true;
    }
    return false;
}

After effects_at_bottom(After at, uint32_t wanted) {
    memo_begin();
    Sought sought = {wanted, ALL_PARAMS};
    Node *first = at.culprit ? first_in(at.culprit_module, at.culprit, sought) : NULL;
    at.culprit = first ? first : at.culprit;
    for (int depth = 0; first && depth < MAX_CALLS_DOWN && step_down(&at, &sought); depth++)
        continue;
    return at;
}
