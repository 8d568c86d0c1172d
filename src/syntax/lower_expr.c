// Lowering of expressions: names, constants, operators, and the dispatch to the other kinds.
//
// Where the grammar's idea of precedence differs from Python's, the tree is put right here: & and ^ (the grammar binds ^
// tighter), await against **, and a star before an operand (the grammar stars the first operand only).
#include "syntax/lower.h"

// ---------------------------------------------------------------- operators
static Op op_of(uint16_t cst) {
    switch (cst) {
    case TOK_PLUS:
        return OP_ADD;
    case TOK_MINUS:
        return OP_SUB;
    case TOK_STAR:
        return OP_MUL;
    case TOK_AT:
        return OP_MATMUL;
    case TOK_SLASH:
        return OP_DIV;
    case TOK_DOUBLE_SLASH:
        return OP_FLOORDIV;
    case TOK_PERCENT:
        return OP_MOD;
    case TOK_POWER:
        return OP_POW;
    case TOK_LSHIFT:
        return OP_LSHIFT;
    case TOK_RSHIFT:
        return OP_RSHIFT;
    case TOK_AMP:
        return OP_AND;
    case TOK_PIPE:
        return OP_OR;
    case TOK_CARET:
        return OP_XOR;
    case TOK_TILDE:
        return OP_INVERT;
    case TOK_AND:
        return OP_BOOL_AND;
    case TOK_OR:
        return OP_BOOL_OR;
    case TOK_NOT:
        return OP_NOT;
    case TOK_LT:
        return OP_LT;
    case TOK_LE:
        return OP_LE;
    case TOK_EQ:
        return OP_EQ;
    case TOK_NE:
        return OP_NE;
    case TOK_GE:
        return OP_GE;
    case TOK_GT:
        return OP_GT;
    case TOK_IN:
        return OP_IN;
    case TOK_NOT_IN:
        return OP_NOT_IN;
    case TOK_IS:
        return OP_IS;
    case TOK_IS_NOT:
        return OP_IS_NOT;
    default:
        return OP_NONE;
    }
}

static bool is_bare(const Node *node, NodeKind kind) {
    return node_is(node, kind) && !(node->flags & NODE_PARENS);
}

static bool is_bare_op(const Node *node, Op op) {
    return is_bare(node, NODE_BIN_OP) && node->u.binary.op == op;
}

// *a + b is read as (*a) + b: the star goes to the whole. first is node's leftmost operand slot.
static Node *hoist_star(Node *node, Node **first) {
    Node *star = *first;
    if (!is_bare(star, NODE_STARRED))
        return node;
    *first = star->u.value.value;
    node->start = (*first)->start;
    star->u.value.value = node;
    star->end = node->end;
    return star;
}

static Node *binary(Lower *l, NodeKind kind, Node *left, Op op, Node *right) {
    Node *node = lower_node(l, kind, left->start, right->end);
    node->u.binary.left = left;
    node->u.binary.right = right;
    node->u.binary.op = op;
    return hoist_star(node, &node->u.binary.left);
}

// left & right, where both may be ^ chains that the grammar bound tighter: a ^ b & c ^ d  ->  (a ^ (b & c)) ^ d
static Node *bit_and(Lower *l, Node *left, Node *right) {
    Node *first = right, *spine = NULL;
    for (; is_bare_op(first, OP_XOR); first = first->u.binary.left)
        spine = first;
    Node *joined;
    if (is_bare_op(left, OP_XOR)) {
        Node *inner = binary(l, NODE_BIN_OP, left->u.binary.right, OP_AND, first);
        joined = binary(l, NODE_BIN_OP, left->u.binary.left, OP_XOR, inner);
    } else {
        joined = binary(l, NODE_BIN_OP, left, OP_AND, first);
    }
    if (!spine)
        return joined;
    for (Node *at = right; at != spine; at = at->u.binary.left)
        at->start = joined->start;
    spine->start = joined->start;
    spine->u.binary.left = joined;
    return right;
}

static Node *lower_binary(Lower *l, NodeKind kind) {
    Cur c;
    Node *left = NULL, *right = NULL;
    Op op = OP_NONE;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        Op token = op_of(c.cst);
        if (token != OP_NONE)
            op = token;
        else if (!left)
            left = lower_expr(l, &c);
        else
            right = lower_expr(l, &c);
    }
    CHECK(left && right && op != OP_NONE);
    if (op == OP_AND)
        return bit_and(l, left, right);
    return binary(l, kind, left, op, right);
}

