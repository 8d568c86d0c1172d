// Facts about values: what kinds of value an expression can have.
//
// Input: an expression of an analysed project. Output: a Fact. Sources, best first: constants and operators, torch's own
// tables, annotations, what __init__ stores in self, what resolved functions return, what callers pass, how a name is used,
// and last conventional parameter names. Anything that cannot be followed is KIND_ANY, never a guess.
//
// This file holds facts as values, operators and the dispatch by node kind; memo.c remembers, the other facts_*.c files
// hold the sources. Not thread-safe, as resolving names is not.
#include "analysis/facts_internal.h"

_Static_assert(KIND_TENSOR == 1 << 0 && KIND_BOOL == 1 << 2 && KIND_SEQUENCE == 1 << 7 &&
                   KIND_DTYPE == 1 << 10 && KIND_OBJECT == 1 << 12 && KIND_NDARRAY == 1 << 14 &&
                   KIND_OTHER == 1 << 15,
               "names.c lists the kinds in this order");

// ---------------------------------------------------------------- facts as values

Fact fact_make(uint32_t kinds, int confidence) {
    return (Fact){.kinds = (uint16_t)kinds, .rank = -1, .confidence = (uint8_t)confidence};
}

Fact fact_any(void) {
    return fact_make(KIND_ANY, 0);
}
Fact fact_tensor(int confidence) {
    return fact_make(KIND_TENSOR, confidence);
}

Fact fact_seq(uint32_t element, int confidence) {
    Fact fact = fact_make(KIND_SEQUENCE, confidence);
    fact.element = (uint16_t)element;
    return fact;
}

Fact fact_ref(uint32_t kinds, Ref ref, int confidence) {
    Fact fact = fact_make(kinds, confidence);
    fact.ref = ref;
    return fact;
}

static bool same_ref(Ref a, Ref b) {
    return a.kind == b.kind && a.name == b.name && a.module == b.module && a.cls == b.cls && a.func == b.func;
}

Fact fact_join(Fact a, Fact b) {
    if (!a.kinds)
        return b;
    if (!b.kinds)
        return a;
    Fact joined = fact_make(a.kinds | b.kinds, a.confidence < b.confidence ? a.confidence : b.confidence);
    bool none_a = a.kinds == KIND_NONE, none_b = b.kinds == KIND_NONE;
    bool holds_a = (a.kinds & (KIND_SEQUENCE | KIND_DICT)) != 0,
         holds_b = (b.kinds & (KIND_SEQUENCE | KIND_DICT)) != 0;
    if (holds_a && holds_b)
        joined.element = a.element && b.element ? a.element | b.element : 0;
    else
        joined.element = holds_a ? a.element : b.element;
    joined.dtype = none_a || a.dtype == b.dtype ? b.dtype : none_b ? a.dtype : DTYPE_UNKNOWN;
    joined.rank = none_a || a.rank == b.rank ? b.rank : none_b ? a.rank : (int8_t)-1;
    if (none_a || same_ref(a.ref, b.ref))
        joined.ref = b.ref;
    else if (none_b)
        joined.ref = a.ref;
    return joined;
}

bool is_named(Ref ref, RefKind kind, const char *name) {
    return ref.kind == kind && ref.name && strcmp(name_str(ref.name).ptr, name) == 0;
}

// ---------------------------------------------------------------- memoised

typedef struct FactTask {
    FactCompute *compute;
} FactTask;

static MemoValue run_fact(Module *module, void *subject, Path path, void *context) {
    return (MemoValue){.fact = ((FactTask *)context)->compute(module, subject, path)};
}

Fact facts_memo(Module *module, void *subject, uint32_t aspect, FactCompute *compute, Path path) {
    FactTask task = {compute};
    return memo(module, subject, aspect, path, run_fact, &task, (MemoValue){.fact = fact_any()}).fact;
}

// ---------------------------------------------------------------- operators

static bool tensor_or_bottom(Fact fact) {
    return is_tensor(fact) || !fact.kinds;
}

