// Findings for people to read.
//
//     model.py:12:9: GM101 a branch on tensor values [left: caught-in-region]
//           if x.sum() > 0:
//           ^^^^^^^^^^^^^^^
//       The exception could be caught inside the compiled region. (model.py:10:5)
//
// In:  a pipeline that has run. Out: the report, modules in path order, findings in source order. The concise form is the
// first line alone. Columns are code points; carets stand by display width, tabs are shown as spaces. Of a very long
// line only the part around the finding is shown.
#include "cli/cli.h"

#include "rules/rules.h"

enum {
    TAB_WIDTH = 4,
    LINE_WIDTH_MAX = 160, // columns of source text shown
    LEAD_WIDTH = 40,      // of those, before the finding, when the line has to be cut
};

typedef struct Paint {
    const char *bold, *code, *caret, *dim, *off;
} Paint;
static const Paint plain = {"", "", "", "", ""};
static const Paint ansi = {"\033[1m", "\033[1;31m", "\033[1;31m", "\033[2m", "\033[0m"};

static void put_status(const Finding *finding, Buf *out) {
    static const char *const names[] = {"left", "fixable", "guarded", "unsafe"};
    buf_printf(out, " [%s", names[finding->status]);
    if (finding->status == STATUS_LEFT && finding->reason)
        buf_printf(out, ": %s", name_str(finding->reason->id).ptr);
    buf_char(out, ']');
}

static void put_place(const Source *source, uint32_t offset, Buf *out) {
    Place place = source_place(source, offset);
    buf_printable(out, source->path);
    buf_printf(out, ":%u:%u", place.line, place.column);
}

// A line as it is shown: each code point with its first column.
typedef struct Shown {
    Buf text, carets;
    size_t column;
} Shown;

static void show_code_point(Shown *shown, Str bytes, uint32_t code_point, bool marked) {
    size_t width = width_of(code_point);
    Buf safe = {0};
    if (code_point == '\t') {
        width = TAB_WIDTH - shown->column % TAB_WIDTH;
        buf_repeat(&shown->text, ' ', width);
    } else {
        buf_printable(&safe, bytes);
        if (!str_eq(buf_view(&safe), bytes))
            width = safe.len; // written as \xNN
        buf_str(&shown->text, buf_view(&safe));
    }
    buf_repeat(&shown->carets, marked ? '^' : ' ', width);
    shown->column += width;
    buf_free(&safe);
}

// Where to begin so that the finding can be seen: 0 unless it lies far to the right.
static size_t first_shown(Str line, size_t mark) {
    if (mark <= LINE_WIDTH_MAX / 2)
        return 0;
    size_t at = 0, width = 0;
    while (at < mark && width < LEAD_WIDTH) // the line's own start, unless the mark is further away than that
        width += width_of(utf8_next(line, &at));
    if (at >= mark)
        return 0;
    for (at = mark, width = 0; at > 0 && width < LEAD_WIDTH; width++)
        while (--at > 0 && ((unsigned char)line.ptr[at] & 0xC0) == 0x80)
            continue;
    return at;
}

static void put_source_line(const Source *source, uint32_t start, uint32_t end, const Paint *paint,
                            Buf *out) {
    uint32_t begin = source_line_start(source, start);
    if (begin < source->body)
        begin = source->body;
    Str line = source_line(source, source_place(source, start).line);
    line.len -= begin - source_line_start(source, start);
    line.ptr = source->bytes.ptr + begin;
    size_t mark = start > begin ? start - begin : 0, mark_end = end > begin ? end - begin : 0;
    if (mark_end > line.len)
        mark_end = line.len;
    if (mark_end <= mark)
        mark_end = mark + 1;
    size_t at = first_shown(line, mark);
    Shown shown = {0};
    if (at > 0)
        show_code_point(&shown, STR("\xe2\x80\xa6"), 0x2026, false);
    while (at < line.len && shown.column < LINE_WIDTH_MAX) {
        size_t from = at;
        uint32_t code_point = utf8_next(line, &at);
        show_code_point(&shown, str_slice(line, from, at), code_point, from >= mark && from < mark_end);
    }
    if (at < line.len)
        show_code_point(&shown, STR("\xe2\x80\xa6"), 0x2026, false);
    while (shown.carets.len && shown.carets.ptr[shown.carets.len - 1] == ' ')
        shown.carets.len--;
    buf_printf(out, "    %.*s\n", STR_ARG(buf_view(&shown.text)));
    buf_printf(out, "    %s%.*s%s\n", paint->caret, STR_ARG(buf_view(&shown.carets)), paint->off);
    buf_free(&shown.text);
    buf_free(&shown.carets);
}

static void put_reason(const Finding *finding, const Paint *paint, Buf *out) {
    if (finding->status != STATUS_LEFT || !finding->reason)
        return;
    buf_printf(out, "    %s%.*s", paint->dim, STR_ARG(finding->reason->summary));
    const Module *module = finding->reason_module ? finding->reason_module : finding->module;
    if (finding->reason_at && finding->reason_at != finding->node && module->unit) {
        buf_cstr(out, " (");
        put_place(&module->unit->tree->source, finding->reason_at->start, out);
        buf_char(out, ')');
    }
    buf_printf(out, "%s\n", paint->off);
}

static void put_finding(const Finding *finding, bool source_lines, const Paint *paint, Buf *out) {
    const Source *source = &finding->module->unit->tree->source;
    buf_cstr(out, paint->bold);
    put_place(source, finding->start, out);
    buf_printf(out, ":%s %s%s%s ", paint->off, paint->code, name_str(finding->rule->code).ptr, paint->off);
    buf_printable(out, finding->message);
    put_status(finding, out);
    buf_char(out, '\n');
    if (!source_lines)
        return;
    put_source_line(source, finding->start, finding->end, paint, out);
    put_reason(finding, paint, out);
    buf_char(out, '\n');
}

void report_text(const Pipeline *pipeline, bool source_lines, bool color, Buf *out) {
    for (uint32_t i = 0; i < pipeline->modules.len; i++) {
        const ModuleResult *result = &vec_at(&pipeline->modules, i);
        for (uint32_t f = 0; f < result->findings.len; f++)
            put_finding(&vec_at(&result->findings, f), source_lines, color ? &ansi : &plain, out);
    }
}
