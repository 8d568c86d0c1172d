// GM1xx: the truth of a tensor decides what runs next.
//     if x.sum() > 0:            GM101
//     while err > tol:           GM102
//     a if x.max() > 1 else b    GM103
//     mask.any() and f(x)        GM104   (as a value: inside an if's test the if is the finding)
//     match x.argmax(): ...      GM106
//     any(mask), sorted(ts)      GM107   (likewise)
#include "detect/detect_internal.h"

// The first case that compares the subject with a value, or has a guard on tensor values: Dynamo breaks there.
static Node *deciding_case(Module *module, Node *match) {
    bool tensor = is_array(module, match->u.match.subject);
    for (uint32_t i = 0; i < match->u.match.cases.len; i++) {
        Node *one = match->u.match.cases.items[i];
        if (one->u.match_case.guard && decides_on_data(module, one->u.match_case.guard))
            return one;
        const Node *pattern = one->u.match_case.pattern;
        for (uint32_t p = 0; tensor && node_is(pattern, NODE_PATTERN) && p < pattern->u.pattern.items.len;
             p++)
            if (!node_is(pattern->u.pattern.items.items[p], NODE_NAME))
                return one;
    }
    return NULL;
}

// sorted(ts), max(ts, key=f), ts.sort(): tensors are compared one with another. max(a, b) alone becomes torch.maximum.
static bool orders_tensors(Module *module, Node *call) {
    bool chooses = is_builtin_call(module, call, "max") || is_builtin_call(module, call, "min");
    if (!chooses && !is_builtin_call(module, call, "sorted"))
        return false;
    bool key = !chooses;
    for (uint32_t i = 0; i < call->u.call.args.len; i++)
        key = key || (node_is(call->u.call.args.items[i], NODE_KEYWORD) &&
                      call->u.call.args.items[i]->u.keyword.name == NAME_OF("key"));
    if (!key || !call->u.call.args.len)
        return false;
    Fact fact = fact_of(module, call->u.call.args.items[0]);
    return fact_is_array(fact) || (fact.kinds == KIND_SEQUENCE && fact.element == KIND_TENSOR);
}

// What stands for itself, not for a part of a bigger test.
static void detect_truth(Detector *detector, Node *node) {
    Module *module = detector->module;
    if (node_is(node, NODE_COMPARE) && is_whole_test(node) && asks_for_truth(module, node)) {
        Op op = node->u.compare.ops[0];
        if (op == OP_IN || op == OP_NOT_IN) {
            if (is_array(module, node->u.compare.comparators.items[0]))
                detector_add(detector, "GM107", node, node->start, node->end,
                             STR("`in` looks through the values of a tensor"));
        } else if (node->u.compare.comparators.len > 1) {
            detector_add(detector, "GM104", node, node->start, node->end,
                         STR("a chain of comparisons decided by tensor values"));
        }
    } else if (node_is(node, NODE_CALL) &&
               ((is_whole_test(node) && asks_for_truth(module, node)) || orders_tensors(module, node))) {
        detector_add(detector, "GM107", node, node->start, node->end,
                     STR("a builtin decides on tensor values"));
    } else if (node_is(node, NODE_UNARY_OP) && node->u.unary.op == OP_NOT && is_whole_test(node) &&
               !node_is(node->parent, NODE_BOOL_OP) && !node_is(node->parent, NODE_UNARY_OP) &&
               decides_on_data(module, node->u.unary.operand)) {
        detector_add(detector, "GM104", node, node->start, node->end, STR("`not` decided by tensor values"));
    }
}

// The suite of the loop around the branch, where one of its arms leaves the loop's turn: what follows in it may run or not.
static NodeList turn_left_by(const Node *branch) {
    const NodeList arms[2] = {branch->u.branch.body, branch->u.branch.orelse};
    bool leaves = false;
    for (int i = 0; i < 2; i++) {
        const Node *last = arms[i].len ? arms[i].items[arms[i].len - 1] : NULL;
        leaves = leaves || node_is(last, NODE_BREAK) || node_is(last, NODE_CONTINUE);
    }
    if (leaves && node_is(branch->parent, NODE_FOR))
        return branch->parent->u.loop.body;
    return leaves && node_is(branch->parent, NODE_WHILE) ? branch->parent->u.branch.body : (NodeList){0};
}

static Symbol **both_lists(Arena *arena, Symbol **one, Symbol **two) {
    uint32_t len[2] = {0, 0};
    while (one[len[0]])
        len[0]++;
    while (two[len[1]])
        len[1]++;
    Symbol **both = ARENA_ARRAY(arena, Symbol *, len[0] + len[1] + 1);
    memcpy(both, one, len[0] * sizeof *one);
    memcpy(both + len[0], two, len[1] * sizeof *two);
    return both;
}

static Symbol **names_live_after(Detector *detector, Node *branch) {
    Cfg *cfg = function_cfg(detector->function->function);
    NodeList turn = turn_left_by(branch);
    if (!turn.len)
        return cfg_live_after(cfg, branch);
    return both_lists(detector->module->unit->arena, cfg_live_after(cfg, turn.items[turn.len - 1]),
                      cfg_live_after(cfg, branch->parent));
}

void detect_branch(Detector *detector, Node *node) {
    Module *module = detector->module;
    switch ((NodeKind)node->kind) {
    case NODE_IF:
        if (!is_raising_guard(node) && !raises_otherwise(node) &&
            decides_on_data(module, node->u.branch.test)) {
            Finding *found = detector_add(detector, "GM101", node, node->start, node->u.branch.test->end,
                                          STR("a branch on tensor values"));
            if (found && detector->function->function->node->kind == NODE_FUNCTION_DEF)
                found->live_after = names_live_after(detector, node);
        }
        break;
    case NODE_WHILE:
        if (decides_on_data(module, node->u.branch.test))
            detector_add(detector, "GM102", node, node->start, node->u.branch.test->end,
                         STR("a loop on tensor values"));
        break;
    case NODE_IF_EXP:
        if (decides_on_data(module, node->u.if_exp.test))
            detector_add(detector, "GM103", node, node->u.if_exp.test->start, node->u.if_exp.test->end,
                         STR("a conditional expression on tensor values"));
        break;
    case NODE_BOOL_OP:
        if (is_whole_test(node) && !node_is(node->parent, NODE_BOOL_OP) &&
            decides_on_data(module, node->u.binary.left))
            detector_add(detector, "GM104", node, node->u.binary.left->start, node->u.binary.left->end,
                         STR("`and`/`or` decided by tensor values"));
        break;
    case NODE_MATCH: {
        Node *one = deciding_case(module, node);
        if (!one)
            break;
        const Node *last = one->u.match_case.guard ? one->u.match_case.guard : one->u.match_case.pattern;
        detector_add(detector, "GM106", one, one->start, last->end, STR("a match on tensor values"));
        break;
    }
    default:
        detect_truth(detector, node);
        break;
    }
}
