// What a selection of an earlier run gives, so that what follows it is found again:
//     y = _graphmend.select(x.sum() > 0, lambda: x * 2, lambda: x - 1)       one of what the two functions give
//     y = _graphmend.select(x.sum() > 0, lambda v: v * 2, lambda v: v, x)    the values after them are their parameters
// The other functions of the runtime give nothing, or a test.
#include "analysis/facts_internal.h"
#include "analysis/runtime_calls.h"

enum { FIRST_ARM = 1, FIRST_VALUE = 3 };

static bool is_selection(Module *module, const Node *call) {
    static const char *const names[] = {"select", "select_one", "cond"};
    if (!is_runtime_call(module, call) || call->u.call.args.len < FIRST_VALUE)
        return false;
    for (uint32_t i = 0; i < FIRST_VALUE; i++)
        if (node_is(call->u.call.args.items[i], NODE_STARRED))
            return false;
    Name name = call->u.call.func->u.attribute.attr;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (name == intern(str_of(names[i])))
            return true;
    return false;
}

static Fact arm_fact(Module *module, Node *arm, Path path) {
    Ref function = resolve_expr(module, arm);
    if (node_is(arm, NODE_LAMBDA))
        function = (Ref){.kind = REF_FUNCTION, .func = module_function_at(module, arm)};
    return function.kind == REF_FUNCTION && function.func && !function.partial
               ? fact_return(function.func, path)
               : fact_any();
}

Fact fact_selection(Module *module, Node *call, Path path) {
    if (!is_selection(module, call))
        return fact_any();
    Fact first = arm_fact(module, call->u.call.args.items[FIRST_ARM], path);
    Fact other = arm_fact(module, call->u.call.args.items[FIRST_ARM + 1], path);
    if (first.kinds == KIND_ANY || other.kinds == KIND_ANY)
        return fact_any();
    return fact_join(first, other);
}

Node *fact_selected_value(Module *module, const Node *param) {
    const Node *owner = param->parent->parent, *call = owner->parent;
    if (!node_is(owner, NODE_LAMBDA) || !node_is(call, NODE_CALL) || !is_selection(module, call))
        return NULL;
    NodeList params = param->parent->u.items.items, args = call->u.call.args;
    bool is_arm = args.items[FIRST_ARM] == owner || args.items[FIRST_ARM + 1] == owner;
    for (uint32_t i = 0; is_arm && i < params.len && FIRST_VALUE + i < args.len; i++) {
        if (node_is(args.items[FIRST_VALUE + i], NODE_STARRED))
            return NULL;
        if (params.items[i] == param)
            return args.items[FIRST_VALUE + i];
    }
    return NULL;
}
