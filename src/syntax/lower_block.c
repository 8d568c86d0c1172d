// Lowering of compound statements other than def and class. A block statement ends at its last inner token, not where
// the grammar ends it (which may be after comments).
//
// Declines (returns NULL: the caller makes a STMT_ERROR) when a part that must be there was lost to a syntax error.
#include "syntax/lower.h"

// The suite of a clause such as else or finally: the cursor is at the clause.
static NodeList lower_clause_suite(Lower *l) {
    NodeList list = {0};
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c))
        if (c.cst == CST_block)
            list = lower_suite(l);
    return list;
}

// ---------------------------------------------------------------- if
static Node *lower_branch(Lower *l, NodeKind kind, const Cur *at, Node **last);

static Node *lower_elif(Lower *l, const Cur *at) {
    Node *node = lower_branch(l, NODE_IF, at, NULL);
    if (node)
        node->flags |= NODE_ELIF;
    return node;
}

// if, elif and while: a test and a suite; for `if` also the chain of elif clauses, whose last IF goes into *last.
static Node *lower_branch(Lower *l, NodeKind kind, const Cur *at, Node **last) {
    Node *node = lower_node(l, kind, at->start, at->end), *tail = node;
    uint32_t depth = l->depth;
    bool lost = false;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst == CST_block) {
            node->u.branch.body = lower_suite(l);
        } else if (c.cst == CST_else_clause) {
            tail->u.branch.orelse = lower_clause_suite(l);
        } else if (c.cst == CST_elif_clause) {
            Node *next = lost || !lower_deeper(l, &c) ? NULL : lower_elif(l, &c);
            lost |= !next;
            if (!next) {
                cur_skip(l, &c);
                continue;
            }
            tail->u.branch.orelse = ast_list(l->arena, 1, &next);
            tail = next;
        } else if (ts_node_is_named(c.node)) {
            node->u.branch.test = lower_expr(l, &c);
        }
    }
    l->depth = depth;
    if (last)
        *last = tail;
    if (lost || !node->u.branch.test || !node->u.branch.body.len)
        return NULL;
    node->end = lower_end(node->u.branch.orelse, lower_end(node->u.branch.body, node->end));
    return node;
}

static Node *lower_if(Lower *l, const Cur *at) {
    Node *last = NULL;
    Node *node = lower_branch(l, NODE_IF, at, &last);
    if (!node)
        return NULL;
    uint32_t end = lower_end(last->u.branch.orelse, lower_end(last->u.branch.body, last->end));
    for (Node *link = node; link != last; link = link->u.branch.orelse.items[0])
        link->end = end;
    last->end = end;
    return node;
}

// ---------------------------------------------------------------- loops
static Node *lower_for(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_FOR, at->start, at->end);
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst == TOK_ASYNC)
            node->flags |= NODE_ASYNC;
        else if (c.cst == CST_block)
            node->u.loop.body = lower_suite(l);
        else if (c.cst == CST_else_clause)
            node->u.loop.orelse = lower_clause_suite(l);
        else if (!ts_node_is_named(c.node))
            continue;
        else if (!node->u.loop.target)
            lower_mark(node->u.loop.target = lower_expr(l, &c), NODE_STORE);
        else
            node->u.loop.iter = lower_expr(l, &c);
    }
    if (!node->u.loop.target || !node->u.loop.iter || !node->u.loop.body.len)
        return NULL;
    node->end = lower_end(node->u.loop.orelse, lower_end(node->u.loop.body, node->end));
    return node;
}

// ---------------------------------------------------------------- try
// type as name: the cursor is at the as_pattern
static void lower_handler_as(Lower *l, Node *handler) {
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (!ts_node_is_named(c.node))
            continue;
        if (!handler->u.handler.type) {
            handler->u.handler.type = lower_expr(l, &c);
            continue;
        }
        handler->u.handler.name = lower_name(l, c.start, c.end);
        handler->u.handler.name_start = c.start;
    }
}

