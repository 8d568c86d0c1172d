// GM2xx: guards that raise on data.
//     if (ids >= n).any(): raise IndexError(...)      GM201
//     assert (x > 0).all(), f"text {x.shape}"         GM202: Dynamo takes an assert with constant text, or none, by itself
//     assert not x.isnan().any(), "text"              GM202: if its test is one tensor, or `static and tensor`
#include "detect/detect_internal.h"

static bool message_is_constant(Module *module, const Node *message) {
    Str text;
    return !message || (node_is(message, NODE_CONSTANT) && message->u.constant.kind == CONST_STR) ||
           (node_is(message, NODE_STR_CONCAT) &&
            node_string_value(module->unit->tree, message, module->unit->arena, &text));
}

// The test comes down to the truth of one tensor, last.
static bool is_one_tensor(Module *module, Node *test) {
    switch ((NodeKind)test->kind) {
    case NODE_BOOL_OP:
        return !decides_on_data(module, test->u.binary.left) && is_one_tensor(module, test->u.binary.right);
    case NODE_UNARY_OP:
        return test->u.unary.op != OP_NOT;
    case NODE_COMPARE:
        return test->u.compare.comparators.len == 1;
    case NODE_IF_EXP:
        return !decides_on_data(module, test->u.if_exp.test) && is_one_tensor(module, test->u.if_exp.body) &&
               is_one_tensor(module, test->u.if_exp.orelse);
    default:
        return true;
    }
}

void detect_guard(Detector *detector, Node *node) {
    Module *module = detector->module;
    if ((is_raising_guard(node) || raises_otherwise(node)) && decides_on_data(module, node->u.branch.test)) {
        detector_add(detector, "GM201", node, node->start, node->u.branch.test->end,
                     STR("a guard on tensor values raises"));
    } else if (node_is(node, NODE_ASSERT) && decides_on_data(module, node->u.assert_.test)) {
        Node *test = node->u.assert_.test;
        bool computed = !message_is_constant(module, node->u.assert_.msg);
        bool reads = expr_reads_tensor(module, test);
        if (computed || reads || !is_one_tensor(module, test))
            detector_add(detector, "GM202", node, node->start, test->end,
                         computed ? STR("an assert on tensor values has a computed message")
                         : reads  ? STR("an assert reads a tensor as a Python number")
                                  : STR("an assert decides on more than one tensor's values"));
    }
}
