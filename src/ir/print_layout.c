// From pieces to lines. Two original nodes that stood on different lines of the replaced text, and still follow each
// other, keep their line break with its comments and indentation:
//
//     if cond:  # why                    _graphmend.raise_if(cond,  # why
//         # comment               ->         # comment
//         raise ValueError("m")              lambda: ValueError("m"))
//
// so that the lines below (and the numbers in tracebacks and log records) stay where they were. The break goes to the
// best place between the two; without one (no bracket is open) it is given up, and print_hoist saves the comments.
// A new call that is not in the place of a single line, and has no such break, is broken in black's way if it is too long.
#include "ir/print.h"

// ---------------------------------------------------------------- kept line breaks
static bool is_newline(char c) {
    return c == '\n' || c == '\r';
}

static bool gap_breaks(const Printer *p, uint32_t from, uint32_t to) {
    for (uint32_t at = from; at < to; at++)
        if (is_newline(p->source->bytes.ptr[at]))
            return true;
    return false;
}

static void gap_line_end(const char *text, uint32_t *at, uint32_t to, Buf *into) {
    uint32_t from = *at;
    *at += text[from] == '\r' && from + 1 < to && text[from + 1] == '\n' ? 2 : 1;
    buf_bytes(into, text + from, *at - from);
}

// The gap's line breaks and comments, without the code in it, and `indent` for the line that follows.
static Str gap_text(Printer *p, uint32_t from, uint32_t to, Str indent) {
    const char *text = p->source->bytes.ptr;
    uint32_t next = print_first_comment(p, from);
    Buf kept = {0};
    for (uint32_t at = from; at < to;) {
        if (next < p->tree->comment_count && p->tree->comments[next].start == at) {
            Comment comment = p->tree->comments[next];
            uint32_t space = at;
            while (space > from && strchr(" \t\f", text[space - 1]))
                space--;
            // It may come to stand alone, the code before it being gone, or behind what has taken its line.
            bool alone = kept.len && is_newline(kept.ptr[kept.len - 1]);
            bool moved = alone != print_at_line_start(p->source, at);
            if (!p->done[next]) {
                if (moved || space == at)
                    buf_str(&kept, alone ? indent : STR("  "));
                buf_bytes(&kept, text + (moved ? at : space), comment.end - (moved ? at : space));
            }
            p->done[next++] = 1;
            at = comment.end;
        } else if (is_newline(text[at])) {
            gap_line_end(text, &at, to, &kept);
        } else {
            at++;
        }
    }
    buf_str(&kept, indent);
    Str result = str_dup(p->arena, buf_view(&kept));
    buf_free(&kept);
    return result;
}

// The indentation that the line of `offset` has in the source, but as deep as the brackets around it at least.
static Str inner_indent(Printer *p, uint32_t offset, uint32_t depth) {
    Str indent = source_indent(p->source, offset), least = p->indent;
    do
        least = print_deeper(p, least);
    while (depth-- > 1);
    return indent.len > least.len ? indent : least;
}

// Between two statements of a new suite: the comment behind the first, then blank lines and comments of the dropped text,
// then a new line for the second.
void print_boundary(Printer *p, uint32_t to) {
    const char *text = p->source->bytes.ptr;
    uint32_t next = print_first_comment(p, p->reached);
    bool first = true, blank = false;
    for (uint32_t at = p->reached; at < to; at++) {
        if (next < p->tree->comment_count && p->tree->comments[next].start == at) {
            Comment comment = p->tree->comments[next];
            if (!p->done[next]) {
                if (first)
                    buf_cstr(p->out, "  ");
                else
                    print_newline(p, p->indent);
                buf_str(p->out, source_span(p->source, comment.start, comment.end));
            }
            p->done[next++] = 1;
            at = comment.end - 1;
            blank = false;
        } else if (is_newline(text[at])) {
            if (text[at] == '\r' && at + 1 < to && text[at + 1] == '\n')
                at++;
            if (blank && !first)
                buf_str(p->out, p->source->newline);
            first = false;
            blank = true;
        } else if (!strchr(" \t\f", text[at])) {
            blank = false;
        }
    }
    if (to > p->reached)
        p->reached = to;
    print_newline(p, p->indent);
}

// The best break in list[from..to): the last comma, else the last opening bracket, else the last space.
static Piece *best_break(Pieces *list, uint32_t from, uint32_t to) {
    Piece *best = NULL;
    for (uint32_t i = from; i < to; i++) {
        Piece *piece = &list->list.items[i];
        if (piece->brk == BREAK_NONE || piece->brk == BREAK_CLOSE || !piece->depth)
            continue;
        if (!best || piece->brk >= best->brk)
            best = piece;
    }
    return best;
}

