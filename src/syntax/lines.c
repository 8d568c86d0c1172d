// The logical lines of a file, as CPython's tokenizer sees them: indentation that it refuses, and line ends inside of a
// statement. The grammar reads both as if nothing were wrong, and puts what follows into another suite.
//
// In:  the concrete tree. Out: a warning at the first line of each stretch that CPython would not read so, and the
// module's statements that it touches made opaque, with the def or class before it: what is cut off may belong there. A stretch
// ends at the next statement that begins at the left edge.
// Cheap: what lies on one line is not entered.
// Declines: inside of what the grammar itself calls an error nothing but the indentation is looked at, and no second
// warning is given.
#include "syntax/lower.h"

enum { TAB = 8 };

// A tab counts as up to the next 8th column, and as one; where the two disagree CPython refuses the line.
typedef struct Column {
    uint32_t wide, narrow;
} Column;

typedef struct Reader {
    Lower *l;
    VEC(Column) indents; // of the suites that are open
    uint32_t brackets;   // open ones
    uint32_t suites;     // blocks of the tree around the cursor
    uint32_t errors;     // ERROR nodes around it
    uint32_t row, end;   // where the last token ended
    uint32_t joined;     // first byte of the line when a backslash stands before its first token
    bool begun, has_joined;
    bool bad;
    uint32_t bad_start;
} Reader;

static Column column_at(const Reader *reader, uint32_t offset) {
    const Source *source = &reader->l->tree->source;
    uint32_t at = source_line_start(source, offset);
    if (at < source->body)
        at = source->body;
    Column column = {0, 0};
    for (; at < offset; at++) {
        char c = reader->l->bytes[at];
        if (c == ' ')
            column.wide++, column.narrow++;
        else if (c == '\t')
            column.wide = (column.wide / TAB + 1) * TAB, column.narrow++;
        else if (c == '\f')
            column = (Column){0, 0};
        else
            break;
    }
    return column;
}

// ---------------------------------------------------------------- what is wrong with a line

// NULL: nothing. Opens and closes suites as the indentation says.
static const char *indentation_trouble(Reader *reader, Column column, bool opens) {
    Column top = vec_last(&reader->indents);
    if (column.wide >= top.wide) {
        bool deeper = column.wide > top.wide;
        if (deeper != (column.narrow > top.narrow) || (!deeper && column.narrow != top.narrow))
            return "syntax error: tabs and spaces are mixed in its indentation";
        if (deeper != opens)
            return deeper ? "syntax error: unexpected indentation"
                          : "syntax error: an indented block is missing";
        if (deeper)
            vec_push(&reader->indents, column);
        return NULL;
    }
    if (opens)
        return "syntax error: an indented block is missing";
    while (reader->indents.len > 1 && vec_last(&reader->indents).wide > column.wide)
        reader->indents.len--;
    top = vec_last(&reader->indents);
    if (top.wide != column.wide)
        return "syntax error: the indentation matches no outer level";
    return top.narrow == column.narrow ? NULL : "syntax error: tabs and spaces are mixed in its indentation";
}

static bool is_definition(const Node *node) {
    return node->kind == NODE_FUNCTION_DEF || node->kind == NODE_CLASS_DEF;
}

// The node and every def and class in it.
static void leave_alone(Node *node) {
    VEC(Node *) todo = {0};
    node->flags |= NODE_OPAQUE;
    vec_push(&todo, node);
    while (todo.len) {
        Node *at = vec_pop(&todo);
        if (is_definition(at))
            at->flags |= NODE_OPAQUE;
        for (ChildIter it = ast_children(at); ast_next(&it);)
            vec_push(&todo, it.child);
    }
    vec_free(&todo);
}

static void open_bad(Reader *reader, uint32_t at, const char *what, bool told) {
    reader->bad = true;
    reader->bad_start = at;
    if (!told)
        lower_report(reader->l, at, what);
}

static void close_bad(Reader *reader, uint32_t end) {
    NodeList body = reader->l->tree->module->u.module.body;
    uint32_t first = 0;
    while (first < body.len && body.items[first]->end <= reader->bad_start)
        first++;
    bool inside = first < body.len && body.items[first]->start < reader->bad_start;
    while (!inside && first > 0 && !is_definition(body.items[--first]))
        continue;
    for (uint32_t i = first; i < body.len && body.items[i]->start < end; i++)
        leave_alone(body.items[i]);
    reader->l->tree->has_errors = true;
    reader->bad = false;
}

// ---------------------------------------------------------------- reading the lines

