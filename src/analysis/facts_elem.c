// Facts about parts of values: x[i], items that a loop visits, positions of an unpacked tuple.
//
// Input: an expression and a path of positions. Where the expression is written out (a display, enumerate(xs), zip(a, b),
// d.items()), is a name with such a value, or calls a function that returns a tuple, the position is followed; elsewhere the
// fact of the whole says what any item is.
#include "analysis/facts_internal.h"

enum { MAX_ITEM_DEPTH = 40 };

static Path tail(Path path) {
    Path rest = {.len = (uint8_t)(path.len - 1)};
    memcpy(rest.at, path.at + 1, rest.len);
    return rest;
}

Fact fact_items_of(Fact base) {
    if (!base.kinds)
        return base;
    if (is_tensor(base)) {
        Fact fact = fact_tensor(base.confidence);
        fact.dtype = base.dtype;
        return fact;
    }
    if (base.ref.kind == REF_LIST && base.ref.element)
        return fact_of_ref(*base.ref.element);
    if (kinds_only(base.kinds, KIND_SEQUENCE | KIND_DICT | KIND_NONE)) {
        if (base.element && base.element != KIND_ANY)
            return fact_make(base.element, base.confidence);
        return fact_any();
    }
    if (kinds_only(base.kinds, KIND_STR))
        return fact_make(KIND_STR, base.confidence);
    if (kinds_only(base.kinds, KIND_TENSOR | KIND_SEQUENCE | KIND_NONE) &&
        kinds_only(base.element, KIND_TENSOR))
        return fact_tensor(base.confidence);
    if (base.kinds == KIND_NDARRAY)
        return fact_make(KIND_NDARRAY, base.confidence);
    if (base.kinds == KIND_STATIC)
        return fact_make(KIND_STATIC, 1);
    return fact_any();
}

static Fact items_along(Fact fact, Path path) {
    for (uint32_t i = 0; i < path.len; i++)
        fact = fact_items_of(fact);
    return fact;
}

static Fact display_item(Module *module, Node *display, Path path) {
    NodeList items = display->u.items.items;
    int at = path.at[0];
    bool starred = false;
    for (uint32_t i = 0; i < items.len; i++)
        starred |= node_is(items.items[i], NODE_STARRED);
    if (at >= 0 && !starred && (uint32_t)at < items.len)
        return path.len == 1 ? fact_value(module, items.items[at])
                             : fact_item(module, items.items[at], tail(path));
    Fact fact = {0};
    for (uint32_t i = 0; i < items.len; i++) {
        Node *item = items.items[i];
        Fact one = node_is(item, NODE_STARRED) ? fact_item(module, item->u.value.value, path)
                   : path.len == 1             ? fact_value(module, item)
                                               : fact_item(module, item, tail(path));
        fact = fact_join(fact, one);
    }
    return fact;
}

// What a loop over enumerate(...), zip(...), range(...), d.items() gives: path[0] is the turn, path[1] the place in the pair.
static Fact iteration_item(Module *module, Node *call, Path path, bool *decided) {
    Ref callee = resolve_expr(module, call->u.call.func);
    NodeList args = call->u.call.args;
    *decided = true;
    Path rest = tail(path);
    if (callee.kind == REF_BUILTIN && args.len) {
        Str name = name_str(callee.name);
        if (str_eq(name, STR("enumerate")) && rest.len) {
            if (rest.at[0] == 0)
                return fact_make(KIND_INT, 3);
            rest.at[0] = ANY_ITEM;
            return fact_item(module, args.items[0], rest);
        }
        if (str_eq(name, STR("zip")) && rest.len && rest.at[0] >= 0 && (uint32_t)rest.at[0] < args.len) {
            Node *arg = args.items[rest.at[0]];
            rest.at[0] = ANY_ITEM;
            return node_is(arg, NODE_STARRED) ? fact_any() : fact_item(module, arg, rest);
        }
        bool same = str_eq(name, STR("reversed")) || str_eq(name, STR("sorted")) ||
                    str_eq(name, STR("list")) || str_eq(name, STR("tuple")) || str_eq(name, STR("iter")) ||
                    str_eq(name, STR("set"));
        if (same) {
            path.at[0] = ANY_ITEM;
            return fact_item(module, args.items[0], path);
        }
    }
    Node *func = call->u.call.func;
    if (node_is(func, NODE_ATTRIBUTE) && rest.len && func->u.attribute.attr == NAME_OF("items")) {
        if (rest.at[0] == 0)
            return fact_make(KIND_STATIC, 1);
        return items_along(fact_items_of(fact_value(module, func->u.attribute.value)), tail(rest));
    }
    static const char *const pairs[] = {"named_parameters", "named_buffers"};
    for (size_t i = 0; node_is(func, NODE_ATTRIBUTE) && rest.len && i < 2; i++)
        if (str_eq(name_str(func->u.attribute.attr), str_of(pairs[i])))
            return rest.at[0] == 0 ? fact_make(KIND_STR, 3) : fact_tensor(3);
    *decided = false;
    return fact_any();
}

