// Source text: checks that the bytes are text we can edit (UTF-8, no NUL, a coding cookie that agrees) and finds what
// editing needs: newline style and line starts. Declines, with a reason, what Python reads in another encoding.
// indent_unit and quote get their defaults here; the lowering, which knows suites and strings, sets the real ones.
#include "syntax/source.h"

// ---------------------------------------------------------------- UTF-8
// Length of the UTF-8 sequence at p (RFC 3629: no overlong forms, no surrogates), 0 if there is none.
static size_t utf8_length(const unsigned char *p, size_t left) {
    if (p[0] < 0x80)
        return 1;
    size_t need = p[0] >= 0xF0 ? 4 : p[0] >= 0xE0 ? 3 : 2;
    if (p[0] < 0xC2 || p[0] > 0xF4 || left < need)
        return 0;
    for (size_t i = 1; i < need; i++)
        if ((p[i] & 0xC0) != 0x80)
            return 0;
    if ((p[0] == 0xE0 && p[1] < 0xA0) || (p[0] == 0xED && p[1] > 0x9F) || (p[0] == 0xF0 && p[1] < 0x90) ||
        (p[0] == 0xF4 && p[1] > 0x8F))
        return 0;
    return need;
}

static bool all_ascii_8(const char *p) {
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return (word & UINT64_C(0x8080808080808080)) == 0;
}

// Offset of the first byte that is not UTF-8, or s.len. *ascii: no byte above 0x7F.
static size_t utf8_check(Str s, bool *ascii) {
    size_t at = 0;
    *ascii = true;
    while (at < s.len) {
        if (s.len - at >= 8 && all_ascii_8(s.ptr + at)) {
            at += 8;
            continue;
        }
        size_t step = utf8_length((const unsigned char *)s.ptr + at, s.len - at);
        if (!step)
            return at;
        if (step > 1)
            *ascii = false;
        at += step;
    }
    return at;
}

// ---------------------------------------------------------------- coding cookie (PEP 263)
static bool is_cookie_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
}

static Str cookie_in(Str line) {
    size_t at = 0;
    while (at < line.len && (line.ptr[at] == ' ' || line.ptr[at] == '\t' || line.ptr[at] == '\f'))
        at++;
    if (at == line.len || line.ptr[at] != '#')
        return (Str){0};
    for (Str rest = str_slice(line, at, line.len); str_find(rest, STR("coding"), &at);) {
        rest = str_slice(rest, at + 6, rest.len);
        if (!rest.len || (rest.ptr[0] != ':' && rest.ptr[0] != '='))
            continue;
        size_t from = 1;
        while (from < rest.len && (rest.ptr[from] == ' ' || rest.ptr[from] == '\t'))
            from++;
        size_t to = from;
        while (to < rest.len && is_cookie_char(rest.ptr[to]))
            to++;
        if (to > from)
            return str_slice(rest, from, to);
    }
    return (Str){0};
}

static bool cookie_is(Str cookie, const char *name) {
    Str want = str_of(name);
    if (cookie.len != want.len)
        return false;
    for (size_t i = 0; i < want.len; i++) {
        char c = cookie.ptr[i];
        if (c >= 'A' && c <= 'Z')
            c = (char)(c - 'A' + 'a');
        if (c == '_')
            c = '-';
        if (c != want.ptr[i])
            return false;
    }
    return true;
}

static bool cookie_allowed(Str cookie, bool ascii) {
    static const char *const utf8[] = {"utf-8", "utf8", "u8", "utf", "utf-8-sig", "cp65001"};
    static const char *const supersets[] = {"ascii",      "us-ascii",  "latin-1",     "latin1",
                                            "iso-8859-1", "iso8859-1", "iso-8859-15", "l1",
                                            "646",        "cp1252",    "windows-1252"};
    for (size_t i = 0; i < sizeof utf8 / sizeof *utf8; i++)
        if (cookie_is(cookie, utf8[i]))
            return true;
    for (size_t i = 0; ascii && i < sizeof supersets / sizeof *supersets; i++)
        if (cookie_is(cookie, supersets[i]))
            return true;
    return false;
}

static bool is_comment_or_blank(Str line) {
    Str text = str_trim(line);
    return text.len == 0 || text.ptr[0] == '#';
}

static bool cookie_check(Source *source, bool ascii, Arena *arena, Str *why) {
    for (uint32_t line = 1; line <= 2 && line <= source->line_count; line++) {
        Str text = source_line(source, line);
        if (line == 1)
            text = str_slice(text, source->body, text.len);
        Str cookie = cookie_in(text);
        if (cookie.len && !cookie_allowed(cookie, ascii)) {
            *why = str_format(arena, "encoding %.*s is not supported", STR_ARG(cookie));
            source->fault_line = line;
            return false;
        }
        if (cookie.len || !is_comment_or_blank(text))
            return true;
    }
    return true;
}