static Node *lower_unary(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_UNARY_OP, at->start, at->end);
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        Op token = op_of(c.cst);
        if (token == OP_NONE)
            node->u.unary.operand = lower_expr(l, &c);
        else
            node->u.unary.op = token == OP_ADD ? OP_UPLUS : token == OP_SUB ? OP_UMINUS : token;
    }
    return node;
}

static Node *lower_compare(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_COMPARE, at->start, at->end);
    enum { OPS_FIRST = 8 };
    Op few[OPS_FIRST];
    Op *ops = few;
    uint32_t count = 0, cap = OPS_FIRST, base = l->stack.len;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        Op token = op_of(c.cst);
        if (token == OP_NONE && c.cst == TOK_LTGT) {
            lower_report(l, c.start, "syntax error: <> is Python 2");
            token = OP_NE;
        }
        if (token == OP_NONE) {
            Node *operand = lower_expr(l, &c);
            if (!node->u.compare.left)
                node->u.compare.left = operand;
            else
                vec_push(&l->stack, operand);
            continue;
        }
        if (count == cap) {
            Op *larger = ARENA_ARRAY(l->arena, Op, cap * 2);
            memcpy(larger, ops, count * sizeof *ops);
            ops = larger;
            cap *= 2;
        }
        ops[count++] = token;
    }
    node->u.compare.comparators = lower_take(l, base);
    CHECK(node->u.compare.comparators.len == count);
    node->u.compare.ops = arena_dup(l->arena, ops, count * sizeof *ops);
    return hoist_star(node, &node->u.compare.left);
}

// y := a if c else d is read as (y := a) if c else d: the name gets the whole.
static Node *hoist_walrus(Node *node) {
    Node *walrus = node->u.if_exp.body;
    if (!is_bare(walrus, NODE_NAMED_EXPR))
        return node;
    node->u.if_exp.body = walrus->u.named.value;
    node->start = walrus->u.named.value->start;
    walrus->u.named.value = node;
    walrus->end = node->end;
    return walrus;
}

static Node *lower_if_exp(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_IF_EXP, at->start, at->end);
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (!ts_node_is_named(c.node))
            continue;
        Node *part = lower_expr(l, &c);
        if (!node->u.if_exp.body)
            node->u.if_exp.body = part;
        else if (!node->u.if_exp.test)
            node->u.if_exp.test = part;
        else
            node->u.if_exp.orelse = part;
    }
    Node *whole = hoist_walrus(node);
    return whole == node ? hoist_star(node, &node->u.if_exp.body) : whole;
}

// await a ** b is (await a) ** b; the grammar reads await (a ** b).
static Node *lower_await(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_AWAIT, at->start, at->end);
    Cur c;
    Node *value = NULL;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c))
        if (ts_node_is_named(c.node))
            value = lower_expr(l, &c);
    node->u.value.value = value;
    if (!is_bare_op(value, OP_POW))
        return node;
    node->u.value.value = value->u.binary.left;
    node->end = value->u.binary.left->end;
    value->start = node->start;
    value->u.binary.left = node;
    return value;
}

// ---------------------------------------------------------------- small forms
static Node *lower_constant(Lower *l, const Cur *c, ConstKind kind) {
    Node *node = lower_node(l, NODE_CONSTANT, c->start, c->end);
    char last = l->bytes[c->end - 1];
    if (kind == CONST_INT || kind == CONST_FLOAT) {
        bool hex = c->end - c->start > 1 && (l->bytes[c->start + 1] | 0x20) == 'x';
        if (!hex && (last == 'j' || last == 'J'))
            kind = CONST_IMAG;
        if (last == 'l' || last == 'L')
            lower_report(l, c->start, "syntax error: a long integer is Python 2");
    }
    node->u.constant.kind = kind;
    return node;
}

static Node *lower_attribute(Lower *l, const Cur *at) {
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
    return hoist_star(node, &node->u.attribute.value);
}

static Node *lower_named(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_NAMED_EXPR, at->start, at->end);
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (!ts_node_is_named(c.node))
            continue;
        if (!node->u.named.target)
            lower_mark(node->u.named.target = lower_expr(l, &c), NODE_STORE);
        else
            node->u.named.value = lower_expr(l, &c);
    }
    return node;
}

static Node *lower_lambda(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_LAMBDA, at->start, at->end);
    uint32_t after = at->start;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst == TOK_LAMBDA)
            after = c.end;
        else if (c.cst == CST_lambda_parameters)
            node->u.lambda.params = lower_params(l, &c);
        else if (ts_node_is_named(c.node))
            node->u.lambda.body = lower_expr(l, &c);
    }
    if (!node->u.lambda.params)
        node->u.lambda.params = lower_node(l, NODE_PARAMS, after, after);
    return node;
}