static Fact compute_item(Module *module, void *subject, Path path) {
    Node *expr = subject;
    bool decided;
    switch ((NodeKind)expr->kind) {
    case NODE_TUPLE:
    case NODE_LIST:
    case NODE_SET:
        return display_item(module, expr, path);
    case NODE_IF_EXP:
        return fact_join(fact_item(module, expr->u.if_exp.body, path),
                         fact_item(module, expr->u.if_exp.orelse, path));
    case NODE_NAMED_EXPR:
        return fact_item(module, expr->u.named.value, path);
    case NODE_LIST_COMP:
    case NODE_GENERATOR_EXP:
    case NODE_SET_COMP:
        return path.len == 1 ? fact_value(module, expr->u.comp.element)
                             : fact_item(module, expr->u.comp.element, tail(path));
    case NODE_NAME: {
        Fact fact = fact_name_item(module, expr, path);
        return fact.kinds == KIND_ANY ? items_along(fact_value(module, expr), path) : fact;
    }
    case NODE_CALL: {
        Fact fact = iteration_item(module, expr, path, &decided);
        return decided ? fact : fact_call(module, expr, path);
    }
    case NODE_BIN_OP: // [(h, w)] * n
        if (expr->u.binary.op == OP_MUL &&
            (node_is(expr->u.binary.left, NODE_LIST) || node_is(expr->u.binary.left, NODE_TUPLE))) {
            path.at[0] = ANY_ITEM;
            return fact_item(module, expr->u.binary.left, path);
        }
        return items_along(fact_value(module, expr), path);
    default:
        return items_along(fact_value(module, expr), path);
    }
}

Fact fact_item(Module *module, Node *expr, Path path) {
    if (!expr)
        return fact_any();
    if (!path.len)
        return fact_value(module, expr);
    return facts_memo(module, expr, ASPECT_VALUE, compute_item, path);
}

// ---------------------------------------------------------------- x[i]

static bool constant_index(Module *module, const Node *index, int *value) {
    bool negative = node_is(index, NODE_UNARY_OP) && index->u.unary.op == OP_UMINUS;
    const Node *number = negative ? index->u.unary.operand : index;
    if (!node_is(number, NODE_CONSTANT) || number->u.constant.kind != CONST_INT)
        return false;
    Str text = node_text(module->unit->tree, number);
    if (text.len > 2 || negative)
        return false;
    *value = 0;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] < '0' || text.ptr[i] > '9')
            return false;
        *value = *value * 10 + (text.ptr[i] - '0');
    }
    return true;
}

Fact fact_subscript(Module *module, Node *subscript) {
    Node *value = subscript->u.subscript.value, *index = subscript->u.subscript.index;
    Fact base = fact_value(module, value);
    if (is_tensor(base)) {
        Fact fact = fact_tensor(base.confidence);
        fact.dtype = base.dtype;
        return fact;
    }
    int at;
    if (base.kinds & KIND_SEQUENCE && base.kinds != KIND_ANY) {
        if (node_is(index, NODE_SLICE))
            return base;
        Fact fact = fact_item(module, value, path_of(constant_index(module, index, &at) ? at : ANY_ITEM));
        if (fact.kinds != KIND_ANY)
            return fact;
    } else if (node_is(value, NODE_CALL) && constant_index(module, index, &at)) {
        Fact fact = fact_item(module, value, path_of(at));
        if (fact.kinds != KIND_ANY)
            return fact;
    }
    Fact fact = fact_items_of(base);
    if (fact.kinds != KIND_ANY)
        return fact;
    return fact_of_ref(resolve_expr(module, subscript));
}
