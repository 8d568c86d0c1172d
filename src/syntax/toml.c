// Reads a TOML text with tree-sitter-toml and gives one of its tables as JSON, which the configuration is read from.
//
// Input: the text and the dotted path of a table. Output: JSON; dates and times as strings. The tree of tables lives in the
// arena. Declines, with line and column: text the grammar rejects, a key that is set twice, numbers out of range, escapes
// that stand for no character, what is nested deeper than DEPTH_MAX.
// https://toml.io/en/v1.0.0
#include "syntax/toml.h"

#include <errno.h>
#include <math.h>
#include <tree_sitter/api.h>

const TSLanguage *tree_sitter_toml(void);

enum { DEPTH_MAX = 100 }; // arrays and tables inside each other, the parts of their keys among them

typedef enum ValueKind { VALUE_SCALAR, VALUE_ARRAY, VALUE_TABLE } ValueKind;
typedef struct Value Value;
struct Value {
    ValueKind kind;
    Str key;    // in a table
    Str json;   // a scalar's
    bool given; // a table that has a header, or a value: it cannot be given again
    Value *first, *last, *next;
};

typedef struct Reader {
    Arena *arena;
    Str text;
    Str why;
} Reader;

static bool fail(Reader *reader, TSNode at, const char *what) {
    TSPoint place = ts_node_start_point(at);
    if (reader->why.len == 0)
        reader->why =
            str_format(reader->arena, "line %u, column %u: %s", place.row + 1, place.column + 1, what);
    return false;
}

static Str text_of(const Reader *reader, TSNode node) {
    return str_slice(reader->text, ts_node_start_byte(node), ts_node_end_byte(node));
}

static bool is_kind(TSNode node, const char *kind) {
    return strcmp(ts_node_type(node), kind) == 0;
}

static void append(Value *parent, Value *child) {
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
}

static Value *child_named(const Value *table, Str key) {
    for (Value *at = table->first; at; at = at->next)
        if (str_eq(at->key, key))
            return at;
    return NULL;
}

static Value *new_value(Reader *reader, ValueKind kind, Str key) {
    Value *value = ARENA_NEW(reader->arena, Value);
    value->kind = kind;
    value->key = key;
    return value;
}

// ---------------------------------------------------------------- strings

static void json_char(Buf *out, uint32_t c) {
    if (c == '"' || c == '\\')
        buf_printf(out, "\\%c", (char)c);
    else if (c < 0x20)
        buf_printf(out, "\\u%04x", c);
    else
        buf_char(out, (char)c);
}

static void utf8(Buf *out, uint32_t c) {
    if (c < 0x80) {
        json_char(out, c);
    } else if (c < 0x800) {
        buf_char(out, (char)(0xC0 | c >> 6));
        buf_char(out, (char)(0x80 | (c & 0x3F)));
    } else {
        if (c < 0x10000) {
            buf_char(out, (char)(0xE0 | c >> 12));
        } else {
            buf_char(out, (char)(0xF0 | c >> 18));
            buf_char(out, (char)(0x80 | (c >> 12 & 0x3F)));
        }
        buf_char(out, (char)(0x80 | (c >> 6 & 0x3F)));
        buf_char(out, (char)(0x80 | (c & 0x3F)));
    }
}

// The escape that begins at text[at] (a backslash); returns where the text goes on, 0 when it stands for no character.
static size_t escape(Buf *out, Str text, size_t at) {
    static const char letters[] = "btnfre\"\\", values[] = "\b\t\n\f\r\033\"\\";
    char letter = at + 1 < text.len ? text.ptr[at + 1] : '\\';
    const char *found = memchr(letters, letter, sizeof letters - 1);
    if (letter == 'u' || letter == 'U') {
        size_t digits = letter == 'u' ? 4 : 8;
        char hex[9] = {0};
        for (size_t i = 0; i < digits && at + 2 + i < text.len; i++)
            hex[i] = text.ptr[at + 2 + i];
        unsigned long c = strtoul(hex, NULL, 16);
        if (c > 0x10FFFF || (c >= 0xD800 && c <= 0xDFFF))
            return 0;
        utf8(out, (uint32_t)c);
        return at + 2 + digits;
    }
    if (found) {
        json_char(out, (unsigned char)values[found - letters]);
        return at + 2;
    }
    at++; // a line that is continued: white space and line ends are passed over
    while (at < text.len &&
           (text.ptr[at] == ' ' || text.ptr[at] == '\t' || text.ptr[at] == '\n' || text.ptr[at] == '\r'))
        at++;
    return at;
}

// "a", """a""", 'a', '''a''' without their quotes; as the inside of a JSON string.
static bool string_content(Buf *out, Str quoted) {
    bool basic = quoted.ptr[0] == '"';
    size_t quotes =
        quoted.len >= 6 && quoted.ptr[1] == quoted.ptr[0] && quoted.ptr[2] == quoted.ptr[0] ? 3 : 1;
    Str text = str_slice(quoted, quotes, quoted.len - quotes);
    size_t at = 0;
    if (quotes == 3 && str_starts(text, STR("\r\n")))
        at = 2;
    else if (quotes == 3 && str_starts(text, STR("\n")))
        at = 1;
    while (at < text.len) {
        bool escaped = basic && text.ptr[at] == '\\';
        if (!escaped)
            json_char(out, (unsigned char)text.ptr[at++]);
        else if ((at = escape(out, text, at)) == 0)
            return false;
    }
    return true;
}

