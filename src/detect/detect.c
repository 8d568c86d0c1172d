// Walks the functions of a module that may run in a compiled region and asks each detector about each node, once, in
// source order. Input: an analysed module. Output: findings, all left and without a reason: a pass says more later.
// Passed over: functions with a syntax error in them (NODE_OPAQUE), what lies deeper than NODE_DEPTH_MAX, and the arguments
// of calls of our own runtime, so that the output of `fix` has no findings.
#include "detect/detect_internal.h"

#include "detect/output.h"
#include "analysis/runtime_calls.h"

Finding *detector_add(Detector *detector, const char *code, Node *node, uint32_t start, uint32_t end,
                      Str message) {
    if (!node_in_compiled_code(detector->module, node))
        return NULL;
    const Rule *rule = rule_find(str_of(code));
    CHECK(rule);
    vec_push(detector->findings, ((Finding){
                                     .rule = rule,
                                     .module = detector->module,
                                     .node = node,
                                     .start = start,
                                     .end = end,
                                     .status = STATUS_LEFT,
                                     .reason = reason_find(STR("not-supported")),
                                     .reason_at = node,
                                     .reason_module = detector->module,
                                     .message = message,
                                 }));
    return &vec_last(detector->findings);
}

bool is_raising_guard(const Node *node) {
    return node_is(node, NODE_IF) && node->u.branch.body.len > 0 &&
           node_is(node->u.branch.body.items[0], NODE_RAISE);
}

bool raises_otherwise(const Node *node) {
    return node_is(node, NODE_IF) && !is_raising_guard(node) && node->u.branch.orelse.len > 0 &&
           node_is(node->u.branch.orelse.items[0], NODE_RAISE);
}

bool is_whole_test(const Node *node) {
    for (const Node *up = node->parent; up; up = up->parent) {
        if (node_is(up, NODE_BOOL_OP) || (node_is(up, NODE_UNARY_OP) && up->u.unary.op == OP_NOT))
            continue;
        switch ((NodeKind)up->kind) {
        case NODE_IF:
        case NODE_WHILE:
            return !node_contains(up->u.branch.test, node);
        case NODE_IF_EXP:
            return !node_contains(up->u.if_exp.test, node);
        case NODE_ASSERT:
            return !node_contains(up->u.assert_.test, node);
        default:
            return true;
        }
    }
    return true;
}

static void visit(Detector *detector, Node *node, int depth);

static bool is_comprehension(const Node *node) {
    return node_is(node, NODE_LIST_COMP) || node_is(node, NODE_SET_COMP) || node_is(node, NODE_DICT_COMP) ||
           node_is(node, NODE_GENERATOR_EXP);
}

// The part of a statement or expression that its finding is about.
static const Node *test_of(const Node *node) {
    switch ((NodeKind)node->kind) {
    case NODE_IF:
    case NODE_WHILE:
        return node->u.branch.test;
    case NODE_IF_EXP:
        return node->u.if_exp.test;
    case NODE_ASSERT:
        return node->u.assert_.test;
    case NODE_MATCH:
        return node->u.match.subject;
    default:
        return NULL;
    }
}

// A call is one break: the first that finds something has it. A number that is read for a finding already there is no
// second one.
static void visit_call(Detector *detector, Node *node) {
    if (detector->quiet || detect_call(detector, node) || detect_number(detector, node))
        return;
    if (!detector->told && detect_scalar(detector, node))
        return;
    if (!detect_shape(detector, node) && !detector->told)
        detect_branch(detector, node);
}

static void visit_operator(Detector *detector, Node *node) {
    switch ((NodeKind)node->kind) {
    case NODE_BOOL_OP:
    case NODE_UNARY_OP:
    case NODE_COMPARE:
        if (!detector->told)
            detect_branch(detector, node);
        break;
    case NODE_BIN_OP:
        detect_percent(detector, node);
        break;
    case NODE_ATTRIBUTE:
        detect_data_store(detector, node);
        break;
    case NODE_SUBSCRIPT:
        detect_mask(detector, node);
        detect_index(detector, node);
        break;
    default:
        break;
    }
}

