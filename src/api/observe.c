// What TORCH_LOGS=graph_breaks wrote, put beside the findings.
//
// In:  the log, of any torch from 2.6 on:
//     V1130 10:26:41 ...] [0/0] [__graph_breaks] Graph break in user code at /x/m.py:5
//     V1130 10:26:41 ...] [0/0] [__graph_breaks] Graph Break Reason: Data-dependent branching
//     V1130 10:26:41 ...] [__graph_breaks] Graph break (user stack suppressed due to ...) in user code at /x/m.py:5
//     V1130 10:26:41 ...] [0/0] [__graph_breaks]   ... please visit: .../gb/gb0170.html
// Out: a finding whose lines hold an observed place is marked and comes first; an observed place without one becomes a
// GM907. The same file is the same by its real path, or, for a log from another machine, by the longest common end of
// both paths when it is at least a file's name and its folder.
#include "api/session.h"

#include <limits.h>
#include <stdlib.h>

typedef struct Observed {
    const char *path; // one string for all places of a file
    uint32_t line;
    const char *reason, *gb_id;
    bool explained;
} Observed;
typedef struct Log {
    gm_session *session;
    VEC(Observed) places;
    Map at;    // Name of a path, line -> index of its place + 1
    Map reals; // a path, by its address -> its real path, NULL: there is no such file
} Log;

static Str next_line(Str *rest) {
    const char *end = memchr(rest->ptr, '\n', rest->len);
    size_t len = end ? (size_t)(end - rest->ptr) : rest->len;
    Str line = str_slice(*rest, 0, len);
    *rest = str_slice(*rest, len + (end ? 1 : 0), rest->len);
    return str_trim(line);
}

static bool split_place(Str text, Observed *seen) {
    size_t colon = text.len;
    uint32_t line = 0;
    while (colon > 0 && text.ptr[colon - 1] != ':')
        colon--;
    for (size_t i = colon;
         i < text.len && text.ptr[i] >= '0' && text.ptr[i] <= '9' && line < UINT32_MAX / 10 - 1; i++)
        line = line * 10 + (uint32_t)(text.ptr[i] - '0');
    if (colon < 2 || line == 0)
        return false;
    *seen = (Observed){.path = name_str(intern(str_slice(text, 0, colon - 1))).ptr, .line = line};
    return true;
}

// "... /gb/gb0170.html": "GB0170".
static const char *gb_id_in(gm_session *session, Str line) {
    size_t at;
    if (!str_find(line, STR("/gb/gb"), &at))
        return NULL;
    size_t start = at + 4, end = start + 2;
    while (end < line.len && line.ptr[end] >= '0' && line.ptr[end] <= '9')
        end++;
    return str_format(session->arena, "GB%.*s", STR_ARG(str_slice(line, start + 2, end))).ptr;
}

// Its place in the list; each once.
static uint32_t add_seen(Log *log, Observed seen) {
    uint64_t key = map_key_pair(intern(str_of(seen.path)), seen.line);
    uintptr_t index = 0;
    if (!map_get(&log->at, key, &index)) {
        vec_push(&log->places, seen);
        index = log->places.len;
        map_put(&log->at, key, index);
    }
    return (uint32_t)index - 1;
}

// The text after "Reason:"; where that only announces it ("Encountered graph break when ...:"), the line that follows.
static void read_reason(gm_session *session, Str line, Observed *seen) {
    static const char mark[] = "_breaks]", word[] = "Reason:";
    size_t at;
    if (!seen->reason && str_find(line, str_of(word), &at)) {
        seen->reason = session_text(session, str_trim(str_slice(line, at + strlen(word), line.len)));
        return;
    }
    bool announced = seen->reason && str_ends(str_of(seen->reason), STR(":"));
    if (!announced || !str_find(line, str_of(mark), &at))
        return;
    Str text = str_trim(str_slice(line, at + strlen(mark), line.len));
    if (text.len)
        seen->reason = session_text(session, text);
}

static bool read_log(Log *log, Str text) {
    static const char where[] = "in user code at ";
    bool is_log = false;
    uint32_t current = UINT32_MAX;
    for (Str rest = text; rest.len;) {
        Str line = next_line(&rest);
        size_t at;
        Observed seen;
        if (!str_find(line, STR("graph_break"), NULL) && !str_find(line, STR("Graph break"), NULL))
            continue;
        is_log = true;
        if (str_find(line, STR("raph break"), NULL) && str_find(line, str_of(where), &at) &&
            split_place(str_slice(line, at + strlen(where), line.len), &seen)) {
            current = add_seen(log, seen);
        } else if (current < log->places.len) {
            Observed *last = &log->places.items[current];
            read_reason(log->session, line, last);
            if (!last->gb_id)
                last->gb_id = gb_id_in(log->session, line);
        }
    }
    return is_log;
}

// ---------------------------------------------------------------- the same file?

// Of a path that lives as long as the log; asked of the system once.
static const char *real(Log *log, const char *path) {
    uintptr_t known;
    if (map_get(&log->reals, map_key_ptr(path), &known))
        return (const char *)known;
    char found[PATH_MAX];
    const char *result = realpath(path, found) ? session_text(log->session, str_of(found)) : NULL;
    map_put(&log->reals, map_key_ptr(path), (uintptr_t)result);
    return result;
}

static bool same_end(const char *a, const char *b) {
    size_t i = strlen(a), j = strlen(b), slashes = 0;
    while (i > 0 && j > 0 && a[i - 1] == b[j - 1]) {
        i--, j--;
        slashes += a[i] == '/';
    }
    return slashes >= 2 || (i == 0 && j == 0);
}

