// Lowering of parameter lists (def, lambda) and of type parameter lists; both become PARAM nodes.
#include "syntax/lower.h"

static Node *new_param(Lower *l, const Cur *at, ParamKind kind) {
    Node *node = lower_node(l, NODE_PARAM, at->start, at->end);
    node->u.param.kind = kind;
    return node;
}

static void set_name(Lower *l, Node *param, const Cur *name) {
    param->u.param.name = lower_name(l, name->start, name->end);
    param->u.param.name_start = name->start;
}

// *args, **kwargs: the cursor is at the splat
static void lower_splat(Lower *l, Node *param) {
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c))
        if (c.cst == CST_identifier)
            set_name(l, param, &c);
}

// Every form but the bare name: name: type = default, *args: type ...
static Node *lower_param(Lower *l, const Cur *at, ParamKind kind) {
    Node *param = new_param(l, at, kind);
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (!ts_node_is_named(c.node))
            continue;
        if (c.cst == CST_type) {
            param->u.param.annotation = lower_expr(l, &c);
        } else if (param->u.param.name) {
            param->u.param.default_value = lower_expr(l, &c);
        } else if (c.cst == CST_list_splat_pattern || c.cst == CST_dictionary_splat_pattern) {
            param->u.param.kind = c.cst == CST_list_splat_pattern ? PARAM_VARARGS : PARAM_KWARGS;
            lower_splat(l, param);
        } else if (c.cst == CST_identifier) {
            set_name(l, param, &c);
        } else {
            lower_report(l, c.start, "syntax error: a tuple parameter is Python 2");
            set_name(l, param, &c);
        }
    }
    return param;
}

static Node *lower_any_param(Lower *l, const Cur *c, ParamKind kind) {
    switch (c->cst) {
    case CST_identifier: {
        Node *param = new_param(l, c, kind);
        set_name(l, param, c);
        return param;
    }
    case CST_list_splat_pattern:
    case CST_dictionary_splat_pattern: {
        Node *param = new_param(l, c, c->cst == CST_list_splat_pattern ? PARAM_VARARGS : PARAM_KWARGS);
        lower_splat(l, param);
        return param;
    }
    case CST_typed_parameter:
    case CST_default_parameter:
    case CST_typed_default_parameter:
        return lower_param(l, c, kind);
    default:
        return NULL;
    }
}

Node *lower_params(Lower *l, const Cur *at) {
    Node *node = lower_node(l, NODE_PARAMS, at->start, at->end);
    uint32_t base = l->stack.len;
    ParamKind kind = PARAM_NORMAL;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst == CST_positional_separator) {
            for (uint32_t i = base; i < l->stack.len; i++)
                l->stack.items[i]->u.param.kind = PARAM_POSITIONAL_ONLY;
        } else if (c.cst == CST_keyword_separator) {
            kind = PARAM_KEYWORD_ONLY;
        } else if (ts_node_is_named(c.node)) {
            Node *param = lower_any_param(l, &c, kind);
            if (!param) {
                lower_report(l, c.start, "syntax error: not a parameter");
                continue;
            }
            if (param->u.param.kind == PARAM_VARARGS)
                kind = PARAM_KEYWORD_ONLY;
            vec_push(&l->stack, param);
        }
    }
    node->u.items.items = lower_take(l, base);
    return node;
}

// ---------------------------------------------------------------- type parameters
// T, T: bound, *Ts, **P: the cursor is at the `type` node
static Node *lower_type_param(Lower *l, const Cur *at) {
    Node *param = new_param(l, at, PARAM_NORMAL);
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst == CST_identifier && !param->u.param.name) {
            set_name(l, param, &c);
        } else if (c.cst == CST_splat_type) {
            param->u.param.kind = l->bytes[c.start + 1] == '*' ? PARAM_KWARGS : PARAM_VARARGS;
            lower_splat(l, param);
        } else if (c.cst == CST_constrained_type) {
            Cur part;
            for (bool inner = cur_first(l, &part); inner; inner = cur_next(l, &part)) {
                if (part.cst != CST_type)
                    continue;
                if (!param->u.param.name)
                    set_name(l, param, &part);
                else
                    param->u.param.annotation = lower_expr(l, &part);
            }
        }
    }
    if (!param->u.param.name)
        lower_report(l, at->start, "syntax error: not a type parameter");
    return param;
}

NodeList lower_type_params(Lower *l) {
    uint32_t base = l->stack.len;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst != CST_type)
            continue;
        if (cur_has_error(l, &c)) {
            cur_skip(l, &c);
            continue;
        }
        Node *param = lower_type_param(l, &c);
        vec_push(&l->stack, param);
    }
    return lower_take(l, base);
}