// What is read only to be shown goes with the finding of the output or the guard.
static bool speaks_for_children(const Detector *detector, const Node *node) {
    switch ((NodeKind)node->kind) {
    case NODE_CALL:
        return node_is(node->parent, NODE_EXPR_STMT) &&
               output_kind(detector->module, (Node *)(uintptr_t)node) != OUTPUT_NONE;
    case NODE_RAISE:
        return (is_raising_guard(node->parent) || raises_otherwise(node->parent)) &&
               decides_on_data(detector->module, node->parent->u.branch.test);
    default:
        return node_is(node->parent, NODE_ASSERT) && node->parent->u.assert_.msg == node;
    }
}

// Nested functions are functions of their own: only what runs when their def statement does belongs here.
static void visit_nested(Detector *detector, Node *node, int depth) {
    if (node->kind == NODE_FUNCTION_DEF) {
        for (uint32_t i = 0; i < node->u.function.decorators.len; i++)
            visit(detector, node->u.function.decorators.items[i], depth + 1);
        if (node->u.function.params)
            visit(detector, node->u.function.params, depth + 1);
    } else if (node->kind == NODE_LAMBDA && node->u.lambda.params) {
        visit(detector, node->u.lambda.params, depth + 1);
    }
}

static void visit(Detector *detector, Node *node, int depth) {
    if (depth > NODE_DEPTH_MAX || (node->flags & NODE_OPAQUE))
        return;
    uint32_t before = detector->findings->len;
    switch ((NodeKind)node->kind) {
    case NODE_FUNCTION_DEF:
    case NODE_LAMBDA:
        visit_nested(detector, node, depth);
        return;
    case NODE_IF:
    case NODE_ASSERT:
        detect_guard(detector, node);
        detect_output(detector, node);
        detect_branch(detector, node);
        break;
    case NODE_WHILE:
    case NODE_IF_EXP:
    case NODE_MATCH:
        detect_branch(detector, node);
        break;
    case NODE_COMPREHENSION:
        detect_filter(detector, node);
        break;
    case NODE_WITH_ITEM:
        detect_with(detector, node);
        break;
    case NODE_EXCEPT_HANDLER:
        detect_handler(detector, node);
        break;
    case NODE_CALL:
        if (is_runtime_call(detector->module, node))
            return;
        detect_output(detector, node);
        if (detector->findings->len == before)
            visit_call(detector, node);
        break;
    default:
        if (!detector->quiet)
            visit_operator(detector, node);
        break;
    }
    bool quiet = detector->quiet, told = detector->told, found = detector->findings->len > before;
    detector->quiet = quiet || speaks_for_children(detector, node);
    const Node *test = test_of(node);
    bool sized = found && node_is(node, NODE_CALL) &&
                 vec_at(detector->findings, before).rule->code == NAME_OF("GM505");
    for (ChildIter it = ast_children(node); ast_next(&it);) {
        detector->told = told || (found && (it.child == test || (sized && it.child != node->u.call.func)));
        visit(detector, it.child, depth + 1);
    }
    detector->quiet = quiet;
    detector->told = told;
    if (is_comprehension(node))
        detect_comprehension(detector, node, before);
}

void detect_module(Module *module, FindingList *findings) {
    for (uint32_t i = 0; i < module->functions.len; i++) {
        FuncInfo *function = vec_at(&module->functions, i);
        if (!function->reachable)
            continue;
        Detector detector = {.module = module, .function = function, .findings = findings};
        Node *node = function->function->node;
        bool opaque = (node->flags & NODE_OPAQUE) != 0;
        for (const Node *up = node->parent; up && !opaque; up = up->parent)
            opaque = up->kind != NODE_MODULE && (up->flags & NODE_OPAQUE);
        if (opaque)
            continue;
        if (node_is(node->parent, NODE_CALL) && is_runtime_call(module, node->parent))
            continue; // an earlier run of fix put it there
        if (node->kind == NODE_LAMBDA) {
            visit(&detector, node->u.lambda.body, 0);
            continue;
        }
        for (uint32_t s = 0; s < node->u.function.body.len; s++)
            visit(&detector, node->u.function.body.items[s], 0);
    }
}
