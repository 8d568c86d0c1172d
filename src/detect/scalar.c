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

void detect_scalar(Detector *detector, Node *node) {
    Module *module = detector->module;
    if (!node_is(node, NODE_CALL))
        return;
    if (call_reads_tensor(module, node)) {
        detector_add(detector, "GM401", node, node->start, node->end, STR("a tensor is read as a Python value"));
        return;
    }
    if (operator_flags(module, node->u.call.func) & OP_DYNAMIC_SHAPE)
        detector_add(detector, "GM501", node, node->start, node->end, STR("the result's shape depends on tensor values"));
}
