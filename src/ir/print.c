// The printer: print_unit, and original nodes with what was changed in them.
//
// Input: a tree, changed by passes or not. Output: text. What no pass touched is copied byte for byte; a changed original
// node prints its children between its own bytes; new nodes are printed by print_stmt.c and print_expr.c. Where a new
// compound statement has to go into a one-line suite or behind a semicolon, that line is broken up.
#include "ir/print.h"

// ---------------------------------------------------------------- suites
static bool is_item(NodeList list, Node *const *slot) {
    return slot >= list.items && slot < list.items + list.len;
}

// The list of statements that holds the slot, or NULL.
static const NodeList *suite_of(const Node *parent, Node *const *slot) {
    const NodeList *lists[4] = {0};
    switch (parent->kind) {
    case NODE_MODULE:
        lists[0] = &parent->u.module.body;
        break;
    case NODE_FUNCTION_DEF:
        lists[0] = &parent->u.function.body;
        break;
    case NODE_CLASS_DEF:
        lists[0] = &parent->u.cls.body;
        break;
    case NODE_FOR:
        lists[0] = &parent->u.loop.body;
        lists[1] = &parent->u.loop.orelse;
        break;
    case NODE_IF:
    case NODE_WHILE:
        lists[0] = &parent->u.branch.body;
        lists[1] = &parent->u.branch.orelse;
        break;
    case NODE_WITH:
        lists[0] = &parent->u.with.body;
        break;
    case NODE_TRY:
        lists[0] = &parent->u.try_.body;
        lists[1] = &parent->u.try_.orelse;
        lists[2] = &parent->u.try_.finalbody;
        break;
    case NODE_EXCEPT_HANDLER:
        lists[0] = &parent->u.handler.body;
        break;
    case NODE_MATCH_CASE:
        lists[0] = &parent->u.match_case.body;
        break;
    default:
        break;
    }
    for (uint32_t i = 0; i < 4 && lists[i]; i++)
        if (lists[i]->len && is_item(*lists[i], slot))
            return lists[i];
    return NULL;
}

static bool is_new(const Node *node) {
    return node->flags & NODE_NEW;
}

// Not the first on its line: behind a semicolon, or in a one-line suite.
static bool is_inline(Printer *p, const Node *node) {
    return !print_at_line_start(p->source, node->start);
}

static bool holds_new_compound(const NodeList *list, const LineGroup *group) {
    for (uint32_t i = group->from; i < group->to; i++)
        if (is_new(list->items[i]) && print_is_compound(list->items[i]))
            return true;
    return false;
}

// The statements of `list` that share a line with list[i]: looked for once a line.
static const LineGroup *line_group(Printer *p, const NodeList *list, uint32_t i) {
    LineGroup *group = &p->group;
    if (group->list == list->items && i >= group->from && i < group->to)
        return group;
    *group = (LineGroup){.list = list->items, .from = i, .to = i + 1};
    while (group->from && is_inline(p, list->items[group->from]))
        group->from--;
    while (group->to < list->len && is_inline(p, list->items[group->to]))
        group->to++;
    group->behind_head = is_inline(p, list->items[group->from]);
    bool shared = group->to - group->from > 1 || group->behind_head;
    group->broken = shared && holds_new_compound(list, group);
    return group;
}

// ---------------------------------------------------------------- new nodes in original parents
static bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           (unsigned char)c >= 0x80;
}

// return(x), (a)if b: where the parentheses go, a space has to come between word and word.
static void space_between(Printer *p, char next) {
    if (p->out->len && is_word(p->out->ptr[p->out->len - 1]) &&
        (is_word(next) || next == '"' || next == '\''))
        buf_char(p->out, ' ');
}

static char first_char(const Printer *p, const Pieces *list) {
    for (uint32_t i = 0; i < list->list.len; i++) {
        const Piece *piece = &list->list.items[i];
        if (piece->node)
            return p->source->bytes.ptr[piece->node->start];
        if (piece->text.len)
            return piece->text.ptr[0];
    }
    return ' ';
}

static void begin_line(Printer *p) {
    if (!print_out_at_line_start(p))
        return;
    p->indent = print_out_indent(p);
    print_line_begins(p);
}

static void print_new_expression(Printer *p, const Node *node) {
    Pieces list = {.printer = p};
    const Node *parent = node->parent;
    bool inside = parent && print_in_brackets(node);
    list.depth = list.base = inside ? 1 : 0;
    // f(x for x in y): the parentheses were the call's and the argument's
    bool bare =
        parent && parent->kind == NODE_CALL && !is_new(parent) && parent->u.call.args.len == 1 &&
        node == parent->u.call.args.items[0] && p->source->bytes.ptr[node->start] == '(' &&
        !memchr(p->source->bytes.ptr + parent->u.call.func->end, '(', node->start - parent->u.call.func->end);
    if (bare) {
        pieces_cstr(&list, "(");
        list.depth++;
    }
    pieces_expr(&list, node, parent ? print_slot(parent, node) : PREC_YIELD);
    if (bare)
        pieces_cstr(&list, ")");
    bool code = node->start < node->end && !(parent && parent->kind == NODE_FSTRING);
    if (code)
        space_between(p, first_char(p, &list));
    print_pieces(p, &list);
    if (code && node->end < p->source->bytes.len)
        space_between(p, p->source->bytes.ptr[node->end]);
}

