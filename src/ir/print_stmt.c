// New statements. A simple one and the head of a compound one are laid out from pieces; suites are printed one statement
// a line, a unit deeper than their head, with the comments and blank lines that stood between kept statements.
#include "ir/print.h"

static bool is_compound_kind(const Node *node) {
    switch (node->kind) {
    case NODE_FUNCTION_DEF:
    case NODE_CLASS_DEF:
    case NODE_FOR:
    case NODE_WHILE:
    case NODE_IF:
    case NODE_WITH:
    case NODE_MATCH:
    case NODE_TRY:
        return true;
    case NODE_TEXT:
        return memchr(node->u.text.text.ptr, '\n', node->u.text.text.len) != NULL;
    default:
        return false;
    }
}

bool print_is_compound(const Node *node) {
    if (!(node->flags & NODE_NEW) || node->kind != NODE_STMT_SEQ)
        return is_compound_kind(node);
    for (uint32_t i = 0; i < node->u.items.items.len; i++)
        if (print_is_compound(node->u.items.items.items[i]))
            return true;
    return false;
}

// ---------------------------------------------------------------- simple statements
static void put_assign(Pieces *list, const Node *node) {
    for (uint32_t i = 0; i < node->u.assign.targets.len; i++) {
        pieces_expr(list, node->u.assign.targets.items[i], PREC_TUPLE);
        pieces_cstr(list, " = ");
    }
    pieces_expr(list, node->u.assign.value, PREC_YIELD);
}

static void put_annotated(Pieces *list, const Node *node) {
    pieces_expr(list, node->u.ann.target, PREC_ATOM);
    pieces_cstr(list, ": ");
    pieces_expr(list, node->u.ann.annotation, PREC_LAMBDA);
    if (!node->u.ann.value)
        return;
    pieces_cstr(list, " = ");
    pieces_expr(list, node->u.ann.value, PREC_YIELD);
}

static void put_raise(Pieces *list, const Node *node) {
    pieces_cstr(list, node->u.raise.exc ? "raise " : "raise");
    pieces_expr(list, node->u.raise.exc, PREC_LAMBDA);
    if (!node->u.raise.cause)
        return;
    pieces_cstr(list, " from ");
    pieces_expr(list, node->u.raise.cause, PREC_LAMBDA);
}

static void put_import_from(Pieces *list, const Node *node) {
    pieces_cstr(list, "from ");
    for (uint32_t i = 0; i < node->u.from.level; i++)
        pieces_cstr(list, ".");
    if (node->u.from.module)
        pieces_name(list, node->u.from.module);
    pieces_cstr(list, " import ");
    pieces_comma_list(list, node->u.from.items, PREC_LAMBDA);
}

static void put_keyword_list(Pieces *list, const char *keyword, NodeList items) {
    pieces_cstr(list, keyword);
    pieces_comma_list(list, items, PREC_LAMBDA);
}

static void put_simple(Pieces *list, const Node *node) {
    switch (node->kind) {
    case NODE_EXPR_STMT:
        pieces_expr(list, node->u.value.value, PREC_YIELD);
        break;
    case NODE_RETURN:
        pieces_cstr(list, node->u.value.value ? "return " : "return");
        pieces_expr(list, node->u.value.value, PREC_TUPLE);
        break;
    case NODE_DELETE:
        put_keyword_list(list, "del ", node->u.items.items);
        break;
    case NODE_ASSIGN:
        put_assign(list, node);
        break;
    case NODE_AUG_ASSIGN:
        pieces_expr(list, node->u.aug.target, PREC_ATOM);
        pieces_cstr(list, " ");
        pieces_cstr(list, op_text(node->u.aug.op));
        pieces_cstr(list, "= ");
        pieces_expr(list, node->u.aug.value, PREC_YIELD);
        break;
    case NODE_ANN_ASSIGN:
        put_annotated(list, node);
        break;
    case NODE_RAISE:
        put_raise(list, node);
        break;
    case NODE_ASSERT:
        pieces_cstr(list, "assert ");
        pieces_expr(list, node->u.assert_.test, PREC_LAMBDA);
        if (node->u.assert_.msg)
            pieces_cstr(list, ", ");
        pieces_expr(list, node->u.assert_.msg, PREC_LAMBDA);
        break;
    case NODE_IMPORT:
        put_keyword_list(list, "import ", node->u.items.items);
        break;
    case NODE_IMPORT_FROM:
        put_import_from(list, node);
        break;
    case NODE_GLOBAL:
        put_keyword_list(list, "global ", node->u.items.items);
        break;
    case NODE_NONLOCAL:
        put_keyword_list(list, "nonlocal ", node->u.items.items);
        break;
    case NODE_PASS:
        pieces_cstr(list, "pass");
        break;
    case NODE_BREAK:
        pieces_cstr(list, "break");
        break;
    case NODE_CONTINUE:
        pieces_cstr(list, "continue");
        break;
    default: // an expression in a statement's place
        pieces_expr(list, node, PREC_YIELD);
        break;
    }
}