// A comma in front of the closing bracket.
static bool gap_has_comma(Printer *p, uint32_t from, uint32_t to) {
    const char *text = p->source->bytes.ptr;
    while (from < to && strchr(" \t\f\\\r\n", text[from]))
        from++;
    return from < to && text[from] == ',';
}

// The line break before the replaced text's closing bracket.
static bool keep_closing_break(Printer *p, Pieces *list, uint32_t end, uint32_t after) {
    if (end < p->reached)
        end = p->reached;
    if (!p->last || end >= p->root.end || !gap_breaks(p, end, p->root.end))
        return false;
    if (!strchr(")]}", p->source->bytes.ptr[p->root.end - 1])) { // code that is gone
        p->jumped = true;
        return false;
    }
    for (uint32_t i = list->list.len; i > after; i--) {
        Piece *piece = &list->list.items[i - 1];
        if (piece->brk != BREAK_CLOSE)
            continue;
        piece->text = gap_text(p, end, p->root.end, source_indent(p->source, p->root.end));
        if (piece->call && gap_has_comma(p, end, p->root.end))
            piece->text = str_format(p->arena, ",%.*s", STR_ARG(piece->text));
        piece->brk = BREAK_NONE;
        return true;
    }
    return false;
}

static bool within(const Node *node, Span span) {
    return span.start <= node->start && node->end <= span.end;
}

// Whether the line break in a gap is to be kept. What lies before p->reached has had its lines already: there only a
// comment that is still to be printed asks for one.
static bool wants_break(Printer *p, uint32_t from, uint32_t to) {
    if (!gap_breaks(p, from, to))
        return false;
    if (to >= p->reached)
        return true;
    for (uint32_t i = print_first_comment(p, from); i < p->tree->comment_count; i++) {
        if (p->tree->comments[i].start >= to)
            break;
        if (!p->done[i])
            return true;
    }
    return false;
}

static bool has_statement_end(const Source *source, uint32_t from, uint32_t to) {
    for (; from < to; from++)
        if (strchr("\n\r;", source->bytes.ptr[from]))
            return true;
    return false;
}

// A statement in a gap that is still to be printed: what follows the gap comes before its turn.
static bool jumps_over(const Node *node, uint32_t from, uint32_t to) {
    if (!(node->flags & NODE_NEW))
        return node_is_stmt(node) && node->start >= from && node->end <= to;
    for (ChildIter it = ast_children((Node *)(uintptr_t)node); ast_next(&it);)
        if (jumps_over(it.child, from, to))
            return true;
    return false;
}

// A gap's lines up to p->reached were printed already.
static uint32_t unprinted(const Printer *p, uint32_t from, uint32_t to) {
    return from < p->reached && p->reached <= to ? p->reached : from;
}

// Returns whether any line break was kept.
static bool keep_breaks(Printer *p, Pieces *list) {
    uint32_t end = p->first ? p->root.start : UINT32_MAX, after = 0, in_order = UINT32_MAX;
    bool kept = false;
    p->first = false;
    for (uint32_t i = 0; i < list->list.len; i++) {
        const Node *node = list->list.items[i].node;
        if (!node || !within(node, p->root))
            continue;
        if (p->node && node->start >= end && has_statement_end(p->source, end, node->start) &&
            jumps_over(p->node, end, node->start)) {
            p->jumped = true;
            in_order = end < in_order ? end : in_order;
        } else if (node->start >= end && wants_break(p, unprinted(p, end, node->start), node->start)) {
            Piece *place = best_break(list, after, i);
            if (place) {
                uint32_t from = unprinted(p, end, node->start);
                place->text =
                    gap_text(p, from, node->start, inner_indent(p, node->start, place->depth - list->base));
                place->brk = BREAK_NONE;
                kept = true;
            }
        }
        if (end == UINT32_MAX || node->end > end)
            end = node->end;
        after = i + 1;
    }
    if (end == UINT32_MAX)
        return kept;
    kept |= keep_closing_break(p, list, end, after);
    end = end < in_order ? end : in_order;
    if (end > p->reached)
        p->reached = end;
    return kept;
}

// ---------------------------------------------------------------- width
static bool has_line(const Piece *piece, const Printer *p) {
    if (piece->node)
        return gap_breaks(p, piece->node->start, piece->node->end);
    return memchr(piece->text.ptr ? piece->text.ptr : "", '\n', piece->text.len) != NULL;
}

static size_t width_of(const Piece *piece) {
    if (piece->node)
        return piece->node->end - piece->node->start;
    return piece->text.len;
}

