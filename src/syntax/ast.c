// Generic access to the tree: field tables, traversal, ancestry, builders and replacement.
//
// Input: nodes made by the lowering (lower_*.c) or by passes (ast_new). Output: the same nodes, linked. The field tables
// come from AST_KINDS, so a new kind needs no code here. Nothing in this file looks at Python text except
// node_text; string values are decoded in string_value.c.
#include "syntax/ast.h"

// ---------------------------------------------------------------- field tables
typedef enum FieldForm { FIELD_END, FIELD_ONE, FIELD_MANY } FieldForm;
typedef struct Field {
    uint16_t offset;
    uint16_t form; // FieldForm
} Field;

#define ONE(f) {(uint16_t)(offsetof(Node, u) + offsetof(Member, f)), FIELD_ONE},
#define MANY(f) {(uint16_t)(offsetof(Node, u) + offsetof(Member, f)), FIELD_MANY},
static const Field *fields_of(uint16_t kind) {
    switch ((NodeKind)kind) {
#define X(name, member, fields)                                                                              \
    case NODE_##name: {                                                                                      \
        typedef __typeof__(((Node *)0)->u.member) Member;                                                    \
        static const Field table[] = {fields{(uint16_t)(sizeof(Member) * 0), FIELD_END}};                    \
        return table;                                                                                        \
    }
        AST_KINDS(X)
#undef X
    case NODE_KIND_COUNT:
        break;
    }
    PANIC("no node kind %d", kind);
}
#undef ONE
#undef MANY

const char *node_kind_name(NodeKind kind) {
    static const char *const names[] = {
#define X(name, member, fields) #name,
        AST_KINDS(X)
#undef X
    };
    CHECK((unsigned)kind < NODE_KIND_COUNT);
    return names[kind];
}

const char *op_text(Op op) {
    static const char *const texts[] = {
        [OP_NONE] = "",        [OP_ADD] = "+",         [OP_SUB] = "-",       [OP_MUL] = "*",
        [OP_MATMUL] = "@",     [OP_DIV] = "/",         [OP_FLOORDIV] = "//", [OP_MOD] = "%",
        [OP_POW] = "**",       [OP_LSHIFT] = "<<",     [OP_RSHIFT] = ">>",   [OP_AND] = "&",
        [OP_OR] = "|",         [OP_XOR] = "^",         [OP_NOT] = "not",     [OP_INVERT] = "~",
        [OP_UPLUS] = "+",      [OP_UMINUS] = "-",      [OP_EQ] = "==",       [OP_NE] = "!=",
        [OP_LT] = "<",         [OP_LE] = "<=",         [OP_GT] = ">",        [OP_GE] = ">=",
        [OP_IS] = "is",        [OP_IS_NOT] = "is not", [OP_IN] = "in",       [OP_NOT_IN] = "not in",
        [OP_BOOL_AND] = "and", [OP_BOOL_OR] = "or",
    };
    CHECK((unsigned)op < sizeof texts / sizeof *texts);
    return texts[op];
}

// ---------------------------------------------------------------- traversal
ChildIter ast_children(Node *node) {
    return (ChildIter){.node = node};
}

bool ast_next(ChildIter *it) {
    const Field *fields = fields_of(it->node->kind);
    char *base = (char *)it->node;
    for (;; it->field++, it->index = 0) {
        const Field *field = &fields[it->field];
        if (field->form == FIELD_END)
            return it->child = NULL, it->slot = NULL, false;
        if (field->form == FIELD_ONE) {
            Node **slot = (Node **)(void *)(base + field->offset);
            if (it->index++ == 0 && *slot)
                return it->slot = slot, it->child = *slot, true;
            continue;
        }
        NodeList *list = (NodeList *)(void *)(base + field->offset);
        while (it->index < list->len) {
            Node **slot = &list->items[it->index++];
            if (*slot)
                return it->slot = slot, it->child = *slot, true;
        }
    }
}