Root print_root_begin(Printer *p, const Node *node) {
    Root outer = {.root = p->root,
                  .node = p->node,
                  .reached = p->reached,
                  .first = p->first,
                  .last = p->last,
                  .jumped = p->jumped,
                  .line = p->line_start,
                  .line_indent = p->line_indent,
                  .indent = p->indent};
    p->root = (Span){node->start, node->end};
    p->node = node;
    p->reached = node->start;
    p->first = p->last = true;
    p->jumped = false;
    return outer;
}

static uint32_t count_lines(Str text) {
    uint32_t count = 0;
    for (size_t i = 0; i < text.len; i++)
        count +=
            text.ptr[i] == '\n' || (text.ptr[i] == '\r' && (i + 1 == text.len || text.ptr[i + 1] != '\n'));
    return count;
}

// Parts that changed places have no line breaks of their own any more: blank lines behind them keep the lines below.
static void pad_lines(Printer *p, size_t from, Str indent) {
    uint32_t had = count_lines(source_span(p->source, p->root.start, p->root.end)), at = p->root.end;
    uint32_t has = count_lines(str_slice(buf_view(p->out), from, p->out->len));
    if (has >= had)
        return;
    for (; has < had; has++)
        buf_str(p->out, p->source->newline);
    while (at < p->source->bytes.len && strchr(" \t", p->source->bytes.ptr[at]))
        at++;
    uint32_t next = print_first_comment(p, at);
    if (next == p->tree->comment_count || p->tree->comments[next].start != at || p->done[next])
        return;
    // The comment behind them comes to stand on a line of its own.
    p->skip = (Span){p->root.end, p->tree->comments[next].end};
    p->done[next] = 1;
    buf_str(p->out, indent);
    buf_str(p->out, source_span(p->source, at, p->skip.end));
}

void print_root_end(Printer *p, Root outer) {
    p->indent = outer.indent;
    if (p->line_start > outer.line) { // back to the line that the replaced text stood on
        p->line_start = outer.line;
        p->line_indent = outer.line_indent;
    }
    print_hoist(p, p->root, outer.line, outer.line_indent);
    if (p->jumped && node_is_stmt(p->node))
        pad_lines(p, outer.line, outer.line_indent);
    p->root = outer.root;
    p->node = outer.node;
    p->reached = outer.reached;
    p->first = outer.first;
    p->last = outer.last;
    p->jumped = outer.jumped;
}

// A new node whose parent is original, or that is printed alone.
static void print_new(Printer *p, const Node *node) {
    Root outer = print_root_begin(p, node);
    if (node_is_stmt(node) || node->kind == NODE_EXCEPT_HANDLER)
        print_new_statement(p, node);
    else
        print_new_expression(p, node);
    print_root_end(p, outer);
}

static bool more_on_line(Printer *p, const Node *node) {
    uint32_t at = node->end;
    while (at < p->source->bytes.len && strchr(" \t;", p->source->bytes.ptr[at])) {
        if (p->source->bytes.ptr[at] == ';')
            return true;
        at++;
    }
    return false;
}

static void print_new_in_suite(Printer *p, const Node *node, bool broken) {
    Root outer = print_root_begin(p, node);
    bool joined = !broken && (is_inline(p, node) || more_on_line(p, node)) && !print_is_compound(node);
    if (joined)
        print_joined(p, node);
    else
        print_new_statement(p, node);
    print_root_end(p, outer);
}

static const Node *first_original(const Printer *p, const Node *node) {
    if (!is_new(node))
        return p->root.start <= node->start && node->end <= p->root.end ? node : NULL;
    const Node *found = NULL;
    for (ChildIter it = ast_children((Node *)(uintptr_t)node); !found && ast_next(&it);)
        found = first_original(p, it.child);
    return found;
}

// The line of an elif becomes that of an else, with its comment. False: its suite stood on that line too.
static bool print_else_line(Printer *p, const Node *node) {
    const Node *first = first_original(p, node);
    uint32_t at = first ? first->end : p->root.end;
    buf_cstr(p->out, "else:");
    while (at < p->root.end && !strchr("\r\n", p->source->bytes.ptr[at])) {
        uint32_t next = print_first_comment(p, at++);
        if (next == p->tree->comment_count || p->tree->comments[next].start != at - 1)
            continue;
        p->done[next] = 1;
        at = p->tree->comments[next].end;
        buf_cstr(p->out, "  ");
        buf_str(p->out, source_span(p->source, p->tree->comments[next].start, at));
    }
    if (at >= p->root.end)
        return false;
    p->reached = at + (p->source->bytes.ptr[at] == '\r' && p->source->bytes.ptr[at + 1] == '\n' ? 2 : 1);
    return true;
}

