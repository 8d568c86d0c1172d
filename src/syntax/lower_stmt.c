// Lowering of suites and simple statements.
//
// Errors: a simple statement that holds one becomes STMT_ERROR as a whole; l->broken tells the enclosing def or class
// (lower_def.c) or module-level statement (here) that it is opaque.
#include "syntax/lower.h"

static void set_value(Lower *l, Node *node) {
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c))
        if (ts_node_is_named(c.node))
            node->u.value.value = lower_expr(l, &c);
}

// ---------------------------------------------------------------- assignment
// Pushes the targets of a = b = value; returns the value.
static Node *lower_chain(Lower *l, const Cur *at) {
    Node *value = NULL;
    bool first = true;
    if (!lower_deeper(l, at))
        return lower_node(l, NODE_EXPR_ERROR, at->start, at->end);
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (!ts_node_is_named(c.node))
            continue;
        if (first) {
            Node *target = lower_expr(l, &c);
            lower_mark(target, NODE_STORE);
            vec_push(&l->stack, target);
            first = false;
        } else if (c.cst == CST_type) {
            lower_report(l, c.start, "syntax error: an annotation in a chained assignment");
            cur_skip(l, &c);
        } else {
            value = c.cst == CST_assignment ? lower_chain(l, &c) : lower_expr(l, &c);
        }
    }
    l->depth--;
    return value ? value : lower_node(l, NODE_EXPR_ERROR, at->start, at->end);
}

static Node *lower_annotated(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_ANN_ASSIGN, at->start, at->end);
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (!ts_node_is_named(c.node))
            continue;
        if (!node->u.ann.target)
            lower_mark(node->u.ann.target = lower_expr(l, &c), NODE_STORE);
        else if (!node->u.ann.annotation)
            node->u.ann.annotation = lower_expr(l, &c);
        else
            node->u.ann.value = lower_expr(l, &c);
    }
    return node;
}

static bool is_annotated(const Cur *at) {
    TSNode second = ts_node_child_by_field_name(at->node, "type", 4);
    return !ts_node_is_null(second);
}

static Node *lower_assignment(Lower *l, const Cur *at) {
    if (is_annotated(at))
        return lower_annotated(l, at);
    Node *node = lower_node(l, NODE_ASSIGN, at->start, at->end);
    uint32_t base = l->stack.len;
    node->u.assign.value = lower_chain(l, at);
    node->u.assign.targets = lower_take(l, base);
    return node;
}

static Op aug_op(uint16_t cst) {
    switch (cst) {
    case TOK_PLUS_EQ:
        return OP_ADD;
    case TOK_MINUS_EQ:
        return OP_SUB;
    case TOK_STAR_EQ:
        return OP_MUL;
    case TOK_SLASH_EQ:
        return OP_DIV;
    case TOK_AT_EQ:
        return OP_MATMUL;
    case TOK_DOUBLE_SLASH_EQ:
        return OP_FLOORDIV;
    case TOK_PERCENT_EQ:
        return OP_MOD;
    case TOK_POWER_EQ:
        return OP_POW;
    case TOK_RSHIFT_EQ:
        return OP_RSHIFT;
    case TOK_LSHIFT_EQ:
        return OP_LSHIFT;
    case TOK_AMP_EQ:
        return OP_AND;
    case TOK_CARET_EQ:
        return OP_XOR;
    case TOK_PIPE_EQ:
        return OP_OR;
    default:
        return OP_NONE;
    }
}

static Node *lower_augmented(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_AUG_ASSIGN, at->start, at->end);
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        Op op = aug_op(c.cst);
        if (op != OP_NONE)
            node->u.aug.op = op;
        else if (!node->u.aug.target)
            lower_mark(node->u.aug.target = lower_expr(l, &c), NODE_STORE);
        else
            node->u.aug.value = lower_expr(l, &c);
    }
    return node;
}

// An expression, a, b without parentheses, an assignment, a yield.
static Node *lower_expression_statement(Lower *l, const Cur *at) {
    uint32_t base = l->stack.len, comma = 0;
    Node *assignment = NULL;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst == TOK_COMMA)
            comma = c.end;
        if (c.cst == CST_assignment) {
            assignment = lower_assignment(l, &c);
        } else if (c.cst == CST_augmented_assignment) {
            assignment = lower_augmented(l, &c);
        } else if (ts_node_is_named(c.node)) {
            Node *item = lower_expr(l, &c);
            vec_push(&l->stack, item);
        }
    }
    NodeList items = lower_take(l, base);
    if (assignment)
        return assignment;
    Node *node = lower_node(l, NODE_EXPR_STMT, at->start, at->end);
    CHECK(items.len > 0);
    node->u.value.value = items.items[0];
    if (items.len > 1 || comma) {
        Node *tuple = lower_node(l, NODE_TUPLE, at->start, at->end);
        tuple->u.items.items = items;
        node->u.value.value = tuple;
    }
    return node;
}

