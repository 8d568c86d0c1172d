// Whether running an expression reads tensor values here and now, as Dynamo sees it in its default mode.
//
// A number that was read by an earlier statement is a Python number to what follows: the graph ended where it was read.
// So `if n > 3` is no break for n = x.max().item(), but `if x.max().item() > 3` is one, and so is `if x.max() > 3`.
#include "detect/detect_internal.h"

enum { MAX_DEPTH = 200 };
enum { ARRAYS = KIND_TENSOR | KIND_NDARRAY, NUMBERS = KIND_BOOL | KIND_INT | KIND_FLOAT };

static bool only(uint32_t kinds, uint32_t allowed) {
    return kinds && !(kinds & ~allowed);
}

bool fact_is_array(Fact fact) {
    return fact.kinds & ARRAYS && only(fact.kinds, ARRAYS | KIND_NONE);
}

bool is_array(Module *module, Node *expr) {
    return fact_is_array(fact_of(module, expr));
}

// ---------------------------------------------------------------- a tensor where a number is wanted

static bool kinds_are_number_read(uint32_t kinds, int confidence) {
    if (!(kinds & ARRAYS) || kinds == KIND_ANY)
        return false;
    return only(kinds, ARRAYS | KIND_NONE) ||
           (confidence >= 2 && only(kinds, ARRAYS | KIND_NONE | NUMBERS | KIND_SCALAR_READ));
}

static bool is_number_read(Module *module, Node *expr, bool deep, int depth) {
    if (!expr || depth > MAX_DEPTH)
        return false;
    if (node_is(expr, NODE_STARRED))
        return deep && is_number_read(module, expr->u.value.value, true, depth + 1);
    if (deep && (node_is(expr, NODE_TUPLE) || node_is(expr, NODE_LIST))) {
        for (uint32_t i = 0; i < expr->u.items.items.len; i++)
            if (is_number_read(module, expr->u.items.items.items[i], true, depth + 1))
                return true;
        return false;
    }
    Fact fact = fact_of(module, expr);
    if (deep && fact.kinds & KIND_SEQUENCE &&
        only(fact.kinds, KIND_SEQUENCE | KIND_NONE | NUMBERS | KIND_TENSOR))
        return kinds_are_number_read(fact.element, fact.confidence);
    return kinds_are_number_read(fact.kinds, fact.confidence);
}

bool tensor_as_number(Module *module, Node *expr) {
    return is_number_read(module, expr, false, 0);
}
bool tensor_in_numbers(Module *module, Node *expr) {
    return is_number_read(module, expr, true, 0);
}

// ---------------------------------------------------------------- reads that an expression makes

bool is_builtin_call(Module *module, const Node *node, const char *name) {
    if (!node_is(node, NODE_CALL) || !node_is(node->u.call.func, NODE_NAME) ||
        node->u.call.func->u.name.name != intern(str_of(name)))
        return false;
    Ref ref = resolve_expr(module, node->u.call.func);
    return ref.kind == REF_BUILTIN && str_eq(name_str(ref.name), str_of(name));
}

// any(xs) or all(xs) of tensors, and comparisons that ask for the truth of tensors: x in t, a < t < b.
bool asks_for_truth(Module *module, Node *node) {
    if (is_builtin_call(module, node, "any") || is_builtin_call(module, node, "all"))
        return only(fact_of(module, node).kinds, KIND_SCALAR_READ);
    if (!node_is(node, NODE_COMPARE) || !(fact_of(module, node).kinds & KIND_SCALAR_READ) ||
        !only(fact_of(module, node).kinds, KIND_SCALAR_READ | KIND_TENSOR))
        return false;
    bool tensors = is_array(module, node->u.compare.left);
    for (uint32_t i = 0; i < node->u.compare.comparators.len; i++) {
        Fact fact = fact_of(module, node->u.compare.comparators.items[i]);
        tensors =
            tensors || fact_is_array(fact) || (fact.kinds & KIND_SEQUENCE && fact.element & KIND_TENSOR);
    }
    return tensors;
}

static bool reads_below(Module *module, Node *node, int depth) {
    if (depth > MAX_DEPTH || node_is(node, NODE_LAMBDA))
        return false;
    if ((node_is(node, NODE_CALL) && call_reads_tensor(module, node)) || asks_for_truth(module, node))
        return true;
    for (ChildIter it = ast_children(node); ast_next(&it);)
        if (reads_below(module, it.child, depth + 1))
            return true;
    return false;
}

bool reads_here(Module *module, Node *expr) {
    return expr && reads_below(module, expr, 0);
}

static bool decides_at(Module *module, Node *test, int depth) {
    if (!test || depth > MAX_DEPTH)
        return false;
    switch ((NodeKind)test->kind) {
    case NODE_BOOL_OP:
        return decides_at(module, test->u.binary.left, depth + 1) ||
               decides_at(module, test->u.binary.right, depth + 1);
    case NODE_UNARY_OP:
        if (test->u.unary.op == OP_NOT)
            return decides_at(module, test->u.unary.operand, depth + 1);
        break;
    case NODE_IF_EXP:
        return decides_at(module, test->u.if_exp.test, depth + 1) ||
               decides_at(module, test->u.if_exp.body, depth + 1) ||
               decides_at(module, test->u.if_exp.orelse, depth + 1);
    case NODE_NAMED_EXPR:
        return decides_at(module, test->u.named.value, depth + 1);
    default:
        break;
    }
    if (predicate_of(module, test) != PRED_DATA)
        return false;
    return fact_of(module, test).kinds & ARRAYS || reads_here(module, test);
}

bool decides_on_data(Module *module, Node *test) {
    return predicate_of(module, test) == PRED_DATA && decides_at(module, test, 0);
}