// ---------------------------------------------------------------- questions
bool node_is_stmt(const Node *node) {
    if (!node)
        return false;
    return (node->kind >= NODE_FUNCTION_DEF && node->kind <= NODE_STMT_ERROR);
}

bool node_is_expr(const Node *node) {
    return node && node->kind >= NODE_NAME && node->kind <= NODE_TEXT && node->kind != NODE_KEYWORD &&
           node->kind != NODE_DICT_ITEM && node->kind != NODE_COMPREHENSION &&
           node->kind != NODE_FORMATTED_VALUE;
}

Str node_text(const SyntaxTree *tree, const Node *node) {
    CHECK(!(node->flags & NODE_NEW));
    return source_span(&tree->source, node->start, node->end);
}

Node *node_enclosing(const Node *node, NodeKind kind) {
    for (Node *at = node->parent; at; at = at->parent)
        if (at->kind == (uint16_t)kind)
            return at;
    return NULL;
}

Node *node_function(const Node *node) {
    for (Node *at = node->parent; at; at = at->parent)
        if (at->kind == NODE_FUNCTION_DEF || at->kind == NODE_LAMBDA)
            return at;
    return NULL;
}

Node *node_statement(Node *node) {
    while (node && !node_is_stmt(node))
        node = node->parent;
    return node;
}

bool node_contains(const Node *outer, const Node *inner) {
    for (; inner; inner = inner->parent)
        if (inner == outer)
            return true;
    return false;
}

