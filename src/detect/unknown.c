// Tests of which nothing says whether they read tensor values, for `--pedantic`: Dynamo breaks there if they do.
//
// In:  an analysed module, before the passes. Out: findings of their own list, left with reason "no-tensor-evidence"; the
// passes never see them. Declines: tests that detect_module reports, guards included, and code that is not compiled.
#include "detect/detect_internal.h"

static void add(Detector *detector, Node *node, Node *test, const char *code) {
    if (predicate_of(detector->module, test) != PRED_UNKNOWN)
        return;
    uint32_t start = node_is(node, NODE_IF_EXP) ? test->start : node->start;
    Finding *found =
        detector_add(detector, code, node, start, test->end, STR("a test that may read tensor values"));
    if (!found)
        return;
    found->status = STATUS_LEFT;
    found->reason = reason_find(STR("no-tensor-evidence"));
    found->reason_at = test;
    found->reason_module = detector->module;
}

static void visit(Detector *detector, Node *node, int depth) {
    if (depth > NODE_DEPTH_MAX || (node->flags & NODE_OPAQUE) || node_is(node, NODE_FUNCTION_DEF) ||
        node_is(node, NODE_LAMBDA))
        return;
    if (node_is(node, NODE_IF))
        add(detector, node, node->u.branch.test, is_raising_guard(node) ? "GM201" : "GM101");
    else if (node_is(node, NODE_WHILE))
        add(detector, node, node->u.branch.test, "GM102");
    else if (node_is(node, NODE_IF_EXP))
        add(detector, node, node->u.if_exp.test, "GM103");
    for (ChildIter it = ast_children(node); ast_next(&it);)
        visit(detector, it.child, depth + 1);
}

static bool in_opaque(const Node *node) {
    for (; node && node->kind != NODE_MODULE; node = node->parent)
        if (node->flags & NODE_OPAQUE)
            return true;
    return false;
}

void detect_unknown(Module *module, FindingList *findings) {
    for (uint32_t i = 0; i < module->functions.len; i++) {
        FuncInfo *function = vec_at(&module->functions, i);
        Node *node = function->function->node;
        if (!function->reachable || in_opaque(node))
            continue;
        Detector detector = {.module = module, .function = function, .findings = findings};
        if (node_is(node, NODE_LAMBDA))
            visit(&detector, node->u.lambda.body, 0);
        for (uint32_t s = 0; node_is(node, NODE_FUNCTION_DEF) && s < node->u.function.body.len; s++)
            visit(&detector, node->u.function.body.items[s], 0);
    }
}