// The widest outermost bracket pair of list[from..to): its OPEN's index, or `to`.
static uint32_t widest_bracket(const Pieces *list, uint32_t from, uint32_t to, uint32_t *close) {
    uint32_t best = to, depth = UINT32_MAX, open = from;
    size_t width = 0, best_width = 0;
    for (uint32_t i = from; i < to; i++)
        if (list->list.items[i].brk == BREAK_OPEN && list->list.items[i].depth < depth)
            depth = list->list.items[i].depth;
    for (uint32_t i = from; i < to; i++) {
        const Piece *piece = &list->list.items[i];
        width += width_of(piece);
        if (piece->depth != depth)
            continue;
        if (piece->brk == BREAK_OPEN)
            open = i, width = 0;
        if (piece->brk != BREAK_CLOSE || width <= best_width)
            continue;
        best_width = width;
        best = open;
        *close = i;
    }
    return best;
}

// list[from..to) is a line that starts at `column`: where it is too long, what is in its widest brackets goes on lines of
// its own, one item a line unless all fit on one, and those are looked at in turn.
static void explode(Printer *p, Pieces *list, uint32_t from, uint32_t to, size_t column, Str indent) {
    size_t total = column, inside = 0;
    for (uint32_t i = from; i < to; i++) {
        if (has_line(&list->list.items[i], p))
            return;
        total += width_of(&list->list.items[i]);
    }
    uint32_t close = 0, open = total > PRINT_WIDTH ? widest_bracket(list, from, to, &close) : to;
    if (open == to)
        return;
    Str newline = p->source->newline;
    Str deeper = print_deeper(p, indent);
    Str line = str_format(p->arena, "%.*s%.*s", STR_ARG(newline), STR_ARG(deeper));
    Str back = str_format(p->arena, "%.*s%.*s", STR_ARG(newline), STR_ARG(indent));
    for (uint32_t i = open + 1; i < close; i++)
        inside += width_of(&list->list.items[i]);
    bool one_line = deeper.len + inside <= PRINT_WIDTH;
    uint32_t depth = list->list.items[open].depth, start = open + 1;
    for (uint32_t i = open + 1; i <= close && !one_line; i++) {
        Piece *piece = &list->list.items[i];
        if (i < close && (piece->brk != BREAK_COMMA || piece->depth != depth))
            continue;
        explode(p, list, start, i, deeper.len, deeper);
        start = i + 1;
        if (i < close)
            piece->text = line;
    }
    list->list.items[open].text = line;
    if (!one_line && list->list.items[close].call)
        back = str_format(p->arena, ",%.*s", STR_ARG(back));
    list->list.items[close].text = back;
}

// ---------------------------------------------------------------- output
static size_t column_of(Printer *p) {
    size_t at = p->out->len, column = 0;
    while (at && !is_newline(p->out->ptr[at - 1]))
        at--, column++;
    return column;
}

// The kept parts of a statement stood on one line.
static bool was_one_line(Printer *p, const Pieces *list) {
    uint32_t start = UINT32_MAX, end = 0;
    for (uint32_t i = 0; i < list->list.len; i++) {
        const Node *node = list->list.items[i].node;
        if (!node || !within(node, p->root))
            continue;
        start = node->start < start ? node->start : start;
        end = node->end > end ? node->end : end;
    }
    return start < end && !gap_breaks(p, start, end);
}

void print_pieces(Printer *p, Pieces *list) {
    // One line that becomes one line stays one, however long: the lines below keep their numbers.
    bool one_line =
        was_one_line(p, list) || (p->first && p->last && !gap_breaks(p, p->root.start, p->root.end));
    if (!keep_breaks(p, list) && !one_line)
        explode(p, list, 0, list->list.len, column_of(p), p->indent);
    for (uint32_t i = 0; i < list->list.len; i++) {
        Piece *piece = &list->list.items[i];
        if (piece->node)
            print_original(p, piece->node, print_out_indent(p));
        else
            buf_str(p->out, piece->text);
    }
    vec_free(&list->list);
}

static bool opens_brackets(const Node *parent, const Node *child) {
    if (parent->flags & NODE_PARENS)
        return true;
    switch (parent->kind) {
    case NODE_CALL:
        return child != parent->u.call.func;
    case NODE_SUBSCRIPT:
        return child != parent->u.subscript.value;
    case NODE_LIST:
    case NODE_SET:
    case NODE_DICT:
    case NODE_LIST_COMP:
    case NODE_SET_COMP:
    case NODE_DICT_COMP:
    case NODE_GENERATOR_EXP:
        return true;
    case NODE_PARAMS:
        return parent->parent && parent->parent->kind == NODE_FUNCTION_DEF;
    default:
        return false;
    }
}

bool print_in_brackets(const Node *node) {
    bool inside = false;
    for (; node->parent && !node_is_stmt(node); node = node->parent) {
        if (node->parent->kind == NODE_FORMATTED_VALUE)
            return false; // older Pythons allow no line break there
        if (node->parent->kind == NODE_MODULE || node_is_stmt(node->parent))
            break;
        inside |= opens_brackets(node->parent, node);
    }
    return inside;
}
