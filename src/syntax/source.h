// Source text: the bytes of one .py file as they are, and what must be known to edit them without a trace:
// byte-order mark, coding cookie, newline style, indentation unit, line starts.
#ifndef GM_SOURCE_H
#define GM_SOURCE_H

#include "base/base.h"

typedef struct Source {
    Str path;        // as the user gave it
    Str bytes;       // the whole file, BOM included; owned by the arena; NUL follows
    uint32_t body;   // where the text starts: 3 after a UTF-8 BOM, else 0
    Str newline;     // "\n", "\r\n" or "\r": the first one in the file; "\n" when there is none
    Str indent_unit; // the first indentation seen inside a suite: "    ", "\t", ...; 4 spaces by default
    char quote;      // the commoner string quote in the file: '"' or '\''
    uint32_t *lines; // byte offset of each line's start
    uint32_t line_count;
    // For columns: how many bytes before each step of the text continue a code point; NULL: none at all.
    uint32_t *inner;
    uint32_t fault_line; // where source_init failed: the line; 0: no certain one
} Source;

typedef struct Place {
    uint32_t line, column; // 1-based; column in code points
} Place;

// Takes the bytes (copied into the arena). Fails, with a reason and perhaps a fault_line, for: a NUL byte ("binary file"), a
// coding cookie other than utf-8/ascii (latin-1 is fine when the bytes are ASCII), invalid UTF-8, more than UINT32_MAX/2
// bytes.
bool source_init(Source *source, Arena *arena, Str path, Str bytes, Str *why);
Place source_place(const Source *source, uint32_t offset);
Str source_line(const Source *source, uint32_t line);     // text of a 1-based line, without its newline
Str source_indent(const Source *source, uint32_t offset); // leading white space of the line of offset
uint32_t source_line_start(const Source *source, uint32_t offset);
static inline Str source_span(const Source *source, uint32_t start, uint32_t end) {
    return str_slice(source->bytes, start, end);
}

#endif
