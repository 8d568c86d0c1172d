// Lowering of annotations. The grammar has nodes of its own for them (generic_type, union_type ...); Python has none, so
// they become the ordinary expressions they are: List[int] a SUBSCRIPT, a | b a BIN_OP, *Ts a STARRED.
#include "syntax/lower.h"

static Node *lower_only(Lower *l, const Cur *at) {
    Node *node = NULL;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c))
        node = lower_expr(l, &c);
    return node ? node : lower_node(l, NODE_EXPR_ERROR, at->start, at->end);
}

static Node *lower_star(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_STARRED, at->start, at->end);
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c))
        if (ts_node_is_named(c.node))
            node->u.value.value = lower_expr(l, &c);
    return node;
}

// a : b inside the brackets of an annotation: a slice
static Node *lower_colon(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_SLICE, at->start, at->end);
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (!ts_node_is_named(c.node))
            continue;
        if (!node->u.slice.lower)
            node->u.slice.lower = lower_expr(l, &c);
        else
            node->u.slice.upper = lower_expr(l, &c);
    }
    return node;
}

// The grammar nests A[x] | b | c to the right.
static Node *to_left(Node *node) {
    Node *right = node->u.binary.right, *spine = NULL;
    for (Node *at = right; node_is(at, NODE_BIN_OP) && at->u.binary.op == OP_OR && !(at->flags & NODE_PARENS);
         at = at->u.binary.left) {
        at->start = node->start;
        spine = at;
    }
    if (!spine)
        return node;
    node->u.binary.right = spine->u.binary.left;
    node->end = node->u.binary.right->end;
    spine->u.binary.left = node;
    return right;
}

static Node *lower_union(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_BIN_OP, at->start, at->end);
    node->u.binary.op = OP_OR;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (!ts_node_is_named(c.node))
            continue;
        if (!node->u.binary.left)
            node->u.binary.left = lower_expr(l, &c);
        else
            node->u.binary.right = lower_expr(l, &c);
    }
    return to_left(node);
}

static Node *lower_member(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_ATTRIBUTE, at->start, at->end);
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (!ts_node_is_named(c.node))
            continue;
        if (!node->u.attribute.value)
            node->u.attribute.value = lower_expr(l, &c);
        else
            node->u.attribute.attr = lower_name(l, c.start, c.end);
    }
    return node;
}

static Node *lower_index_types(Lower *l) {
    uint32_t base = l->stack.len, comma = 0;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst == TOK_COMMA)
            comma = c.end;
        if (!ts_node_is_named(c.node))
            continue;
        Node *item = lower_expr(l, &c);
        vec_push(&l->stack, item);
    }
    return lower_index(l, lower_take(l, base), comma);
}

static Node *lower_generic(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_SUBSCRIPT, at->start, at->end);
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst == CST_type_parameter)
            node->u.subscript.index = lower_index_types(l);
        else
            node->u.subscript.value = lower_expr(l, &c);
    }
    return node;
}

Node *lower_type(Lower *l, const Cur *at) {
    switch (at->cst) {
    case CST_generic_type:
        return lower_generic(l, at);
    case CST_union_type:
        return lower_union(l, at);
    case CST_member_type:
        return lower_member(l, at);
    case CST_constrained_type:
        return lower_colon(l, at);
    case CST_splat_type:
        return lower_star(l, at);
    default:
        return lower_only(l, at);
    }
}
