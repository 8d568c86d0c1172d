// GM1xx: the truth of a tensor decides what runs next.
//     if x.sum() > 0:            GM101
//     while err > tol:           GM102
//     a if x.max() > 1 else b    GM103
//     mask.any() and f(x)        GM104   (as a value: inside an if's test the if is the finding)
#include "detect/detect_internal.h"

void detect_branch(Detector *detector, Node *node) {
    Module *module = detector->module;
    switch ((NodeKind)node->kind) {
    case NODE_IF:
        if (!is_raising_guard(node) && !raises_otherwise(node) && predicate_of(module, node->u.branch.test) == PRED_DATA) {
            Finding *found = detector_add(detector, "GM101", node, node->start, node->u.branch.test->end,
                                          STR("a branch on tensor values"));
            if (found && detector->function->function->node->kind == NODE_FUNCTION_DEF)
                found->live_after = cfg_live_after(function_cfg(detector->function->function), node);
        }
        break;
    case NODE_WHILE:
        if (predicate_of(module, node->u.branch.test) == PRED_DATA)
            detector_add(detector, "GM102", node, node->start, node->u.branch.test->end, STR("a loop on tensor values"));
        break;
    case NODE_IF_EXP:
        if (predicate_of(module, node->u.if_exp.test) == PRED_DATA)
            detector_add(detector, "GM103", node, node->u.if_exp.test->start, node->u.if_exp.test->end,
                         STR("a conditional expression on tensor values"));
        break;
    case NODE_BOOL_OP:
        if (is_whole_test(node) && !node_is(node->parent, NODE_BOOL_OP) &&
            predicate_of(module, node->u.binary.left) == PRED_DATA)
            detector_add(detector, "GM104", node, node->u.binary.left->start, node->u.binary.left->end,
                         STR("`and`/`or` decided by tensor values"));
        break;
    default: break;
    }
}
