// The place deep inside that is meant by "something after the guard writes state": from a call into the functions that it runs,
// down to the write, the operator or the call of unknown code itself.
//
//     self.encoder(x)  ->  Encoder.forward: self.layers[i](x)  ->  Layer.forward: x[mask] = 0
//
// Input: a node that has one of some effects. Output: the first node below it, or in what it calls, that has one by itself. A
// function that changes a parameter is entered only for those parameters whose arguments outlive the call.
#include "analysis/effects_internal.h"

#include "rules/rules.h"

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
        bool runs = !runs_elsewhere(node, it.child) && !child_is_eager(module, node, it.child);
        Node *found = runs ? first_in(module, it.child, sought) : NULL;
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
        if (!child_is_eager(func->module, def, def->u.function.body.items[i]))
            found = first_in(func->module, def->u.function.body.items[i], sought);
    return found;
}

// What the call runs. Beyond what is known to be called: what a higher-order operator is given to call.
static Applied run_by(Module *module, Node *call) {
    FuncInfo *targets[MAX_CALLEES];
    Ref callee;
    Applied run = {0};
    run.count = call_targets(module, call, targets, MAX_CALLEES, &callee);
    for (uint32_t i = 0; i < run.count; i++)
        run.items[i].func = targets[i];
    bool applies = calls_checkpointing(call, &callee) ||
                   (callee.kind == REF_EXTERNAL && is_higher_order_call(callee.name));
    return !run.count && applies ? applied_by(module, call) : run;
}

static uint32_t origin_of_param(Module *module, Node *call, const AppliedFunction *run, uint32_t param) {
    if (run->of_argument)
        return origin_given(module, call, run, param);
    Node *arg = argument_of(module, call, run->func, param);
    return arg ? origin_of(module, arg, LEVEL_SELF) | origin_of(module, arg, LEVEL_CONTENTS) : ORIGIN_OTHER;
}

// The parameters of what is called by which the call has what is sought.
static uint32_t params_sought(Module *module, Node *call, const AppliedFunction *run, Sought sought) {
    Summary callee = summary_of_function(run->func);
    uint32_t touched = callee.inplace | callee.attrs | callee.items | callee.given, params = 0;
    for (uint32_t i = 0; i < ORIGIN_PARAMS; i++)
        if (touched & (1u << i) &&
            sought_in(summary_passed(callee, 1u << i, origin_of_param(module, call, run, i)), sought))
            params |= 1u << i;
    return params;
}

// One call further down, or false where nothing of the project's is called.
static bool step_down(After *at, Sought *sought) {
    if (!node_is(at->culprit, NODE_CALL) || at->culprit->flags & NODE_NEW)
        return false;
    Applied run = run_by(at->culprit_module, at->culprit);
    for (uint32_t i = 0; i < run.count; i++) {
        Sought inner = {sought->effects,
                        params_sought(at->culprit_module, at->culprit, &run.items[i], *sought)};
        Node *found = first_in_function(run.items[i].func, inner);
        if (!found)
            continue;
        *at = (After){at->effects, found, run.items[i].func->module, at->by_place};
        *sought = inner;
        return true;
    }
    return false;
}

After effects_at_bottom(After at, uint32_t wanted) {
    memo_begin(at.culprit_module);
    Sought sought = {wanted, ALL_PARAMS};
    Node *first = at.culprit ? first_in(at.culprit_module, at.culprit, sought) : NULL;
    at.culprit = first ? first : at.culprit;
    for (int depth = 0; first && depth < MAX_CALLS_DOWN && step_down(&at, &sought); depth++)
        continue;
    return at;
}
