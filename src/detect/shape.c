// GM501 to GM504: how large a result is depends on the values of a tensor.
//     torch.nonzero(m)  torch.where(m)          GM501
//     x[mask]  x[mask] += 1                     GM502   x[mask] = y keeps x's shape
//     torch.unique(x)  repeat_interleave(x, n)  GM503   tag dynamic_output_shape in torch's tables
//     one_hot(x)                                GM504   without num_classes
#include "detect/detect_internal.h"

static uint32_t operator_flags(Module *module, Node *func, Name *name, bool *is_method) {
    Ref ref = resolve_expr(module, func);
    *is_method = false;
    if (ref.kind == REF_EXTERNAL) {
        *name = ref.name;
        return torch_function_flags(ref.name);
    }
    if (ref.kind != REF_NONE || !node_is(func, NODE_ATTRIBUTE))
        return 0;
    *name = func->u.attribute.attr;
    *is_method = true;
    Fact owner = fact_of(module, func->u.attribute.value);
    bool tensor = fact_is_array(owner) || (owner.kinds & KIND_TENSOR && torch_method_is_distinctive(*name));
    return tensor ? torch_method_flags(*name) : 0;
}

static Node *argument(const Node *call, uint32_t index, Name keyword) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        Node *arg = call->u.call.args.items[i];
        if (node_is(arg, NODE_KEYWORD)) {
            if (arg->u.keyword.name == keyword)
                return arg->u.keyword.value;
        } else if (node_is(arg, NODE_STARRED)) {
            return arg;
        } else if (at++ == index) {
            return arg;
        }
    }
    return NULL;
}

static bool last_is(Name name, const char *word) {
    Str text = name_str(name), last = str_of(word);
    return str_eq(text, last) ||
           (str_ends(text, last) && text.len > last.len && text.ptr[text.len - last.len - 1] == '.');
}

static bool is_numpy_search(Module *module, const Node *call, Name name) {
    if (!str_starts(name_str(name), STR("numpy.")))
        return false;
    bool where = last_is(name, "where") && call->u.call.args.len == 1;
    return (where || last_is(name, "nonzero") || last_is(name, "argwhere") || last_is(name, "flatnonzero") ||
            last_is(name, "unique")) &&
           call->u.call.args.len && is_array(module, call->u.call.args.items[0]);
}

bool detect_shape(Detector *detector, Node *call) {
    Module *module = detector->module;
    Name name = 0;
    bool is_method;
    uint32_t flags = operator_flags(module, call->u.call.func, &name, &is_method), shift = is_method;
    if (!name)
        return false;
    Str torch = STR("torch.");
    if (!is_method && !str_starts(name_str(name), torch) && !is_numpy_search(module, call, name))
        return false;
    if ((last_is(name, "where") && !is_method && call->u.call.args.len == 1) ||
        is_numpy_search(module, call, name) ||
        (flags & OP_DYNAMIC_SHAPE && (last_is(name, "nonzero") || last_is(name, "argwhere"))))
        return detector_add(detector, "GM501", call, call->start, call->end,
                            STR("the number of places found depends on tensor values"));
    if (last_is(name, "one_hot"))
        return !argument(call, 1 - shift, NAME_OF("num_classes")) &&
               detector_add(detector, "GM504", call, call->start, call->end,
                            STR("one_hot without num_classes"));
    if (!(flags & OP_DYNAMIC_SHAPE))
        return false;
    if (last_is(name, "repeat_interleave")) {
        Node *repeats = argument(call, 1 - shift, NAME_OF("repeats"));
        if ((repeats ? !is_array(module, repeats) : is_method) || argument(call, 99, NAME_OF("output_size")))
            return false;
    }
    return detector_add(detector, "GM503", call, call->start, call->end,
                        STR("the result's shape depends on tensor values"));
}

// A tensor of unknown type that is called a mask and indexes another one: hardly whole numbers.
static bool is_called_mask(const Node *index) {
    Name name = node_is(index, NODE_NAME)        ? index->u.name.name
                : node_is(index, NODE_ATTRIBUTE) ? index->u.attribute.attr
                                                 : 0;
    return name && str_ends(name_str(name), STR("mask"));
}

static bool is_mask(Module *module, Node *index) {
    Fact fact = fact_of(module, index);
    return fact_is_array(fact) &&
           (fact.dtype == DTYPE_BOOL || (fact.dtype == DTYPE_UNKNOWN && is_called_mask(index)));
}

void detect_mask(Detector *detector, Node *subscript) {
    Module *module = detector->module;
    Node *index = subscript->u.subscript.index;
    bool updated =
        node_is(subscript->parent, NODE_AUG_ASSIGN) && subscript->parent->u.aug.target == subscript;
    if (subscript->flags & (NODE_STORE | NODE_DEL) && !updated)
        return;
    bool mask = !node_is(index, NODE_TUPLE) && is_mask(module, index);
    for (uint32_t i = 0; node_is(index, NODE_TUPLE) && i < index->u.items.items.len; i++)
        mask = mask || is_mask(module, index->u.items.items.items[i]);
    Fact base = fact_of(module, subscript->u.subscript.value);
    if (mask && (fact_is_array(base) || base.kinds & KIND_TENSOR))
        detector_add(detector, "GM502", subscript, subscript->start, subscript->end,
                     STR("indexing with a boolean mask gives as many elements as it holds"));
}