uint32_t nodes_from(Node *const *nodes, uint32_t len, uint32_t place) {
    uint32_t low = 0, high = len;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (nodes[middle]->start < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool node_in_suite(const Node *statement, NodeList *suite, uint32_t *at) {
    Node *parent = statement->parent;
    CHECK(node_is_stmt(statement));
    for (const Field *field = parent ? fields_of(parent->kind) : NULL; field && field->form != FIELD_END;
         field++) {
        if (field->form != FIELD_MANY)
            continue;
        *suite = *(NodeList *)(void *)((char *)parent + field->offset);
        for (*at = nodes_from(suite->items, suite->len, statement->start);
             *at < suite->len && suite->items[*at]->start == statement->start; ++*at)
            if (suite->items[*at] == statement)
                return true;
    }
    return false;
}

Name node_dotted(const Node *node) {
    enum { PARTS_MAX = 64 }; // longer chains are no module path; 0 is the safe answer
    Name parts[PARTS_MAX];
    uint32_t count = 0;
    for (; node_is(node, NODE_ATTRIBUTE) && count < PARTS_MAX - 1; node = node->u.attribute.value)
        parts[count++] = node->u.attribute.attr;
    if (!node_is(node, NODE_NAME))
        return 0;
    if (!count)
        return node->u.name.name;
    Buf text = {0};
    buf_str(&text, name_str(node->u.name.name));
    while (count) {
        buf_char(&text, '.');
        buf_str(&text, name_str(parts[--count]));
    }
    Name dotted = intern(buf_view(&text));
    buf_free(&text);
    return dotted;
}

// ---------------------------------------------------------------- building
// A node has room for its kind's member only: most are names and attributes, a third of the largest.
static size_t size_of(uint16_t kind) {
    switch ((NodeKind)kind) {
#define X(name, member, fields)                                                                              \
    case NODE_##name:                                                                                        \
        return offsetof(Node, u) + sizeof(((Node *)0)->u.member);
        AST_KINDS(X)
#undef X
    case NODE_KIND_COUNT:
        break;
    }
    PANIC("no node kind %d", kind);
}

Node *ast_node(Arena *arena, NodeKind kind) {
    Node *node = arena_alloc(arena, size_of((uint16_t)kind));
    node->kind = (uint16_t)kind;
    return node;
}

void ast_copy(const Node *node, Node *into) {
    memcpy(into, node, size_of(node->kind));
}

Node *ast_new(Arena *arena, NodeKind kind) {
    Node *node = ast_node(arena, kind);
    node->flags = NODE_NEW;
    return node;
}

NodeList ast_list(Arena *arena, uint32_t len, Node *const *items) {
    if (!len)
        return (NodeList){0};
    return (NodeList){arena_dup(arena, items, len * sizeof *items), len};
}

Node *ast_name(Arena *arena, Str name) {
    Node *node = ast_new(arena, NODE_NAME);
    node->u.name.name = intern(name);
    return node;
}

Node *ast_text(Arena *arena, Str text) {
    Node *node = ast_new(arena, NODE_TEXT);
    node->u.text.text = str_dup(arena, text);
    return node;
}

Node *ast_attribute(Arena *arena, Node *value, Str attr) {
    Node *node = ast_new(arena, NODE_ATTRIBUTE);
    node->u.attribute.value = value;
    node->u.attribute.attr = intern(attr);
    return node;
}

Node *ast_call(Arena *arena, Node *func, uint32_t len, Node *const *args) {
    Node *node = ast_new(arena, NODE_CALL);
    node->u.call.func = func;
    node->u.call.args = ast_list(arena, len, args);
    return node;
}

Node *ast_keyword(Arena *arena, Str name, Node *value) {
    Node *node = ast_new(arena, NODE_KEYWORD);
    node->u.keyword.name = name.len ? intern(name) : 0;
    node->u.keyword.value = value;
    return node;
}

Node *ast_expr_stmt(Arena *arena, Node *value) {
    Node *node = ast_new(arena, NODE_EXPR_STMT);
    node->u.value.value = value;
    return node;
}

// ---------------------------------------------------------------- replacing
// Sets the parent links of everything new below `node`; original nodes are linked but not entered. Inner new nodes get
// an empty span at `at`, so that whoever asks for their place gets a sensible one. The new part is built by our own
// passes and is shallow; it hangs below originals only.
static void adopt(Node *node, uint32_t at) {
    for (ChildIter it = ast_children(node); ast_next(&it);) {
        Node *child = it.child;
        child->parent = node;
        if (!(child->flags & NODE_NEW))
            continue;
        if (!child->end)
            child->start = child->end = at;
        adopt(child, at);
    }
}

void ast_replace(Node *old, Node *fresh) {
    Node *parent = old->parent;
    CHECK(parent != NULL && fresh->flags & NODE_NEW); // an original's span is where its text is
    Node **place = NULL;
    for (ChildIter it = ast_children(parent); !place && ast_next(&it);)
        if (it.child == old)
            place = it.slot;
    CHECK(place != NULL);
    *place = fresh;
    fresh->parent = parent;
    fresh->start = old->start;
    fresh->end = old->end;
    adopt(fresh, old->start);
    for (; parent; parent = parent->parent)
        parent->flags |= NODE_DIRTY;
}

// The list that holds the iterator's current child; NULL for a single field.
static NodeList *child_list(const ChildIter *it) {
    const Field *field = &fields_of(it->node->kind)[it->field];
    return field->form == FIELD_MANY ? (NodeList *)(void *)((char *)it->node + field->offset) : NULL;
}

void ast_replace_run(Node *first, Node *last, Node *fresh) {
    Node *parent = first->parent;
    uint32_t end = last->end;
    if (first == last) {
        ast_replace(first, fresh);
        return;
    }
    CHECK(parent == last->parent);
    ast_replace(first, fresh);
    fresh->end = end;
    // The statements behind it leave their list: fields are lists, so find the one that now holds `fresh`.
    for (ChildIter it = ast_children(parent); ast_next(&it);) {
        if (it.child != fresh)
            continue;
        NodeList *list = child_list(&it);
        CHECK(list != NULL);
        uint32_t at = it.index - 1, gone = 0;
        while (list->items[at + gone] != last)
            gone++;
        memmove(list->items + at + 1, list->items + at + 1 + gone,
                sizeof(Node *) * (list->len - at - 1 - gone));
        list->len -= gone;
        return;
    }
    PANIC("the replaced statement is not among its parent's children");
}