static Node *lower_handler(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_EXCEPT_HANDLER, at->start, at->end);
    if (at->cst == CST_except_group_clause)
        node->flags |= NODE_EXCEPT_STAR;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst == TOK_COMMA)
            lower_report(l, c.start, "syntax error: except with a comma is Python 2 or 3.14");
        else if (c.cst == CST_block)
            node->u.handler.body = lower_suite(l);
        else if (!ts_node_is_named(c.node))
            continue;
        else if (c.cst == CST_as_pattern && !cur_has_error(l, &c))
            lower_handler_as(l, node);
        else if (!node->u.handler.type)
            node->u.handler.type = lower_expr(l, &c);
        else if (c.cst == CST_identifier) {
            node->u.handler.name = lower_name(l, c.start, c.end);
            node->u.handler.name_start = c.start;
        } else {
            lower_report(l, c.start, "syntax error: not a name");
        }
    }
    Node *type = node->u.handler.type;
    if (node_is(type, NODE_STARRED) && !(type->flags & NODE_PARENS)) { // except *E, with the space
        node->flags |= NODE_EXCEPT_STAR;
        node->u.handler.type = type->u.value.value;
    }
    node->end = lower_end(node->u.handler.body, node->end);
    return node->u.handler.body.len ? node : NULL;
}

static Node *lower_try(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_TRY, at->start, at->end);
    uint32_t base = l->stack.len;
    bool lost = false;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst == CST_block) {
            node->u.try_.body = lower_suite(l);
        } else if (c.cst == CST_except_clause || c.cst == CST_except_group_clause) {
            Node *handler = lower_handler(l, &c);
            if (handler)
                vec_push(&l->stack, handler);
            else
                lost = true;
        } else if (c.cst == CST_else_clause) {
            node->u.try_.orelse = lower_clause_suite(l);
        } else if (c.cst == CST_finally_clause) {
            node->u.try_.finalbody = lower_clause_suite(l);
        }
    }
    node->u.try_.handlers = lower_take(l, base);
    if (lost || !node->u.try_.body.len || (!node->u.try_.handlers.len && !node->u.try_.finalbody.len))
        return NULL;
    node->end = lower_end(node->u.try_.handlers, lower_end(node->u.try_.body, node->end));
    node->end = lower_end(node->u.try_.finalbody, lower_end(node->u.try_.orelse, node->end));
    return node;
}

// ---------------------------------------------------------------- with
// One expression, or `expression as target`.
static Node *lower_with_item(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_WITH_ITEM, at->start, at->end);
    if (at->cst != CST_as_pattern || cur_has_error(l, at)) {
        node->u.with_item.context = lower_expr(l, at);
        return node;
    }
    Cur c, target;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (!ts_node_is_named(c.node))
            continue;
        if (!node->u.with_item.context) {
            node->u.with_item.context = lower_expr(l, &c);
            continue;
        }
        for (bool inner = cur_first(l, &target); inner; inner = cur_next(l, &target)) {
            if (!ts_node_is_named(target.node) || node->u.with_item.target)
                continue;
            lower_mark(node->u.with_item.target = lower_expr(l, &target), NODE_STORE);
        }
    }
    if (!node->u.with_item.target)
        lower_report(l, at->start, "syntax error: not a target");
    return node;
}

// with (a, b): two items, though the grammar may read a tuple; with (a as b): one.
static bool is_item_list(Lower *l, const Cur *value, bool alone) {
    if (!alone || cur_has_error(l, value))
        return false;
    if (value->cst == CST_tuple)
        return true;
    if (value->cst != CST_parenthesized_expression)
        return false;
    for (uint32_t i = 0, count = ts_node_named_child_count(value->node); i < count; i++)
        if (strcmp(ts_node_type(ts_node_named_child(value->node, i)), "as_pattern") == 0)
            return true;
    return false;
}

static void push_with_items(Lower *l, bool alone) {
    Cur c, inner;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (!ts_node_is_named(c.node))
            continue;
        if (!is_item_list(l, &c, alone)) {
            Node *item = lower_with_item(l, &c);
            vec_push(&l->stack, item);
            continue;
        }
        for (bool list = cur_first(l, &inner); list; list = cur_next(l, &inner)) {
            if (!ts_node_is_named(inner.node))
                continue;
            Node *item = lower_with_item(l, &inner);
            vec_push(&l->stack, item);
        }
    }
}