// ---------------------------------------------------------------- the other simple statements
static Node *lower_delete(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_DELETE, at->start, at->end);
    set_value(l, node);
    Node *what = node->u.value.value;
    CHECK(what != NULL);
    lower_mark(what, NODE_DEL);
    bool bare = what->kind == NODE_TUPLE && !(what->flags & NODE_PARENS);
    node->u.items.items = bare ? what->u.items.items : ast_list(l->arena, 1, &what);
    return node;
}

static Node *lower_raise(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_RAISE, at->start, at->end);
    bool from = false;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst == TOK_FROM)
            from = true;
        if (!ts_node_is_named(c.node))
            continue;
        if (c.cst == CST_expression_list)
            lower_report(l, c.start, "syntax error: raise with a comma is Python 2");
        if (from)
            node->u.raise.cause = lower_expr(l, &c);
        else
            node->u.raise.exc = lower_expr(l, &c);
    }
    return node;
}

static Node *lower_assert(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_ASSERT, at->start, at->end);
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (!ts_node_is_named(c.node))
            continue;
        Node *part = lower_expr(l, &c);
        if (!node->u.assert_.test)
            node->u.assert_.test = part;
        else if (!node->u.assert_.msg)
            node->u.assert_.msg = part;
        else
            lower_report(l, c.start, "syntax error: assert takes two expressions");
    }
    return node;
}

static Node *lower_names(Lower *l, const Cur *at, NodeKind kind) {
    Node *node = lower_node(l, kind, at->start, at->end);
    uint32_t base = l->stack.len;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst != CST_identifier)
            continue;
        Node *name = lower_expr(l, &c);
        vec_push(&l->stack, name);
    }
    node->u.items.items = lower_take(l, base);
    return node;
}

// What is in the parentheses, which become a call's. Parentheses further in stay: of ((x)).
static NodeList call_args_of(Lower *l, Node *inside) {
    uint32_t from = inside->start + 1, to = inside->end - 1;
    while (from < to && strchr(" \t", l->bytes[from]))
        from++;
    while (to > from && strchr(" \t", l->bytes[to - 1]))
        to--;
    ChildIter first = ast_children(inside);
    bool doubled = l->bytes[from] == '(' && (!ast_next(&first) || first.child->start > from);
    if (inside->kind == NODE_TUPLE && !doubled)
        return inside->u.items.items;
    if (to <= from || memchr(l->bytes + from, '\n', to - from))
        return (NodeList){0};
    if (inside->kind != NODE_GENERATOR_EXP || doubled) { // whose parentheses are the call's anyway
        inside->start = from;
        inside->end = to;
        if (!doubled)
            inside->flags &= (uint16_t)~NODE_PARENS;
    }
    return ast_list(l->arena, 1, &inside);
}

// type(x).y = value, which the grammar reads as an alias named (x).y: puts the call back. `left` is (x).y.
static bool undo_alias(Lower *l, Node *alias, Node *left) {
    Node **slot = &left;
    Name type = NAME_OF("type");
    while (!((*slot)->flags & NODE_PARENS)) { // down to x: what is in its parentheses is left alone
        (*slot)->start = alias->start;
        if (node_is(*slot, NODE_ATTRIBUTE))
            slot = &(*slot)->u.attribute.value;
        else if (node_is(*slot, NODE_SUBSCRIPT))
            slot = &(*slot)->u.subscript.value;
        else if (node_is(*slot, NODE_CALL))
            slot = &(*slot)->u.call.func;
        else
            break;
    }
    Node *inside = *slot;
    if (!(inside->flags & NODE_PARENS) || inside == left || !alias->u.ann.value)
        return false;
    Node *call = lower_node(l, NODE_CALL, alias->start, inside->end);
    call->u.call.func = lower_node(l, NODE_NAME, alias->start, alias->start + 4);
    call->u.call.func->u.name.name = type;
    call->u.call.args = call_args_of(l, inside);
    if (call->u.call.args.len == 0)
        return false;
    *slot = call;
    lower_mark(left, NODE_STORE);
    alias->kind = NODE_ASSIGN;
    Node *value = alias->u.ann.value;
    _Static_assert(sizeof alias->u.assign <= sizeof alias->u.ann, "it has room for that");
    alias->u.assign.targets = ast_list(l->arena, 1, &left);
    alias->u.assign.value = value;
    return true;
}

// type X[T] = value: target NAME X; the type parameters, if any, are a PARAMS in `annotation`.
static Node *lower_type_alias(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_TYPE_ALIAS, at->start, at->end);
    Cur c, part, inner;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst != CST_type)
            continue;
        if (node->u.ann.target) {
            node->u.ann.value = lower_expr(l, &c);
            continue;
        }
        for (bool left = cur_first(l, &part); left; left = cur_next(l, &part)) {
            if (part.cst != CST_generic_type) {
                node->u.ann.target = lower_expr(l, &part);
                continue;
            }
            for (bool generic = cur_first(l, &inner); generic; generic = cur_next(l, &inner)) {
                if (inner.cst != CST_type_parameter) {
                    node->u.ann.target = lower_expr(l, &inner);
                    continue;
                }
                node->u.ann.annotation = lower_node(l, NODE_PARAMS, inner.start, inner.end);
                node->u.ann.annotation->u.items.items = lower_type_params(l);
            }
        }
    }
    if (node_is(node->u.ann.target, NODE_NAME))
        lower_mark(node->u.ann.target, NODE_STORE);
    else if (!node->u.ann.target || !undo_alias(l, node, node->u.ann.target))
        lower_report(l, at->start, "syntax error: not a type name");
    return node;
}

