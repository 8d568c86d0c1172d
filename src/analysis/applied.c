// Calls of a function that is given what it calls: checkpoint(f, x), cond(p, f, g, xs), self._gradient_checkpointing_func(f, x).
//
// Input: such a call. Output: the functions of the project among its arguments, for what they do and what they return; of a
// layer its forward, in the form `layer.__call__` too.
#include "analysis/effects_internal.h"

bool calls_checkpointing(Node *call, const Ref *callee) {
    const Node *func = call->u.call.func;
    return callee->kind == REF_NONE && node_is(func, NODE_ATTRIBUTE) &&
           is_checkpointing_attribute(func->u.attribute.attr);
}

static FuncInfo *called_as(const Ref *ref) {
    if (ref->kind != REF_INSTANCE)
        return ref->func;
    return class_find_method(ref->cls,
                             class_is_nn_module(ref->cls) ? NAME_OF("forward") : NAME_OF("__call__"));
}

static bool add(Applied *applied, FuncInfo *func, Node *self, uint32_t at) {
    if (!func || applied->count == MAX_APPLIED)
        return false;
    applied->items[applied->count++] = (AppliedFunction){func, self, at, true};
    return true;
}

// All that the layer may be.
static void add_layers(Module *module, Node *object, uint32_t at, Applied *applied) {
    Ref refs[MAX_APPLIED];
    bool complete = false;
    uint32_t count = resolve_candidates(module, object, refs, MAX_APPLIED, &complete);
    for (uint32_t i = 0; i < count; i++)
        complete &= add(applied, called_as(&refs[i]), object, at);
    applied->unknown |= !complete || !count;
}

Applied applied_by(Module *module, Node *call) {
    Applied applied = {0};
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        Node *arg = call->u.call.args.items[i];
        if (node_is(arg, NODE_KEYWORD) || node_is(arg, NODE_STARRED))
            continue;
        if (node_is(arg, NODE_ATTRIBUTE) && arg->u.attribute.attr == NAME_OF("__call__")) {
            add_layers(module, arg->u.attribute.value, i, &applied);
            continue;
        }
        Ref ref = resolve_expr(module, arg);
        FuncInfo *func = node_is(arg, NODE_LAMBDA)  ? module_function_at(module, arg)
                         : ref.kind == REF_INSTANCE ? class_find_method(ref.cls, NAME_OF("forward"))
                                                    : ref.func;
        applied.unknown |= func && !add(&applied, func, ref.kind == REF_INSTANCE ? arg : NULL, i);
    }
    applied.unknown |= !applied.count;
    return applied;
}

// ---------------------------------------------------------------- what the functions are given

static uint32_t origin_at_all(Module *module, Node *expr) {
    return origin_of(module, expr, LEVEL_SELF) | origin_of(module, expr, LEVEL_CONTENTS);
}

static uint32_t origin_of_all(Module *module, const Node *call) {
    uint32_t origin = 0;
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        Node *arg = call->u.call.args.items[i];
        origin |= origin_at_all(module, node_is(arg, NODE_KEYWORD) ? arg->u.keyword.value : arg);
    }
    return origin & ~(uint32_t)(ORIGIN_HANDED | ORIGIN_GUESSED);
}

static bool is_passed_in_order(const Node *call, uint32_t upto) {
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        const Node *arg = call->u.call.args.items[i];
        if (node_is(arg, NODE_KEYWORD) ? !arg->u.keyword.name : i <= upto && node_is(arg, NODE_STARRED))
            return false;
    }
    return true;
}

// checkpoint(f, x, y) is f(x, y); of the others, and of methods, any argument may be meant.
uint32_t origin_given(Module *module, Node *call, const AppliedFunction *applied, uint32_t param) {
    FuncInfo *func = applied->func;
    uint32_t place = applied->at + param + (applied->self ? 0 : 1);
    Ref callee = resolve_expr(module, call->u.call.func);
    bool in_order = (calls_checkpointing(call, &callee) ||
                     is_named(callee, REF_EXTERNAL, "torch.utils.checkpoint.checkpoint")) &&
                    is_passed_in_order(call, place) && (applied->self || !func->cls) &&
                    !takes_many(func, param);
    if (!in_order)
        return origin_of_all(module, call);
    if (applied->self && !param)
        return origin_at_all(module, applied->self);
    if (place < call->u.call.args.len && !node_is(call->u.call.args.items[place], NODE_KEYWORD))
        return origin_at_all(module, call->u.call.args.items[place]);
    const Node *def = func->function->node;
    const Node *params = node_is(def, NODE_LAMBDA) ? def->u.lambda.params : def->u.function.params;
    Node *named = fact_call_keyword(call, name_str(params->u.items.items.items[param]->u.param.name).ptr);
    return named ? origin_at_all(module, named) : origin_of_default(func, param);
}

Summary effects_of_applied(Module *module, Node *call) {
    Applied applied = applied_by(module, call);
    Summary summary = summary_of(applied.unknown ? EFFECT_UNKNOWN : 0u);
    for (uint32_t i = 0; i < applied.count; i++) {
        Summary callee = summary_of_function(applied.items[i].func);
        uint32_t touched = callee.inplace | callee.attrs | callee.items;
        summary.effects |= callee.effects;
        for (uint32_t p = 0; p < ORIGIN_PARAMS; p++)
            if (touched & (1u << p))
                summary_add(&summary, summary_passed(callee, 1u << p,
                                                     origin_given(module, call, &applied.items[i], p)));
    }
    summary.effects &= ~(uint32_t)EFFECT_GIVES_AWAY; // see leaves_arguments()
    summary.given = 0;
    return summary;
}

// ---------------------------------------------------------------- what they return

uint32_t origin_of_applied(Module *module, Node *call, Level level) {
    Applied applied = applied_by(module, call);
    uint32_t origin = applied.unknown ? ORIGIN_OTHER : 0;
    for (uint32_t i = 0; i < applied.count; i++) {
        uint32_t returned = origin_of_return(applied.items[i].func, level);
        origin |= returned & ORIGIN_OTHER;
        for (uint32_t p = 0; p < ORIGIN_PARAMS; p++)
            origin |= returned & (1u << p) ? origin_given(module, call, &applied.items[i], p) : 0;
    }
    return origin & ~(uint32_t)(ORIGIN_HANDED | ORIGIN_GUESSED);
}
