// JUnit's XML: a test suite a file with findings, a failed test a finding; one test that passes when there is none. What
// could not be handled stands in a suite of its own, as errors.
#include "cli/cli.h"

// What XML has no character for is written as \xNN.
static void put_text(Str text, Buf *out) {
    for (size_t at = 0; at < text.len;) {
        size_t start = at;
        uint32_t c = utf8_next(text, &at);
        if (c == '<')
            buf_cstr(out, "&lt;");
        else if (c == '>')
            buf_cstr(out, "&gt;");
        else if (c == '&')
            buf_cstr(out, "&amp;");
        else if (c == '"')
            buf_cstr(out, "&quot;");
        else if (c == '\t' || (c >= 0x20 && c != 0x7F && c != 0xFFFE && c != 0xFFFF &&
                               !(c >= 0xD800 && c < 0xE000) && !(c == 0xFFFD && at == start + 1)))
            buf_bytes(out, text.ptr + start, at - start);
        else
            for (size_t i = start; i < at; i++)
                buf_printf(out, "\\x%02x", (unsigned)(unsigned char)text.ptr[i]);
    }
}

static void put_attribute(const char *name, const char *value, Buf *out) {
    buf_printf(out, " %s=\"", name);
    put_text(str_of(value), out);
    buf_char(out, '"');
}

static void put_finding(const gm_finding *finding, const char *path, Buf *out) {
    gm_place start = finding->range.start;
    Buf text = {0};
    buf_printf(out, "    <testcase name=\"%s at %u:%u\"", finding->code, start.line, start.column);
    put_attribute("classname", path, out);
    put_attribute("file", path, out);
    buf_printf(out, " line=\"%u\">\n      <failure type=\"%s\"", start.line, finding->code);
    put_attribute("message", finding->message, out);
    buf_char(out, '>');
    buf_printf(&text, "%s:%u:%u: %s ", path, start.line, start.column, finding->code);
    report_sentence(finding, &text);
    put_text(buf_view(&text), out);
    buf_cstr(out, "</failure>\n    </testcase>\n");
    buf_free(&text);
}

static size_t suite_end(const gm_session *session, size_t from) {
    size_t end = from;
    while (end < gm_finding_count(session) &&
           strcmp(gm_finding_at(session, end)->path, gm_finding_at(session, from)->path) == 0)
        end++;
    return end;
}

static void put_error(gm_diagnostic error, Arena *arena, Buf *out) {
    const char *path = report_path(error.path, arena);
    buf_cstr(out, "    <testcase name=\"error\"");
    put_attribute("classname", *path ? path : "graphmend", out);
    put_attribute("file", path, out);
    buf_cstr(out, "><error");
    put_attribute("message", error.message, out);
    buf_cstr(out, "/></testcase>\n");
}

static void put_errors(const gm_session *session, Arena *arena, Buf *out) {
    size_t errors = gm_error_count(session);
    if (errors == 0)
        return;
    buf_printf(out, "  <testsuite name=\"graphmend errors\" tests=\"%zu\" failures=\"0\" errors=\"%zu\">\n",
               errors, errors);
    for (size_t i = 0; i < gm_diagnostic_count(session); i++)
        if (gm_diagnostic_at(session, i).level == GM_ERROR)
            put_error(gm_diagnostic_at(session, i), arena, out);
    buf_cstr(out, "  </testsuite>\n");
}

void report_junit(gm_session *session, Buf *out) {
    Arena *arena = arena_new();
    size_t count = gm_finding_count(session), errors = gm_error_count(session);
    buf_cstr(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    buf_printf(out, "<testsuites name=\"graphmend\" tests=\"%zu\" failures=\"%zu\" errors=\"%zu\">\n",
               count + errors ? count + errors : 1, count, errors);
    if (count + errors == 0)
        buf_cstr(out, "  <testsuite name=\"graphmend\" tests=\"1\" failures=\"0\" errors=\"0\">\n"
                      "    <testcase name=\"no findings\" classname=\"graphmend\"/>\n  </testsuite>\n");
    for (size_t i = 0, end; i < count; i = end) {
        end = suite_end(session, i);
        const char *path = report_path(gm_finding_at(session, i)->path, arena);
        buf_cstr(out, "  <testsuite");
        put_attribute("name", path, out);
        buf_printf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"0\">\n", end - i, end - i);
        for (size_t f = i; f < end; f++)
            put_finding(gm_finding_at(session, f), path, out);
        buf_cstr(out, "  </testsuite>\n");
    }
    put_errors(session, arena, out);
    buf_cstr(out, "</testsuites>\n");
    arena_free(arena);
}
