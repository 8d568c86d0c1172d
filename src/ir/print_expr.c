// New expressions as pieces: operators with the parentheses they need, calls, displays, lambdas, parameters.
//
// An original node is one piece. It is put in parentheses when it binds less than its new place asks for, or when it has
// a line break that only brackets it no longer stands in had allowed. TEXT is taken as it is.
#include "ir/print.h"

// ---------------------------------------------------------------- pieces
static void push(Pieces *list, Piece piece) {
    piece.depth = list->depth;
    vec_push(&list->list, piece);
}

void pieces_text(Pieces *list, Str text) {
    push(list, (Piece){.text = text});
}
void pieces_cstr(Pieces *list, const char *text) {
    pieces_text(list, str_of(text));
}
void pieces_name(Pieces *list, Name name) {
    pieces_text(list, name_str(name));
}
void pieces_space(Pieces *list) {
    push(list, (Piece){.text = STR(" "), .brk = BREAK_SPACE});
}

static void open(Pieces *list, const char *bracket, bool call) {
    pieces_cstr(list, bracket);
    list->depth++;
    push(list, (Piece){.brk = BREAK_OPEN, .call = call});
}

static void close(Pieces *list, const char *bracket, bool call) {
    push(list, (Piece){.brk = BREAK_CLOSE, .call = call});
    list->depth--;
    pieces_cstr(list, bracket);
}

static void comma(Pieces *list) {
    pieces_cstr(list, ",");
    push(list, (Piece){.text = STR(" "), .brk = BREAK_COMMA});
}

void pieces_comma_list(Pieces *list, NodeList items, int least) {
    for (uint32_t i = 0; i < items.len; i++) {
        if (i)
            comma(list);
        pieces_expr(list, items.items[i], least);
    }
}

static void put_in(Pieces *list, const char *opening, NodeList items, const char *closing, bool call) {
    if (!items.len) {
        pieces_cstr(list, opening);
        pieces_cstr(list, closing);
        return;
    }
    open(list, opening, call);
    pieces_comma_list(list, items, PREC_LAMBDA);
    close(list, closing, call);
}

// ---------------------------------------------------------------- parameters
static void put_param(Pieces *list, const Node *param) {
    if (!(param->flags & NODE_NEW)) {
        push(list, (Piece){.node = param});
        return;
    }
    if (param->u.param.kind == PARAM_VARARGS)
        pieces_cstr(list, "*");
    if (param->u.param.kind == PARAM_KWARGS)
        pieces_cstr(list, "**");
    pieces_name(list, param->u.param.name);
    if (param->u.param.annotation) {
        pieces_cstr(list, ": ");
        pieces_expr(list, param->u.param.annotation, PREC_LAMBDA);
    }
    if (param->u.param.default_value) {
        pieces_cstr(list, param->u.param.annotation ? " = " : "=");
        pieces_expr(list, param->u.param.default_value, PREC_LAMBDA);
    }
}

static void param_comma(Pieces *list, bool breaks) {
    if (breaks)
        comma(list);
    else
        pieces_cstr(list, ", ");
}

// breaks: whether the line may be broken between them.
void pieces_params(Pieces *list, const Node *params, bool breaks) {
    NodeList items = params ? params->u.items.items : (NodeList){0};
    bool star = false;
    for (uint32_t i = 0; i < items.len; i++) {
        const Node *param = items.items[i];
        ParamKind kind = param->u.param.kind;
        if (i)
            param_comma(list, breaks);
        if (i && kind != PARAM_POSITIONAL_ONLY && items.items[i - 1]->u.param.kind == PARAM_POSITIONAL_ONLY) {
            pieces_cstr(list, "/");
            param_comma(list, breaks);
        }
        if (kind == PARAM_KEYWORD_ONLY && !star) {
            pieces_cstr(list, "*");
            param_comma(list, breaks);
        }
        star |= kind == PARAM_VARARGS || kind == PARAM_KEYWORD_ONLY;
        put_param(list, param);
    }
    if (items.len && items.items[items.len - 1]->u.param.kind == PARAM_POSITIONAL_ONLY) {
        param_comma(list, breaks);
        pieces_cstr(list, "/");
    }
}