// Given text, its lines indented as the statement is.
static void print_text(Printer *p, Str text) {
    for (size_t at = 0; at < text.len;) {
        const char *end = memchr(text.ptr + at, '\n', text.len - at);
        size_t to = end ? (size_t)(end - text.ptr) : text.len;
        buf_bytes(p->out, text.ptr + at, to - at);
        at = to + 1;
        if (!end)
            break;
        bool blank = at == text.len || text.ptr[at] == '\n';
        print_newline(p, blank ? (Str){0} : p->indent);
    }
}

// ---------------------------------------------------------------- suites
// The comment behind an original statement on its line. One beyond the replaced text is only fetched when something new
// follows on lines of its own: it belongs to this statement, not to what comes after.
static void print_comment_behind(Printer *p, const Node *node, bool fetch) {
    uint32_t index = print_first_comment(p, node->end);
    if (index == p->tree->comment_count || p->done[index])
        return;
    Comment comment = p->tree->comments[index];
    if (comment.start >= p->root.end && !fetch)
        return;
    for (uint32_t at = node->end; at < comment.start; at++)
        if (!strchr(" \t;", p->source->bytes.ptr[at]))
            return;
    buf_cstr(p->out, "  ");
    buf_str(p->out, source_span(p->source, comment.start, comment.end));
    p->done[index] = 1;
    if (comment.start < p->root.end)
        return;
    uint32_t from = comment.start;
    while (from > node->end && strchr(" \t", p->source->bytes.ptr[from - 1]))
        from--;
    p->skip = (Span){from, comment.end};
}

// White space, comments and line ends only, with at least one line end.
static bool is_plain_gap(Printer *p, uint32_t from, uint32_t to) {
    bool line = false, comment = false;
    for (uint32_t at = from; at < to; at++) {
        char c = p->source->bytes.ptr[at];
        if (c == '\n' || c == '\r')
            line = true, comment = false;
        else if (c == '#')
            comment = true;
        else if (!comment && !strchr(" \t\f", c))
            return false;
    }
    return line;
}

static bool is_original(const Node *node) {
    return node && !(node->flags & NODE_NEW);
}

static bool in_root(const Printer *p, const Node *node) {
    return p->root.start <= node->start && node->end <= p->root.end;
}

// Where the first original part of a statement starts, or 0 when it has none beyond what was printed.
static uint32_t original_start(const Printer *p, const Node *node) {
    if (is_original(node))
        return in_root(p, node) && node->start >= p->reached ? node->start : 0;
    uint32_t start = 0;
    for (ChildIter it = ast_children((Node *)(uintptr_t)node); !start && ast_next(&it);)
        start = original_start(p, it.child);
    return start;
}

static void print_to(Printer *p, const Node *node) {
    p->first = false;
    print_boundary(p, original_start(p, node));
}

// Between two statements of a new suite or sequence.
static void print_between(Printer *p, const Node *before, const Node *node) {
    bool kept = is_original(before) && is_original(node) && in_root(p, before) && in_root(p, node);
    if (!kept || node->start < before->end || !is_plain_gap(p, before->end, node->start)) {
        if (is_original(before))
            print_comment_behind(p, before, true);
        print_to(p, node);
        return;
    }
    Str from = p->shift_from, to = p->shift_to;
    p->shift_from = source_indent(p->source, node->start);
    p->shift_to = p->indent;
    print_source(p, before->end, node->start);
    p->shift_from = from;
    p->shift_to = to;
}

// An elif that became a statement of its own is an if.
static void print_moved(Printer *p, const Node *node) {
    if (!(node->flags & NODE_ELIF)) {
        print_original(p, node, p->indent);
        return;
    }
    Node head;
    ast_copy(node, &head);
    head.start += 2;
    head.flags &= (uint16_t)~NODE_ELIF;
    print_original(p, &head, p->indent);
}

