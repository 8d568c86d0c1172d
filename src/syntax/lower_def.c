// Lowering of def and class, decorated or not. A syntax error that no inner def or class has taken makes the node
// NODE_OPAQUE. Declines (NULL) when name, parameters or body were lost.
#include "syntax/lower.h"

static Node *lower_function(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_FUNCTION_DEF, at->start, at->end);
    node->u.function.def_start = at->start;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst == TOK_ASYNC)
            node->flags |= NODE_ASYNC;
        else if (c.cst == CST_parameters)
            node->u.function.params = lower_params(l, &c);
        else if (c.cst == CST_type_parameter)
            node->u.function.type_params = lower_type_params(l);
        else if (c.cst == CST_block)
            node->u.function.body = lower_suite(l);
        else if (!ts_node_is_named(c.node))
            continue;
        else if (!node->u.function.name && c.cst == CST_identifier)
            node->u.function.name = lower_name(l, c.start, c.end);
        else
            node->u.function.returns = lower_expr(l, &c);
    }
    node->end = lower_end(node->u.function.body, node->end);
    return node->u.function.name && node->u.function.params && node->u.function.body.len ? node : NULL;
}

static Node *lower_class(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_CLASS_DEF, at->start, at->end);
    node->u.cls.def_start = at->start;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst == CST_argument_list)
            node->u.cls.args = lower_args(l);
        else if (c.cst == CST_type_parameter)
            node->u.cls.type_params = lower_type_params(l);
        else if (c.cst == CST_block)
            node->u.cls.body = lower_suite(l);
        else if (c.cst == CST_identifier)
            node->u.cls.name = lower_name(l, c.start, c.end);
    }
    node->end = lower_end(node->u.cls.body, node->end);
    return node->u.cls.name && node->u.cls.body.len ? node : NULL;
}

static Node *lower_bare_def(Lower *l, const Cur *at) {
    return at->cst == CST_class_definition ? lower_class(l, at) : lower_function(l, at);
}

static Node *lower_decorator(Lower *l) {
    Node *node = NULL;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c))
        if (ts_node_is_named(c.node))
            node = lower_expr(l, &c);
    return node;
}

static Node *lower_decorated(Lower *l, const Cur *at) {
    Node *node = NULL;
    uint32_t base = l->stack.len;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst == CST_decorator) {
            Node *decorator = lower_decorator(l);
            if (decorator)
                vec_push(&l->stack, decorator);
        } else if (c.cst == CST_class_definition || c.cst == CST_function_definition) {
            NodeList decorators = lower_take(l, base);
            node = lower_bare_def(l, &c);
            if (!node)
                continue;
            if (node->kind == NODE_CLASS_DEF)
                node->u.cls.decorators = decorators;
            else
                node->u.function.decorators = decorators;
            node->start = at->start;
        }
    }
    l->stack.len = base;
    return node;
}

Node *lower_def(Lower *l, const Cur *at) {
    bool outer = l->broken;
    l->broken = false;
    Node *node = at->cst == CST_decorated_definition ? lower_decorated(l, at) : lower_bare_def(l, at);
    if (!node) { // the caller's STMT_ERROR: whatever encloses it is broken
        l->broken = true;
        return NULL;
    }
    if (l->broken)
        node->flags |= NODE_OPAQUE;
    l->broken = outer;
    return node;
}
