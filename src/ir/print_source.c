// The printer's dealings with source text: ranges copied as they are or re-indented, string literals that must not be
// touched, and the account of which comments have been printed.
#include "ir/print.h"

// ---------------------------------------------------------------- places
static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\f';
}

bool print_at_line_start(const Source *source, uint32_t offset) {
    uint32_t start = source_line_start(source, offset);
    if (start < source->body)
        start = source->body;
    while (offset > start && is_blank(source->bytes.ptr[offset - 1]))
        offset--;
    return offset <= start;
}

// The output only grows: each byte is looked at once.
static size_t out_line_start(Printer *p) {
    size_t at = p->out->len;
    while (at > p->out_seen && p->out->ptr[at - 1] != '\n' && p->out->ptr[at - 1] != '\r')
        at--;
    if (at > p->out_seen)
        p->out_line = at;
    p->out_seen = p->out->len;
    if (!p->out_line && p->out->len >= 3 && memcmp(p->out->ptr, "\xEF\xBB\xBF", 3) == 0)
        return 3;
    return p->out_line;
}

Str print_out_indent(Printer *p) {
    size_t from = out_line_start(p), to = from;
    while (to < p->out->len && is_blank(p->out->ptr[to]))
        to++;
    return from == to ? STR("") : str_dup(p->arena, (Str){p->out->ptr + from, to - from});
}

Str print_deeper(Printer *p, Str indent) {
    Str unit = p->source->indent_unit;
    if (indent.len && unit.len && (indent.ptr[indent.len - 1] == '\t') != (unit.ptr[unit.len - 1] == '\t'))
        unit = indent.ptr[indent.len - 1] == '\t' ? STR("\t") : STR("    "); // the file has both
    return str_format(p->arena, "%.*s%.*s", STR_ARG(indent), STR_ARG(unit));
}

bool print_out_at_line_start(Printer *p) {
    size_t at = out_line_start(p);
    while (at < p->out->len && is_blank(p->out->ptr[at]))
        at++;
    return at == p->out->len;
}

void print_newline(Printer *p, Str indent) {
    buf_str(p->out, p->source->newline);
    buf_str(p->out, indent);
}

void print_line_begins(Printer *p) {
    p->line_start = p->out->len;
    p->line_indent = p->indent;
}

