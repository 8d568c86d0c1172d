// Long runs of comments, which the parser is spared: at each comment line of an indented suite the grammar's scanner reads on
// to the next line of code, so that a run costs the square of its length.
//
// In:  a text to be parsed. Out: the runs' comments, but for each run's first, which ends the line before it as the run did,
// and the text with spaces in their place: every offset stays. Whether a '#' begins a comment is told here by the quotes
// alone; comments_in_token tells whether the parser found otherwise.
#include "syntax/lower.h"

enum { RUN_MIN = 32 }; // comments in a row, with nothing but blank lines between, that are worth it

static uint32_t line_end(Str text, uint32_t at) {
    const char *hit = memchr(text.ptr + at, '\n', text.len - at);
    return hit ? (uint32_t)(hit - text.ptr) : (uint32_t)text.len;
}

static bool quotes_at(Str text, uint32_t at, char quote, uint32_t count) {
    for (uint32_t i = 0; i < count; i++)
        if (at + i >= text.len || text.ptr[at + i] != quote)
            return false;
    return true;
}

// Behind the string that begins at the quote; a line's end closes one of single quotes.
static uint32_t string_end(Str text, uint32_t at) {
    char quote = text.ptr[at];
    uint32_t quotes = quotes_at(text, at, quote, 3) ? 3 : 1;
    for (at += quotes; at < text.len; at++) {
        if (quotes_at(text, at, quote, quotes))
            return at + quotes;
        if (text.ptr[at] == '\n' && quotes == 1)
            return at;
        if (text.ptr[at] == '\\')
            at++;
    }
    return (uint32_t)text.len;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\f' || c == '\r' || c == '\n';
}

CommentList comments_in_runs(Str text) {
    CommentList found = {0};
    uint32_t before = 0, run = 0; // what earlier runs have given; comments in this one
    bool begun = false;           // something stands on the line
    for (uint32_t at = 0; at < text.len;) {
        char c = text.ptr[at];
        if (c == '#') {
            uint32_t start = at, end = at = line_end(text, at);
            while (text.ptr[end - 1] == '\r')
                end--;
            if (!begun && run++ > 0)
                vec_push(&found, ((Comment){start, end}));
        } else if (is_blank(c)) {
            begun = begun && c != '\n';
            at++;
        } else {
            found.len = run < RUN_MIN ? before : found.len;
            before = found.len;
            run = 0;
            begun = true;
            at = c == '"' || c == '\'' ? string_end(text, at) : at + 1;
        }
    }
    found.len = run < RUN_MIN ? before : found.len;
    return found;
}

void comments_blank(const CommentList *comments, char *text) {
    for (uint32_t i = 0; i < comments->len; i++)
        memset(text + comments->items[i].start, ' ', comments->items[i].end - comments->items[i].start);
}

static bool holds_one(const CommentList *comments, TSNode node) {
    uint32_t start = ts_node_start_byte(node), low = 0, high = comments->len;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (comments->items[middle].end <= start)
            low = middle + 1;
        else
            high = middle;
    }
    return low < comments->len && comments->items[low].start < ts_node_end_byte(node);
}

bool comments_in_token(const CommentList *comments, TSNode root) {
    TSTreeCursor cursor = ts_tree_cursor_new(root);
    bool found = false;
    for (bool more = true; more && !found;) {
        TSNode node = ts_tree_cursor_current_node(&cursor);
        if (holds_one(comments, node)) {
            found = strcmp(ts_node_type(node), "string") == 0 || ts_node_child_count(node) == 0;
            if (!found && ts_tree_cursor_goto_first_child(&cursor))
                continue;
        }
        while (!found && !ts_tree_cursor_goto_next_sibling(&cursor))
            if (!(more = ts_tree_cursor_goto_parent(&cursor)))
                break;
    }
    ts_tree_cursor_delete(&cursor);
    return found;
}
