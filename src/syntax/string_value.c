// The value of a string literal: node_string_value decodes prefixes, quotes and escapes of plain str literals and of
// adjacent ones. Declines f-strings, bytes, \N{...} names (that table is not ours to carry), lone surrogates and escapes
// that Python rejects.
#include "syntax/ast.h"

#include <stdlib.h>

static int digit_value(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

static bool put_code_point(Buf *out, uint32_t code) {
    if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
        return false;
    if (code < 0x80) {
        buf_char(out, (char)code);
        return true;
    }
    int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    static const uint32_t lead[] = {0, 0xC0, 0xE0, 0xF0};
    buf_char(out, (char)(lead[more] | code >> (6 * more)));
    while (more--)
        buf_char(out, (char)(0x80 | ((code >> (6 * more)) & 0x3F)));
    return true;
}

// Up to `most` digits of `base` from *at on, at least `least`.
static bool number(Str s, size_t *at, int base, size_t least, size_t most, uint32_t *code) {
    size_t from = *at;
    *code = 0;
    while (*at < s.len && *at - from < most && digit_value(s.ptr[*at]) < base)
        *code = *code * (uint32_t)base + (uint32_t)digit_value(s.ptr[(*at)++]);
    return *at - from >= least;
}

// The escape whose letter stands at *at; moves past it.
static bool put_escape(Buf *out, Str s, size_t *at) {
    static const char letters[] = "\\'\"abfnrtv", values[] = "\\'\"\a\b\f\n\r\t\v";
    char c = s.ptr[*at];
    const char *known = strchr(letters, c);
    uint32_t code;
    if (c && known) {
        buf_char(out, values[known - letters]);
        ++*at;
        return true;
    }
    if (digit_value(c) < 8)
        return number(s, at, 8, 1, 3, &code) && put_code_point(out, code);
    if (c == '\n' || c == '\r') {
        *at += c == '\r' && *at + 1 < s.len && s.ptr[*at + 1] == '\n' ? 2 : 1;
        return true;
    }
    if (c == 'x' || c == 'u' || c == 'U') {
        size_t width = c == 'x' ? 2 : c == 'u' ? 4 : 8;
        ++*at;
        return number(s, at, 16, width, width, &code) && put_code_point(out, code);
    }
    if (c == 'N')
        return false;
    buf_char(out, '\\'); // not an escape: Python keeps both characters
    return true;
}

static bool put_body(Buf *out, Str s, bool raw) {
    for (size_t at = 0; at < s.len;) {
        char c = s.ptr[at++];
        if (c == '\r') { // line ends inside a literal are \n to Python
            if (at < s.len && s.ptr[at] == '\n')
                at++;
            buf_char(out, '\n');
        } else if (c != '\\' || raw || at == s.len) {
            buf_char(out, c);
        } else if (!put_escape(out, s, &at)) {
            return false;
        }
    }
    return true;
}

static bool put_literal(Buf *out, Str text) {
    bool raw = false;
    size_t at = 0;
    while (at < text.len && text.ptr[at] != '"' && text.ptr[at] != '\'')
        raw |= (text.ptr[at++] | 0x20) == 'r';
    size_t quotes =
        text.len - at >= 6 && text.ptr[at] == text.ptr[at + 1] && text.ptr[at] == text.ptr[at + 2] ? 3 : 1;
    if (text.len < at + 2 * quotes)
        return false;
    return put_body(out, str_slice(text, at + quotes, text.len - quotes), raw);
}

static Str without_parens(const SyntaxTree *tree, const Node *node) {
    Str text = node_text(tree, node);
    if (!(node->flags & NODE_PARENS))
        return text;
    // Between parentheses and the literal only white space is certain; a comment could hold anything.
    while (text.len >= 2 && text.ptr[0] == '(')
        text = str_trim(str_slice(text, 1, text.len - 1));
    return text;
}

static bool put_value(Buf *out, const SyntaxTree *tree, const Node *node) {
    if (node->flags & NODE_NEW)
        return false;
    if (node->kind == NODE_STR_CONCAT) {
        for (uint32_t i = 0; i < node->u.items.items.len; i++)
            if (!put_value(out, tree, node->u.items.items.items[i]))
                return false;
        return true;
    }
    if (node->kind != NODE_CONSTANT || node->u.constant.kind != CONST_STR)
        return false;
    Str text = without_parens(tree, node);
    return !memchr("#(", text.ptr[0], 2) && put_literal(out, text);
}

bool node_string_value(const SyntaxTree *tree, const Node *node, Arena *arena, Str *value) {
    Buf out = {0};
    bool known = node && put_value(&out, tree, node);
    if (known)
        *value = str_dup(arena, buf_view(&out));
    buf_free(&out);
    return known;
}
