// Lowering of string literals: plain, bytes, f-strings with their nested format fields, and adjacent literals.
//
// A plain string is one CONSTANT, its pieces are not entered. An f-string lists its replacement fields only; the text
// between them is what the span says.
#include "syntax/lower.h"

static bool has_prefix_letter(Lower *l, const Cur *start, char letter) {
    for (uint32_t i = start->start; i < start->end; i++)
        if ((l->bytes[i] | 0x20) == letter)
            return true;
    return false;
}

static void count_quote(Lower *l, const Cur *start) {
    bool triple = start->end - start->start >= 3 && l->bytes[start->end - 3] == l->bytes[start->end - 1];
    if (!triple)
        l->quotes[l->bytes[start->end - 1] == '\'']++;
}

static Node *lower_interpolation(Lower *l, const Cur *at);

static NodeList lower_spec(Lower *l) {
    uint32_t base = l->stack.len;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst != CST_format_expression && c.cst != CST_interpolation)
            continue;
        Node *field = lower_interpolation(l, &c);
        vec_push(&l->stack, field);
    }
    return lower_take(l, base);
}

// f"{x:=5}" pads x to 5 columns; the grammar reads a walrus. Only a parenthesised walrus is one.
static void undo_walrus(Node *node) {
    Node *value = node->u.formatted.value;
    if (!node_is(value, NODE_NAMED_EXPR) || (value->flags & NODE_PARENS))
        return;
    node->u.formatted.value = value->u.named.target;
    node->u.formatted.value->flags &= (uint16_t)~NODE_STORE;
}

static Node *lower_interpolation(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_FORMATTED_VALUE, at->start, at->end);
    if (!lower_deeper(l, at)) {
        node->u.formatted.value = lower_node(l, NODE_EXPR_ERROR, at->start, at->end);
        return node;
    }
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst == TOK_ASSIGN)
            node->u.formatted.debug = true;
        else if (c.cst == CST_type_conversion)
            node->u.formatted.conversion = l->bytes[c.end - 1];
        else if (c.cst == CST_format_specifier)
            node->u.formatted.spec = lower_spec(l);
        else if (ts_node_is_named(c.node))
            node->u.formatted.value = lower_expr(l, &c);
    }
    if (!node->u.formatted.value)
        node->u.formatted.value = lower_node(l, NODE_EXPR_ERROR, at->start, at->end);
    undo_walrus(node);
    l->depth--;
    return node;
}

Node *lower_string(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_FSTRING, at->start, at->end);
    bool formatted = false, bytes = false;
    uint32_t base = l->stack.len;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst == CST_string_start) {
            count_quote(l, &c);
            bytes = has_prefix_letter(l, &c, 'b');
            formatted = has_prefix_letter(l, &c, 'f');
        } else if (c.cst == CST_interpolation) {
            Node *field = lower_interpolation(l, &c);
            vec_push(&l->stack, field);
        }
    }
    NodeList fields = lower_take(l, base);
    if (formatted) {
        node->u.items.items = fields;
    } else {
        node->kind = NODE_CONSTANT;
        node->u.constant.kind = bytes ? CONST_BYTES : CONST_STR;
    }
    return node;
}

Node *lower_string_concat(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_STR_CONCAT, at->start, at->end);
    uint32_t base = l->stack.len;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst != CST_string)
            continue;
        Node *part = lower_string(l, &c);
        vec_push(&l->stack, part);
    }
    node->u.items.items = lower_take(l, base);
    return node;
}
