// [Where], arms of which only the one that is taken may run: they draw random numbers, or fail on values that are the other
// arm's business (an index, a look-up, a division). The runtime's cond() runs them under torch.cond:
//     if noisy.any():               ->  x = _graphmend.cond(noisy.any(), lambda: x + torch.rand_like(x), lambda: x)
//         x = x + torch.rand_like(x)
// What torch.cond asks of its arms beyond that (alike results, no change of state, nothing that cannot be traced) cond()
// tries while tracing; where it does not hold, the branch runs as it did. So too where gradients would not be the same, as of
// arms that draw (random=True): torch.cond runs the taken arm again in the backward pass.
//
// Arms that may both run, but are costly (analysis/cost.c), go the same way first: select_one() falls back to
// torch.where. Each selection in an arm is traced twice as often, so no deeper than MAX_COSTLY.
//
// Input: an expression of an arm, or the arms. Declined, by the callers: with --cond=never; an expression that writes, prints
// or calls what is unknown; Python's and numpy's random numbers, which Dynamo draws for both arms; arms that record output or
// a check (records-in-branch), because in the body of a higher-order operator nothing can be recorded.
#include "detect/output.h"
#include "passes/where.h"
#include "rules/rules.h"

enum {
    MAX_COSTLY = 3, // selections inside each other of which one arm runs
    MAX_NESTED =
        50, // and all: CPython reads no more than 200 brackets, or 100 indentations, inside each other
};

bool where_may_run_taken(PassContext *context, Node *expr) {
    const uint32_t allowed = EFFECT_RNG | EFFECT_MAY_RAISE | EFFECT_RAISES_ON_DATA;
    return context->options->cond && !(effects_of_expr(context->module, expr) & ~allowed);
}

static bool is_runtime_call(const PassContext *context, const Node *node, Name function) {
    return node->flags & NODE_NEW && node_is(node, NODE_CALL) && runtime_function(context, node) == function;
}

bool where_is_cond(const PassContext *context, const Node *call) {
    return is_runtime_call(context, call, NAME_OF("cond"));
}

static bool has_keyword(const Node *call, Name name) {
    for (uint32_t i = 0; i < call->u.call.args.len; i++)
        if (node_is(call->u.call.args.items[i], NODE_KEYWORD) &&
            call->u.call.args.items[i]->u.keyword.name == name)
            return true;
    return false;
}

// Selections inside each other: those of which one arm runs, and all.
typedef struct Nesting {
    uint32_t one_armed, all;
} Nesting;

static Nesting larger(Nesting a, Nesting b) {
    return (Nesting){a.one_armed > b.one_armed ? a.one_armed : b.one_armed, a.all > b.all ? a.all : b.all};
}

static bool is_recorder(PassContext *context, Node *node) {
    static const char *const quiet[] = {"select", "select_one", "cond",     "negate", "both",
                                        "either", "equal",      "allclose", "later"};
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

// `within`: a part of an expression that was asked as a whole for its draws.
static Nesting look_at(PassContext *context, WhereArms *arms, Node *node, bool within) {
    bool is_new = node->flags & NODE_NEW, is_call = node_is(node, NODE_CALL);
    bool whole = !(node->flags & (NODE_NEW | NODE_DIRTY)) && node_is_expr(node);
    arms->random |= is_new && is_call && has_keyword(node, NAME_OF("random"));
    arms->random |= whole && !within && effects_of_expr(context->module, node) & EFFECT_RNG;
    arms->costly |= is_costly(context->module, node);
    if (!arms->recorder && is_recorder(context, node))
        arms->recorder = node;
    Nesting most = {0};
    for (ChildIter it = ast_children(node); ast_next(&it);)
        most = larger(most, look_at(context, arms, it.child, within || whole));
    bool one = where_is_cond(context, node) || is_runtime_call(context, node, NAME_OF("select_one"));
    bool arm = is_new && node_is(node, NODE_FUNCTION_DEF);
    most.one_armed += one;
    most.all += one || arm || is_runtime_call(context, node, NAME_OF("select"));
    return most;
}

WhereArms where_arms(PassContext *context, NodeList first, NodeList second, bool taken) {
    WhereArms arms = {.taken = taken};
    NodeList suites[] = {first, second};
    Nesting deep = {0};
    for (int arm = 0; arm < 2; arm++)
        for (uint32_t i = 0; i < suites[arm].len; i++)
            deep = larger(deep, look_at(context, &arms, suites[arm].items[i], false));
    arms.costly |= deep.one_armed != 0;
    arms.costly &= !taken && context->options->cond && !arms.recorder && deep.one_armed < MAX_COSTLY;
    arms.too_deep = deep.all >= MAX_NESTED;
    arms.random &= taken;
    return arms;
}

Node *where_selection(PassContext *context, WhereArms arms, bool smooth, uint32_t len, Node *const *args) {
    const char *keywords[] = {arms.random             ? "random"
                              : smooth && !arms.taken ? "smooth"
                                                      : NULL,
                              arms.stores ? "stores" : NULL};
    bool alone = arms.alone && arms.alone->len;
    const char *function = arms.taken                                         ? "cond"
                           : arms.costly && !smooth && !arms.stores && !alone ? "select_one"
                                                                              : "select";
    Arena *arena = context->module->unit->arena;
    VEC(Node *) all = {0};
    for (uint32_t i = 0; i < len; i++)
        vec_push(&all, args[i]);
    for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
        if (keywords[i])
            vec_push(&all, ast_keyword(arena, str_of(keywords[i]), ast_text(arena, STR("True"))));
    if (alone)
        vec_push(&all, ast_keyword(arena, STR("alone"), where_names_tuple(context, arms.alone)));
    Node *call = runtime_call(context, function, all.len, all.items);
    vec_free(&all);
    return call;
}