static Node *lower_value_statement(Lower *l, const Cur *at, NodeKind kind) {
    Node *node = lower_node(l, kind, at->start, at->end);
    set_value(l, node);
    return node;
}

static Node *lower_simple(Lower *l, const Cur *c) {
    switch (c->cst) {
    case CST_expression_statement:
        return lower_expression_statement(l, c);
    case CST_return_statement:
        return lower_value_statement(l, c, NODE_RETURN);
    case CST_assert_statement:
        return lower_assert(l, c);
    case CST_delete_statement:
        return lower_delete(l, c);
    case CST_raise_statement:
        return lower_raise(l, c);
    case CST_pass_statement:
        return lower_node(l, NODE_PASS, c->start, c->end);
    case CST_break_statement:
        return lower_node(l, NODE_BREAK, c->start, c->end);
    case CST_continue_statement:
        return lower_node(l, NODE_CONTINUE, c->start, c->end);
    case CST_global_statement:
        return lower_names(l, c, NODE_GLOBAL);
    case CST_nonlocal_statement:
        return lower_names(l, c, NODE_NONLOCAL);
    case CST_type_alias_statement:
        return lower_type_alias(l, c);
    case CST_import_statement:
    case CST_future_import_statement:
    case CST_import_from_statement:
        return lower_import(l, c);
    case CST_print_statement:
        lower_report(l, c->start, "syntax error: the print statement is Python 2");
        break;
    case CST_exec_statement:
        lower_report(l, c->start, "syntax error: the exec statement is Python 2");
        break;
    default:
        lower_report(l, c->start, "syntax error: not a statement");
        break;
    }
    cur_skip(l, c);
    return NULL;
}

// ---------------------------------------------------------------- any statement
static bool is_compound(uint16_t cst) {
    switch (cst) {
    case CST_function_definition:
    case CST_class_definition:
    case CST_decorated_definition:
    case CST_if_statement:
    case CST_for_statement:
    case CST_while_statement:
    case CST_try_statement:
    case CST_with_statement:
    case CST_match_statement:
        return true;
    default:
        return false;
    }
}

static Node *whole_or_error(Lower *l, const Cur *c) {
    Node *node = NULL;
    l->broken = l->too_deep = false;
    if (c->cst == CST_ERROR)
        l->broken = true; // reported and walked when the cursor came to it
    else if (cur_has_error(l, c))
        cur_skip(l, c);
    else
        node = lower_simple(l, c);
    return node && !l->broken ? node : lower_node(l, NODE_STMT_ERROR, c->start, c->end);
}

Node *lower_stmt(Lower *l, const Cur *c) {
    if (c->cst != CST_ERROR && !ts_node_is_named(c->node))
        return NULL;
    bool broken = l->broken;
    Node *node = NULL;
    if (!is_compound(c->cst)) {
        node = whole_or_error(l, c);
    } else {
        l->too_deep = false;
        if (!lower_deeper(l, c)) {
            cur_skip(l, c);
            return lower_node(l, NODE_STMT_ERROR, c->start, c->end);
        }
        node = lower_compound(l, c);
        l->depth--;
        if (!node)
            node = lower_node(l, NODE_STMT_ERROR, c->start, c->end);
    }
    l->broken |= broken;
    return node;
}

// ---------------------------------------------------------------- suites
static void note_indent(Lower *l, const Cur *suite, Node *first) {
    Source *source = &l->tree->source;
    uint32_t line = source_line_start(source, first->start);
    TSNode parent = ts_node_parent(suite->node);
    uint32_t head = source_line_start(source, ts_node_start_byte(parent));
    if (head == line)
        return;
    Str outer = source_indent(source, head), inner = source_indent(source, line);
    if (inner.len <= outer.len || !str_starts(inner, outer))
        return;
    source->indent_unit = str_slice(inner, outer.len, inner.len);
    l->has_indent_unit = true;
}

NodeList lower_suite(Lower *l) {
    Cur suite = cur_here(l), c;
    bool module = suite.cst == CST_module;
    uint32_t base = l->stack.len;
    for (bool more = cur_first_stmt(l, &c); more; more = cur_next_stmt(l, &c)) {
        if (module)
            l->broken = c.cst == CST_ERROR;
        Node *node = lower_stmt(l, &c);
        if (!node)
            continue;
        if (module && l->broken)
            node->flags |= NODE_OPAQUE;
        vec_push(&l->stack, node);
    }
    if (!module && l->stack.len == base) {
        lower_report(l, suite.start, "syntax error: a suite without statements");
        vec_push(&l->stack, lower_node(l, NODE_STMT_ERROR, suite.start, suite.start));
    }
    if (!module && !l->has_indent_unit)
        note_indent(l, &suite, l->stack.items[base]);
    return lower_take(l, base);
}
