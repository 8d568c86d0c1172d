// Lowering of what stands in brackets: parentheses, displays, comprehensions, calls and subscripts.
#include "syntax/lower.h"

// Lowers the named children and pushes them; *comma: the last comma's end, 0 if there was none.
static NodeList lower_items(Lower *l, uint32_t *comma) {
    uint32_t base = l->stack.len;
    *comma = 0;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst == TOK_COMMA)
            *comma = c.end;
        if (!ts_node_is_named(c.node))
            continue;
        Node *item = lower_expr(l, &c);
        vec_push(&l->stack, item);
    }
    return lower_take(l, base);
}

static Node *in_parens(Node *inner, const Cur *at) {
    inner->start = at->start;
    inner->end = at->end;
    inner->flags |= NODE_PARENS;
    return inner;
}

// (a, b), and what the grammar also calls tuple: (a), (*a)
static Node *lower_tuple(Lower *l, const Cur *at) {
    uint32_t comma;
    NodeList items = lower_items(l, &comma);
    if (items.len == 1 && !comma)
        return in_parens(items.items[0], at);
    Node *node = lower_node(l, NODE_TUPLE, at->start, at->end);
    node->flags = NODE_PARENS;
    node->u.items.items = items;
    return node;
}

static Node *lower_list(Lower *l, const Cur *at, NodeKind kind) {
    uint32_t comma;
    Node *node = lower_node(l, kind, at->start, at->end);
    node->u.items.items = lower_items(l, &comma);
    return node;
}

// ---------------------------------------------------------------- dictionaries
static Node *lower_pair(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_DICT_ITEM, at->start, at->end);
    bool splat = at->cst == CST_dictionary_splat;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (!ts_node_is_named(c.node))
            continue;
        Node *part = lower_expr(l, &c);
        if (!splat && !node->u.dict_item.key)
            node->u.dict_item.key = part;
        else
            node->u.dict_item.value = part;
    }
    return node;
}

static Node *lower_dict(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_DICT, at->start, at->end);
    uint32_t base = l->stack.len;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst != CST_pair && c.cst != CST_dictionary_splat)
            continue;
        Node *item = lower_pair(l, &c);
        vec_push(&l->stack, item);
    }
    node->u.items.items = lower_take(l, base);
    return node;
}

// ---------------------------------------------------------------- comprehensions
static Node *lower_clause(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_COMPREHENSION, at->start, at->end);
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst == TOK_ASYNC)
            node->flags |= NODE_ASYNC;
        if (!ts_node_is_named(c.node))
            continue;
        Node *part = lower_expr(l, &c);
        if (!node->u.comprehension.target)
            lower_mark(node->u.comprehension.target = part, NODE_STORE);
        else if (!node->u.comprehension.iter)
            node->u.comprehension.iter = part;
        else
            lower_report(l, c.start, "syntax error: an iterable without parentheses is Python 2");
    }
    return node;
}

static Node *lower_condition(Lower *l) {
    Node *test = NULL;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c))
        if (ts_node_is_named(c.node))
            test = lower_expr(l, &c);
    return test;
}

// Closes the clause on top of the stack below its conditions: [..., clause, if, if] -> [..., clause]
static void close_clause(Lower *l, Node *clause, uint32_t ifs) {
    if (!clause)
        return;
    clause->u.comprehension.ifs = lower_take(l, ifs);
    clause->end = lower_end(clause->u.comprehension.ifs, clause->end);
}

static Node *lower_comprehension(Lower *l, const Cur *at, NodeKind kind) {
    Node *node = lower_node(l, kind, at->start, at->end);
    if (kind == NODE_GENERATOR_EXP)
        node->flags = NODE_PARENS;
    uint32_t base = l->stack.len, ifs = base;
    Node *clause = NULL;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst == CST_for_in_clause) {
            close_clause(l, clause, ifs);
            clause = lower_clause(l, &c);
            vec_push(&l->stack, clause);
            ifs = l->stack.len;
        } else if (c.cst == CST_if_clause) {
            Node *test = lower_condition(l);
            vec_push(&l->stack, test);
        } else if (c.cst == CST_pair) {
            Node *pair = lower_pair(l, &c);
            node->u.comp.element = pair->u.dict_item.key;
            node->u.comp.value = pair->u.dict_item.value;
        } else if (ts_node_is_named(c.node)) {
            node->u.comp.element = lower_expr(l, &c);
        }
    }
    close_clause(l, clause, ifs);
    node->u.comp.clauses = lower_take(l, base);
    return node;
}