// ---------------------------------------------------------------- comments
uint32_t print_first_comment(Printer *p, uint32_t from) {
    uint32_t low = 0, high = p->tree->comment_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (p->tree->comments[middle].start < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void mark_done(Printer *p, uint32_t from, uint32_t to) {
    for (uint32_t i = print_first_comment(p, from); i < p->tree->comment_count; i++) {
        if (p->tree->comments[i].start >= to)
            break;
        p->done[i] = 1;
    }
}

static void insert(Buf *out, size_t at, Str text) {
    size_t tail = out->len - at;
    buf_str(out, text);
    memmove(out->ptr + at + text.len, out->ptr + at, tail);
    memcpy(out->ptr + at, text.ptr, text.len);
}

void print_hoist(Printer *p, Span span, size_t at, Str indent) {
    Buf lines = {0};
    for (uint32_t i = print_first_comment(p, span.start); i < p->tree->comment_count; i++) {
        Comment comment = p->tree->comments[i];
        if (comment.start >= span.end)
            break;
        if (p->done[i])
            continue;
        p->done[i] = 1;
        buf_str(&lines, source_span(p->source, comment.start, comment.end));
        buf_str(&lines, p->source->newline);
        buf_str(&lines, indent);
    }
    if (lines.len) {
        insert(p->out, at, buf_view(&lines));
        if (p->line_start >= at)
            p->line_start += lines.len;
    }
    buf_free(&lines);
}

// ---------------------------------------------------------------- string literals
static bool has_newline(Printer *p, uint32_t from, uint32_t to) {
    const char *text = p->source->bytes.ptr + from;
    return to > from && (memchr(text, '\n', to - from) || memchr(text, '\r', to - from));
}

static uint32_t string_start(Printer *p, const Node *node) {
    const char *text = p->source->bytes.ptr;
    uint32_t at = node->start;
    while (at < node->end && strchr("( \t\f\r\n\\#", text[at])) {
        if (text[at] == '#')
            while (at < node->end && text[at] != '\n' && text[at] != '\r')
                at++;
        else
            at++;
    }
    return at;
}

// Where the literal that starts at `at` ends; the fields of an f-string are jumped over.
static uint32_t string_end(Printer *p, const Node *node, uint32_t at) {
    const char *text = p->source->bytes.ptr;
    while (at < node->end && text[at] != '"' && text[at] != '\'')
        at++;
    char quote = text[at];
    uint32_t width = at + 2 < node->end && text[at + 1] == quote && text[at + 2] == quote ? 3 : 1;
    uint32_t fields = node->kind == NODE_FSTRING ? node->u.items.items.len : 0, field = 0;
    for (at += width; at < node->end;) {
        if (field < fields && node->u.items.items.items[field]->start == at) {
            at = node->u.items.items.items[field++]->end;
        } else if (text[at] == '\\') {
            at += 2;
        } else if (text[at] == quote && (width == 1 || (text[at + 1] == quote && text[at + 2] == quote))) {
            return at + width;
        } else {
            at++;
        }
    }
    return node->end;
}

Span print_token_span(Printer *p, const Node *node) {
    if (!(node->flags & NODE_PARENS))
        return (Span){node->start, node->end};
    uint32_t start = string_start(p, node);
    return (Span){start, string_end(p, node, start)};
}

static bool is_string(const Node *node) {
    if (node->flags & NODE_NEW)
        return false;
    if (node->kind == NODE_FSTRING)
        return true;
    return node->kind == NODE_CONSTANT &&
           (node->u.constant.kind == CONST_STR || node->u.constant.kind == CONST_BYTES);
}

static void collect_strings(Printer *p, Node *node, bool all) {
    if (is_string(node)) {
        Span span = print_token_span(p, node);
        if (all || has_newline(p, span.start, span.end))
            vec_push(&p->strings, span);
        return;
    }
    bool original = !(node->flags & NODE_NEW);
    if (original && !all && !(node->flags & NODE_DIRTY) && !has_newline(p, node->start, node->end))
        return;
    for (ChildIter it = ast_children(node); ast_next(&it);)
        collect_strings(p, it.child, all);
}

// The string that `offset` lies inside of, or NULL.
static const Span *string_at(const Printer *p, uint32_t offset) {
    for (uint32_t i = 0; i < p->strings.len; i++)
        if (p->strings.items[i].start < offset && offset < p->strings.items[i].end)
            return &p->strings.items[i];
    return NULL;
}

bool print_loose_newline(Printer *p, const Node *node) {
    if (node->flags & NODE_PARENS || !has_newline(p, node->start, node->end))
        return false;
    uint32_t base = p->strings.len;
    collect_strings(p, (Node *)(uintptr_t)node, true);
    const char *text = p->source->bytes.ptr;
    uint32_t next = base, depth = 0;
    bool loose = false;
    for (uint32_t at = node->start; at < node->end && !loose; at++) {
        while (next < p->strings.len && p->strings.items[next].start < at)
            next++;
        if (next < p->strings.len && p->strings.items[next].start == at) {
            at = p->strings.items[next].end - 1;
            continue;
        }
        if (text[at] == '#')
            while (at + 1 < node->end && text[at + 1] != '\n' && text[at + 1] != '\r')
                at++;
        else if (memchr("([{", text[at], 3))
            depth++;
        else if (memchr(")]}", text[at], 3) && depth)
            depth--;
        else if (text[at] == '\\')
            at += text[at + 1] == '\r' && text[at + 2] == '\n' ? 2 : 1;
        else
            loose = !depth && (text[at] == '\n' || text[at] == '\r');
    }
    p->strings.len = base;
    return loose;
}

// ---------------------------------------------------------------- copying
// White space at the start of a moved line: the old indentation becomes the new one; what was indented less moves by
// the same distance as far as it can.
static uint32_t shift_line(Printer *p, uint32_t at, uint32_t to) {
    const char *text = p->source->bytes.ptr;
    uint32_t end = at;
    while (end < to && is_blank(text[end]))
        end++;
    if (end < to && (text[end] == '\n' || text[end] == '\r'))
        return at; // a blank line
    Str space = source_span(p->source, at, end);
    if (str_starts(space, p->shift_from)) {
        buf_str(p->out, p->shift_to);
        return at + (uint32_t)p->shift_from.len;
    }
    if (p->shift_to.len > p->shift_from.len) {
        buf_str(p->out, str_slice(p->shift_to, p->shift_from.len, p->shift_to.len));
        return at;
    }
    size_t less = p->shift_from.len - p->shift_to.len;
    return at + (uint32_t)(less < space.len ? less : space.len);
}

static void copy_shifted(Printer *p, uint32_t from, uint32_t to) {
    const char *text = p->source->bytes.ptr;
    uint32_t at = from;
    while (at < to) {
        uint32_t end = at;
        while (end < to && text[end] != '\n' && text[end] != '\r')
            end++;
        if (end < to)
            end += text[end] == '\r' && end + 1 < to && text[end + 1] == '\n' ? 2 : 1;
        buf_bytes(p->out, text + at, end - at);
        at = end;
        bool line_began = at > from && (text[at - 1] == '\n' || text[at - 1] == '\r');
        if (line_began && at < to && !string_at(p, at))
            at = shift_line(p, at, to);
    }
}

static void copy(Printer *p, uint32_t from, uint32_t to) {
    if (to <= from)
        return;
    mark_done(p, from, to);
    if (str_eq(p->shift_from, p->shift_to))
        buf_bytes(p->out, p->source->bytes.ptr + from, to - from);
    else
        copy_shifted(p, from, to);
}

void print_source(Printer *p, uint32_t from, uint32_t to) {
    if (p->skip.start < p->skip.end && from <= p->skip.start && p->skip.start < to) {
        copy(p, from, p->skip.start);
        from = p->skip.end < to ? p->skip.end : to;
        p->skip = (Span){0};
    }
    copy(p, from, to);
}

void print_original(Printer *p, const Node *node, Str indent) {
    Str from = p->shift_from, to = p->shift_to;
    uint32_t base = p->strings.len;
    p->shift_from = source_indent(p->source, node->start);
    p->shift_to = indent;
    if (!str_eq(p->shift_from, p->shift_to))
        collect_strings(p, (Node *)(uintptr_t)node, false);
    print_kept(p, node);
    p->shift_from = from;
    p->shift_to = to;
    p->strings.len = base;
}