// ---------------------------------------------------------------- structural forms
static void put_binary(Pieces *list, const Node *node) {
    pieces_expr(list, node->u.binary.left, print_slot(node, node->u.binary.left));
    pieces_space(list);
    pieces_cstr(list, op_text(node->u.binary.op));
    pieces_cstr(list, " ");
    pieces_expr(list, node->u.binary.right, print_slot(node, node->u.binary.right));
}

static void put_compare(Pieces *list, const Node *node) {
    pieces_expr(list, node->u.compare.left, PREC_BIT_OR);
    for (uint32_t i = 0; i < node->u.compare.comparators.len; i++) {
        pieces_space(list);
        pieces_cstr(list, op_text(node->u.compare.ops[i]));
        pieces_cstr(list, " ");
        pieces_expr(list, node->u.compare.comparators.items[i], PREC_BIT_OR);
    }
}

static void put_if_exp(Pieces *list, const Node *node) {
    pieces_expr(list, node->u.if_exp.body, PREC_OR);
    pieces_space(list);
    pieces_cstr(list, "if ");
    pieces_expr(list, node->u.if_exp.test, PREC_OR);
    pieces_space(list);
    pieces_cstr(list, "else ");
    pieces_expr(list, node->u.if_exp.orelse, PREC_LAMBDA);
}

static void put_lambda(Pieces *list, const Node *node) {
    const Node *params = node->u.lambda.params;
    pieces_cstr(list, params && params->u.items.items.len ? "lambda " : "lambda");
    pieces_params(list, params, false);
    pieces_cstr(list, ":");
    pieces_space(list);
    pieces_expr(list, node->u.lambda.body, PREC_LAMBDA);
}

static void put_slice(Pieces *list, const Node *node) {
    pieces_expr(list, node->u.slice.lower, PREC_LAMBDA);
    pieces_cstr(list, ":");
    pieces_expr(list, node->u.slice.upper, PREC_LAMBDA);
    if (!node->u.slice.step)
        return;
    pieces_cstr(list, ":");
    pieces_expr(list, node->u.slice.step, PREC_LAMBDA);
}

static void put_clause(Pieces *list, const Node *node) {
    if (!(node->flags & NODE_NEW)) {
        push(list, (Piece){.node = node});
        return;
    }
    if (node->flags & NODE_ASYNC)
        pieces_cstr(list, "async ");
    pieces_cstr(list, "for ");
    pieces_expr(list, node->u.comprehension.target, PREC_TUPLE);
    pieces_cstr(list, " in ");
    pieces_expr(list, node->u.comprehension.iter, PREC_OR);
    for (uint32_t i = 0; i < node->u.comprehension.ifs.len; i++) {
        pieces_space(list);
        pieces_cstr(list, "if ");
        pieces_expr(list, node->u.comprehension.ifs.items[i], PREC_OR);
    }
}

static void put_comprehension(Pieces *list, const Node *node, const char *opening, const char *closing) {
    open(list, opening, false);
    pieces_expr(list, node->u.comp.element, PREC_LAMBDA);
    if (node->u.comp.value) {
        pieces_cstr(list, ": ");
        pieces_expr(list, node->u.comp.value, PREC_LAMBDA);
    }
    for (uint32_t i = 0; i < node->u.comp.clauses.len; i++) {
        pieces_space(list);
        put_clause(list, node->u.comp.clauses.items[i]);
    }
    close(list, closing, false);
}

static void put_tuple(Pieces *list, NodeList items) {
    if (!items.len)
        pieces_cstr(list, "()");
    pieces_comma_list(list, items, PREC_LAMBDA);
    if (items.len == 1)
        pieces_cstr(list, ",");
}

static void put_constant(Pieces *list, const Node *node) {
    switch (node->u.constant.kind) {
    case CONST_TRUE:
        pieces_cstr(list, "True");
        break;
    case CONST_FALSE:
        pieces_cstr(list, "False");
        break;
    case CONST_NONE:
        pieces_cstr(list, "None");
        break;
    case CONST_ELLIPSIS:
        pieces_cstr(list, "...");
        break;
    default:
        PANIC("a new literal has to be a TEXT node");
    }
}

static void put_prefixed(Pieces *list, const char *prefix, const Node *value, int least) {
    pieces_cstr(list, prefix);
    pieces_expr(list, value, least);
}