// What took the place of an elif: an if is one again, anything else goes into an else.
static void print_in_elif_place(Printer *p, const Node *node) {
    Root outer = print_root_begin(p, node);
    if (node->kind == NODE_IF) {
        print_new_if(p, node, true);
    } else if (!print_else_line(p, node) && !print_is_compound(node)) {
        buf_cstr(p->out, " ");
        print_joined(p, node);
    } else {
        p->indent = print_deeper(p, p->indent);
        print_newline(p, p->indent);
        print_new_statement(p, node);
    }
    print_root_end(p, outer);
}

static bool was_elif(Printer *p, const Node *parent, const Node *node) {
    if (parent->kind != NODE_IF || parent->u.branch.orelse.len != 1 ||
        node != parent->u.branch.orelse.items[0])
        return false;
    Str text = source_span(p->source, node->start, (uint32_t)p->source->bytes.len);
    return str_starts(text, STR("elif")) && text.len > 4 && strchr(" \t(\\[{'\"-+~.\f", text.ptr[4]);
}

// ---------------------------------------------------------------- original nodes
static void print_child_statement(Printer *p, const Node *parent, const Node *node, bool broken) {
    begin_line(p);
    Str indent = p->indent;
    if (!is_new(node))
        print_kept(p, node);
    else if (was_elif(p, parent, node))
        print_in_elif_place(p, node);
    else
        print_new_in_suite(p, node, broken);
    p->indent = indent;
}

// The gap before list[i] on a line that is being broken up; returns where the gap ended.
static void print_broken_gap(Printer *p, uint32_t at, const NodeList *list, uint32_t i, Str indent) {
    const Node *node = list->items[i];
    if (!is_inline(p, node)) {
        print_source(p, at, node->start);
        return;
    }
    if (i == 0) { // a one-line suite: up to its colon
        uint32_t end = node->start;
        while (end > at && strchr(" \t\\\r\n", p->source->bytes.ptr[end - 1]))
            end--;
        print_source(p, at, end);
    }
    print_newline(p, indent);
}

static uint32_t after_semicolon(Printer *p, uint32_t at) {
    uint32_t end = at;
    while (end < p->source->bytes.len && strchr(" \t", p->source->bytes.ptr[end]))
        end++;
    return end < p->source->bytes.len && p->source->bytes.ptr[end] == ';' ? end + 1 : at;
}

// The white space that a line with this much of it in the source gets.
static Str shifted_indent(Printer *p, Str indent) {
    if (!str_starts(indent, p->shift_from))
        return indent;
    Str rest = str_slice(indent, p->shift_from.len, indent.len);
    return str_format(p->arena, "%.*s%.*s", STR_ARG(p->shift_to), STR_ARG(rest));
}

static uint32_t print_suite_child(Printer *p, const Node *parent, const NodeList *list, uint32_t i,
                                  uint32_t at) {
    const Node *node = list->items[i];
    const LineGroup group = *line_group(p, list, i);
    Str outer = p->indent;
    if (group.broken) {
        Str indent = shifted_indent(p, source_indent(p->source, list->items[group.from]->start));
        if (group.behind_head)
            indent = print_deeper(p, p->indent);
        print_broken_gap(p, at, list, i, indent);
    } else {
        print_source(p, at, node->start);
    }
    print_child_statement(p, parent, node, group.broken);
    p->indent = outer;
    return group.broken ? after_semicolon(p, node->end) : node->end;
}

static void print_dirty(Printer *p, Node *node) {
    uint32_t at = node->start;
    Str indent = p->indent;
    for (ChildIter it = ast_children(node); ast_next(&it);) {
        const NodeList *suite = suite_of(node, it.slot);
        if (suite) {
            p->indent = indent;
            at = print_suite_child(p, node, suite, (uint32_t)(it.slot - suite->items), at);
            continue;
        }
        if (it.child->start > at)
            print_source(p, at, it.child->start);
        if (node->kind == NODE_TRY || node->kind == NODE_MATCH)
            begin_line(p);
        if (is_new(it.child))
            print_new(p, it.child);
        else
            print_kept(p, it.child);
        at = it.child->end;
    }
    print_source(p, at, node->end);
}

void print_kept(Printer *p, const Node *node) {
    if (node->flags & NODE_DIRTY)
        print_dirty(p, (Node *)(uintptr_t)node);
    else
        print_source(p, node->start, node->end);
}

// ---------------------------------------------------------------- entry
static void printer_begin(Printer *p, const SyntaxTree *tree, Buf *out) {
    *p = (Printer){.tree = tree, .source = &tree->source, .out = out, .arena = arena_new()};
    p->done = heap_alloc(tree->comment_count, sizeof *p->done);
}

static void printer_end(Printer *p) {
    free(p->done);
    vec_free(&p->strings);
    arena_free(p->arena);
}

void print_unit(const SyntaxTree *tree, Buf *out) {
    if (!(tree->module->flags & NODE_DIRTY)) {
        buf_str(out, tree->source.bytes);
        return;
    }
    Printer p;
    printer_begin(&p, tree, out);
    print_dirty(&p, tree->module);
    printer_end(&p);
}
