// What one node changes in place, or may: the operands, by themselves or through a function that is handed on.
//
//     y += 1      y[0] = 2      y.data = z      torch.relu_(y)      self.relu(y)      getattr(y, name)(2)
//     operator.imul(y, 2)       functools.partial(torch.Tensor.add_, y)      map(lambda t: t.add_(1), [y])
//
// Input: a node. Output: expressions whose value is changed. What is not known is taken to change what it is given.
#include "analysis/roots.h"

static void add(Changed *changed, Node *operand) {
    if (operand && changed->len < MAX_CHANGED)
        changed->items[changed->len++] = operand;
}

static Node *value_of_argument(Node *arg) {
    return node_is(arg, NODE_KEYWORD)   ? arg->u.keyword.value
           : node_is(arg, NODE_STARRED) ? arg->u.value.value
                                        : arg;
}

static void add_arguments(Module *module, Changed *changed, Node *call) {
    const uint32_t plain = KIND_NUMBER | KIND_STR | KIND_NONE | KIND_DTYPE | KIND_DEVICE | KIND_SCALAR_READ;
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        Node *value = value_of_argument(call->u.call.args.items[i]);
        if (!kinds_only(fact_value(module, value).kinds, plain))
            add(changed, value);
    }
}

static bool names_change(Name name) {
    return torch_method_flags(name) & OP_INPLACE || str_ends(name_str(name), STR("_"));
}

// Of torch's functions and of `operator`, torch.relu_, operator.imul: it changes what it is given first.
static bool changes_first_of(const Ref *ref) {
    return ref->kind == REF_EXTERNAL &&
           (ref->inplace || torch_function_flags(ref->name) & OP_INPLACE || operator_writes(ref->name) ||
            (str_starts(name_str(ref->name), STR("torch.")) && names_change(last_part(ref->name))));
}

// ---------------------------------------------------------------- functions that are handed on

static bool function_changes(FuncInfo *func) {
    const uint32_t changes = EFFECT_INPLACE | EFFECT_WRITES_ITEM;
    return func && summary_effects(summary_of_function(func)) & changes;
}

// map(f, xs), functools.partial(f, x): as if f were called with all the others.
static void add_handed_on(Module *module, Changed *changed, Node *call) {
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        Node *arg = value_of_argument(call->u.call.args.items[i]);
        Ref ref = resolve_expr(module, arg);
        bool is_function = ref.kind == REF_FUNCTION || ref.kind == REF_METHOD;
        FuncInfo *func = node_is(arg, NODE_LAMBDA) ? module_function_at(module, arg)
                         : is_function             ? ref.func
                                                   : NULL;
        if (function_changes(func) || changes_first_of(&ref))
            add_arguments(module, changed, call);
        if (node_is(arg, NODE_ATTRIBUTE) && ref.kind == REF_NONE && names_change(arg->u.attribute.attr))
            add(changed, arg->u.attribute.value);
    }
}

// ---------------------------------------------------------------- calls

static bool may_be_plain_tensor(Module *module, Node *object) {
    Fact fact = fact_value(module, object);
    return fact.kinds & KIND_TENSOR && fact.ref.kind == REF_NONE;
}

// Of what a function of torch's is given beside its input: a weight that it scales, running statistics.
static void add_state(Changed *changed, Node *call, Name function) {
    Node *statistics[MAX_STATISTICS];
    uint32_t count = changed_statistics(call, function, statistics);
    add(changed, renormed_weight(call, function));
    for (uint32_t i = 0; i < count; i++)
        add(changed, statistics[i]);
}

static void add_of_call(Module *module, Changed *changed, Node *call, const Ref *callee) {
    Node *func = call->u.call.func, *first = fact_call_arg(call, 0, "input");
    BoundMethod bound = callee->kind == REF_EXTERNAL ? (BoundMethod){0} : bound_method(module, func);
    if (node_is(func, NODE_ATTRIBUTE) && names_change(func->u.attribute.attr))
        add(changed, func->u.attribute.value);
    else if (bound.object && (!bound.method || names_change(bound.method)))
        add(changed, bound.object);
    add(changed, fact_call_keyword(call, "out"));
    if (callee->kind == REF_EXTERNAL)
        add_state(changed, call, callee->name);
    else if (callee->kind == REF_EXTERNAL_INSTANCE && torch_module_flags(callee->name) & OP_INPLACE)
        add(changed, func); // its buffers
    bool setter = is_named(*callee, REF_BUILTIN, "setattr") || is_named(*callee, REF_BUILTIN, "delattr");
    Summary summary = effects_of_call(module, call);
    bool inplace = fact_call_keyword(call, "inplace") || summary.inplace ||
                   summary.effects & EFFECT_INPLACE ||
                   (callee->kind == REF_EXTERNAL && inplace_argument(call, callee->name));
    if (setter || inplace || changes_first_of(callee) || changes_input(module, call)) {
        add(changed, first);
        if (!first) // relu(*values)
            add_arguments(module, changed, call);
    }
    add_handed_on(module, changed, call);
    if (!(summary.effects & EFFECT_UNKNOWN))
        return;
    add_arguments(module, changed, call);
    if (bound.object && !torch_method_flags(bound.method) && may_be_plain_tensor(module, bound.object))
        add(changed, bound.object);
}

Changed changed_by(Module *module, Node *node, const Ref *callee) {
    Changed changed = {0};
    bool stored = node->flags & (NODE_STORE | NODE_DEL);
    if (node->kind == NODE_AUG_ASSIGN) {
        Node *target = node->u.aug.target, *value = node->u.aug.value;
        bool text = node_is(target, NODE_NAME) && kinds_only(fact_value(module, value).kinds, KIND_STR);
        if (!text && !node_is(value, NODE_TUPLE)) // outputs += (weights,): no tensor takes a tuple
            add(&changed, target);
    } else if (node->kind == NODE_SUBSCRIPT && stored) {
        Node *target = node->u.subscript.value; // an item of a list or dict: no tensor changes
        if (!kinds_only(fact_value(module, target).kinds, KIND_SEQUENCE | KIND_DICT))
            add(&changed, target);
    } else if (node->kind == NODE_ATTRIBUTE && stored) {
        if (may_be_plain_tensor(module, node->u.attribute.value))
            add(&changed, node->u.attribute.value);
    } else if (node->kind == NODE_CALL && !(node->flags & NODE_NEW)) {
        add_of_call(module, &changed, node, callee);
    }
    return changed;
}