static void put_yield(Pieces *list, const Node *node) {
    pieces_cstr(list, node->kind == NODE_YIELD ? "yield" : "yield from");
    if (node->u.value.value)
        put_prefixed(list, " ", node->u.value.value, PREC_LAMBDA);
}

static void put_keyword(Pieces *list, const Node *node) {
    if (!node->u.keyword.name) {
        put_prefixed(list, "**", node->u.keyword.value, PREC_BIT_OR);
        return;
    }
    pieces_name(list, node->u.keyword.name);
    put_prefixed(list, "=", node->u.keyword.value, PREC_LAMBDA);
}

static void put_dict_item(Pieces *list, const Node *node) {
    if (!node->u.dict_item.key) {
        put_prefixed(list, "**", node->u.dict_item.value, PREC_BIT_OR);
        return;
    }
    pieces_expr(list, node->u.dict_item.key, PREC_LAMBDA);
    put_prefixed(list, ": ", node->u.dict_item.value, PREC_LAMBDA);
}

static void put_alias(Pieces *list, const Node *node) {
    pieces_name(list, node->u.alias.name);
    if (!node->u.alias.as)
        return;
    pieces_cstr(list, " as ");
    pieces_name(list, node->u.alias.as);
}

static void put_unary(Pieces *list, const Node *node) {
    pieces_cstr(list, op_text(node->u.unary.op));
    if (node->u.unary.op == OP_NOT)
        pieces_cstr(list, " ");
    pieces_expr(list, node->u.unary.operand, print_slot(node, node->u.unary.operand));
}

static void put_concat(Pieces *list, NodeList items) {
    for (uint32_t i = 0; i < items.len; i++) {
        if (i)
            pieces_space(list);
        pieces_expr(list, items.items[i], PREC_ATOM);
    }
}

// The parameters alone are new: a def's span has the parentheses in it.
static void put_params_in_original(Pieces *list, const Node *node) {
    bool def = node->parent && node->parent->kind == NODE_FUNCTION_DEF;
    if (def)
        pieces_cstr(list, "(");
    else if (node->u.items.items.len && node->start == node->end)
        pieces_cstr(list, " ");
    list->depth += def;
    pieces_params(list, node, def);
    list->depth -= def;
    if (def)
        pieces_cstr(list, ")");
}

static void put_attribute(Pieces *list, const Node *node) {
    pieces_expr(list, node->u.attribute.value, PREC_ATOM);
    pieces_cstr(list, ".");
    pieces_name(list, node->u.attribute.attr);
}

static void put_subscript(Pieces *list, const Node *node) {
    pieces_expr(list, node->u.subscript.value, PREC_ATOM);
    pieces_cstr(list, "[");
    list->depth++;
    pieces_expr(list, node->u.subscript.index, PREC_TUPLE);
    list->depth--;
    pieces_cstr(list, "]");
}

static void put_call(Pieces *list, const Node *node) {
    pieces_expr(list, node->u.call.func, PREC_ATOM);
    put_in(list, "(", node->u.call.args, ")", true);
}

static void put_named(Pieces *list, const Node *node) {
    pieces_expr(list, node->u.named.target, PREC_ATOM);
    put_prefixed(list, " := ", node->u.named.value, PREC_LAMBDA);
}

static void put_with_item(Pieces *list, const Node *node) {
    pieces_expr(list, node->u.with_item.context, PREC_LAMBDA);
    if (node->u.with_item.target)
        put_prefixed(list, " as ", node->u.with_item.target, PREC_ATOM);
}

// Each returns false for a node of another kind.

static bool put_display(Pieces *list, const Node *node) {
    switch (node->kind) {
    case NODE_TUPLE:
        return put_tuple(list, node->u.items.items), true;
    case NODE_LIST:
        return put_in(list, "[", node->u.items.items, "]", true), true;
    case NODE_SET:
    case NODE_DICT:
        return put_in(list, "{", node->u.items.items, "}", true), true;
    case NODE_LIST_COMP:
        return put_comprehension(list, node, "[", "]"), true;
    case NODE_SET_COMP:
    case NODE_DICT_COMP:
        return put_comprehension(list, node, "{", "}"), true;
    case NODE_GENERATOR_EXP:
        return put_comprehension(list, node, "(", ")"), true;
    default:
        return false;
    }
}

