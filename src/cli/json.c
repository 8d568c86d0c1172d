// JSON text: strings, in what the reports put together by hand to keep a finding on a line.
#include "cli/cli.h"

void json_string(Str text, Buf *out) {
    buf_char(out, '"');
    for (size_t at = 0; at < text.len;) {
        size_t start = at;
        uint32_t code_point = utf8_next(text, &at);
        if (code_point == '"' || code_point == '\\')
            buf_printf(out, "\\%c", (char)code_point);
        else if (code_point == '\n')
            buf_cstr(out, "\\n");
        else if (code_point < 0x20 || code_point == 0x7F)
            buf_printf(out, "\\u%04x", code_point);
        else if (code_point == 0xFFFD && at == start + 1) // a byte that is no UTF-8, in a file name
            buf_cstr(out, "\\ufffd");
        else
            buf_bytes(out, text.ptr + start, at - start);
    }
    buf_char(out, '"');
}

void json_field(const char *name, Str value, Buf *out) {
    buf_printf(out, "\"%s\": ", name);
    json_string(value, out);
}
