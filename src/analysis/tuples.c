// Which values are surely tuples, how long they are at least, and which of their items an expression takes.
//
//     outputs = (h, cache) + rest        a tuple of two items at least, if rest is one
//     outputs[2:]                        a tuple: its items are those of outputs from the third on
//     outputs = self.attention(x)        if every function that may be called returns tuples only
//
// Input: an expression. Output: a TupleShape; of an index or a target the set of items (a bit for each of the first 31, the
// last bit for all that follow). Tuples cannot be changed, so what holds of one holds as long as it lives. Names take all
// bindings together. What cannot be followed is no tuple.
#include "analysis/roots.h"

#include <stdlib.h>

enum { SHAPE_LONG = 0xFFFF }; // in a cycle: it adds no bound of its own
enum { BIT_DONE = 1 << 18, BIT_IS = 1 << 17, BIT_EXACT = 1 << 16 };

static const TupleShape no_tuple = {0};
static const TupleShape in_cycle = {.is = true, .least = SHAPE_LONG};

static TupleShape either_shape(TupleShape a, TupleShape b) {
    return (TupleShape){.is = a.is && b.is,
                        .exact = a.exact && b.exact && a.least == b.least,
                        .least = a.least < b.least ? a.least : b.least};
}

static TupleShape shape_of_display(const Node *tuple) {
    NodeList items = tuple->u.items.items;
    TupleShape shape = {.is = true, .exact = true};
    for (uint32_t i = 0; i < items.len; i++) {
        if (node_is(items.items[i], NODE_STARRED))
            shape.exact = false;
        else
            shape.least++;
    }
    return shape;
}

static TupleShape shape_of_binding(Module *module, const Node *binding) {
    const Node *statement = binding->parent;
    switch (node_is(binding, NODE_NAME) ? (NodeKind)statement->kind : NODE_MODULE) {
    case NODE_ASSIGN:
        return tuple_shape(module, statement->u.assign.value);
    case NODE_NAMED_EXPR:
        return tuple_shape(module, statement->u.named.value);
    case NODE_AUG_ASSIGN: // longer than before, if that was a tuple
        return statement->u.aug.op == OP_ADD ? in_cycle : no_tuple;
    default:
        return no_tuple;
    }
}

static TupleShape shape_of_name(Module *module, Node *name) {
    const Symbol *symbol = name->u.name.symbol;
    if (!symbol || !symbol->bindings.len || !scope_is_function(symbol->scope) || symbol->scope->is_dynamic)
        return no_tuple;
    TupleShape shape = shape_of_binding(module, symbol->bindings.items[0]);
    for (uint32_t i = 1; i < symbol->bindings.len && shape.is; i++)
        shape = either_shape(shape, shape_of_binding(module, symbol->bindings.items[i]));
    return shape;
}

static TupleShape shape_of_sum(TupleShape left, TupleShape right) {
    uint32_t least = left.least + right.least;
    return (TupleShape){.is = left.is && right.is,
                        .exact = left.exact && right.exact,
                        .least = least < SHAPE_LONG ? least : SHAPE_LONG};
}

// A whole number written out that is not negative.
static bool is_place(Module *module, const Node *node, uint32_t *place) {
    if (!node_is(node, NODE_CONSTANT) || node->u.constant.kind != CONST_INT)
        return false;
    char digits[8] = "", *end;
    Str text = node_text(module->unit->tree, node);
    if (text.len >= sizeof digits)
        return false;
    memcpy(digits, text.ptr, text.len);
    *place = (uint32_t)strtoul(digits, &end, 10);
    return !*end;
}

static bool is_range(Module *module, const Node *slice, uint32_t *from, uint32_t *to) {
    *from = 0;
    *to = UINT32_MAX;
    return node_is(slice, NODE_SLICE) && !slice->u.slice.step &&
           (!slice->u.slice.lower || is_place(module, slice->u.slice.lower, from)) &&
           (!slice->u.slice.upper || is_place(module, slice->u.slice.upper, to));
}

static TupleShape shape_of_slice(Module *module, TupleShape whole, const Node *slice) {
    uint32_t from, to;
    if (!is_range(module, slice, &from, &to) || whole.least == SHAPE_LONG)
        return (TupleShape){.is = whole.is};
    uint32_t least = whole.least < to ? whole.least : to;
    return (TupleShape){.is = whole.is, .exact = whole.exact, .least = least > from ? least - from : 0};
}

static bool returns_in(Module *module, Node *node, TupleShape *shape, bool *any) {
    if (node->kind == NODE_FUNCTION_DEF || node->kind == NODE_CLASS_DEF || node_is_expr(node))
        return true;
    if (node->kind == NODE_RETURN) {
        Node *value = node->u.value.value;
        if (!value || (node_is(value, NODE_CONSTANT) && value->u.constant.kind == CONST_NONE))
            return true; // None has no items
        TupleShape one = tuple_shape(module, value);
        *shape = *any ? either_shape(*shape, one) : one;
        *any = true;
        return shape->is;
    }
    for (ChildIter it = ast_children(node); ast_next(&it);)
        if (!returns_in(module, it.child, shape, any))
            return false;
    return true;
}