static Node *lower_star(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_STARRED, at->start, at->end);
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c))
        if (ts_node_is_named(c.node))
            node->u.value.value = lower_expr(l, &c);
    return node;
}

static Node *lower_yield(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_YIELD, at->start, at->end);
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst == TOK_FROM)
            node->kind = NODE_YIELD_FROM;
        else if (ts_node_is_named(c.node))
            node->u.value.value = lower_expr(l, &c);
    }
    return node;
}

Node *lower_sequence(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_TUPLE, at->start, at->end);
    uint32_t base = l->stack.len;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (!ts_node_is_named(c.node))
            continue;
        Node *item = lower_expr(l, &c);
        vec_push(&l->stack, item);
    }
    node->u.items.items = lower_take(l, base);
    return node;
}

void lower_mark(Node *target, uint16_t flag) {
    switch (target->kind) {
    case NODE_NAME:
    case NODE_ATTRIBUTE:
    case NODE_SUBSCRIPT:
        target->flags |= flag;
        break;
    case NODE_STARRED:
        target->flags |= flag;
        lower_mark(target->u.value.value, flag);
        break;
    case NODE_TUPLE:
    case NODE_LIST:
        target->flags |= flag;
        for (uint32_t i = 0; i < target->u.items.items.len; i++)
            lower_mark(target->u.items.items.items[i], flag);
        break;
    default:
        break;
    }
}

// ---------------------------------------------------------------- dispatch
static Node *lower_kind(Lower *l, const Cur *c) {
    switch (c->cst) {
    case CST_identifier: {
        Node *node = lower_node(l, NODE_NAME, c->start, c->end);
        node->u.name.name = lower_name(l, c->start, c->end);
        return node;
    }
    case CST_true:
        return lower_constant(l, c, CONST_TRUE);
    case CST_false:
        return lower_constant(l, c, CONST_FALSE);
    case CST_none:
        return lower_constant(l, c, CONST_NONE);
    case CST_ellipsis:
        return lower_constant(l, c, CONST_ELLIPSIS);
    case CST_integer:
        return lower_constant(l, c, CONST_INT);
    case CST_float:
        return lower_constant(l, c, CONST_FLOAT);
    case CST_string:
        return lower_string(l, c);
    case CST_concatenated_string:
        return lower_string_concat(l, c);
    case CST_attribute:
        return lower_attribute(l, c);
    case CST_call:
        return lower_call(l, c);
    case CST_subscript:
        return lower_subscript(l, c);
    case CST_binary_operator:
        return lower_binary(l, NODE_BIN_OP);
    case CST_boolean_operator:
        return lower_binary(l, NODE_BOOL_OP);
    case CST_unary_operator:
    case CST_not_operator:
        return lower_unary(l, c);
    case CST_comparison_operator:
        return lower_compare(l, c);
    case CST_conditional_expression:
        return lower_if_exp(l, c);
    case CST_lambda:
        return lower_lambda(l, c);
    case CST_named_expression:
        return lower_named(l, c);
    case CST_await:
        return lower_await(l, c);
    case CST_yield:
        return lower_yield(l, c);
    case CST_list_splat:
    case CST_list_splat_pattern:
        return lower_star(l, c);
    case CST_expression_list:
    case CST_pattern_list:
        return lower_sequence(l, c);
    case CST_type:
    case CST_generic_type:
    case CST_union_type:
    case CST_member_type:
    case CST_constrained_type:
    case CST_splat_type:
        return lower_type(l, c);
    case CST_parenthesized_expression:
    case CST_tuple:
    case CST_tuple_pattern:
    case CST_list:
    case CST_list_pattern:
    case CST_set:
    case CST_dictionary:
    case CST_list_comprehension:
    case CST_set_comprehension:
    case CST_dictionary_comprehension:
    case CST_generator_expression:
        return lower_display(l, c);
    default:
        return NULL;
    }
}

Node *lower_expr(Lower *l, const Cur *c) {
    Node *node = NULL;
    if (cur_has_error(l, c)) {
        cur_skip(l, c);
    } else if (lower_deeper(l, c)) {
        node = lower_kind(l, c);
        l->depth--;
        if (!node) { // such as `a as b` in parentheses: the grammar takes it, Python does not
            lower_report(l, c->start, "syntax error");
            cur_skip(l, c);
        }
    }
    return node ? node : lower_node(l, NODE_EXPR_ERROR, c->start, c->end);
}