Node *lower_display(Lower *l, const Cur *at) {
    switch (at->cst) {
    case CST_parenthesized_expression:
    case CST_tuple:
    case CST_tuple_pattern:
        return lower_tuple(l, at);
    case CST_list:
    case CST_list_pattern:
        return lower_list(l, at, NODE_LIST);
    case CST_set:
        return lower_list(l, at, NODE_SET);
    case CST_dictionary:
        return lower_dict(l, at);
    case CST_list_comprehension:
        return lower_comprehension(l, at, NODE_LIST_COMP);
    case CST_set_comprehension:
        return lower_comprehension(l, at, NODE_SET_COMP);
    case CST_dictionary_comprehension:
        return lower_comprehension(l, at, NODE_DICT_COMP);
    default:
        return lower_comprehension(l, at, NODE_GENERATOR_EXP);
    }
}

// ---------------------------------------------------------------- calls
static Node *lower_arg(Lower *l, const Cur *at) {
    if (at->cst != CST_keyword_argument && at->cst != CST_dictionary_splat)
        return lower_expr(l, at);
    Node *node = lower_node(l, NODE_KEYWORD, at->start, at->end);
    bool named = at->cst == CST_keyword_argument;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (!ts_node_is_named(c.node))
            continue;
        if (named && !node->u.keyword.name)
            node->u.keyword.name = lower_name(l, c.start, c.end);
        else
            node->u.keyword.value = lower_expr(l, &c);
    }
    return node;
}

NodeList lower_args(Lower *l) {
    uint32_t base = l->stack.len;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (!ts_node_is_named(c.node))
            continue;
        Node *arg = lower_arg(l, &c);
        vec_push(&l->stack, arg);
    }
    return lower_take(l, base);
}

Node *lower_call(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_CALL, at->start, at->end);
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (!node->u.call.func) {
            node->u.call.func = lower_expr(l, &c);
        } else if (c.cst == CST_argument_list) {
            node->u.call.args = lower_args(l);
        } else if (c.cst == CST_generator_expression) {
            Node *generator = lower_expr(l, &c);
            node->u.call.args = ast_list(l->arena, 1, &generator);
        }
    }
    Node *func = node->u.call.func;
    if (!node_is(func, NODE_STARRED) || (func->flags & NODE_PARENS))
        return node;
    node->u.call.func = func->u.value.value; // *f(x) is read as (*f)(x)
    node->start = node->u.call.func->start;
    func->u.value.value = node;
    func->end = node->end;
    return func;
}

// ---------------------------------------------------------------- subscripts
static Node *lower_slice(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_SLICE, at->start, at->end);
    Node **part = &node->u.slice.lower;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (ts_node_is_named(c.node))
            *part = lower_expr(l, &c);
        else if (c.cst == TOK_COLON)
            part = part == &node->u.slice.lower ? &node->u.slice.upper : &node->u.slice.step;
    }
    return node;
}

Node *lower_subscript(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_SUBSCRIPT, at->start, at->end);
    uint32_t base = l->stack.len, comma = 0;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst == TOK_COMMA)
            comma = c.end;
        if (!ts_node_is_named(c.node))
            continue;
        Node *part = c.cst == CST_slice ? lower_slice(l, &c) : lower_expr(l, &c);
        if (!node->u.subscript.value)
            node->u.subscript.value = part;
        else
            vec_push(&l->stack, part);
    }
    node->u.subscript.index = lower_index(l, lower_take(l, base), comma);
    Node *value = node->u.subscript.value;
    if (!node_is(value, NODE_STARRED) || (value->flags & NODE_PARENS))
        return node;
    node->u.subscript.value = value->u.value.value;
    node->start = node->u.subscript.value->start;
    value->u.value.value = node;
    value->end = node->end;
    return value;
}

Node *lower_index(Lower *l, NodeList items, uint32_t comma) {
    CHECK(items.len > 0);
    Node *first = items.items[0];
    bool star = node_is(first, NODE_STARRED) && !(first->flags & NODE_PARENS);
    if (items.len == 1 && !comma && !star)
        return first;
    uint32_t end = lower_end(items, first->end);
    Node *tuple = lower_node(l, NODE_TUPLE, first->start, comma > end ? comma : end);
    tuple->u.items.items = items;
    return tuple;
}
