// Whether a name has a value at a place whatever way leads there: what cannot be told apart from "unbound" may not move.
//
//     h = x * 2                      bound
//     if flag: h = h + 1             not by this alone; both arms, or (h := ...) in the test, would do
//     def _if_true(h): ...           an arm that was made before: what it binds is its own
//
// Input: a symbol and a node, or what would bind it. Output: yes, where a statement that surely runs before binds it.
// A symbol's bindings are in source order, so only those in question are looked at.
#include "passes/rewrite.h"

static bool binds_surely(const Node *statement, const Symbol *symbol);

static bool test_binds(Node *expr, const Symbol *symbol, bool holds);

static bool walrus_binds(Node *expr, const Symbol *symbol, bool holds) {
    bool both = node_is(expr, NODE_BOOL_OP) && expr->u.binary.op == OP_BOOL_AND && holds;
    if (node_is(expr, NODE_NAMED_EXPR) && expr->u.named.target->u.name.symbol == symbol)
        return true;
    if (node_is(expr, NODE_BOOL_OP))
        return test_binds(expr->u.binary.left, symbol, holds) ||
               (both && test_binds(expr->u.binary.right, symbol, true));
    if (node_is(expr, NODE_IF_EXP))
        return test_binds(expr->u.if_exp.test, symbol, false);
    switch ((NodeKind)expr->kind) {
    case NODE_FUNCTION_DEF:
    case NODE_CLASS_DEF:
    case NODE_LAMBDA:
    case NODE_LIST_COMP:
    case NODE_SET_COMP:
    case NODE_DICT_COMP:
    case NODE_GENERATOR_EXP:
        return false;
    default:
        break;
    }
    for (ChildIter it = ast_children(expr); ast_next(&it);)
        if (walrus_binds(it.child, symbol, false))
            return true;
    return false;
}

// (name := ...) in what is evaluated of an expression in any case. holds: given that the expression is true.
static bool test_binds(Node *expr, const Symbol *symbol, bool holds) {
    return symbol->flags & SYM_WALRUS && walrus_binds(expr, symbol, holds);
}

// What an earlier step put in the place of a branch: its names carry no symbols.
static bool new_target_binds(const Node *target, const Symbol *symbol) {
    if (node_is(target, NODE_NAME))
        return target->u.name.name == symbol->name;
    for (uint32_t i = 0; node_is(target, NODE_TUPLE) && i < target->u.items.items.len; i++)
        if (new_target_binds(target->u.items.items.items[i], symbol))
            return true;
    return false;
}

static bool suite_binds(NodeList suite, const Symbol *symbol) {
    for (uint32_t i = 0; i < suite.len; i++) {
        NodeKind kind = (NodeKind)suite.items[i]->kind;
        if (kind == NODE_RETURN || kind == NODE_RAISE || kind == NODE_CONTINUE || kind == NODE_BREAK)
            return true; // what follows is not reached this way
        if (binds_surely(suite.items[i], symbol))
            return true;
    }
    return false;
}

// Whether the statement leaves the name with a value whenever it is left to the next one.
static bool binds_surely(const Node *statement, const Symbol *symbol) {
    switch ((NodeKind)statement->kind) {
    case NODE_STMT_SEQ:
        return suite_binds(statement->u.items.items, symbol);
    case NODE_IF:
        if (test_binds(statement->u.branch.test, symbol, false))
            return true;
        return statement->u.branch.orelse.len && suite_binds(statement->u.branch.body, symbol) &&
               suite_binds(statement->u.branch.orelse, symbol);
    case NODE_WITH:
        return suite_binds(statement->u.with.body, symbol);
    case NODE_ASSIGN:
        if (statement->flags & NODE_NEW && new_target_binds(statement->u.assign.targets.items[0], symbol))
            return true;
        break;
    case NODE_FUNCTION_DEF:
        if (statement->flags & NODE_NEW)
            return false; // an arm: what it binds is its own
        break;
    case NODE_FOR:
        return test_binds(statement->u.loop.iter, symbol, false);
    case NODE_WHILE:
    case NODE_TRY:
    case NODE_MATCH:
        return false;
    default:
        break;
    }
    for (uint32_t i = symbol_binding_from(symbol, statement->start),
                  end = symbol_binding_from(symbol, statement->end);
         i < end; i++) {
        Node *binding = symbol->bindings.items[i];
        if (!(binding->flags & NODE_DEL) && !node_is(binding->parent, NODE_NAMED_EXPR) &&
            node_contains(statement, binding))
            return true;
    }
    return test_binds((Node *)(uintptr_t)statement, symbol, false);
}