static Node *lower_with(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_WITH, at->start, at->end);
    uint32_t base = l->stack.len;
    Cur c, item;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst == TOK_ASYNC)
            node->flags |= NODE_ASYNC;
        if (c.cst == CST_block) {
            node->u.with.items = lower_take(l, base);
            node->u.with.body = lower_suite(l);
        }
        if (c.cst != CST_with_clause)
            continue;
        uint32_t count = 0;
        for (uint32_t i = 0, all = ts_node_named_child_count(c.node); i < all; i++)
            count += strcmp(ts_node_type(ts_node_named_child(c.node, i)), "with_item") == 0;
        for (bool inner = cur_first(l, &item); inner; inner = cur_next(l, &item))
            if (item.cst == CST_with_item)
                push_with_items(l, count == 1);
    }
    l->stack.len = base;
    node->end = lower_end(node->u.with.body, node->end);
    return node->u.with.items.len && node->u.with.body.len ? node : NULL;
}

// ---------------------------------------------------------------- match
static Node *lower_case(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_MATCH_CASE, at->start, at->end);
    uint32_t base = l->stack.len, comma = 0;
    Cur c, guard;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst == TOK_COMMA)
            comma = c.end;
        if (c.cst == CST_case_pattern) {
            Node *pattern = lower_case_pattern(l, &c);
            vec_push(&l->stack, pattern);
        } else if (c.cst == CST_if_clause) {
            for (bool inner = cur_first(l, &guard); inner; inner = cur_next(l, &guard))
                if (ts_node_is_named(guard.node))
                    node->u.match_case.guard = lower_expr(l, &guard);
        } else if (c.cst == CST_block) {
            NodeList patterns = lower_take(l, base);
            node->u.match_case.body = lower_suite(l);
            if (!patterns.len)
                continue;
            Node *first = patterns.items[0];
            if (patterns.len > 1 || comma) {
                uint32_t end = lower_end(patterns, first->end);
                first = lower_node(l, NODE_PATTERN, first->start, comma > end ? comma : end);
                first->u.pattern.items = patterns;
            }
            node->u.match_case.pattern = first;
        }
    }
    l->stack.len = base;
    node->end = lower_end(node->u.match_case.body, node->end);
    return node->u.match_case.pattern && node->u.match_case.body.len ? node : NULL;
}

static bool push_cases(Lower *l) {
    bool whole = true;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst != CST_case_clause)
            continue;
        Node *branch = lower_case(l, &c);
        if (branch)
            vec_push(&l->stack, branch);
        else
            whole = false;
    }
    return whole;
}

static Node *lower_match(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_MATCH, at->start, at->end);
    uint32_t base = l->stack.len, comma = 0;
    bool whole = true;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst == TOK_COMMA)
            comma = c.end;
        if (c.cst == CST_block) {
            NodeList subjects = lower_take(l, base);
            if (subjects.len)
                node->u.match.subject = lower_index(l, subjects, comma);
            whole = push_cases(l);
            node->u.match.cases = lower_take(l, base);
        } else if (ts_node_is_named(c.node)) {
            Node *subject = lower_expr(l, &c);
            vec_push(&l->stack, subject);
        }
    }
    l->stack.len = base;
    node->end = lower_end(node->u.match.cases, node->end);
    return whole && node->u.match.subject && node->u.match.cases.len ? node : NULL;
}

Node *lower_compound(Lower *l, const Cur *c) {
    switch (c->cst) {
    case CST_if_statement:
        return lower_if(l, c);
    case CST_while_statement:
        return lower_branch(l, NODE_WHILE, c, NULL);
    case CST_for_statement:
        return lower_for(l, c);
    case CST_try_statement:
        return lower_try(l, c);
    case CST_with_statement:
        return lower_with(l, c);
    case CST_match_statement:
        return lower_match(l, c);
    default:
        return lower_def(l, c);
    }
}
