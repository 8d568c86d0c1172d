// SARIF 2.1.0, as GitHub code scanning and SARIF viewers take it.
//
// In:  a checked session. Out: one run. Rules are those that some finding has. Paths are relative URIs from the working
// directory (%SRCROOT%). GitHub wants: $schema, version, driver.name, rules with short and full description and help, four
// region fields, partialFingerprints. `fixes`, related locations and notifications are for other viewers.
#include "cli/cli.h"

#include "rules/rules.h"

typedef struct Sarif {
    gm_session *session;
    Arena *arena;
    Prints prints;
    LineStarts lines;
    VEC(const Rule *) rules; // in the order of the table
    Buf *out;
} Sarif;

static uint32_t rule_index(const Sarif *sarif, const char *code) {
    for (uint32_t i = 0; i < sarif->rules.len; i++)
        if (strcmp(name_str(sarif->rules.items[i]->code).ptr, code) == 0)
            return i;
    PANIC("no rule %s", code);
}

static const char *level_of(const Rule *rule) {
    return str_eq(rule->category, STR("tool")) ? "note" : "warning";
}

static void put_text(const char *name, Str text, Buf *out) {
    buf_printf(out, "\"%s\": {", name);
    json_field("text", text, out);
    buf_char(out, '}');
}

// ---------------------------------------------------------------- rules

static void put_markdown(const Rule *rule, Buf *out) {
    Buf text = {0};
    buf_str(&text, rule->help);
    if (rule->before.len)
        buf_printf(&text, "\n\nBefore:\n\n```python\n%.*s\n```", STR_ARG(rule->before));
    if (rule->after.len)
        buf_printf(&text, "\n\nAfter:\n\n```python\n%.*s\n```", STR_ARG(rule->after));
    json_field("markdown", buf_view(&text), out);
    buf_free(&text);
}

static void put_rule(const Rule *rule, Buf *out) {
    buf_cstr(out, "{");
    json_field("id", name_str(rule->code), out);
    buf_cstr(out, ", ");
    json_field("name", rule->name, out);
    buf_cstr(out, ",\n             ");
    put_text("shortDescription", rule->summary, out);
    buf_cstr(out, ",\n             ");
    put_text("fullDescription", rule->help, out);
    buf_cstr(out, ",\n             \"help\": {");
    json_field("text", rule->help, out);
    buf_cstr(out, ", ");
    put_markdown(rule, out);
    buf_cstr(out, "},\n             \"defaultConfiguration\": {");
    json_field("level", str_of(level_of(rule)), out);
    buf_cstr(out, "}, \"properties\": {\"tags\": [\"torch.compile\", ");
    json_string(rule->category, out);
    for (uint32_t i = 0; i < rule->gb_ids.len; i++) {
        buf_cstr(out, ", ");
        json_string(name_str(rule->gb_ids.items[i]), out);
    }
    buf_cstr(out, "]}}");
}

static void put_rules(Sarif *sarif) {
    buf_cstr(sarif->out, "\"rules\": [");
    for (uint32_t i = 0; i < sarif->rules.len; i++) {
        buf_cstr(sarif->out, i ? ",\n            " : "\n            ");
        put_rule(sarif->rules.items[i], sarif->out);
    }
    buf_cstr(sarif->out, sarif->rules.len ? "\n          ]" : "]");
}

// ---------------------------------------------------------------- places

static void put_artifact(Sarif *sarif, const char *path) {
    const char *shown = report_path(path, sarif->arena);
    Buf uri = {0};
    if (shown[0] == '/')
        buf_cstr(&uri, "file://");
    for (const char *c = shown; *c; c++) {
        bool plain = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
                     strchr("-._~/+@=,", *c);
        if (plain)
            buf_char(&uri, *c);
        else
            buf_printf(&uri, "%%%02X", (unsigned)(unsigned char)*c);
    }
    buf_cstr(sarif->out, "\"artifactLocation\": {");
    json_field("uri", buf_view(&uri), sarif->out);
    buf_printf(sarif->out, "%s}", shown[0] == '/' ? "" : ", \"uriBaseId\": \"%SRCROOT%\"");
    buf_free(&uri);
}

static void put_region(gm_range range, bool bytes, Buf *out) {
    buf_printf(out, "{\"startLine\": %u, \"startColumn\": %u, \"endLine\": %u, \"endColumn\": %u",
               range.start.line, range.start.column, range.end.line, range.end.column);
    if (bytes)
        buf_printf(out, ", \"byteOffset\": %u, \"byteLength\": %u", range.start.byte,
                   range.end.byte - range.start.byte);
    buf_char(out, '}');
}

static void put_location(Sarif *sarif, const char *path, gm_range range) {
    buf_cstr(sarif->out, "\"physicalLocation\": {");
    put_artifact(sarif, path);
    buf_cstr(sarif->out, ", \"region\": ");
    put_region(range, true, sarif->out);
    buf_char(sarif->out, '}');
}

// ---------------------------------------------------------------- results

static void put_fixes(Sarif *sarif, const gm_finding *finding) {
    size_t count;
    const gm_edit *edits = gm_finding_edits(sarif->session, finding, &count);
    if (count == 0)
        return;
    buf_cstr(sarif->out, ",\n          \"fixes\": [{");
    put_text("description", STR("graphmend fix"), sarif->out);
    buf_cstr(sarif->out, ", \"artifactChanges\": [{");
    put_artifact(sarif, finding->path);
    buf_cstr(sarif->out, ", \"replacements\": [");
    for (size_t i = 0; i < count; i++) {
        gm_range range = {report_place(&sarif->lines, finding->file, edits[i].start),
                          report_place(&sarif->lines, finding->file, edits[i].end)};
        buf_printf(sarif->out, "%s{\"deletedRegion\": ", i ? ", " : "");
        put_region(range, true, sarif->out);
        buf_cstr(sarif->out, ", ");
        put_text("insertedContent", (Str){edits[i].text, edits[i].len}, sarif->out);
        buf_char(sarif->out, '}');
    }
    buf_cstr(sarif->out, "]}]}]");
}