// ---------------------------------------------------------------- lines
// A line ends with \n, \r\n or a lone \r, as in Python's universal newlines.
static uint32_t lines_find(Str bytes, uint32_t *starts) {
    uint32_t count = 0;
    if (starts)
        starts[count] = 0;
    count++;
    bool has_cr = memchr(bytes.ptr, '\r', bytes.len) != NULL;
    for (size_t at = 0; at < bytes.len; at++) {
        if (!has_cr) {
            const char *hit = memchr(bytes.ptr + at, '\n', bytes.len - at);
            if (!hit)
                break;
            at = (size_t)(hit - bytes.ptr);
        } else if (bytes.ptr[at] != '\n' &&
                   (bytes.ptr[at] != '\r' || (at + 1 < bytes.len && bytes.ptr[at + 1] == '\n'))) {
            continue;
        }
        if (starts)
            starts[count] = (uint32_t)at + 1;
        count++;
    }
    return count;
}

static Str newline_of(Str bytes) {
    for (size_t i = 0; i < bytes.len; i++) {
        if (bytes.ptr[i] == '\n')
            return STR("\n");
        if (bytes.ptr[i] == '\r')
            return i + 1 < bytes.len && bytes.ptr[i + 1] == '\n' ? STR("\r\n") : STR("\r");
    }
    return STR("\n");
}

static uint32_t line_index(const Source *source, uint32_t offset) {
    uint32_t low = 0, high = source->line_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (source->lines[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// ---------------------------------------------------------------- columns
enum { INNER_STEP = 512 }; // bytes that are counted at most for a column, however long its line

static uint32_t inner_in(Str bytes, uint32_t from, uint32_t to) {
    uint32_t count = 0;
    for (uint32_t at = from; at < to; at++)
        count += ((unsigned char)bytes.ptr[at] & 0xC0) == 0x80;
    return count;
}

static void count_inner(Source *source, Arena *arena) {
    uint32_t len = (uint32_t)source->bytes.len, steps = len / INNER_STEP + 1;
    source->inner = ARENA_ARRAY(arena, uint32_t, steps);
    for (uint32_t i = 1; i < steps; i++)
        source->inner[i] =
            source->inner[i - 1] + inner_in(source->bytes, (i - 1) * INNER_STEP, i * INNER_STEP);
}

// Bytes before the offset that are no code point's first.
static uint32_t inner_before(const Source *source, uint32_t offset) {
    uint32_t step = offset / INNER_STEP;
    return source->inner ? source->inner[step] + inner_in(source->bytes, step * INNER_STEP, offset) : 0;
}

bool source_init(Source *source, Arena *arena, Str path, Str bytes, Str *why) {
    memset(source, 0, sizeof *source);
    if (bytes.len > UINT32_MAX / 2) {
        *why = STR("file is too large");
        return false;
    }
    source->path = str_dup(arena, path);
    source->bytes = str_dup(arena, bytes);
    source->body = str_starts(bytes, STR("\xEF\xBB\xBF")) ? 3 : 0;
    source->newline = newline_of(source->bytes);
    source->indent_unit = STR("    ");
    source->quote = '"';
    source->line_count = lines_find(source->bytes, NULL);
    source->lines = ARENA_ARRAY(arena, uint32_t, source->line_count);
    lines_find(source->bytes, source->lines);

    if (bytes.len && memchr(bytes.ptr, 0, bytes.len)) {
        *why = STR("binary file");
        return false;
    }
    bool ascii;
    size_t bad = utf8_check(source->bytes, &ascii);
    if (!ascii)
        count_inner(source, arena);
    if (!cookie_check(source, ascii && bad == bytes.len, arena, why))
        return false;
    if (bad < bytes.len) {
        *why = STR("invalid UTF-8");
        source->fault_line = line_index(source, (uint32_t)bad) + 1;
        return false;
    }
    return true;
}

Place source_place(const Source *source, uint32_t offset) {
    if (offset > source->bytes.len)
        offset = (uint32_t)source->bytes.len;
    uint32_t line = line_index(source, offset);
    uint32_t from = source->lines[line];
    if (from < source->body)
        from = source->body;
    if (offset <= from)
        return (Place){line + 1, 1};
    return (Place){line + 1, offset - from + 1 - (inner_before(source, offset) - inner_before(source, from))};
}

Str source_line(const Source *source, uint32_t line) {
    CHECK(line >= 1 && line <= source->line_count);
    uint32_t from = source->lines[line - 1];
    uint32_t to = line < source->line_count ? source->lines[line] : (uint32_t)source->bytes.len;
    if (to > from && source->bytes.ptr[to - 1] == '\n')
        to--;
    if (to > from && source->bytes.ptr[to - 1] == '\r')
        to--;
    return source_span(source, from, to);
}

uint32_t source_line_start(const Source *source, uint32_t offset) {
    return source->lines[line_index(source, offset)];
}

Str source_indent(const Source *source, uint32_t offset) {
    uint32_t from = source_line_start(source, offset);
    if (from < source->body)
        from = source->body;
    uint32_t to = from;
    while (to < source->bytes.len && strchr(" \t\f", source->bytes.ptr[to]) && source->bytes.ptr[to])
        to++;
    return source_span(source, from, to);
}
