// Makes the runtime available in a patched module: one statement behind its first block of imports.
//     from ... import _graphmend_runtime as _graphmend    --runtime=module in a package: the file lies in the outermost one
//     import graphmend_runtime as _graphmend              --runtime=module elsewhere: it lies beside the file
//     from graphmend import runtime as _graphmend         --runtime=import
//     _graphmend = types.ModuleType(...)                  --runtime=embed: the source itself, as a string that is executed
// Where two blank lines follow the imports one of them makes room, so that no later line moves.
#include "passes/rewrite.h"

#include "detect/runtime_calls.h"
#include "rules/embedded.h"

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

static Str embedded_source(Arena *arena, Str bound, Str newline) {
    Buf out = {0};
    buf_printf(&out, "import sys as _graphmend_sys\nimport types as _graphmend_types\n\n");
    buf_printf(&out,
               "%.*s = _graphmend_types.ModuleType(__name__ + \"._graphmend\")  # written by graphmend fix\n",
               STR_ARG(bound));
    buf_printf(&out, "_graphmend_sys.modules[%.*s.__name__] = %.*s\n", STR_ARG(bound), STR_ARG(bound));
    buf_cstr(&out, "exec(compile(r'''");
    buf_bytes(&out, embedded_runtime, embedded_runtime_size);
    buf_printf(&out, "''', \"<graphmend runtime>\", \"exec\"), vars(%.*s))", STR_ARG(bound));
    Buf lines = {0};
    for (size_t i = 0; i < out.len; i++) {
        if (out.ptr[i] == '\n')
            buf_str(&lines, newline);
        else
            buf_char(&lines, out.ptr[i]);
    }
    Str text = str_dup(arena, buf_view(&lines));
    buf_free(&out);
    buf_free(&lines);
    return text;
}

static Str binding_text(PassContext *context) {
    Arena *arena = context->module->unit->arena;
    Str bound = name_str(context->runtime);
    if (context->runtime_form == RUNTIME_EMBED)
        return embedded_source(arena, bound, context->module->unit->tree->source.newline);
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

void pass_runtime_import(PassContext *context) {
    Name bound = 0;
    if (!context->uses_runtime || find_runtime_binding(context->module, &bound))
        return;
    SyntaxTree *tree = context->module->unit->tree;
    NodeList body = tree->module->u.module.body;
    Node *binding = ast_text(context->module->unit->arena, binding_text(context));
    Node *anchor = anchor_of(body);
    Node *sequence = ast_new(context->module->unit->arena, NODE_STMT_SEQ);
    VEC(Node *) statements = {0};
    if (anchor)
        vec_push(&statements, anchor);
    vec_push(&statements, binding);
    for (uint32_t i = 0; i < context->registrations.len; i++)
        vec_push(&statements, context->registrations.items[i]);
    if (!anchor)
        vec_push(&statements, body.items[0]);
    sequence->u.items.items = ast_list(context->module->unit->arena, statements.len, statements.items);
    vec_free(&statements);
    ast_replace(anchor ? anchor : body.items[0], sequence);
    if (anchor && context->runtime_form != RUNTIME_EMBED && context->registrations.len == 0)
        take_blank_line(&tree->source, sequence);
}
