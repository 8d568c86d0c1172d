// How strongly expressions bind (PREC_*), and how strongly the places they stand in ask them to. A node in parentheses of
// its own is an atom; of a TEXT node only what is plainly a name, string, call or bracket is taken for one.
#include "ir/print.h"

static int op_precedence(Op op) {
    switch (op) {
    case OP_BOOL_OR:
        return PREC_OR;
    case OP_BOOL_AND:
        return PREC_AND;
    case OP_NOT:
        return PREC_NOT;
    case OP_OR:
        return PREC_BIT_OR;
    case OP_XOR:
        return PREC_BIT_XOR;
    case OP_AND:
        return PREC_BIT_AND;
    case OP_LSHIFT:
    case OP_RSHIFT:
        return PREC_SHIFT;
    case OP_ADD:
    case OP_SUB:
        return PREC_SUM;
    case OP_MUL:
    case OP_MATMUL:
    case OP_DIV:
    case OP_FLOORDIV:
    case OP_MOD:
        return PREC_TERM;
    case OP_INVERT:
    case OP_UPLUS:
    case OP_UMINUS:
        return PREC_UNARY;
    case OP_POW:
        return PREC_POWER;
    default:
        return PREC_COMPARE;
    }
}

static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.' || (unsigned char)c >= 0x80;
}

// A name, number, string, call or bracketed text is an atom; anything else may need parentheses.
static int text_precedence(Str text) {
    size_t at = 0, depth = 0;
    while (at < text.len && is_word(text.ptr[at]))
        at++;
    if (at == text.len)
        return PREC_ATOM;
    char quote = text.ptr[at];
    if (quote == '"' || quote == '\'') {
        for (at++; at < text.len && text.ptr[at] != quote; at++)
            if (text.ptr[at] == '\\')
                at++;
        return at + 1 == text.len ? PREC_ATOM : PREC_LAMBDA;
    }
    for (; at < text.len; at++) {
        char c = text.ptr[at];
        if (c == '"' || c == '\'' || c == '#')
            return PREC_LAMBDA;
        if (c == '(' || c == '[' || c == '{')
            depth++;
        else if (c == ')' || c == ']' || c == '}')
            depth--;
        else if (!depth && !is_word(c))
            return PREC_LAMBDA;
    }
    return PREC_ATOM;
}

int print_precedence(const Node *node) {
    if (!(node->flags & NODE_NEW) && node->flags & NODE_PARENS)
        return PREC_ATOM;
    switch (node->kind) {
    case NODE_TUPLE:
        return node->u.items.items.len || !(node->flags & NODE_NEW) ? PREC_TUPLE : PREC_ATOM;
    case NODE_YIELD:
    case NODE_YIELD_FROM:
        return PREC_YIELD;
    case NODE_STARRED:
        return PREC_TUPLE;
    case NODE_NAMED_EXPR:
        return PREC_NAMED;
    case NODE_LAMBDA:
        return PREC_LAMBDA;
    case NODE_IF_EXP:
        return PREC_IF;
    case NODE_BOOL_OP:
    case NODE_BIN_OP:
        return op_precedence(node->u.binary.op);
    case NODE_UNARY_OP:
        return op_precedence(node->u.unary.op);
    case NODE_COMPARE:
        return PREC_COMPARE;
    case NODE_AWAIT:
        return PREC_AWAIT;
    case NODE_TEXT:
        return text_precedence(node->u.text.text);
    default:
        return PREC_ATOM;
    }
}

int print_slot(const Node *parent, const Node *child) {
    switch (parent->kind) {
    case NODE_ASSIGN:
    case NODE_AUG_ASSIGN:
    case NODE_EXPR_STMT:
        return PREC_YIELD;
    case NODE_ANN_ASSIGN:
        return child == parent->u.ann.value ? PREC_YIELD : PREC_LAMBDA;
    case NODE_RETURN:
    case NODE_FOR:
        return PREC_TUPLE;
    case NODE_FUNCTION_DEF:
    case NODE_CLASS_DEF:
    case NODE_IF:
    case NODE_WHILE:
        return PREC_NAMED;
    case NODE_CALL:
        return child == parent->u.call.func ? PREC_ATOM : PREC_LAMBDA;
    case NODE_ATTRIBUTE:
        return PREC_ATOM;
    case NODE_SUBSCRIPT:
        return child == parent->u.subscript.value ? PREC_ATOM : PREC_TUPLE;
    case NODE_UNARY_OP:
        return op_precedence(parent->u.unary.op);
    case NODE_AWAIT:
        return PREC_ATOM;
    case NODE_COMPARE:
        return PREC_BIT_OR;
    case NODE_BIN_OP:
    case NODE_BOOL_OP: {
        int own = op_precedence(parent->u.binary.op);
        bool left = child == parent->u.binary.left;
        if (parent->u.binary.op == OP_POW)
            return left ? PREC_AWAIT : PREC_UNARY;
        return left ? own : own + 1;
    }
    case NODE_IF_EXP:
        return child == parent->u.if_exp.orelse ? PREC_LAMBDA : PREC_OR;
    case NODE_COMPREHENSION:
        return child == parent->u.comprehension.target ? PREC_TUPLE : PREC_OR;
    case NODE_STARRED:
        return PREC_BIT_OR;
    default:
        return PREC_LAMBDA;
    }
}