// A tensor or a number: sure of the tensor among them.
static bool is_data(Fact fact) {
    return fact.kinds & KIND_TENSOR &&
           kinds_only(fact.kinds, KIND_TENSOR | KIND_NUMBER | KIND_NONE | KIND_SCALAR_READ);
}

// A tensor operand makes the result a tensor; of what else the operands may be, the usual arithmetic.
Fact fact_binary(Fact left, Fact right, Op op) {
    if (is_tensor(left) || is_tensor(right)) {
        bool both = tensor_or_bottom(left) && tensor_or_bottom(right);
        int confidence = is_tensor(left) ? left.confidence : right.confidence;
        if (both && left.kinds && right.kinds)
            confidence = left.confidence > right.confidence ? left.confidence : right.confidence;
        Fact fact = fact_tensor(confidence);
        bool bitwise = op == OP_AND || op == OP_OR || op == OP_XOR;
        if (bitwise && left.dtype == DTYPE_BOOL && right.dtype == DTYPE_BOOL)
            fact.dtype = DTYPE_BOOL;
        else if (left.dtype == DTYPE_FLOAT || right.dtype == DTYPE_FLOAT || op == OP_DIV)
            fact.dtype = DTYPE_FLOAT;
        return fact;
    }
    if (!left.kinds || !right.kinds)
        return (Fact){0};
    // What is certainly no tensor and counts with one is a number.
    if (left.kinds == KIND_STATIC && is_data(right))
        left.kinds = KIND_NUMBER;
    if (right.kinds == KIND_STATIC && is_data(left))
        right.kinds = KIND_NUMBER;
    uint32_t kinds = left.kinds | right.kinds;
    int confidence = left.confidence < right.confidence ? left.confidence : right.confidence;
    if (left.kinds == KIND_ANY || right.kinds == KIND_ANY)
        return fact_any();
    if (left.kinds & KIND_STR && op == OP_MOD)
        return fact_make(KIND_STR, confidence);
    if ((left.kinds | right.kinds) & (KIND_SEQUENCE | KIND_DICT)) {
        Fact joined = fact_join(left, right);
        joined.kinds &= (uint16_t)~(KIND_NUMBER | KIND_NONE);
        return joined;
    }
    if (kinds & KIND_NDARRAY && kinds_only(kinds, KIND_NDARRAY | KIND_NUMBER))
        return fact_make(KIND_NDARRAY, confidence);
    if (kinds & KIND_TENSOR)
        return fact_make(kinds & ~(uint32_t)KIND_NONE, confidence);
    if (kinds & KIND_SCALAR_READ)
        return fact_make(left.kinds == KIND_SCALAR_READ || right.kinds == KIND_SCALAR_READ ? KIND_SCALAR_READ
                                                                                           : kinds,
                         confidence);
    if (kinds_only(kinds, KIND_NUMBER)) {
        bool real = op == OP_DIV || kinds & KIND_FLOAT;
        return fact_make(real ? KIND_FLOAT | (kinds & KIND_INT && op != OP_DIV ? KIND_INT : 0) : KIND_INT,
                         confidence);
    }
    return fact_make(kinds, confidence);
}

static Fact unary_fact(Module *module, Node *node) {
    if (node->u.unary.op == OP_NOT) {
        switch (predicate_value(module, node->u.unary.operand)) {
        case PRED_STATIC:
            return fact_make(KIND_BOOL, 3);
        case PRED_DATA:
            return fact_make(KIND_SCALAR_READ, 3);
        default:
            return fact_make(KIND_BOOL | KIND_SCALAR_READ, 0);
        }
    }
    Fact fact = fact_value(module, node->u.unary.operand);
    if (fact.kinds == KIND_BOOL)
        fact.kinds = KIND_INT;
    return fact;
}

// Equal to text, a dtype, a device, None or a class: Python compares objects, no tensor is read.
static bool plain_comparand(Fact fact) {
    return kinds_only(fact.kinds, KIND_STR | KIND_DTYPE | KIND_DEVICE | KIND_NONE | KIND_CALLABLE);
}