static bool same_file(Log *log, const char *seen, const char *path) {
    const char *one = real(log, seen), *other = real(log, path);
    if (one && other)
        return strcmp(one, other) == 0;
    return !one && same_end(seen, other ? other : path);
}

// ---------------------------------------------------------------- findings

static bool holds(Lines lines, uint32_t line) {
    return line >= lines.first && line <= lines.last;
}

// On the lines of what is shown, or of the statement when it is a simple one: Dynamo names the line of an instruction.
static bool covers(const gm_finding *finding, const Origin *origin, uint32_t line) {
    Lines shown = {finding->range.start.line, finding->range.end.line};
    return holds(shown, line) || (origin && holds(origin->statement, line));
}

static bool is_tool(const gm_finding *finding) {
    return strncmp(finding->code, "GM9", 3) == 0;
}

static void explain(Log *log, Observed *seen) {
    gm_session *session = log->session;
    const char *known = NULL;
    bool same = false;
    for (uint32_t i = 0; i < session->findings.len; i++) {
        gm_finding *finding = &session->findings.items[i];
        if (finding->path != known) {
            known = finding->path;
            same = same_file(log, seen->path, finding->path);
        }
        if (same && !is_tool(finding) && covers(finding, session->origins.items[i], seen->line))
            finding->observed = seen->explained = true;
    }
}

// Held back by a comment or not selected: explained, but not shown.
static bool explained_quietly(Log *log, const Observed *seen) {
    const gm_session *session = log->session;
    uint32_t known = UINT32_MAX;
    bool same = false;
    for (uint32_t i = 0; i < session->held.len; i++) {
        const HeldBack *held = &session->held.items[i];
        if (held->file != known) {
            known = held->file;
            same = same_file(log, seen->path, session->files.items[known].path);
        }
        if (same && (holds(held->shown, seen->line) || holds(held->statement, seen->line)))
            return true;
    }
    return false;
}

static const gm_file *file_of(Log *log, const char *path) {
    const gm_session *session = log->session;
    for (uint32_t i = 0; i < session->files.len; i++)
        if (same_file(log, path, session->files.items[i].path))
            return &session->files.items[i];
    return NULL;
}

static gm_range first_code(const gm_file *file, uint32_t line) {
    gm_range range = {{line, 1, 0}, {line, 1, 0}};
    uint32_t at = 0, now = 1;
    while (file && file->text && at < file->len && now < line)
        now += file->text[at++] == '\n';
    if (!file || !file->text || now < line)
        return range;
    while (at < file->len && (file->text[at] == ' ' || file->text[at] == '\t'))
        at++, range.start.column++;
    range.end.column = range.start.column;
    range.start.byte = range.end.byte = at;
    while (range.end.byte < file->len && file->text[range.end.byte] != '\n' &&
           file->text[range.end.byte] != '\r') {
        range.end.column += ((unsigned char)file->text[range.end.byte] & 0xC0) != 0x80;
        range.end.byte++;
    }
    return range;
}

static bool is_selected(Log *log, const Observed *seen) {
    const char *folder = name_str(intern(str_dirname(str_of(seen->path)))).ptr;
    const char *known = real(log, folder);
    const Settings *settings = settings_of(log->session, str_of(known ? known : folder));
    return selection_reports(&settings->selection, rule_find(STR("GM907")), str_of(seen->path));
}

static void add_unexplained(Log *log, const Observed *seen) {
    gm_session *session = log->session;
    const gm_file *file = file_of(log, seen->path);
    const Rule *rule = rule_find(STR("GM907"));
    CHECK(rule);
    const char **ids = ARENA_ARRAY(session->arena, const char *, 2);
    ids[0] = seen->gb_id;
    const Reason *reason = reason_find(STR("not-supported"));
    gm_finding finding = {
        .code = name_str(rule->code).ptr,
        .path = file ? file->path : seen->path,
        .message = str_format(session->arena, "Dynamo broke the graph here%s%s", seen->reason ? ": " : "",
                              seen->reason ? seen->reason : "")
                       .ptr,
        .function = "",
        .range = first_code(file, seen->line),
        .status = GM_LEFT,
        .reason = reason ? name_str(reason->id).ptr : NULL,
        .reason_text = reason ? session_text(session, reason->summary) : NULL,
        .gb_ids = ids,
        .file = file,
        .observed = true,
    };
    vec_push(&session->findings, finding);
    vec_push(&session->origins, NULL);
}

// Observed ones first; apart from that the order stays.
static void observed_first(gm_session *session) {
    uint32_t count = session->findings.len, at = 0;
    gm_finding *findings = heap_alloc(count, sizeof *findings);
    const Origin **origins = heap_alloc(count, sizeof *origins);
    for (int observed = 1; observed >= 0; observed--)
        for (uint32_t i = 0; i < count; i++)
            if (session->findings.items[i].observed == observed) {
                findings[at] = session->findings.items[i];
                origins[at++] = session->origins.items[i];
            }
    for (uint32_t i = 0; i < count; i++) {
        session->findings.items[i] = findings[i];
        session->origins.items[i] = origins[i];
    }
    free(findings);
    free(origins);
}

bool gm_observe(gm_session *session, const char *text, size_t len) {
    CHECK(session->checked);
    Log log = {.session = session};
    bool is_log = read_log(&log, (Str){text, len});
    for (uint32_t i = 0; i < log.places.len; i++)
        explain(&log, &log.places.items[i]);
    for (uint32_t i = 0; i < log.places.len; i++) {
        const Observed *seen = &log.places.items[i];
        if (!seen->explained && !explained_quietly(&log, seen) && is_selected(&log, seen))
            add_unexplained(&log, seen);
    }
    observed_first(session);
    vec_free(&log.places);
    map_free(&log.at);
    map_free(&log.reals);
    return is_log;
}