static TupleShape shape_returned(FuncInfo *func) {
    Node *def = func->function->node;
    if (!result_is_handed_on(func))
        return no_tuple;
    if (def->kind == NODE_LAMBDA)
        return tuple_shape(func->module, def->u.lambda.body);
    TupleShape shape = no_tuple;
    bool any = false;
    for (uint32_t i = 0; i < def->u.function.body.len; i++)
        if (!returns_in(func->module, def->u.function.body.items[i], &shape, &any))
            return no_tuple;
    return shape;
}

static TupleShape shape_of_call(Module *module, Node *call) {
    FuncInfo *targets[MAX_RESULT_TARGETS];
    Ref callee;
    uint32_t count = result_targets(module, call, targets, MAX_RESULT_TARGETS, &callee);
    TupleShape shape = count ? shape_returned(targets[0]) : no_tuple;
    for (uint32_t i = 1; i < count && shape.is; i++)
        shape = either_shape(shape, shape_returned(targets[i]));
    return shape;
}

static TupleShape shape_of_expr(Module *module, Node *expr) {
    switch ((NodeKind)expr->kind) {
    case NODE_TUPLE:
        return shape_of_display(expr);
    case NODE_NAME:
        return shape_of_name(module, expr);
    case NODE_BIN_OP:
        return expr->u.binary.op == OP_ADD ? shape_of_sum(tuple_shape(module, expr->u.binary.left),
                                                          tuple_shape(module, expr->u.binary.right))
                                           : no_tuple;
    case NODE_BOOL_OP:
        return either_shape(tuple_shape(module, expr->u.binary.left),
                            tuple_shape(module, expr->u.binary.right));
    case NODE_IF_EXP:
        return either_shape(tuple_shape(module, expr->u.if_exp.body),
                            tuple_shape(module, expr->u.if_exp.orelse));
    case NODE_NAMED_EXPR:
        return tuple_shape(module, expr->u.named.value);
    case NODE_SUBSCRIPT:
        return node_is(expr->u.subscript.index, NODE_SLICE)
                   ? shape_of_slice(module, tuple_shape(module, expr->u.subscript.value),
                                    expr->u.subscript.index)
                   : no_tuple;
    case NODE_CALL:
        return shape_of_call(module, expr);
    default:
        return no_tuple;
    }
}

static MemoValue compute_shape(Module *module, void *subject, Path path, void *context) {
    (void)path, (void)context;
    TupleShape shape = shape_of_expr(module, subject);
    return (MemoValue){.bits = BIT_DONE | (shape.is ? BIT_IS : 0u) | (shape.exact ? BIT_EXACT : 0u) |
                               (shape.least < SHAPE_LONG ? shape.least : SHAPE_LONG)};
}

TupleShape tuple_shape(Module *module, Node *expr) {
    if (expr->flags & (NODE_NEW | NODE_DIRTY))
        return no_tuple;
    uint32_t bits =
        memo(module, expr, ASPECT_TUPLE, (Path){0}, compute_shape, NULL, (MemoValue){.bits = BIT_DONE}).bits;
    if (!bits)
        return in_cycle;
    return (TupleShape){.is = bits & BIT_IS, .exact = bits & BIT_EXACT, .least = bits & SHAPE_LONG};
}

// ---------------------------------------------------------------- items

// The items of a tuple that are at the places `items` of it without its first `from` items.
uint32_t items_later(uint32_t items, uint32_t from) {
    if (from > ITEM_REST)
        from = ITEM_REST;
    uint64_t moved = (uint64_t)items << from;
    return (uint32_t)moved | (moved >> 32 || items & ITEM_BIT_REST ? ITEM_BIT_REST : 0);
}

// The other way round.
uint32_t items_earlier(uint32_t items, uint32_t from) {
    uint32_t moved = from > ITEM_REST ? 0 : items >> from;
    if (items & ITEM_BIT_REST)
        moved |= from >= ITEM_REST ? ALL_ITEMS : ~((ITEM_BIT_REST - 1u) >> from);
    return moved;
}

uint32_t items_below(uint32_t count) {
    return count > ITEM_REST ? ALL_ITEMS : (1u << count) - 1u;
}

uint32_t item_at(uint32_t place) {
    return 1u << (place < ITEM_REST ? place : ITEM_REST);
}

uint32_t items_of_index(Module *module, Node *index, uint32_t items) {
    uint32_t from, to;
    if (is_place(module, index, &from))
        return item_at(from);
    if (is_range(module, index, &from, &to))
        return items_later(items, from) & items_below(to);
    return ALL_ITEMS;
}