static bool decode(Reader *reader, TSNode quoted, Str *text) {
    Buf out = {0};
    bool ok = string_content(&out, text_of(reader, quoted)) ||
              fail(reader, quoted, "an escape that stands for no character");
    *text = str_dup(reader->arena, buf_view(&out));
    buf_free(&out);
    return ok;
}

static Str quoted_json(Reader *reader, Str inside) {
    return str_format(reader->arena, "\"%.*s\"", STR_ARG(inside));
}

// ---------------------------------------------------------------- numbers

// 0x1F, 0o17, 0b1: the base, otherwise 10.
static int base_of(Str digits) {
    if (digits.len < 2 || digits.ptr[0] != '0')
        return 10;
    return digits.ptr[1] == 'x' ? 16 : digits.ptr[1] == 'o' ? 8 : digits.ptr[1] == 'b' ? 2 : 10;
}

static bool number_json(Reader *reader, TSNode node, Str *json) {
    Str text = text_of(reader, node);
    char *digits = arena_alloc(reader->arena, text.len + 1);
    size_t len = 0;
    for (size_t i = 0; i < text.len; i++)
        if (text.ptr[i] != '_' && !(i == 0 && text.ptr[i] == '+'))
            digits[len++] = text.ptr[i];
    *json = (Str){digits, len};
    if (is_kind(node, "float")) {
        if (str_ends(*json, STR("inf")) || str_ends(*json, STR("nan")))
            *json = quoted_json(reader, *json);
        else if (isinf(strtod(digits, NULL)))
            return fail(reader, node, "the number is out of range");
        return true;
    }
    int base = base_of(*json);
    errno = 0;
    long long value = strtoll(digits + (base == 10 ? 0 : 2), NULL, base);
    if (base != 10)
        *json = str_format(reader->arena, "%lld", value);
    return errno == 0 || fail(reader, node, "the number is out of range");
}

// ---------------------------------------------------------------- values

static bool read_value(Reader *reader, TSNode node, Value *into, int depth);
static bool read_pair(Reader *reader, TSNode pair, Value *table, int depth);

static bool read_items(Reader *reader, TSNode node, Value *into, int depth) {
    for (uint32_t i = 0; i < ts_node_named_child_count(node); i++) {
        TSNode child = ts_node_named_child(node, i);
        if (is_kind(child, "comment"))
            continue;
        if (into->kind == VALUE_TABLE) {
            if (!read_pair(reader, child, into, depth + 1))
                return false;
            continue;
        }
        Value *item = new_value(reader, VALUE_SCALAR, (Str){0});
        if (!read_value(reader, child, item, depth + 1))
            return false;
        append(into, item);
    }
    return true;
}

static bool read_value(Reader *reader, TSNode node, Value *into, int depth) {
    Str text = text_of(reader, node);
    into->given = true;
    if (depth > DEPTH_MAX)
        return fail(reader, node, "nested too deep");
    if (is_kind(node, "array") || is_kind(node, "inline_table")) {
        into->kind = is_kind(node, "array") ? VALUE_ARRAY : VALUE_TABLE;
        return read_items(reader, node, into, depth);
    }
    if (is_kind(node, "integer") || is_kind(node, "float"))
        return number_json(reader, node, &into->json);
    if (is_kind(node, "string")) {
        bool ok = decode(reader, node, &text);
        into->json = quoted_json(reader, text);
        return ok;
    }
    if (is_kind(node, "boolean"))
        into->json = text;
    else
        into->json = quoted_json(reader, text); // a date or a time
    return true;
}

// ---------------------------------------------------------------- keys and tables

static bool read_part(Reader *reader, TSNode part, Str *text) {
    *text = text_of(reader, part);
    return !is_kind(part, "quoted_key") || decode(reader, part, text);
}

// The table of that name in this one, made if need be.
static Value *inner_table(Reader *reader, TSNode key, Value *table, Str part) {
    Value *next = child_named(table, part);
    if (!next) {
        next = new_value(reader, VALUE_TABLE, part);
        append(table, next);
    }
    if (next->kind == VALUE_ARRAY && next->last && next->last->kind == VALUE_TABLE)
        next = next->last; // the last element of an array of tables
    if (next->kind == VALUE_TABLE)
        return next;
    fail(reader, key, "the key is set to a value already");
    return NULL;
}

// Goes along a key (a, "a", a.b."c") from a table, making tables on the way; *last: the final part, not made. *depth grows
// with each part. The tree of a.b.c leans to the left: ((a b) c).
static Value *along_key(Reader *reader, TSNode key, Value *table, Str *last, int *depth) {
    TSNode parts[DEPTH_MAX + 1];
    int count = 0;
    TSNode rest = key;
    for (; is_kind(rest, "dotted_key"); rest = ts_node_named_child(rest, 0)) {
        if (++*depth > DEPTH_MAX) {
            fail(reader, key, "nested too deep");
            return NULL;
        }
        parts[count++] = ts_node_named_child(rest, 1);
    }
    bool ok = read_part(reader, rest, last);
    while (ok && table && count > 0) {
        table = inner_table(reader, key, table, *last);
        ok = read_part(reader, parts[--count], last);
    }
    return ok ? table : NULL;
}

