// Lowering of match patterns. Every pattern is a PATTERN whose items are its sub-patterns, the values it compares with
// (plain expressions) and the NAMEs it binds (NODE_STORE); a wildcard has none.
//
//   case Point(x=0, y=v) | [1, *rest] as p if g:
//     PATTERN[PATTERN[PATTERN[NAME Point, PATTERN[PATTERN[0]], PATTERN[PATTERN[v]]], PATTERN[...]], NAME p]
//
// The grammar inlines simple patterns into their parents, so a sign and its number are two siblings here.
#include "syntax/lower.h"

static Node *new_pattern(Lower *l, const Cur *at) {
    return lower_node(l, NODE_PATTERN, at->start, at->end);
}

static Node *pattern_of(Lower *l, Node *item) {
    Node *pattern = lower_node(l, NODE_PATTERN, item->start, item->end);
    pattern->u.pattern.items = ast_list(l->arena, 1, &item);
    return pattern;
}

static Node *name_node(Lower *l, const Cur *c, uint16_t flags) {
    Node *node = lower_node(l, NODE_NAME, c->start, c->end);
    node->u.name.name = lower_name(l, c->start, c->end);
    node->flags = flags;
    return node;
}

// a.b.c as an expression: the cursor is at the dotted_name
static Node *lower_dotted(Lower *l) {
    Node *node = NULL;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst != CST_identifier)
            continue;
        if (!node) {
            node = name_node(l, &c, 0);
            continue;
        }
        Node *outer = lower_node(l, NODE_ATTRIBUTE, node->start, c.end);
        outer->u.attribute.value = node;
        outer->u.attribute.attr = lower_name(l, c.start, c.end);
        node = outer;
    }
    CHECK(node != NULL);
    return node;
}

static bool is_wildcard(Lower *l, const Cur *c) {
    return c->end - c->start == 1 && l->bytes[c->start] == '_';
}

// A name alone binds, a dotted one is compared with.
static Node *lower_name_pattern(Lower *l, const Cur *c) {
    Node *value = lower_dotted(l);
    if (!node_is(value, NODE_NAME))
        return pattern_of(l, value);
    if (is_wildcard(l, c))
        return new_pattern(l, c);
    value->flags |= NODE_STORE;
    return pattern_of(l, value);
}

static Node *negative(Lower *l, uint32_t minus, Node *number) {
    Node *node = lower_node(l, NODE_UNARY_OP, minus, number->end);
    node->u.unary.op = OP_UMINUS;
    node->u.unary.operand = number;
    return node;
}

// -1 + 2j: the cursor is at the complex_pattern
static Node *lower_complex(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_BIN_OP, at->start, at->end);
    uint32_t minus = UINT32_MAX;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst == TOK_MINUS && !node->u.binary.left)
            minus = c.start;
        else if (c.cst == TOK_MINUS)
            node->u.binary.op = OP_SUB;
        else if (c.cst == TOK_PLUS)
            node->u.binary.op = OP_ADD;
        else if (node->u.binary.left)
            node->u.binary.right = lower_expr(l, &c);
        else
            node->u.binary.left = lower_expr(l, &c);
        if (node->u.binary.left && minus != UINT32_MAX) {
            node->u.binary.left = negative(l, minus, node->u.binary.left);
            minus = UINT32_MAX;
        }
    }
    return node;
}

static Node *lower_splat_pattern(Lower *l, const Cur *at) {
    Node *node = new_pattern(l, at);
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst != CST_identifier || is_wildcard(l, &c))
            continue;
        Node *name = name_node(l, &c, NODE_STORE);
        node->u.pattern.items = ast_list(l->arena, 1, &name);
    }
    return node;
}

// Pushes what one child of a pattern stands for; a minus waits in *minus for its number.
static void push_part(Lower *l, const Cur *parent, const Cur *c, uint32_t *minus) {
    Node *part = NULL;
    if (c->cst == TOK_MINUS)
        *minus = c->start;
    else if (c->cst == TOK_UNDERSCORE)
        part = new_pattern(l, c);
    else if (c->cst == CST_identifier && parent->cst == CST_as_pattern)
        part = name_node(l, c, NODE_STORE);
    else if (c->cst == CST_dotted_name && parent->cst == CST_class_pattern)
        part = lower_dotted(l);
    else if (ts_node_is_named(c->node) && c->cst != CST_identifier)
        part = lower_pattern(l, c);
    if (!part)
        return;
    if (*minus != UINT32_MAX) {
        part = pattern_of(l, negative(l, *minus, part->u.pattern.items.items[0]));
        *minus = UINT32_MAX;
    }
    bool key = parent->cst == CST_dict_pattern && c->cst != CST_case_pattern && c->cst != CST_splat_pattern;
    if (key && part->kind == NODE_PATTERN && part->u.pattern.items.len == 1)
        part = part->u.pattern.items.items[0];
    vec_push(&l->stack, part);
}

static Node *lower_parts(Lower *l, const Cur *at) {
    Node *node = new_pattern(l, at);
    uint32_t base = l->stack.len, minus = UINT32_MAX;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c))
        push_part(l, at, &c, &minus);
    node->u.pattern.items = lower_take(l, base);
    return node;
}

Node *lower_pattern(Lower *l, const Cur *c) {
    switch (c->cst) {
    case CST_case_pattern:
        return lower_case_pattern(l, c);
    case CST_as_pattern:
    case CST_keyword_pattern:
    case CST_class_pattern:
    case CST_union_pattern:
    case CST_list_pattern:
    case CST_dict_pattern:
    case CST_tuple_pattern:
        return lower_parts(l, c);
    case CST_splat_pattern:
        return lower_splat_pattern(l, c);
    case CST_complex_pattern:
        return pattern_of(l, lower_complex(l, c));
    case CST_dotted_name:
        return lower_name_pattern(l, c);
    default:
        return pattern_of(l, lower_expr(l, c));
    }
}

// A case_pattern is a wrapper: with one part it is that part.
Node *lower_case_pattern(Lower *l, const Cur *c) {
    if (cur_has_error(l, c) || !lower_deeper(l, c)) {
        cur_skip(l, c);
        return new_pattern(l, c);
    }
    Node *node = lower_parts(l, c);
    l->depth--;
    NodeList items = node->u.pattern.items;
    return items.len == 1 && node_is(items.items[0], NODE_PATTERN) ? items.items[0] : node;
}