static Fact one_comparison(Fact left, Op op, Fact right, Fact items) {
    Fact boolean = fact_make(KIND_BOOL, 3), read = fact_make(KIND_SCALAR_READ, 3);
    if (op == OP_IS || op == OP_IS_NOT)
        return boolean;
    if (op == OP_IN || op == OP_NOT_IN) {
        if (is_tensor(right) || (is_tensor(left) && !kinds_only(right.kinds, KIND_DICT | KIND_STR)))
            return read;
        if (left.kinds & KIND_SCALAR_READ && left.kinds != KIND_ANY && !(left.kinds & KIND_TENSOR))
            return read;
        return is_tensor(items) ? read : boolean;
    }
    if (!left.kinds || !right.kinds)
        return is_tensor(left) || is_tensor(right) ? fact_tensor(2) : (Fact){0};
    if (plain_comparand(left) || plain_comparand(right))
        return boolean;
    if (is_tensor(left) || is_tensor(right)) {
        Fact fact = fact_tensor(is_tensor(left) ? left.confidence : right.confidence);
        fact.dtype = DTYPE_BOOL;
        return fact;
    }
    uint32_t kinds = left.kinds | right.kinds;
    if (kinds == KIND_ANY)
        return fact_any();
    const uint32_t arrays = KIND_TENSOR | KIND_NDARRAY;
    if (kinds_only(left.kinds, arrays) || kinds_only(right.kinds, arrays))
        return fact_make(kinds & arrays, 2);
    if (kinds & (KIND_TENSOR | KIND_NDARRAY))
        return fact_make(KIND_BOOL | (kinds & (KIND_TENSOR | KIND_NDARRAY | KIND_SCALAR_READ)), 1);
    if (left.kinds == KIND_SCALAR_READ || right.kinds == KIND_SCALAR_READ)
        return read;
    if (kinds & KIND_SCALAR_READ)
        return fact_make(KIND_BOOL | KIND_SCALAR_READ, 1);
    if (kinds & KIND_SEQUENCE && (left.element | right.element) & KIND_TENSOR &&
        (left.element | right.element) != KIND_ANY)
        return read;
    return boolean;
}

static Fact compare_fact(Module *module, Node *node) {
    Fact left = fact_value(module, node->u.compare.left), result = {0};
    uint32_t count = node->u.compare.comparators.len;
    for (uint32_t i = 0; i < count; i++) {
        Node *comparator = node->u.compare.comparators.items[i];
        Op op = node->u.compare.ops[i];
        Fact right = fact_value(module, comparator), items = {0};
        if ((op == OP_IN || op == OP_NOT_IN) && right.kinds & KIND_SEQUENCE && right.kinds != KIND_ANY)
            items = fact_items_of(right);
        Fact one = one_comparison(left, op, right, items);
        // a < b < c asks for the truth of a < b.
        if (count > 1 && i + 1 < count && is_tensor(one))
            one.kinds = KIND_SCALAR_READ;
        result = fact_join(result, one);
        left = right;
    }
    return result;
}

static Fact display_fact(Module *module, Node *node) {
    uint32_t element = 0;
    for (uint32_t i = 0; i < node->u.items.items.len; i++) {
        Node *item = node->u.items.items.items[i];
        Node *value = node_is(item, NODE_DICT_ITEM) ? item->u.dict_item.value : item;
        Fact fact = node_is(value, NODE_STARRED) ? fact_items_of(fact_value(module, value->u.value.value))
                                                 : fact_value(module, value);
        element |= fact.kinds;
    }
    Fact fact = fact_make(node_is(node, NODE_DICT) ? KIND_DICT : KIND_SEQUENCE, 3);
    fact.element = (uint16_t)element;
    return fact;
}