static bool read_pair(Reader *reader, TSNode pair, Value *table, int depth) {
    if (!is_kind(pair, "pair") || ts_node_named_child_count(pair) < 2)
        return fail(reader, pair, "a key and a value expected");
    Str key;
    Value *owner = along_key(reader, ts_node_named_child(pair, 0), table, &key, &depth);
    if (!owner)
        return false;
    if (child_named(owner, key))
        return fail(reader, pair, "the key is set twice");
    Value *value = new_value(reader, VALUE_SCALAR, key);
    append(owner, value);
    return read_value(reader, ts_node_named_child(pair, 1), value, depth);
}

// [a.b] and [[a.b]]
static bool read_table(Reader *reader, TSNode node, Value *document) {
    Str key;
    int depth = 0;
    Value *owner = along_key(reader, ts_node_named_child(node, 0), document, &key, &depth);
    if (!owner)
        return false;
    Value *table = child_named(owner, key);
    if (is_kind(node, "table_array_element")) {
        if (table && table->kind != VALUE_ARRAY)
            return fail(reader, node, "the table is no array of tables");
        if (!table) {
            table = new_value(reader, VALUE_ARRAY, key);
            append(owner, table);
        }
        Value *element = new_value(reader, VALUE_TABLE, (Str){0});
        append(table, element);
        table = element;
    } else if (table && (table->kind != VALUE_TABLE || table->given)) {
        return fail(reader, node, "the table is given twice");
    } else if (!table) {
        table = new_value(reader, VALUE_TABLE, key);
        append(owner, table);
    }
    table->given = true;
    for (uint32_t i = 1; i < ts_node_named_child_count(node); i++) {
        TSNode child = ts_node_named_child(node, i);
        if (!is_kind(child, "comment") && !read_pair(reader, child, table, depth))
            return false;
    }
    return true;
}

static bool read_document(Reader *reader, TSNode root, Value *document) {
    for (uint32_t i = 0; i < ts_node_named_child_count(root); i++) {
        TSNode child = ts_node_named_child(root, i);
        if (is_kind(child, "comment"))
            continue;
        bool ok = is_kind(child, "pair") ? read_pair(reader, child, document, 0)
                                         : read_table(reader, child, document);
        if (!ok)
            return false;
    }
    return true;
}

// ---------------------------------------------------------------- the result

static void print_json(const Value *value, Buf *out) {
    if (value->kind == VALUE_SCALAR) {
        buf_str(out, value->json);
        return;
    }
    buf_char(out, value->kind == VALUE_ARRAY ? '[' : '{');
    for (const Value *at = value->first; at; at = at->next) {
        if (at != value->first)
            buf_char(out, ',');
        if (value->kind == VALUE_TABLE)
            buf_printf(out, "\"%.*s\":", STR_ARG(at->key));
        print_json(at, out);
    }
    buf_char(out, value->kind == VALUE_ARRAY ? ']' : '}');
}

static const Value *find_value(const Value *document, Str path) {
    const Value *at = document;
    while (at && path.len) {
        size_t dot = 0;
        bool more = str_find(path, STR("."), &dot);
        at = child_named(at, more ? str_slice(path, 0, dot) : path);
        path = more ? str_slice(path, dot + 1, path.len) : (Str){0};
    }
    return at;
}

// The first child that is an error or holds one; the node itself if there is none.
static TSNode faulty_child(TSNode node) {
    for (uint32_t i = 0; i < ts_node_child_count(node); i++) {
        TSNode child = ts_node_child(node, i);
        if (ts_node_has_error(child) || ts_node_is_missing(child))
            return child;
    }
    return node;
}

static TSNode first_error(TSNode node) {
    for (;;) {
        TSNode child = faulty_child(node);
        if (ts_node_eq(child, node) || ts_node_is_missing(child) || is_kind(child, "ERROR"))
            return child;
        node = child;
    }
}

bool toml_section(Str text, Str path, Arena *arena, Buf *json, Str *why) {
    Reader reader = {.arena = arena, .text = text};
    TSParser *parser = ts_parser_new();
    CHECK(ts_parser_set_language(parser, tree_sitter_toml()));
    TSTree *tree = ts_parser_parse_string(parser, NULL, text.ptr, (uint32_t)text.len);
    TSNode root = ts_tree_root_node(tree);
    Value document = {.kind = VALUE_TABLE};
    bool ok = !ts_node_has_error(root) || fail(&reader, first_error(root), "not TOML");
    ok = ok && read_document(&reader, root, &document);
    const Value *found = ok ? find_value(&document, path) : NULL;
    if (found)
        print_json(found, json);
    ts_tree_delete(tree);
    ts_parser_delete(parser);
    *why = reader.why;
    return found != NULL;
}
