// Cuts out of the runtime what a file needs, so that a file with one print does not carry all of it.
//
// In:  the runtime's functions that the file calls. Out: the statements of src/runtime/graphmend_runtime.py that these reach,
// in its order, with the comments above them; of an import the names that are read.
// A statement is kept if it binds a name that a kept one reads. One that binds nothing is kept always: the docstring, and
// what acts on all that is there. So is the mark by which frames of the runtime are known. The runtime is written for this:
// a statement that changes what another has bound would be lost, or kept for nothing.
// What the replay of a record needs hangs on the sink, so that whichever copy of the runtime owns it can replay all records.
#include "passes/runtime_part.h"

#include "rules/embedded.h"

#define RUNTIME_MARK "GRAPHMEND_RUNTIME"

typedef struct Parts {
    const SyntaxTree *tree;
    NodeList body;
    const Map *used;
    const Map *symbols; // of the module
    bool *kept;         // by index into body
} Parts;

static uint32_t statement_at(const Parts *parts, uint32_t offset) {
    uint32_t i = 0;
    while (i + 1 < parts->body.len && parts->body.items[i + 1]->start <= offset)
        i++;
    return i;
}

static bool is_read(const Parts *parts, const Symbol *symbol) {
    if (map_get(parts->used, symbol->name, NULL) || symbol->name == NAME_OF(RUNTIME_MARK))
        return true;
    for (uint32_t i = 0; i < symbol->uses.len; i++)
        if (parts->kept[statement_at(parts, vec_at(&symbol->uses, i)->start)])
            return true;
    return false;
}

static bool keep_bindings(Parts *parts, const Symbol *symbol) {
    bool grew = false;
    for (uint32_t i = 0; i < symbol->bindings.len; i++) {
        bool *kept = &parts->kept[statement_at(parts, vec_at(&symbol->bindings, i)->start)];
        grew |= !*kept;
        *kept = true;
    }
    return grew;
}

static void keep_what_binds_nothing(Parts *parts) {
    for (uint32_t i = 0; i < parts->body.len; i++) {
        const Node *statement = parts->body.items[i];
        parts->kept[i] =
            node_is(statement, NODE_EXPR_STMT) ||
            (node_is(statement, NODE_IMPORT_FROM) && statement->u.from.module == NAME_OF("__future__"));
    }
}

static void keep_what_is_read(Parts *parts) {
    bool grew = true;
    while (grew) {
        grew = false;
        for (uint32_t i = 0; i < parts->symbols->len; i++) {
            const Symbol *symbol = (const Symbol *)parts->symbols->entries[i].value;
            if (!(symbol->flags & SYM_IMPLICIT) && is_read(parts, symbol))
                grew |= keep_bindings(parts, symbol);
        }
    }
}

// ---------------------------------------------------------------- text

static bool alias_is_read(const Parts *parts, const Node *alias) {
    Name bound = alias->u.alias.as ? alias->u.alias.as : alias->u.alias.name;
    const Symbol *symbol = map_ptr(parts->symbols, bound);
    return !symbol || symbol->uses.len == 0 || is_read(parts, symbol);
}

// from typing import Any, Callable
static void put_import(const Parts *parts, const Node *statement, Buf *out) {
    NodeList names = statement->u.from.items;
    buf_str(out, source_span(&parts->tree->source, statement->start, names.items[0]->start));
    const char *before = "";
    for (uint32_t i = 0; i < names.len; i++) {
        if (!alias_is_read(parts, names.items[i]))
            continue;
        buf_printf(out, "%s%.*s", before, STR_ARG(node_text(parts->tree, names.items[i])));
        before = ", ";
    }
    buf_char(out, '\n');
}

// A statement has the blank lines and comments above it. Where others were left out between two, the most blank lines that
// one of these had are between them.
static void put_kept(const Parts *parts, Buf *out) {
    const Source *source = &parts->tree->source;
    uint32_t from = 0, blank = 0;
    for (uint32_t i = 0; i < parts->body.len; i++) {
        const Node *statement = parts->body.items[i];
        uint32_t line = source_line_start(source, statement->start);
        uint32_t end = source_place(source, statement->end).line;
        uint32_t next = end < source->line_count ? source->lines[end] : (uint32_t)source->bytes.len;
        uint32_t text = from;
        while (source->bytes.ptr[text] == '\n')
            text++;
        blank = text - from > blank ? text - from : blank;
        from = next;
        if (!parts->kept[i])
            continue;
        for (; blank > 0; blank--)
            buf_char(out, '\n');
        if (node_is(statement, NODE_IMPORT_FROM)) {
            buf_str(out, source_span(source, text, line));
            put_import(parts, statement, out);
        } else {
            buf_str(out, source_span(source, text, next));
        }
    }
}

void runtime_part(const Map *used, Buf *out) {
    Arena *arena = arena_new();
    DiagList diags;
    diag_init(&diags, arena);
    Source source;
    Str why;
    Str bytes = {(const char *)embedded_runtime, embedded_runtime_size};
    if (!source_init(&source, arena, STR("graphmend_runtime.py"), bytes, &why))
        PANIC("the runtime is not text: %.*s", STR_ARG(why));
    Unit *unit = unit_new(syntax_parse(arena, source, &diags));
    NodeList body = unit->tree->module->u.module.body;
    Parts parts = {unit->tree, body, used, &unit->scope->symbols, arena_alloc(arena, body.len)};
    keep_what_binds_nothing(&parts);
    keep_what_is_read(&parts);
    put_kept(&parts, out);
    unit_free(unit);
    diag_free(&diags);
    arena_free(arena);
}