static bool put_operator(Pieces *list, const Node *node) {
    switch (node->kind) {
    case NODE_BIN_OP:
    case NODE_BOOL_OP:
        return put_binary(list, node), true;
    case NODE_UNARY_OP:
        return put_unary(list, node), true;
    case NODE_COMPARE:
        return put_compare(list, node), true;
    case NODE_IF_EXP:
        return put_if_exp(list, node), true;
    case NODE_AWAIT:
        return put_prefixed(list, "await ", node->u.value.value, PREC_ATOM), true;
    case NODE_YIELD:
    case NODE_YIELD_FROM:
        return put_yield(list, node), true;
    case NODE_NAMED_EXPR:
        return put_named(list, node), true;
    default:
        return false;
    }
}

static bool put_primary(Pieces *list, const Node *node) {
    switch (node->kind) {
    case NODE_NAME:
        return pieces_name(list, node->u.name.name), true;
    case NODE_TEXT:
        return pieces_text(list, node->u.text.text), true;
    case NODE_CONSTANT:
        return put_constant(list, node), true;
    case NODE_STR_CONCAT:
        return put_concat(list, node->u.items.items), true;
    case NODE_ATTRIBUTE:
        return put_attribute(list, node), true;
    case NODE_SUBSCRIPT:
        return put_subscript(list, node), true;
    case NODE_CALL:
        return put_call(list, node), true;
    case NODE_LAMBDA:
        return put_lambda(list, node), true;
    default:
        return false;
    }
}

// What stands in an expression or a statement, but is no expression.
static bool put_part(Pieces *list, const Node *node) {
    switch (node->kind) {
    case NODE_SLICE:
        return put_slice(list, node), true;
    case NODE_KEYWORD:
        return put_keyword(list, node), true;
    case NODE_DICT_ITEM:
        return put_dict_item(list, node), true;
    case NODE_STARRED:
        return put_prefixed(list, "*", node->u.value.value, PREC_BIT_OR), true;
    case NODE_COMPREHENSION:
        return put_clause(list, node), true;
    case NODE_PARAMS:
        return put_params_in_original(list, node), true;
    case NODE_PARAM:
        return put_param(list, node), true;
    case NODE_ALIAS:
        return put_alias(list, node), true;
    case NODE_STAR_IMPORT:
        return pieces_cstr(list, "*"), true;
    case NODE_WITH_ITEM:
        return put_with_item(list, node), true;
    default:
        return false;
    }
}

static void put_new(Pieces *list, const Node *node) {
    if (!put_primary(list, node) && !put_operator(list, node) && !put_display(list, node) &&
        !put_part(list, node))
        PANIC("no text for a new %s", node_kind_name((NodeKind)node->kind));
}

static bool is_number(const Node *node) {
    return node->kind == NODE_CONSTANT && node->u.constant.kind <= CONST_IMAG && !(node->flags & NODE_PARENS);
}

// a, *f() without parentheses is right to Python, but not to our grammar.
static bool has_star_value(const Node *node) {
    if (node->kind != NODE_TUPLE || !(node->flags & NODE_NEW))
        return false;
    for (uint32_t i = 0; i < node->u.items.items.len; i++) {
        const Node *item = node->u.items.items.items[i];
        if (item->kind == NODE_STARRED && !node_is(item->u.value.value, NODE_NAME))
            return true;
    }
    return false;
}

static bool needs_parens(const Pieces *list, const Node *node, int least) {
    if (has_star_value(node))
        return true;
    if (print_precedence(node) < least && node->kind != NODE_STARRED)
        return true;
    if (node->flags & NODE_NEW)
        return false;
    if (least == PREC_ATOM && is_number(node))
        return true; // 1.real is no attribute
    return !list->depth && node_is_expr(node) && print_loose_newline(list->printer, node);
}

void pieces_expr(Pieces *list, const Node *node, int least) {
    if (!node)
        return;
    bool parens = needs_parens(list, node, least);
    if (parens) {
        pieces_cstr(list, "(");
        list->depth++;
    }
    if (node->flags & NODE_NEW)
        put_new(list, node);
    else
        push(list, (Piece){.node = node});
    if (!parens)
        return;
    list->depth--;
    pieces_cstr(list, ")");
}
