// GM4xx and GM5xx: a tensor's values are wanted as Python numbers, or a result's shape depends on them.
//     x.item(), x.tolist(), int(x)     GM401
//     torch.nonzero(x), x.unique()     GM501   (tag dynamic_output_shape in torch's own tables)
#include "detect/detect_internal.h"

static uint32_t operator_flags(Module *module, Node *func) {
    if (!node_is(func, NODE_ATTRIBUTE))
        return 0;
    Ref ref = resolve_expr(module, func);
    if (ref.kind == REF_EXTERNAL)
        return torch_function_flags(ref.name);
    if (ref.kind != REF_NONE)
        return 0;
    Fact owner = fact_of(module, func->u.attribute.value);
    return owner.kinds == KIND_TENSOR ? torch_method_flags(func->u.attribute.attr) : 0;
}

// one_hot(x, n), repeat_interleave(x, n, output_size=m): told the size, the operator does not look for it.
static bool gives_its_size(const Node *call) {
    const Node *func = call->u.call.func;
    bool one_hot = node_is(func, NODE_ATTRIBUTE) && str_eq(name_str(func->u.attribute.attr), STR("one_hot"));
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        const Node *arg = call->u.call.args.items[i];
        if (node_is(arg, NODE_KEYWORD) && (str_eq(name_str(arg->u.keyword.name), STR("num_classes")) ||
                                           str_eq(name_str(arg->u.keyword.name), STR("output_size"))))
            return true;
    }
    return one_hot && call->u.call.args.len > 1;
}

void detect_scalar(Detector *detector, Node *node) {
    Module *module = detector->module;
    if (!node_is(node, NODE_CALL))
        return;
    if (call_reads_tensor(module, node)) {
        detector_add(detector, "GM401", node, node->start, node->end, STR("a tensor is read as a Python value"));
        return;
    }
    if (operator_flags(module, node->u.call.func) & OP_DYNAMIC_SHAPE && !gives_its_size(node))
        detector_add(detector, "GM501", node, node->start, node->end, STR("the result's shape depends on tensor values"));
}