static const Node *print_list(Printer *p, NodeList list, const Node *before, bool more) {
    bool last = p->last;
    for (uint32_t i = 0; i < list.len; i++) {
        const Node *node = list.items[i];
        p->last = last && i + 1 == list.len;
        if (!is_original(node) && node->kind == NODE_STMT_SEQ && node->u.items.items.len) {
            before = print_list(p, node->u.items.items, before, more || i + 1 < list.len);
            continue;
        }
        if (before)
            print_between(p, before, node);
        print_line_begins(p);
        Str indent = p->indent;
        if (is_original(node))
            print_moved(p, node);
        else
            print_new_statement(p, node);
        p->first = false;
        if (is_original(node) && in_root(p, node) && node->end > p->reached)
            p->reached = node->end;
        p->indent = indent;
        before = node;
    }
    if (!more && is_original(before))
        print_comment_behind(p, before, false);
    return before;
}

void print_suite(Printer *p, NodeList list, Str indent) {
    Str outer = p->indent;
    p->last = false;
    p->indent = indent;
    if (list.len)
        print_to(p, list.items[0]);
    else
        print_newline(p, indent);
    if (list.len)
        print_list(p, list, NULL, false);
    else
        buf_cstr(p->out, "pass");
    p->indent = outer;
}

// The suite's own indentation where it is one step deeper than the head's.
static Str body_indent(Printer *p, NodeList list) {
    Str deeper = print_deeper(p, p->indent);
    size_t step = deeper.len - p->indent.len;
    if (list.len && is_original(list.items[0]) && in_root(p, list.items[0]) &&
        print_at_line_start(p->source, list.items[0]->start)) {
        Str indent = source_indent(p->source, list.items[0]->start);
        if (indent.len > p->indent.len && indent.len < p->indent.len + 2 * step &&
            str_starts(indent, p->indent))
            return indent;
    }
    return deeper;
}

static void print_body(Printer *p, NodeList list) {
    print_suite(p, list, body_indent(p, list));
}

void print_joined(Printer *p, const Node *node) {
    if (!(node->flags & NODE_NEW) || node->kind != NODE_STMT_SEQ) {
        if (is_original(node))
            print_original(p, node, p->indent);
        else
            print_new_statement(p, node);
        return;
    }
    if (!node->u.items.items.len)
        buf_cstr(p->out, "pass");
    bool last = p->last;
    for (uint32_t i = 0; i < node->u.items.items.len; i++) {
        if (i)
            buf_cstr(p->out, "; ");
        p->last = last && i + 1 == node->u.items.items.len;
        print_joined(p, node->u.items.items.items[i]);
    }
}

// ---------------------------------------------------------------- compound statements
static void print_head(Printer *p, Pieces *list) {
    p->last = false;
    pieces_cstr(list, ":");
    print_pieces(p, list);
}

static void print_word(Printer *p, const char *word, NodeList suite) {
    print_newline(p, p->indent);
    print_line_begins(p);
    buf_cstr(p->out, word);
    print_body(p, suite);
}

void print_new_if(Printer *p, const Node *node, bool is_elif) {
    Pieces head = {.printer = p};
    pieces_cstr(&head, node->kind == NODE_WHILE ? "while " : is_elif ? "elif " : "if ");
    pieces_expr(&head, node->u.branch.test, PREC_NAMED);
    print_head(p, &head);
    print_body(p, node->u.branch.body);
    NodeList orelse = node->u.branch.orelse;
    if (!orelse.len)
        return;
    const Node *next = orelse.items[0];
    if (orelse.len > 1 || next->kind != NODE_IF || !(next->flags & NODE_ELIF)) {
        print_word(p, "else:", orelse);
        return;
    }
    print_newline(p, p->indent);
    print_line_begins(p);
    if (is_original(next))
        print_original(p, next, p->indent);
    else
        print_new_if(p, next, true);
}

static void print_decorators(Printer *p, NodeList decorators) {
    p->last = false;
    for (uint32_t i = 0; i < decorators.len; i++) {
        Pieces line = {.printer = p};
        pieces_cstr(&line, "@");
        pieces_expr(&line, decorators.items[i], PREC_NAMED);
        print_pieces(p, &line);
        print_newline(p, p->indent);
    }
}

static void put_type_params(Pieces *head, NodeList params) {
    if (!params.len)
        return;
    pieces_cstr(head, "[");
    pieces_comma_list(head, params, PREC_LAMBDA);
    pieces_cstr(head, "]");
}

