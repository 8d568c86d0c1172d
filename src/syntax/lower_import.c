// Lowering of import statements: each imported thing is an ALIAS (or STAR_IMPORT) with interned dotted names.
#include "syntax/lower.h"

// The dotted name at [start, end) without the white space and continuations Python allows around its dots.
static Name dotted(Lower *l, uint32_t start, uint32_t end) {
    Str text = {l->bytes + start, end - start};
    bool plain = true;
    for (size_t i = 0; plain && i < text.len; i++)
        plain = !strchr(" \t\f\r\n\\", text.ptr[i]);
    if (plain)
        return intern(text);
    Buf clean = {0};
    for (size_t i = 0; i < text.len; i++)
        if (!strchr(" \t\f\r\n\\", text.ptr[i]))
            buf_char(&clean, text.ptr[i]);
    Name name = intern(buf_view(&clean));
    buf_free(&clean);
    return name;
}

static Node *lower_alias(Lower *l, const Cur *at) {
    Node *node =
        lower_node(l, at->cst == CST_wildcard_import ? NODE_STAR_IMPORT : NODE_ALIAS, at->start, at->end);
    if (at->cst == CST_dotted_name)
        node->u.alias.name = dotted(l, at->start, at->end);
    if (at->cst != CST_aliased_import)
        return node;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst == CST_dotted_name)
            node->u.alias.name = dotted(l, c.start, c.end);
        else if (c.cst == CST_identifier)
            node->u.alias.as = lower_name(l, c.start, c.end);
    }
    return node;
}

// ..package.module: the cursor is at the relative_import
static void lower_relative(Lower *l, Node *node) {
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst == CST_dotted_name)
            node->u.from.module = dotted(l, c.start, c.end);
        if (c.cst != CST_import_prefix)
            continue;
        for (uint32_t i = c.start; i < c.end; i++)
            node->u.from.level += l->bytes[i] == '.';
    }
}

Node *lower_import(Lower *l, const Cur *at) {
    bool plain = at->cst == CST_import_statement;
    Node *node = lower_node(l, plain ? NODE_IMPORT : NODE_IMPORT_FROM, at->start, at->end);
    if (at->cst == CST_future_import_statement)
        node->u.from.module = NAME_OF("__future__");
    bool list = plain || at->cst == CST_future_import_statement;
    uint32_t base = l->stack.len;
    Cur c;
    for (bool more = cur_first(l, &c); more; more = cur_next(l, &c)) {
        if (c.cst == TOK_IMPORT)
            list = true;
        if (!ts_node_is_named(c.node))
            continue;
        if (list) {
            Node *alias = lower_alias(l, &c);
            vec_push(&l->stack, alias);
        } else if (c.cst == CST_relative_import) {
            lower_relative(l, node);
        } else {
            node->u.from.module = dotted(l, c.start, c.end);
        }
    }
    NodeList items = lower_take(l, base);
    if (plain)
        node->u.items.items = items;
    else
        node->u.from.items = items;
    return node;
}
