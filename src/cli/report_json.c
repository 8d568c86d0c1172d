// Findings for tools: one JSON document whose fields keep their names and meaning ("version": 1).
//
// In:  a pipeline that has run. Out: {"version", "findings": [...], "diagnostics": [...], "summary": {...}}. Lines and
// columns (code points) from 1, bytes from 0, ends exclusive. A finding's edits are the changed spans of the module that
// touch its statement, with those that no finding's statement explains (the import of the runtime): applied alone they
// give a file that works. Edits of more than EDIT_BYTES_MAX are left out: the whole file tells more than they do.
#include "cli/cli.h"

#include "rules/rules.h"

static void put_string(Str text, Buf *out) {
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

static void put_field(const char *name, Str value, Buf *out) {
    buf_printf(out, "\"%s\": ", name);
    put_string(value, out);
}

static void put_place(const Source *source, uint32_t offset, Buf *out) {
    Place place = source_place(source, offset);
    buf_printf(out, "{\"line\": %u, \"column\": %u, \"byte\": %u}", place.line, place.column, offset);
}

static void put_range(const Source *source, uint32_t start, uint32_t end, Buf *out) {
    buf_cstr(out, "\"start\": ");
    put_place(source, start, out);
    buf_cstr(out, ", \"end\": ");
    put_place(source, end, out);
}

static void put_reason(const Finding *finding, Buf *out) {
    bool left = finding->status == STATUS_LEFT && finding->reason;
    buf_cstr(out, "\"reason\": ");
    if (left)
        put_string(name_str(finding->reason->id), out);
    else
        buf_cstr(out, "null");
    buf_cstr(out, ", \"reason_at\": ");
    const Module *module = finding->reason_module ? finding->reason_module : finding->module;
    if (!left || !finding->reason_at || !module->unit) {
        buf_cstr(out, "null");
        return;
    }
    buf_char(out, '{');
    if (module != finding->module) {
        put_field("path", module->path, out);
        buf_cstr(out, ", ");
    }
    put_range(&module->unit->tree->source, finding->reason_at->start, finding->reason_at->end, out);
    buf_char(out, '}');
}

static void put_function(const Finding *finding, Buf *out) {
    const Function *function = unit_function_at(finding->module->unit, finding->node);
    put_field("function", function ? name_str(function->qualname) : STR("<module>"), out);
}

// ---------------------------------------------------------------- edits

enum { EDIT_BYTES_MAX = 64 * 1024 }; // a line of thousands of statements would otherwise be repeated for each

typedef struct Edits {
    EditList list;
    EditList common; // of those, what no fixed finding's statement explains
} Edits;

static bool is_fixed(const Finding *finding) {
    return finding->status != STATUS_LEFT;
}

typedef struct Span {
    uint32_t start, end;
} Span;

// The lines of the statement that holds the finding.
static Span statement_span(const Finding *finding) {
    const Node *statement = node_statement(finding->node);
    if (!statement)
        statement = finding->node;
    return (Span){source_line_start(&finding->module->unit->tree->source, statement->start), statement->end};
}

// The first edit that ends at or behind `offset`.
static uint32_t first_edit(const EditList *edits, uint32_t offset) {
    uint32_t low = 0, high = edits->len;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (edits->items[middle].end < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static Edits edits_of(const ModuleResult *result) {
    Edits edits = {0};
    if (!result->changed)
        return edits;
    diff_edits(result->source, buf_view(&result->output), &edits.list);
    bool *owned = calloc(edits.list.len + 1, sizeof *owned);
    CHECK(owned);
    for (uint32_t i = 0; i < result->findings.len; i++) {
        const Finding *finding = &result->findings.items[i];
        if (!is_fixed(finding))
            continue;
        Span span = statement_span(finding);
        for (uint32_t e = first_edit(&edits.list, span.start); e < edits.list.len; e++) {
            if (edits.list.items[e].start > span.end)
                break;
            owned[e] = true;
        }
    }
    for (uint32_t e = 0; e < edits.list.len; e++)
        if (!owned[e])
            vec_push(&edits.common, edits.list.items[e]);
    free(owned);
    return edits;
}

static void edits_free(Edits *edits) {
    vec_free(&edits->list);
    vec_free(&edits->common);
}

static void put_edit(const Edit *edit, bool *first, Buf *out) {
    buf_printf(out, "%s{\"start\": %zu, \"end\": %zu, ", *first ? "" : ", ", edit->start, edit->end);
    put_field("text", edit->text, out);
    buf_char(out, '}');
    *first = false;
}

// In the order of the file.
static void put_edits(const Finding *finding, const Edits *edits, Buf *out) {
    bool first = true;
    uint32_t c = 0;
    Buf text = {0};
    if (is_fixed(finding)) {
        Span span = statement_span(finding);
        for (; c < edits->common.len && edits->common.items[c].start < span.start; c++)
            put_edit(&edits->common.items[c], &first, &text);
        for (uint32_t e = first_edit(&edits->list, span.start); e < edits->list.len; e++) {
            if (edits->list.items[e].start > span.end || edits->list.items[e].text.len > EDIT_BYTES_MAX)
                break;
            put_edit(&edits->list.items[e], &first, &text);
        }
        for (; c < edits->common.len && text.len <= EDIT_BYTES_MAX; c++)
            put_edit(&edits->common.items[c], &first, &text);
    }
    buf_printf(out, "\"edits\": [%.*s]", STR_ARG(text.len <= EDIT_BYTES_MAX ? buf_view(&text) : STR("")));
    buf_free(&text);
}

// ---------------------------------------------------------------- the document

static void put_finding(const Finding *finding, const Edits *edits, Buf *out) {
    static const char *const statuses[] = {"left", "fixable", "guarded", "unsafe"};
    buf_char(out, '{');
    put_field("code", name_str(finding->rule->code), out);
    buf_cstr(out, ", ");
    put_field("path", finding->module->path, out);
    buf_cstr(out, ", ");
    put_range(&finding->module->unit->tree->source, finding->start, finding->end, out);
    buf_cstr(out, ", ");
    put_field("message", finding->message, out);
    buf_cstr(out, ", ");
    put_field("status", str_of(statuses[finding->status]), out);
    buf_cstr(out, ", ");
    put_reason(finding, out);
    buf_cstr(out, ", \"gb_ids\": [");
    for (uint32_t i = 0; i < finding->rule->gb_ids.len; i++) {
        buf_cstr(out, i ? ", " : "");
        put_string(name_str(finding->rule->gb_ids.items[i]), out);
    }
    buf_cstr(out, "], ");
    put_function(finding, out);
    buf_cstr(out, ", ");
    put_edits(finding, edits, out);
    buf_char(out, '}');
}

static void put_findings(const Pipeline *pipeline, Buf *out) {
    bool first = true;
    for (uint32_t i = 0; i < pipeline->modules.len; i++) {
        const ModuleResult *result = &pipeline->modules.items[i];
        if (result->findings.len == 0)
            continue;
        Edits edits = edits_of(result);
        for (uint32_t f = 0; f < result->findings.len; f++) {
            buf_cstr(out, first ? "\n    " : ",\n    ");
            put_finding(&result->findings.items[f], &edits, out);
            first = false;
        }
        edits_free(&edits);
    }
    buf_cstr(out, first ? "" : "\n  ");
}

static void put_diagnostics(const DiagList *diags, Buf *out) {
    static const char *const levels[] = {"note", "warning", "error"};
    for (uint32_t i = 0; i < diags->list.len; i++) {
        const Diag *diag = &diags->list.items[i];
        buf_printf(out, "%s{\"level\": \"%s\", ", i ? ",\n    " : "\n    ", levels[diag->level]);
        put_field("path", diag->path, out);
        buf_printf(out, ", \"line\": %u, \"column\": %u, ", diag->line, diag->column);
        put_field("message", diag->message, out);
        buf_char(out, '}');
    }
    buf_cstr(out, diags->list.len ? "\n  " : "");
}

static void put_counts(const char *name, const CountList *counts, Buf *out) {
    buf_printf(out, ",\n    \"%s\": {", name);
    for (uint32_t i = 0; i < counts->len; i++) {
        buf_cstr(out, i ? ", " : "");
        put_string(counts->items[i].name, out);
        buf_printf(out, ": %u", counts->items[i].count);
    }
    buf_char(out, '}');
}

static void put_summary(const Pipeline *pipeline, Buf *out) {
    Totals totals = totals_of(pipeline);
    buf_printf(out,
               "\"summary\": {\n    \"files\": %u,\n    \"findings\": %u,\n    \"fixable\": %u,\n    "
               "\"guarded\": %u,\n"
               "    \"unsafe\": %u,\n    \"left\": %u",
               totals.files, totals.found, totals.fixable, totals.guarded, totals.unsafe, totals.left);
    CountList codes = counts_by_code(pipeline), reasons = counts_by_reason(pipeline);
    put_counts("by_code", &codes, out);
    put_counts("left_by_reason", &reasons, out);
    vec_free(&codes);
    vec_free(&reasons);
    buf_cstr(out, "\n  }");
}

void report_json(const Pipeline *pipeline, Buf *out) {
    buf_cstr(out, "{\n  \"version\": 1,\n  \"findings\": [");
    put_findings(pipeline, out);
    buf_cstr(out, "],\n  \"diagnostics\": [");
    put_diagnostics(&pipeline->diags, out);
    buf_cstr(out, "],\n  ");
    put_summary(pipeline, out);
    buf_cstr(out, "\n}\n");
}
