// GM2xx: guards that raise on data.
//     if (ids >= n).any(): raise IndexError(...)      GM201
//     assert (x > 0).all(), f"text {x.shape}"         GM202: Dynamo takes an assert with constant text, or none, by itself
#include "detect/detect_internal.h"

static bool message_is_constant(Module *module, const Node *message) {
    Str text;
    return !message || (node_is(message, NODE_CONSTANT) && message->u.constant.kind == CONST_STR) ||
           (node_is(message, NODE_STR_CONCAT) &&
            node_string_value(module->unit->tree, message, module->unit->arena, &text));
}

void detect_guard(Detector *detector, Node *node) {
    Module *module = detector->module;
    if ((is_raising_guard(node) || raises_otherwise(node)) && decides_on_data(module, node->u.branch.test)) {
        detector_add(detector, "GM201", node, node->start, node->u.branch.test->end,
                     STR("a guard on tensor values raises"));
    } else if (node_is(node, NODE_ASSERT) && decides_on_data(module, node->u.assert_.test)) {
        bool computed = !message_is_constant(module, node->u.assert_.msg);
        if (computed || expr_reads_tensor(module, node->u.assert_.test))
            detector_add(detector, "GM202", node, node->start, node->u.assert_.test->end,
                         computed ? STR("an assert on tensor values has a computed message")
                                  : STR("an assert reads a tensor as a Python number"));
    }
}
