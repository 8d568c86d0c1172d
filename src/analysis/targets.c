// Which functions of the project a call may run, and which argument each parameter gets.
//
// Input: a call. Output: its targets, by the call graph's edges and what the callee denotes; of several those that take just
// such arguments. None where it could be nearly anything.
#include "analysis/effects_internal.h"

static bool is_bound_call(Module *module, Node *call, FuncInfo *func) {
    Node *def = func->function->node;
    if (!func->cls || !node_is(def, NODE_FUNCTION_DEF))
        return false;
    for (uint32_t i = 0; i < def->u.function.decorators.len; i++)
        if (node_dotted(def->u.function.decorators.items[i]) == NAME_OF("staticmethod"))
            return false;
        else if (node_dotted(def->u.function.decorators.items[i]) == NAME_OF("classmethod"))
            return true;
    Node *callee = call->u.call.func;
    return !node_is(callee, NODE_ATTRIBUTE) ||
           resolve_expr(module, callee->u.attribute.value).kind != REF_CLASS;
}

// Double.apply(x) runs forward(ctx, x); where there is a setup_context(), forward(x).
static bool gets_context(const Node *call, FuncInfo *func) {
    const Node *callee = call->u.call.func;
    return func->cls && class_is_autograd_function(func->cls) &&
           func->function->node->kind == NODE_FUNCTION_DEF &&
           func->function->node->u.function.name == NAME_OF("forward") &&
           !(node_is(callee, NODE_ATTRIBUTE) && callee->u.attribute.attr == NAME_OF("forward")) &&
           !class_find_method(func->cls, NAME_OF("setup_context"));
}

Node *argument_of(Module *module, Node *call, FuncInfo *func, uint32_t index) {
    if (!node_is(call, NODE_CALL))
        return NULL;
    Node *def = func->function->node;
    Node *params = def->kind == NODE_LAMBDA ? def->u.lambda.params : def->u.function.params;
    if (!params || index >= params->u.items.items.len)
        return NULL;
    Node *param = params->u.items.items.items[index];
    uint32_t place = index;
    if (is_bound_call(module, call, func)) {
        if (index == 0)
            return node_is(call->u.call.func, NODE_ATTRIBUTE) ? call->u.call.func->u.attribute.value
                                                              : call->u.call.func;
        place--;
    } else if (gets_context(call, func)) {
        if (index == 0)
            return NULL;
        place--;
    }
    Node *named = fact_call_keyword(call, name_str(param->u.param.name).ptr);
    if (named)
        return named;
    for (uint32_t i = 0, at = 0; i < call->u.call.args.len; i++) {
        Node *arg = call->u.call.args.items[i];
        if (node_is(arg, NODE_STARRED) || (node_is(arg, NODE_KEYWORD) && !arg->u.keyword.name))
            return arg->kind == NODE_STARRED ? arg : arg->u.keyword.value; // may be any of what it unpacks
        if (!node_is(arg, NODE_KEYWORD) && at++ == place)
            return arg;
    }
    return NULL;
}

bool takes_many(const FuncInfo *func, uint32_t index) {
    const Node *def = func->function->node;
    const Node *params = def->kind == NODE_LAMBDA ? def->u.lambda.params : def->u.function.params;
    if (!params || index >= params->u.items.items.len)
        return false;
    ParamKind kind = params->u.items.items.items[index]->u.param.kind;
    return kind == PARAM_VARARGS || kind == PARAM_KWARGS;
}

static bool takes_keyword(NodeList params, Name keyword) {
    for (uint32_t i = 0; i < params.len; i++) {
        ParamKind kind = params.items[i]->u.param.kind;
        if (kind == PARAM_KWARGS || (params.items[i]->u.param.name == keyword && kind != PARAM_VARARGS))
            return true;
    }
    return false;
}

// Without a default, and no argument for it.
static bool lacks_argument(Module *module, Node *call, FuncInfo *func, NodeList params) {
    for (uint32_t i = gets_context(call, func) ? 1 : 0; i < params.len; i++) {
        const Node *param = params.items[i];
        bool required = !param->u.param.default_value && param->u.param.kind != PARAM_VARARGS &&
                        param->u.param.kind != PARAM_KWARGS;
        if (required && !argument_of(module, call, func, i))
            return true;
    }
    return false;
}

// Of several functions that might be called, those that would raise a TypeError for these arguments are none.
static bool takes_arguments(Module *module, Node *call, FuncInfo *func) {
    const Node *def = func->function->node;
    if (def->kind != NODE_FUNCTION_DEF || def->u.function.decorators.len)
        return true;
    NodeList params = def->u.function.params->u.items.items;
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        const Node *arg = call->u.call.args.items[i];
        if (node_is(arg, NODE_KEYWORD) && arg->u.keyword.name && !takes_keyword(params, arg->u.keyword.name))
            return false;
    }
    return !lacks_argument(module, call, func, params);
}

// UINT32_MAX: more than max, that is, it could be nearly anything.
static uint32_t targets_by_edges(Module *module, Node *call, FuncInfo **into, uint32_t max) {
    FuncInfo *caller = function_info(module, call);
    uint32_t count = 0;
    for (uint32_t i = 0; caller && i < caller->calls.len; i++) {
        const CallEdge *edge = &caller->calls.items[i];
        if (edge->call != call || (!edge->certain && !takes_arguments(module, call, edge->callee)))
            continue;
        if (count == max)
            return UINT32_MAX;
        into[count++] = edge->callee;
    }
    return count;
}

uint32_t call_targets(Module *module, Node *call, FuncInfo **into, uint32_t max, Ref *callee) {
    Ref ref = resolve_expr(module, call->u.call.func);
    *callee = ref;
    if (ref.kind == REF_CLASS || ref.kind == REF_EXTERNAL || ref.kind == REF_BUILTIN)
        return 0;
    uint32_t count = targets_by_edges(module, call, into, max);
    if (count == UINT32_MAX)
        callee->kind = REF_NONE;
    if (count)
        return count == UINT32_MAX ? 0 : count;
    FuncInfo *func = NULL;
    if (ref.kind == REF_FUNCTION || ref.kind == REF_METHOD)
        func = ref.func;
    else if (ref.kind == REF_INSTANCE)
        func = class_find_method(ref.cls,
                                 class_is_nn_module(ref.cls) ? NAME_OF("forward") : NAME_OF("__call__"));
    if (!func)
        return 0;
    into[0] = func;
    return 1;
}

static bool is_around(const FuncInfo *caller, const Node *call, const FuncInfo *callee) {
    for (uint32_t i = 0; caller && i < caller->calls.len; i++)
        if (caller->calls.items[i].call == call && caller->calls.items[i].callee == callee)
            return caller->calls.items[i].around;
    return false;
}

uint32_t result_targets(Module *module, Node *call, FuncInfo **into, uint32_t max, Ref *callee) {
    uint32_t count = call_targets(module, call, into, max, callee), kept = 0;
    const FuncInfo *caller = function_info(module, call);
    for (uint32_t i = 0; i < count; i++)
        if (!is_around(caller, call, into[i]))
            into[kept++] = into[i];
    return kept;
}
