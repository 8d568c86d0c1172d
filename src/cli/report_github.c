// GitHub's workflow commands: an annotation a finding, shown at its line of a pull request.
//
//     ::warning title=GM301 (value-used),file=m.py,line=7,col=13,endLine=7,endColumn=34::m.py:7:13: GM301 print in ...
//
//     ::error file=m.py,line=3::invalid UTF-8                            what could not be handled
// Columns are given only within one line: with endLine on another GitHub drops the annotation.
#include "cli/cli.h"

static void put_escaped(Str text, bool property, Buf *out) {
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        bool escape = c == '%' || c == '\r' || c == '\n' || (property && (c == ':' || c == ','));
        if (escape)
            buf_printf(out, "%%%02X", (unsigned)(unsigned char)c);
        else
            buf_char(out, c);
    }
}

static void put_finding(const gm_finding *finding, Arena *arena, Buf *out) {
    gm_range range = finding->range;
    const char *path = report_path(finding->path, arena);
    Buf text = {0}, shown = {0};
    buf_printf(out, "::%s title=%s", strncmp(finding->code, "GM9", 3) == 0 ? "notice" : "warning",
               finding->code);
    if (finding->reason)
        buf_printf(out, " (%s)", finding->reason);
    buf_cstr(out, ",file=");
    put_escaped(str_of(path), true, out);
    buf_printf(out, ",line=%u", range.start.line);
    if (range.start.line == range.end.line)
        buf_printf(out, ",col=%u,endLine=%u,endColumn=%u", range.start.column, range.end.line,
                   range.end.column);
    else
        buf_printf(out, ",endLine=%u", range.end.line);
    buf_printf(&text, "%s:%u:%u: %s ", path, range.start.line, range.start.column, finding->code);
    report_sentence(finding, &text);
    buf_printable(&shown, buf_view(&text));
    buf_cstr(out, "::");
    put_escaped(buf_view(&shown), false, out);
    buf_char(out, '\n');
    buf_free(&text);
    buf_free(&shown);
}

static void put_error(gm_diagnostic error, Arena *arena, Buf *out) {
    buf_cstr(out, "::error title=graphmend");
    if (*error.path) {
        buf_cstr(out, ",file=");
        put_escaped(str_of(report_path(error.path, arena)), true, out);
    }
    if (error.line)
        buf_printf(out, ",line=%u", error.line);
    buf_cstr(out, "::");
    put_escaped(str_of(error.message), false, out);
    buf_char(out, '\n');
}

void report_github(gm_session *session, Buf *out) {
    Arena *arena = arena_new();
    Buf text = {0};
    for (size_t i = 0; i < gm_finding_count(session); i++) {
        text.len = 0;
        put_finding(gm_finding_at(session, i), arena, &text);
        buf_printable(out, (Str){text.ptr, text.len - 1}); // a file's name may hold anything
        buf_char(out, '\n');
    }
    for (size_t i = 0; i < gm_diagnostic_count(session); i++) {
        text.len = 0;
        if (gm_diagnostic_at(session, i).level != GM_ERROR)
            continue;
        put_error(gm_diagnostic_at(session, i), arena, &text);
        buf_printable(out, (Str){text.ptr, text.len - 1});
        buf_char(out, '\n');
    }
    buf_free(&text);
    arena_free(arena);
}