static void print_function(Printer *p, const Node *node) {
    bool more = !p->last;
    print_decorators(p, node->u.function.decorators);
    Pieces head = {.printer = p};
    pieces_cstr(&head, node->flags & NODE_ASYNC ? "async def " : "def ");
    pieces_name(&head, node->u.function.name);
    put_type_params(&head, node->u.function.type_params);
    const Node *params = node->u.function.params;
    if (is_original(params) && p->source->bytes.ptr[params->start] == '(') {
        pieces_expr(&head, params, PREC_LAMBDA);
    } else {
        pieces_cstr(&head, "(");
        head.depth++;
        pieces_params(&head, params, true);
        head.depth--;
        pieces_cstr(&head, ")");
    }
    if (node->u.function.returns)
        pieces_cstr(&head, " -> ");
    pieces_expr(&head, node->u.function.returns, PREC_LAMBDA);
    print_head(p, &head);
    NodeList body = node->u.function.body;
    print_body(p, body);
    if (more && body.len && is_original(body.items[body.len - 1]))
        print_comment_behind(p, body.items[body.len - 1], true);
}

static void print_class(Printer *p, const Node *node) {
    print_decorators(p, node->u.cls.decorators);
    Pieces head = {.printer = p};
    pieces_cstr(&head, "class ");
    pieces_name(&head, node->u.cls.name);
    put_type_params(&head, node->u.cls.type_params);
    if (node->u.cls.args.len) {
        pieces_cstr(&head, "(");
        head.depth++;
        pieces_comma_list(&head, node->u.cls.args, PREC_LAMBDA);
        head.depth--;
        pieces_cstr(&head, ")");
    }
    print_head(p, &head);
    print_body(p, node->u.cls.body);
}

static void print_for(Printer *p, const Node *node) {
    Pieces head = {.printer = p};
    pieces_cstr(&head, node->flags & NODE_ASYNC ? "async for " : "for ");
    pieces_expr(&head, node->u.loop.target, PREC_TUPLE);
    pieces_cstr(&head, " in ");
    pieces_expr(&head, node->u.loop.iter, PREC_TUPLE);
    print_head(p, &head);
    print_body(p, node->u.loop.body);
    if (node->u.loop.orelse.len)
        print_word(p, "else:", node->u.loop.orelse);
}

static void print_with(Printer *p, const Node *node) {
    Pieces head = {.printer = p};
    pieces_cstr(&head, node->flags & NODE_ASYNC ? "async with " : "with ");
    for (uint32_t i = 0; i < node->u.with.items.len; i++) {
        if (i)
            pieces_cstr(&head, ", ");
        pieces_expr(&head, node->u.with.items.items[i], PREC_LAMBDA);
    }
    print_head(p, &head);
    print_body(p, node->u.with.body);
}

static void print_handler(Printer *p, const Node *node) {
    Pieces head = {.printer = p};
    pieces_cstr(&head, node->flags & NODE_EXCEPT_STAR ? "except*" : "except");
    if (node->u.handler.type)
        pieces_cstr(&head, " ");
    pieces_expr(&head, node->u.handler.type, PREC_LAMBDA);
    if (node->u.handler.name) {
        pieces_cstr(&head, " as ");
        pieces_name(&head, node->u.handler.name);
    }
    print_head(p, &head);
    print_body(p, node->u.handler.body);
}

static void print_try(Printer *p, const Node *node) {
    buf_cstr(p->out, "try:");
    print_body(p, node->u.try_.body);
    for (uint32_t i = 0; i < node->u.try_.handlers.len; i++) {
        const Node *handler = node->u.try_.handlers.items[i];
        print_newline(p, p->indent);
        print_line_begins(p);
        if (is_original(handler))
            print_original(p, handler, p->indent);
        else
            print_handler(p, handler);
    }
    if (node->u.try_.orelse.len)
        print_word(p, "else:", node->u.try_.orelse);
    if (node->u.try_.finalbody.len)
        print_word(p, "finally:", node->u.try_.finalbody);
}

static void print_simple(Printer *p, const Node *node) {
    Pieces list = {.printer = p};
    put_simple(&list, node);
    print_pieces(p, &list);
}

void print_new_statement(Printer *p, const Node *node) {
    switch (node->kind) {
    case NODE_STMT_SEQ:
        if (node->u.items.items.len)
            print_list(p, node->u.items.items, NULL, false);
        else
            buf_cstr(p->out, "pass");
        break;
    case NODE_TEXT:
        print_text(p, node->u.text.text);
        break;
    case NODE_IF:
    case NODE_WHILE:
        print_new_if(p, node, false);
        break;
    case NODE_FUNCTION_DEF:
        print_function(p, node);
        break;
    case NODE_CLASS_DEF:
        print_class(p, node);
        break;
    case NODE_FOR:
        print_for(p, node);
        break;
    case NODE_WITH:
        print_with(p, node);
        break;
    case NODE_TRY:
        print_try(p, node);
        break;
    case NODE_EXCEPT_HANDLER:
        print_handler(p, node);
        break;
    default:
        print_simple(p, node);
        break;
    }
}
