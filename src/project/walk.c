// Going through a tree without recursion (input may be nested deeply), and small questions about nodes.

#include <stdlib.h>

#include "project/internal.h"

void walk_push(Walk *walk, Node *node) {
    if (node)
        vec_push(&walk->stack, node);
}

void walk_reverse(Walk *walk, uint32_t from) {
    for (uint32_t a = from, b = walk->stack.len; a + 1 < b; a++) {
        b--;
        Node *swap = walk->stack.items[a];
        walk->stack.items[a] = walk->stack.items[b];
        walk->stack.items[b] = swap;
    }
}

void walk_children(Walk *walk, Node *node) {
    uint32_t from = walk->stack.len;
    for (ChildIter it = ast_children(node); ast_next(&it);)
        walk_push(walk, it.child);
    walk_reverse(walk, from);
}

void walk_list(Walk *walk, NodeList list) {
    for (uint32_t i = list.len; i > 0; i--)
        walk_push(walk, list.items[i - 1]);
}

void walk_body(Walk *walk, Node *function) {
    if (node_is(function, NODE_LAMBDA))
        walk_push(walk, function->u.lambda.body);
    else
        walk_list(walk, function->u.function.body);
}

Node *walk_next(Walk *walk) {
    return walk->stack.len ? vec_pop(&walk->stack) : NULL;
}

void walk_free(Walk *walk) {
    vec_free(&walk->stack);
}

bool list_spans(NodeList list, const Node *node) {
    return list.len && list.items[0]->start <= node->start && node->end <= list.items[list.len - 1]->end;
}

bool node_is_scope(const Node *node) {
    return node_is(node, NODE_FUNCTION_DEF) || node_is(node, NODE_LAMBDA) || node_is(node, NODE_CLASS_DEF);
}

bool node_const(const Node *node, ConstKind kind) {
    return node_is(node, NODE_CONSTANT) && node->u.constant.kind == kind;
}

Name node_first_param(const Node *function) {
    const Node *params =
        node_is(function, NODE_FUNCTION_DEF) ? function->u.function.params : function->u.lambda.params;
    if (!params || params->u.items.items.len == 0)
        return 0;
    const Node *param = params->u.items.items.items[0];
    return node_is(param, NODE_PARAM) ? param->u.param.name : 0;
}

bool stmts_leave(NodeList body) {
    if (body.len == 0)
        return false;
    const Node *last = body.items[body.len - 1];
    return node_is(last, NODE_RETURN) || node_is(last, NODE_RAISE) || node_is(last, NODE_CONTINUE) ||
           node_is(last, NODE_BREAK);
}

Node *call_arg(const Node *call, uint32_t position, const char *keyword) {
    uint32_t at = 0;
    bool starred = false;
    Name wanted = keyword ? intern(str_of(keyword)) : 0;
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        Node *arg = call->u.call.args.items[i];
        if (node_is(arg, NODE_KEYWORD)) {
            if (wanted && arg->u.keyword.name == wanted)
                return arg->u.keyword.value;
        } else if (node_is(arg, NODE_STARRED)) {
            starred = true;
        } else if (at++ == position && !starred) {
            return arg;
        }
    }
    return NULL;
}