static Fact comprehension_fact(Module *module, Node *node) {
    bool is_dict = node_is(node, NODE_DICT_COMP);
    Fact element = fact_value(module, is_dict ? node->u.comp.value : node->u.comp.element);
    Fact fact = fact_make(is_dict ? KIND_DICT : KIND_SEQUENCE, 3);
    fact.element = element.kinds;
    return fact;
}

static Fact constant_fact(const Node *node) {
    switch (node->u.constant.kind) {
    case CONST_INT:
        return fact_make(KIND_INT, 3);
    case CONST_FLOAT:
        return fact_make(KIND_FLOAT, 3);
    case CONST_STR:
    case CONST_BYTES:
        return fact_make(KIND_STR, 3);
    case CONST_TRUE:
    case CONST_FALSE:
        return fact_make(KIND_BOOL, 3);
    case CONST_NONE:
        return fact_make(KIND_NONE, 3);
    default:
        return fact_make(KIND_OTHER, 3);
    }
}

static Fact bool_op_fact(Module *module, Node *node) {
    Fact left = fact_value(module, node->u.binary.left), right = fact_value(module, node->u.binary.right);
    if (node->u.binary.op == OP_BOOL_OR && left.kinds != KIND_ANY && left.kinds != KIND_NONE)
        left.kinds &= (uint16_t)~KIND_NONE;
    return left.kinds == KIND_NONE && node->u.binary.op == OP_BOOL_OR ? right : fact_join(left, right);
}

static Fact compute_value(Module *module, void *subject, Path path) {
    Node *node = subject;
    (void)path;
    switch ((NodeKind)node->kind) {
    case NODE_NAME:
        return fact_name(module, node);
    case NODE_ATTRIBUTE:
        return fact_attribute(module, node);
    case NODE_SUBSCRIPT:
        return fact_subscript(module, node);
    case NODE_CALL:
        return fact_call(module, node, (Path){0});
    case NODE_BIN_OP:
        return fact_binary(fact_value(module, node->u.binary.left), fact_value(module, node->u.binary.right),
                           node->u.binary.op);
    case NODE_BOOL_OP:
        return bool_op_fact(module, node);
    case NODE_UNARY_OP:
        return unary_fact(module, node);
    case NODE_COMPARE:
        return compare_fact(module, node);
    case NODE_IF_EXP: {
        int truth = query_truth(module, node->u.if_exp.test);
        Fact body = truth >= 0 ? fact_value(module, node->u.if_exp.body) : (Fact){0};
        return truth > 0 ? body : fact_join(body, fact_value(module, node->u.if_exp.orelse));
    }
    case NODE_TUPLE:
    case NODE_LIST:
    case NODE_SET:
    case NODE_DICT:
        return display_fact(module, node);
    case NODE_LIST_COMP:
    case NODE_SET_COMP:
    case NODE_DICT_COMP:
    case NODE_GENERATOR_EXP:
        return comprehension_fact(module, node);
    case NODE_NAMED_EXPR:
        return fact_value(module, node->u.named.value);
    case NODE_STARRED:
        return fact_value(module, node->u.value.value);
    case NODE_LAMBDA:
        return fact_make(KIND_CALLABLE, 3);
    case NODE_SLICE:
        return fact_make(KIND_OTHER, 3);
    default:
        return fact_any();
    }
}

Fact fact_value(Module *module, Node *expr) {
    if (!expr)
        return fact_any();
    if (expr->kind == NODE_CONSTANT)
        return constant_fact(expr);
    if (expr->kind == NODE_STR_CONCAT || expr->kind == NODE_FSTRING)
        return fact_make(KIND_STR, 3);
    if (expr->flags & NODE_NEW && expr->kind == NODE_TEXT)
        return fact_any();
    return facts_memo(module, expr, ASPECT_VALUE, compute_value, (Path){0});
}

Fact fact_of(Module *module, Node *expr) {
    memo_begin(module);
    Fact fact = fact_value(module, expr);
    return fact.kinds ? fact : fact_any();
}

Predicate predicate_of(Module *module, Node *test) {
    memo_begin(module);
    Predicate predicate = predicate_value(module, test);
    return predicate;
}
