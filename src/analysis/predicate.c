// Whether the truth of a test needs the values of a tensor, and whether an expression reads a tensor as a Python object.
//
//     mask is not None and mask.any()   data (its first operand is static: `static and data`)
//     x.shape[0] > 4 or self.training   static
//     self.act(x)                       unknown, unless what self.act returns is known
#include "analysis/facts_internal.h"

enum { MAX_TEST_DEPTH = 200 };

Predicate predicate_of_fact(Fact fact) {
    // Dynamo traces NumPy's arrays as tensors.
    if (!fact.kinds || fact.kinds == KIND_ANY)
        return PRED_UNKNOWN;
    if (!(fact.kinds & (KIND_TENSOR | KIND_SCALAR_READ | KIND_NDARRAY)))
        return PRED_STATIC;
    return kinds_only(fact.kinds, KIND_TENSOR | KIND_SCALAR_READ | KIND_NDARRAY | KIND_NONE) ? PRED_DATA
                                                                                             : PRED_UNKNOWN;
}

static Predicate worst(Predicate a, Predicate b) {
    if (a == PRED_DATA || b == PRED_DATA)
        return PRED_DATA;
    return a == PRED_UNKNOWN || b == PRED_UNKNOWN ? PRED_UNKNOWN : PRED_STATIC;
}

static Predicate predicate_at(Module *module, Node *test, int depth) {
    if (!test || depth > MAX_TEST_DEPTH)
        return PRED_UNKNOWN;
    switch ((NodeKind)test->kind) {
    case NODE_BOOL_OP:
        if (query_truth(module, test)) // `not is_compiling() and x.any()` never gets to x
            return PRED_STATIC;
        return worst(predicate_at(module, test->u.binary.left, depth + 1),
                     predicate_at(module, test->u.binary.right, depth + 1));
    case NODE_UNARY_OP:
        if (test->u.unary.op == OP_NOT)
            return predicate_at(module, test->u.unary.operand, depth + 1);
        break;
    case NODE_IF_EXP: {
        int truth = query_truth(module, test->u.if_exp.test);
        if (truth)
            return predicate_at(module, truth > 0 ? test->u.if_exp.body : test->u.if_exp.orelse, depth + 1);
        Predicate arms = worst(predicate_at(module, test->u.if_exp.body, depth + 1),
                               predicate_at(module, test->u.if_exp.orelse, depth + 1));
        return worst(arms, predicate_at(module, test->u.if_exp.test, depth + 1));
    }
    case NODE_NAMED_EXPR:
        return predicate_at(module, test->u.named.value, depth + 1);
    default:
        break;
    }
    return predicate_of_fact(fact_value(module, test));
}

Predicate predicate_value(Module *module, Node *test) {
    return predicate_at(module, test, 0);
}

// ---------------------------------------------------------------- reads

bool call_reads_tensor(Module *module, Node *call) {
    Fact fact = fact_of(module, call);
    Node *func = call->u.call.func;
    if (node_is(func, NODE_ATTRIBUTE)) {
        Name method = func->u.attribute.attr;
        bool reads = method == NAME_OF("item") || method == NAME_OF("tolist") || method == NAME_OF("numpy");
        if (reads && fact_of(module, func->u.attribute.value).kinds & KIND_TENSOR)
            return true;
    }
    if (!kinds_only(fact.kinds, KIND_SCALAR_READ))
        return false;
    // int(n) of a number that was read before reads nothing again.
    for (uint32_t i = 0; i < call->u.call.args.len; i++)
        if (fact_of(module, call->u.call.args.items[i]).kinds & KIND_TENSOR)
            return true;
    return node_is(func, NODE_ATTRIBUTE) && is_tensor(fact_of(module, func->u.attribute.value));
}

static bool reads_at(Module *module, Node *node, int depth) {
    if (depth > MAX_TEST_DEPTH)
        return true;
    if (node->kind == NODE_LAMBDA)
        return false;
    if (node->kind == NODE_CALL && call_reads_tensor(module, node))
        return true;
    if (node->kind == NODE_FORMATTED_VALUE && is_tensor(fact_of(module, node->u.formatted.value)))
        return true;
    for (ChildIter it = ast_children(node); ast_next(&it);)
        if (reads_at(module, it.child, depth + 1))
            return true;
    return false;
}

bool expr_reads_tensor(Module *module, Node *expr) {
    return expr && reads_at(module, expr, 0);
}