static void put_properties(const gm_finding *finding, Buf *out) {
    buf_cstr(out, ",\n          \"properties\": {");
    json_field("status", str_of(report_status(finding->status)), out);
    if (finding->reason) {
        buf_cstr(out, ", ");
        json_field("reason", str_of(finding->reason), out);
    }
    buf_cstr(out, ", ");
    json_field("function", str_of(finding->function), out);
    if (finding->observed)
        buf_cstr(out, ", \"observed\": true");
    buf_char(out, '}');
}

static void put_result(Sarif *sarif, const gm_finding *finding) {
    Buf *out = sarif->out, text = {0};
    uint32_t index = rule_index(sarif, finding->code), occurrence;
    uint64_t print = report_print(&sarif->prints, finding, false, &occurrence);
    report_sentence(finding, &text);
    buf_char(out, '{');
    json_field("ruleId", str_of(finding->code), out);
    buf_printf(out, ", \"ruleIndex\": %u, ", index);
    json_field("level", str_of(level_of(sarif->rules.items[index])), out);
    buf_cstr(out, ",\n          ");
    put_text("message", buf_view(&text), out);
    buf_cstr(out, ",\n          \"locations\": [{");
    put_location(sarif, finding->path, finding->range);
    buf_cstr(out, "}]");
    if (finding->reason_path) {
        buf_cstr(out, ",\n          \"relatedLocations\": [{\"id\": 1, ");
        put_text("message", str_of(finding->reason_text), out);
        buf_cstr(out, ", ");
        put_location(sarif, finding->reason_path, finding->reason_range);
        buf_cstr(out, "}]");
    }
    buf_printf(out, ",\n          \"partialFingerprints\": {\"primaryLocationLineHash\": \"%016llx:%u\"}",
               (unsigned long long)print, occurrence);
    put_fixes(sarif, finding);
    put_properties(finding, out);
    buf_char(out, '}');
    buf_free(&text);
}

static void put_results(Sarif *sarif) {
    size_t count = gm_finding_count(sarif->session);
    buf_cstr(sarif->out, "\"results\": [");
    for (size_t i = 0; i < count; i++) {
        buf_cstr(sarif->out, i ? ",\n        " : "\n        ");
        put_result(sarif, gm_finding_at(sarif->session, i));
    }
    buf_cstr(sarif->out, count ? "\n      ]" : "]");
}

// ---------------------------------------------------------------- the run

static void put_invocation(Sarif *sarif) {
    static const char *const levels[] = {[GM_NOTE] = "note", [GM_WARNING] = "warning", [GM_ERROR] = "error"};
    size_t count = gm_diagnostic_count(sarif->session);
    buf_printf(sarif->out,
               "\"invocations\": [{\"executionSuccessful\": %s, \"toolExecutionNotifications\": [",
               gm_error_count(sarif->session) ? "false" : "true");
    for (size_t i = 0; i < count; i++) {
        gm_diagnostic diagnostic = gm_diagnostic_at(sarif->session, i);
        gm_place place = {diagnostic.line, diagnostic.column ? diagnostic.column : 1, 0};
        buf_printf(sarif->out, "%s{\"level\": \"%s\", ", i ? ", " : "", levels[diagnostic.level]);
        put_text("message", str_of(diagnostic.message), sarif->out);
        if (*diagnostic.path) {
            buf_cstr(sarif->out, ", \"locations\": [{\"physicalLocation\": {");
            put_artifact(sarif, diagnostic.path);
            if (diagnostic.line) {
                buf_cstr(sarif->out, ", \"region\": ");
                put_region((gm_range){place, place}, false, sarif->out);
            }
            buf_cstr(sarif->out, "}}]");
        }
        buf_char(sarif->out, '}');
    }
    buf_cstr(sarif->out, "]}]");
}

static void collect_rules(Sarif *sarif) {
    for (uint32_t r = 0; r < rule_count(); r++)
        for (size_t i = 0; i < gm_finding_count(sarif->session); i++)
            if (strcmp(gm_finding_at(sarif->session, i)->code, name_str(rule_at(r)->code).ptr) == 0) {
                vec_push(&sarif->rules, rule_at(r));
                break;
            }
}

void report_sarif(gm_session *session, Buf *out) {
    Sarif sarif = {.session = session, .arena = arena_new(), .out = out};
    collect_rules(&sarif);
    buf_cstr(
        out,
        "{\n  \"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n  \"version\": \"2.1.0\",\n"
        "  \"runs\": [\n    {\n      \"tool\": {\n        \"driver\": {\n          \"name\": \"GraphMend\",\n"
        "          \"semanticVersion\": \"" GRAPHMEND_VERSION "\",\n          ");
    put_rules(&sarif);
    buf_cstr(out, "\n        }\n      },\n      \"columnKind\": \"unicodeCodePoints\",\n      ");
    put_invocation(&sarif);
    buf_cstr(out, ",\n      ");
    put_results(&sarif);
    buf_cstr(out, "\n    }\n  ]\n}\n");
    map_free(&sarif.prints.seen);
    vec_free(&sarif.rules);
    vec_free(&sarif.lines.starts);
    arena_free(sarif.arena);
}
