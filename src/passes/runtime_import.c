// Makes the runtime available in a patched module: one statement behind its first block of imports.
//     from ... import _graphmend_runtime as _graphmend    --runtime=module in a package: the file lies in the outermost one
//     import graphmend_runtime as _graphmend              --runtime=module elsewhere: it lies beside the file
//     from graphmend import runtime as _graphmend         --runtime=import
//     _graphmend = types.ModuleType(...)                  --runtime=embed: what the module needs of the source itself, as a
//                                                         string that is executed
// A module that has its runtime from an earlier run keeps it; an embedded one is cut out anew if there are new calls of it.
// Where two blank lines follow the imports one of them makes room, so that no later line moves.
#include "passes/rewrite.h"

#include "analysis/runtime_calls.h"
#include "passes/runtime_part.h"

static bool is_import(const Node *statement) {
    return node_is(statement, NODE_IMPORT) || node_is(statement, NODE_IMPORT_FROM);
}

static bool is_docstring(const Node *statement) {
    return node_is(statement, NODE_EXPR_STMT) && (node_is(statement->u.value.value, NODE_CONSTANT) ||
                                                  node_is(statement->u.value.value, NODE_STR_CONCAT));
}

// The last statement of the first run of imports (docstring and __future__ included); NULL: before the first statement.
static Node *anchor_of(NodeList body) {
    Node *anchor = NULL;
    for (uint32_t i = 0; i < body.len; i++) {
        Node *statement = body.items[i];
        if (is_import(statement) || (i == 0 && is_docstring(statement)))
            anchor = statement;
        else if (anchor && is_import(anchor))
            break;
        else if (statement->kind != NODE_EXPR_STMT && statement->kind != NODE_ASSIGN)
            break; // `__version__ = ...` may stand before the imports
    }
    return anchor;
}

// The functions of the runtime that the rewritten module mentions, calls of an earlier run among them.
static void find_used(PassContext *context, Map *used) {
    VEC(Node *) stack = {0};
    vec_push(&stack, context->module->unit->tree->module);
    for (uint32_t i = 0; i < context->registrations.len; i++)
        vec_push(&stack, context->registrations.items[i]);
    while (stack.len) {
        Node *node = vec_pop(&stack);
        if (node_is(node, NODE_ATTRIBUTE) && node_is(node->u.attribute.value, NODE_NAME) &&
            node->u.attribute.value->u.name.name == context->runtime)
            map_put(used, node->u.attribute.attr, 1);
        for (ChildIter it = ast_children(node); ast_next(&it);)
            vec_push(&stack, it.child);
    }
    vec_free(&stack);
}

// As an expression that is a string; `newline` is what ends its lines.
static Str source_string(PassContext *context, Str newline) {
    Map used = {0};
    Buf part = {0}, out = {0};
    find_used(context, &used);
    runtime_part(&used, &part);
    buf_cstr(&out, "r'''");
    for (size_t i = 0; i < part.len; i++) {
        if (part.ptr[i] == '\n')
            buf_str(&out, newline);
        else
            buf_char(&out, part.ptr[i]);
    }
    buf_cstr(&out, "'''");
    Str text = str_dup(context->module->unit->arena, buf_view(&out));
    buf_free(&part);
    buf_free(&out);
    map_free(&used);
    return text;
}

// A file that is loaded again, or another one under the same name, adds what it needs to the module that is there: Dynamo
// looks modules up by their names once and for all. The printer ends the lines of a statement that is given as text, but
// not those of an expression.
static Str embedded_source(PassContext *context) {
    Str bound = name_str(context->runtime), source = source_string(context, STR("\n"));
    return str_format(
        context->module->unit->arena,
        "import sys as _graphmend_sys\nimport types as _graphmend_types\n\n"
        "%.*s = _graphmend_types.ModuleType(__name__ + \"._graphmend\")  # written by graphmend fix\n"
        "%.*s = _graphmend_sys.modules.setdefault(%.*s.__name__, %.*s)\n"
        "exec(compile(%.*s, \"<graphmend runtime>\", \"exec\"), vars(%.*s))",
        STR_ARG(bound), STR_ARG(bound), STR_ARG(bound), STR_ARG(bound), STR_ARG(source), STR_ARG(bound));
}

static Str binding_text(PassContext *context) {
    Arena *arena = context->module->unit->arena;
    Str bound = name_str(context->runtime);
    if (context->runtime_form == RUNTIME_EMBED)
        return embedded_source(context);
    if (context->runtime_form == RUNTIME_IMPORT)
        return str_format(arena, "from graphmend import runtime as %.*s", STR_ARG(bound));
    if (context->runtime_level == 0)
        return str_format(arena, "import %.*s as %.*s", STR_ARG(context->runtime_module), STR_ARG(bound));
    char *dots = arena_alloc(arena, context->runtime_level);
    memset(dots, '.', context->runtime_level);
    return str_format(arena, "from %.*s import %.*s as %.*s", (int)context->runtime_level, dots,
                      STR_ARG(context->runtime_module), STR_ARG(bound));
}

// Extends the span of the new statement over a blank line behind it when a second one follows.
static void take_blank_line(const Source *source, Node *fresh) {
    Str rest = str_slice(source->bytes, fresh->end, source->bytes.len);
    Str newline = source->newline;
    if (rest.len < 3 * newline.len)
        return;
    for (size_t i = 0; i < 3; i++)
        if (!str_eq(str_slice(rest, i * newline.len, (i + 1) * newline.len), newline))
            return;
    fresh->end += (uint32_t)newline.len;
}

// Behind `anchor`, or before the first statement.
static Node *insert(PassContext *context, Node *anchor, Node *binding) {
    Arena *arena = context->module->unit->arena;
    NodeList body = context->module->unit->tree->module->u.module.body;
    Node *sequence = ast_new(arena, NODE_STMT_SEQ);
    VEC(Node *) statements = {0};
    if (anchor)
        vec_push(&statements, anchor);
    if (binding)
        vec_push(&statements, binding);
    for (uint32_t i = 0; i < context->registrations.len; i++)
        vec_push(&statements, context->registrations.items[i]);
    if (!anchor)
        vec_push(&statements, body.items[0]);
    sequence->u.items.items = ast_list(arena, statements.len, statements.items);
    vec_free(&statements);
    ast_replace(anchor ? anchor : body.items[0], sequence);
    return sequence;
}

static void extend_embedded(PassContext *context, Node *source) {
    Str text = source_string(context, context->module->unit->tree->source.newline);
    ast_replace(source, ast_text(context->module->unit->arena, text));
}

void pass_runtime_import(PassContext *context) {
    if (!context->uses_runtime)
        return;
    SyntaxTree *tree = context->module->unit->tree;
    Name bound = 0;
    Node *present = find_runtime_binding(context->module, &bound);
    if (present) {
        Node *source = find_embedded_source(context->module, present);
        if (source)
            extend_embedded(context, source);
        if (context->registrations.len)
            insert(context, source ? node_statement(source) : present, NULL);
        return;
    }
    Node *anchor = anchor_of(tree->module->u.module.body);
    Node *sequence = insert(context, anchor, ast_text(context->module->unit->arena, binding_text(context)));
    if (anchor && context->runtime_form != RUNTIME_EMBED && context->registrations.len == 0)
        take_blank_line(&tree->source, sequence);
}
