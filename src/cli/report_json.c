// Findings for tools: one JSON document whose fields keep their names and meaning ("version": 1), or a finding a line.
//
// In:  a checked session. Out: {"version", "findings": [...], "diagnostics": [...], "summary": {...}}. Lines and
// columns (code points) from 1, bytes from 0, ends exclusive. A finding's edits, applied alone, give a file that works.
#include "cli/cli.h"

static void put_place(gm_place place, Buf *out) {
    buf_printf(out, "{\"line\": %u, \"column\": %u, \"byte\": %u}", place.line, place.column, place.byte);
}

static void put_range(gm_range range, Buf *out) {
    buf_cstr(out, "\"start\": ");
    put_place(range.start, out);
    buf_cstr(out, ", \"end\": ");
    put_place(range.end, out);
}

static void put_reason(const gm_finding *finding, Buf *out) {
    buf_cstr(out, "\"reason\": ");
    if (finding->reason)
        json_string(str_of(finding->reason), out);
    else
        buf_cstr(out, "null");
    buf_cstr(out, ", \"reason_at\": ");
    if (!finding->reason_path) {
        buf_cstr(out, "null");
        return;
    }
    buf_char(out, '{');
    if (strcmp(finding->reason_path, finding->path) != 0) {
        json_field("path", str_of(finding->reason_path), out);
        buf_cstr(out, ", ");
    }
    put_range(finding->reason_range, out);
    buf_char(out, '}');
}

static void put_edits(gm_session *session, const gm_finding *finding, Buf *out) {
    size_t count;
    const gm_edit *edits = gm_finding_edits(session, finding, &count);
    buf_cstr(out, "\"edits\": [");
    for (size_t i = 0; i < count; i++) {
        buf_printf(out, "%s{\"start\": %zu, \"end\": %zu, ", i ? ", " : "", edits[i].start, edits[i].end);
        json_field("text", (Str){edits[i].text, edits[i].len}, out);
        buf_char(out, '}');
    }
    buf_char(out, ']');
}

static void put_finding(gm_session *session, const gm_finding *finding, Buf *out) {
    buf_char(out, '{');
    json_field("code", str_of(finding->code), out);
    buf_cstr(out, ", ");
    json_field("path", str_of(finding->path), out);
    buf_cstr(out, ", ");
    put_range(finding->range, out);
    buf_cstr(out, ", ");
    json_field("message", str_of(finding->message), out);
    buf_cstr(out, ", ");
    json_field("status", str_of(report_status(finding->status)), out);
    buf_cstr(out, ", ");
    put_reason(finding, out);
    buf_cstr(out, ", \"gb_ids\": [");
    for (size_t i = 0; finding->gb_ids[i]; i++) {
        buf_cstr(out, i ? ", " : "");
        json_string(str_of(finding->gb_ids[i]), out);
    }
    buf_cstr(out, "], ");
    json_field("function", str_of(finding->function), out);
    buf_cstr(out, ", ");
    if (finding->observed)
        buf_cstr(out, "\"observed\": true, ");
    put_edits(session, finding, out);
    buf_char(out, '}');
}

static void put_diagnostic(gm_diagnostic diagnostic, Buf *out) {
    static const char *const levels[] = {[GM_NOTE] = "note", [GM_WARNING] = "warning", [GM_ERROR] = "error"};
    buf_printf(out, "{\"level\": \"%s\", ", levels[diagnostic.level]);
    json_field("path", str_of(diagnostic.path), out);
    buf_printf(out, ", \"line\": %u, \"column\": %u, ", diagnostic.line, diagnostic.column);
    json_field("message", str_of(diagnostic.message), out);
    buf_char(out, '}');
}

static void put_diagnostics(const gm_session *session, Buf *out) {
    size_t count = gm_diagnostic_count(session);
    for (size_t i = 0; i < count; i++) {
        buf_cstr(out, i ? ",\n    " : "\n    ");
        put_diagnostic(gm_diagnostic_at(session, i), out);
    }
    buf_cstr(out, count ? "\n  " : "");
}

// What could not be handled follows the findings, as one of the "diagnostics" of the JSON.
void report_json_lines(gm_session *session, Buf *out) {
    for (size_t i = 0; i < gm_finding_count(session); i++) {
        put_finding(session, gm_finding_at(session, i), out);
        buf_char(out, '\n');
    }
    for (size_t i = 0; i < gm_diagnostic_count(session); i++) {
        if (gm_diagnostic_at(session, i).level != GM_ERROR)
            continue;
        put_diagnostic(gm_diagnostic_at(session, i), out);
        buf_char(out, '\n');
    }
}

static void put_counts(const char *name, CountList counts, Buf *out) {
    buf_printf(out, ",\n    \"%s\": {", name);
    for (uint32_t i = 0; i < counts.len; i++) {
        buf_cstr(out, i ? ", " : "");
        json_string(counts.items[i].name, out);
        buf_printf(out, ": %u", counts.items[i].count);
    }
    buf_char(out, '}');
    vec_free(&counts);
}

static void put_summary(const gm_session *session, Buf *out) {
    Totals totals = totals_of(session);
    buf_printf(out,
               "\"summary\": {\n    \"files\": %u,\n    \"findings\": %u,\n    \"fixable\": %u,\n    "
               "\"guarded\": %u,\n    \"unsafe\": %u,\n    \"left\": %u,\n    \"suppressed\": %u",
               totals.files, totals.found, totals.fixable, totals.guarded, totals.unsafe, totals.left,
               totals.suppressed);
    put_counts("by_code", counts_by_code(session), out);
    put_counts("left_by_reason", counts_by_reason(session), out);
    buf_cstr(out, "\n  }");
}

void report_json(gm_session *session, Buf *out) {
    size_t count = gm_finding_count(session);
    buf_cstr(out, "{\n  \"version\": 1,\n  \"findings\": [");
    for (size_t i = 0; i < count; i++) {
        buf_cstr(out, i ? ",\n    " : "\n    ");
        put_finding(session, gm_finding_at(session, i), out);
    }
    buf_cstr(out, count ? "\n  " : "");
    buf_cstr(out, "],\n  \"diagnostics\": [");
    put_diagnostics(session, out);
    buf_cstr(out, "],\n  ");
    put_summary(session, out);
    buf_cstr(out, "\n}\n");
}
