// Findings for people to read.
//
//     model.py:12:9: GM101 a branch on tensor values [left: caught-in-region]
//           if x.sum() > 0:
//           ^^^^^^^^^^^^^^^
//       The exception could be caught inside the compiled region. (model.py:10:5)
//
// In:  a checked session. Out: the report, modules in path order, findings in source order. The concise form is the
// first line alone. Columns are code points; carets stand by display width, tabs are shown as spaces. Of a very long
// line only the part around the finding is shown.
#include "cli/cli.h"

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

static void put_status(const gm_finding *finding, Buf *out) {
    buf_printf(out, " [%s", report_status(finding->status));
    if (finding->status == GM_LEFT && finding->reason)
        buf_printf(out, ": %s", finding->reason);
    buf_cstr(out, finding->observed ? ", observed]" : "]");
}

static void put_place(const char *path, gm_place place, Buf *out) {
    buf_printable(out, str_of(path));
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

static void put_source_line(const gm_finding *finding, const Paint *paint, Buf *out) {
    Str line = report_line(finding);
    if (!line.ptr)
        return;
    size_t begin = (size_t)(line.ptr - finding->file->text), start = finding->range.start.byte,
           end = finding->range.end.byte;
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

static void put_reason(const gm_finding *finding, const Paint *paint, Buf *out) {
    if (!finding->reason_text)
        return;
    buf_printf(out, "    %s%s", paint->dim, finding->reason_text);
    bool same = strcmp(finding->reason_path ? finding->reason_path : "", finding->path) == 0;
    bool here = same && finding->reason_range.start.byte == finding->range.start.byte &&
                finding->reason_range.end.byte == finding->range.end.byte;
    if (finding->reason_path && !here) {
        buf_cstr(out, " (");
        put_place(finding->reason_path, finding->reason_range.start, out);
        buf_char(out, ')');
    }
    buf_printf(out, "%s\n", paint->off);
}

static void put_finding(const gm_finding *finding, bool source_lines, const Paint *paint, Buf *out) {
    buf_cstr(out, paint->bold);
    put_place(finding->path, finding->range.start, out);
    buf_printf(out, ":%s %s%s%s ", paint->off, paint->code, finding->code, paint->off);
    buf_printable(out, str_of(finding->message));
    put_status(finding, out);
    buf_char(out, '\n');
    if (!source_lines)
        return;
    put_source_line(finding, paint, out);
    put_reason(finding, paint, out);
    buf_char(out, '\n');
}

void report_text(gm_session *session, bool source_lines, bool color, Buf *out) {
    for (size_t i = 0; i < gm_finding_count(session); i++)
        put_finding(gm_finding_at(session, i), source_lines, color ? &ansi : &plain, out);
}
