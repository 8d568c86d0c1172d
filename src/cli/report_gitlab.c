// GitLab's Code Quality report: a JSON array, one object a finding, each with a fingerprint of its own; also one for
// each file that could not be handled.
#include "cli/cli.h"

static void put_finding(const gm_finding *finding, const char *severity, Prints *prints, Arena *arena,
                        Buf *out) {
    gm_range range = finding->range;
    uint32_t occurrence;
    uint64_t print = report_print(prints, finding, true, &occurrence);
    Buf text = {0};
    report_sentence(finding, &text);
    buf_cstr(out, "{");
    json_field("description", buf_view(&text), out);
    buf_cstr(out, ", ");
    json_field("check_name", str_of(finding->code), out);
    buf_printf(out, ", \"fingerprint\": \"%016llx%08x\"", (unsigned long long)print, occurrence);
    buf_cstr(out, ", ");
    json_field("severity", str_of(severity), out);
    buf_cstr(out, ", \"location\": {");
    json_field("path", str_of(report_path(finding->path, arena)), out);
    buf_printf(out,
               ", \"positions\": {\"begin\": {\"line\": %u, \"column\": %u}, \"end\": {\"line\": %u, "
               "\"column\": %u}}}}",
               range.start.line, range.start.column, range.end.line, range.end.column);
    buf_free(&text);
}

static void put_error(gm_diagnostic error, Prints *prints, Arena *arena, Buf *out) {
    gm_place place = {error.line ? error.line : 1, error.column ? error.column : 1, 0};
    gm_finding finding = {.code = "error",
                          .message = error.message,
                          .path = *error.path ? error.path : ".",
                          .range = {place, place}};
    put_finding(&finding, "blocker", prints, arena, out);
}

void report_gitlab(gm_session *session, Buf *out) {
    Arena *arena = arena_new();
    Prints prints = {0};
    size_t count = gm_finding_count(session);
    buf_char(out, '[');
    for (size_t i = 0; i < count; i++) {
        const gm_finding *finding = gm_finding_at(session, i);
        buf_cstr(out, i ? ",\n  " : "\n  ");
        put_finding(finding, strncmp(finding->code, "GM9", 3) == 0 ? "info" : "minor", &prints, arena, out);
    }
    for (size_t i = 0; i < gm_diagnostic_count(session); i++) {
        if (gm_diagnostic_at(session, i).level != GM_ERROR)
            continue;
        buf_cstr(out, count++ ? ",\n  " : "\n  ");
        put_error(gm_diagnostic_at(session, i), &prints, arena, out);
    }
    buf_cstr(out, count ? "\n]\n" : "]\n");
    map_free(&prints.seen);
    arena_free(arena);
}