bool test_binds_surely(Node *test, const Symbol *symbol) {
    return test_binds(test, symbol, false);
}
bool suite_binds_surely(NodeList suite, const Symbol *symbol) {
    return suite_binds(suite, symbol);
}

// Whether a statement of the suite before number `count` surely binds the name. As a rule the first that could does, or the
// last.
static bool bound_before_in(NodeList suite, uint32_t count, const Symbol *symbol) {
    uint32_t from = count ? symbol_binding_from(symbol, suite.items[0]->start) : 0;
    uint32_t to = count ? symbol_binding_from(symbol, suite.items[count]->start) : 0;
    while (from < to) {
        const Node *ends[2] = {symbol->bindings.items[from], symbol->bindings.items[to - 1]};
        for (int i = 0; i < 2; i++) {
            uint32_t behind = nodes_from(suite.items, count, ends[i]->start + 1);
            const Node *statement = suite.items[behind ? behind - 1 : 0];
            if (binds_surely(statement, symbol))
                return true;
            uint32_t first = symbol_binding_from(symbol, statement->start),
                     next = symbol_binding_from(symbol, statement->end);
            from = i == 0 ? (next > from ? next : from + 1) : from;
            to = i == 1 ? (first < to ? first : to - 1) : to;
        }
    }
    return false;
}

// for name in ...:, case Class(name):
static bool target_binds(const Node *target, const Symbol *symbol) {
    for (uint32_t i = symbol_binding_from(symbol, target->start),
                  end = symbol_binding_from(symbol, target->end);
         i < end; i++)
        if (node_contains(target, symbol->bindings.items[i]))
            return true;
    return false;
}

bool is_surely_bound(const Symbol *symbol, const Node *at) {
    if (symbol->flags & SYM_DELETED)
        return false;
    if (symbol->flags & SYM_PARAM)
        return true;
    for (const Node *child = at, *up = at->parent; up; child = up, up = up->parent) {
        NodeList suite;
        uint32_t count;
        if (node_is(up, NODE_FOR) && child != up->u.loop.iter && target_binds(up->u.loop.target, symbol))
            return true;
        if (node_is(up, NODE_MATCH_CASE) && child != up->u.match_case.pattern &&
            target_binds(up->u.match_case.pattern, symbol))
            return true;
        bool held = node_is_stmt(child) && node_in_suite(child, &suite, &count);
        if (held && !node_is(up, NODE_TRY) && bound_before_in(suite, count, symbol))
            return true;
        if (held && node_is(up, NODE_IF) &&
            test_binds(up->u.branch.test, symbol, suite.items == up->u.branch.body.items))
            return true;
        if (node_is(up, NODE_FUNCTION_DEF) || node_is(up, NODE_LAMBDA))
            return symbol->scope->owner != up && symbol->scope->kind != SCOPE_CLASS;
    }
    return false;
}

static bool is_read(const Node *name) {
    return !(name->flags & (NODE_STORE | NODE_DEL)) || node_is(name->parent, NODE_AUG_ASSIGN);
}

// A function does not see the names of the class body that it stands in.
static bool has_value_inside(Node *name) {
    const Symbol *symbol = name->u.name.symbol;
    return !symbol || !is_read(name) || (symbol->scope->kind != SCOPE_CLASS && is_surely_bound(symbol, name));
}

Node *unbound_read(Node *node) {
    if (node_is(node, NODE_NAME))
        return has_value_inside(node) ? NULL : node;
    for (ChildIter it = ast_children(node); ast_next(&it);) {
        Node *found = unbound_read(it.child);
        if (found)
            return found;
    }
    return NULL;
}