// in_error: the grammar could not read it, and has said so.
static void begin_line(Reader *reader, uint32_t at, bool statement, bool in_error) {
    Column column = column_at(reader, reader->has_joined ? reader->joined : at);
    bool opens = reader->end > 0 && reader->l->bytes[reader->end - 1] == ':';
    bool at_edge = column.wide == 0 && statement && reader->suites == 0 && !in_error;
    if (reader->bad && at_edge) {
        close_bad(reader, at);
        reader->indents.len = 1;
        return;
    }
    if (reader->bad)
        return;
    const char *trouble = indentation_trouble(reader, column, opens);
    if (!trouble && !in_error && !statement)
        trouble = "syntax error: the statement before goes on here";
    if (!trouble && reader->suites + 1 != reader->indents.len)
        trouble = "syntax error: in another suite than its indentation says";
    if (trouble)
        open_bad(reader, at, trouble, in_error);
}

static bool is_clause(uint16_t cst) {
    switch (cst) {
    case CST_elif_clause:
    case CST_else_clause:
    case CST_except_clause:
    case CST_except_group_clause:
    case CST_finally_clause:
    case CST_case_clause:
    case CST_decorator:
    case CST_function_definition:
    case CST_class_definition:
        return true;
    default:
        return false;
    }
}

// Between the token before and this one stand backslashes at the line ends, and no empty line.
static bool is_joined(const Reader *reader, uint32_t start) {
    const char *bytes = reader->l->bytes;
    uint32_t at = reader->end;
    while (at < start) {
        if (bytes[at] == '\\')
            at += bytes[at + 1] == '\r' && bytes[at + 2] == '\n' ? 3 : 2;
        else if (bytes[at] == ' ' || bytes[at] == '\t' || bytes[at] == '\f')
            at++;
        else
            return false;
    }
    return true;
}

// A token, or a node that lies on one line. statement_at: where the innermost statement or clause around it begins.
static void read_token(Reader *reader, const Cur *c, uint32_t statement_at) {
    bool below = ts_node_start_point(c->node).row > reader->row && !is_joined(reader, c->start);
    bool fresh = !reader->begun || below;
    bool statement = c->start == statement_at;
    if (fresh && statement)
        reader->brackets = 0; // those still open were never closed
    if (c->cst == CST_line_continuation) {
        if (fresh && !reader->has_joined)
            reader->joined = c->start;
        reader->has_joined |= fresh;
        return;
    }
    if ((fresh || reader->has_joined) && reader->brackets == 0)
        begin_line(reader, c->start, statement, reader->errors > 0 || c->cst == CST_ERROR);
    reader->begun = true;
    reader->has_joined = false;
    reader->row = ts_node_end_point(c->node).row;
    reader->end = c->end;
    if (c->end - c->start != 1)
        return;
    char token = reader->l->bytes[c->start];
    if (token == '(' || token == '[' || token == '{')
        reader->brackets++;
    else if ((token == ')' || token == ']' || token == '}') && reader->brackets > 0)
        reader->brackets--;
}

typedef struct Level { // of the tree, from the module down to the cursor
    uint16_t cst;
    uint32_t statement_at;
} Level;

static Level level_of(const Level *parent, const Cur *c) {
    bool starts = parent->cst == CST_module || parent->cst == CST_block || is_clause(c->cst);
    return (Level){c->cst, starts ? c->start : parent->statement_at};
}

static bool is_entered(const Cur *c) {
    bool several = ts_node_end_point(c->node).row > ts_node_start_point(c->node).row;
    return c->cst != CST_string && (several || c->cst == CST_block) && ts_node_child_count(c->node) > 0;
}

static void count_level(Reader *reader, uint16_t cst, uint32_t step) {
    reader->suites += cst == CST_block ? step : 0;
    reader->errors += cst == CST_ERROR ? step : 0;
}

static void read_tree(Reader *reader) {
    TSTreeCursor *cursor = &reader->l->cursor;
    VEC(Level) levels = {0};
    vec_push(&levels, ((Level){CST_module, 0}));
    bool more = ts_tree_cursor_goto_first_child(cursor);
    while (more) {
        Cur c = cur_here(reader->l);
        Level level = level_of(&vec_last(&levels), &c);
        if (c.cst != CST_comment && is_entered(&c)) {
            ts_tree_cursor_goto_first_child(cursor);
            count_level(reader, level.cst, 1);
            vec_push(&levels, level);
            continue;
        }
        if (c.cst != CST_comment && c.end > c.start)
            read_token(reader, &c, level.statement_at);
        while (!(more = ts_tree_cursor_goto_next_sibling(cursor)) && levels.len > 1) {
            ts_tree_cursor_goto_parent(cursor);
            count_level(reader, vec_pop(&levels).cst, (uint32_t)-1);
        }
    }
    ts_tree_cursor_goto_parent(cursor);
    vec_free(&levels);
}

void lower_lines(Lower *l) {
    Reader reader = {.l = l};
    if (cur_here(l).cst == CST_ERROR)
        reader.errors = 1;
    vec_push(&reader.indents, ((Column){0, 0}));
    read_tree(&reader);
    if (reader.bad)
        close_bad(&reader, UINT32_MAX);
    vec_free(&reader.indents);
}
