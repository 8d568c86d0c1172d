// What changed between two texts: lines matched by a patience diff, shown as a unified diff or as byte edits.
//
// In:  two texts. Out: hunks. A line is what ends in \n, as git has it: \r belongs to the line, and a text without a
// newline at its end gets the "\ No newline at end of file" mark. Lines that occur once in both texts are matched first
// (the longest increasing run of them); the gaps between are trimmed and handed to Myers' greedy algorithm.
// Deliberately simple: a gap whose shortest script is longer than SCRIPT_MAX is shown as one replacement, so that time
// and memory stay linear in the size of the texts whatever they hold. That is longer than it need be, never wrong.
#include "pipeline/diff.h"

enum {
    CONTEXT = 3,
    SCRIPT_MAX = 400, // Myers keeps one row per step of the script, so this squared is its memory
};
static const uint32_t no_line = UINT32_MAX;

typedef struct Line {
    Str text;
    uint32_t id;    // equal lines, equal ids
    uint32_t match; // of a line of the old text: the same line in the new one, or no_line
} Line;
typedef VEC(Line) LineVec;
typedef VEC(uint32_t) IndexVec;

// [a, a_end) of the old lines became [b, b_end) of the new ones.
typedef struct Run {
    uint32_t a, a_end, b, b_end;
} Run;
typedef VEC(Run) RunVec;

typedef struct Diff {
    LineVec old, new;
    RunVec runs;
} Diff;

// ---------------------------------------------------------------- lines and their ids

typedef struct LineId {
    Str text;
    uint32_t old_count, new_count, old_at, new_at;
} LineId;
typedef struct IdTable {
    Map by_hash;
    VEC(LineId) ids;
} IdTable;

static uint64_t hash_line(Str text) {
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < text.len; i++)
        hash = (hash ^ (unsigned char)text.ptr[i]) * 0x100000001b3u;
    return hash;
}

static uint32_t id_of(IdTable *table, Str text) {
    uintptr_t id;
    uint64_t key = hash_line(text);
    while (map_get(&table->by_hash, key, &id)) {
        if (str_eq(vec_at(&table->ids, (uint32_t)id).text, text))
            return (uint32_t)id;
        key = key * 31 + 1; // another line with the same hash
    }
    LineId fresh = {.text = text};
    map_put(&table->by_hash, key, table->ids.len);
    vec_push(&table->ids, fresh);
    return table->ids.len - 1;
}

static void split_lines(Str text, LineVec *lines, IdTable *table, bool is_new) {
    for (size_t at = 0; at < text.len;) {
        const char *end = memchr(text.ptr + at, '\n', text.len - at);
        size_t stop = end ? (size_t)(end - text.ptr) + 1 : text.len;
        Line line = {.text = str_slice(text, at, stop), .match = no_line};
        line.id = id_of(table, line.text);
        LineId *id = &vec_at(&table->ids, line.id);
        if (is_new)
            id->new_count++, id->new_at = lines->len;
        else
            id->old_count++, id->old_at = lines->len;
        vec_push(lines, line);
        at = stop;
    }
}

// ---------------------------------------------------------------- matching

// Lines unique in both texts, in the longest run that keeps their order: patience sorting.
static void match_unique(Diff *diff, const IdTable *table) {
    IndexVec piles = {0}; // old line on top of each pile
    uint32_t *below = heap_alloc(diff->old.len + (size_t)1, sizeof *below);
    for (uint32_t i = 0; i < diff->old.len; i++) {
        const LineId *id = &vec_at(&table->ids, vec_at(&diff->old, i).id);
        if (id->old_count != 1 || id->new_count != 1)
            continue;
        uint32_t low = 0, high = piles.len;
        while (low < high) {
            uint32_t middle = low + (high - low) / 2;
            uint32_t top = vec_at(&diff->old, vec_at(&piles, middle)).id;
            if (vec_at(&table->ids, top).new_at < id->new_at)
                low = middle + 1;
            else
                high = middle;
        }
        below[i] = low ? vec_at(&piles, low - 1) : no_line;
        if (low == piles.len)
            vec_push(&piles, i);
        else
            vec_at(&piles, low) = i;
    }
    for (uint32_t i = piles.len ? vec_last(&piles) : no_line; i != no_line; i = below[i])
        vec_at(&diff->old, i).match = vec_at(&table->ids, vec_at(&diff->old, i).id).new_at;
    free(below);
    vec_free(&piles);
}

static bool same_line(const Diff *diff, uint32_t a, uint32_t b) {
    return diff->old.items[a].id == diff->new.items[b].id;
}

// Walks the rows back from the end and marks the diagonal steps.
static void mark_script(Diff *diff, const Run *gap, uint32_t *const *rows, uint32_t steps) {
    uint32_t x = gap->a_end - gap->a, y = gap->b_end - gap->b;
    for (uint32_t d = steps;; d--) {
        uint32_t from_x = 0, from_y = 0;
        if (d > 0) {
            const uint32_t *row =
                rows[d - 1] + d; // row[k], k from -(d-1) to d-1, is the furthest x; row[-d] .. allocated
            int64_t k = (int64_t)x - y;
            bool down = k == -(int64_t)d || (k != (int64_t)d && row[k - 1] < row[k + 1]);
            int64_t before = down ? k + 1 : k - 1;
            from_x = row[before];
            from_y = (uint32_t)((int64_t)from_x - before);
        }
        while (x > from_x && y > from_y && same_line(diff, gap->a + x - 1, gap->b + y - 1)) {
            x--, y--;
            diff->old.items[gap->a + x].match = gap->b + y;
        }
        if (d == 0)
            return;
        x = from_x, y = from_y;
    }
}

// Myers' greedy algorithm. Leaves the gap unmatched when the script would be too long.
static void match_gap(Diff *diff, const Run *gap) {
    int64_t a_len = gap->a_end - gap->a, b_len = gap->b_end - gap->b;
    uint32_t *rows[SCRIPT_MAX + 1] = {0};
    uint32_t made = 0;
    for (uint32_t d = 0; d <= SCRIPT_MAX; d++) {
        rows[d] = heap_alloc(2 * (size_t)d + 3, sizeof(uint32_t));
        made = d + 1;
        uint32_t *row = rows[d] + d + 1; // indexed by k from -d-1 to d+1
        const uint32_t *last = d ? rows[d - 1] + d : NULL;
        bool done = false;
        for (int64_t k = -(int64_t)d; k <= (int64_t)d && !done; k += 2) {
            int64_t x = 0;
            if (d > 0) {
                bool down = k == -(int64_t)d || (k != (int64_t)d && last[k - 1] < last[k + 1]);
                x = down ? last[k + 1] : (int64_t)last[k - 1] + 1;
            }
            int64_t y = x - k;
            while (x < a_len && y < b_len && same_line(diff, gap->a + (uint32_t)x, gap->b + (uint32_t)y))
                x++, y++;
            row[k] = (uint32_t)x;
            done = x >= a_len && y >= b_len;
        }
        if (done) {
            mark_script(diff, gap, rows, d);
            break;
        }
    }
    for (uint32_t d = 0; d < made; d++)
        free(rows[d]);
}

// The unmatched stretch between two matched lines: what is equal at both its ends needs no search.
static void close_gap(Diff *diff, Run gap) {
    while (gap.a < gap.a_end && gap.b < gap.b_end && same_line(diff, gap.a, gap.b))
        diff->old.items[gap.a++].match = gap.b++;
    while (gap.a < gap.a_end && gap.b < gap.b_end && same_line(diff, gap.a_end - 1, gap.b_end - 1))
        diff->old.items[--gap.a_end].match = --gap.b_end;
    if (gap.a < gap.a_end && gap.b < gap.b_end)
        match_gap(diff, &gap);
}

static void close_gaps(Diff *diff) {
    Run gap = {0};
    for (uint32_t i = 0; i <= diff->old.len; i++) {
        bool end = i == diff->old.len;
        uint32_t match = end ? diff->new.len : diff->old.items[i].match;
        if (match == no_line)
            continue;
        gap.a_end = i, gap.b_end = match;
        close_gap(diff, gap);
        gap.a = i + 1, gap.b = match + 1;
    }
}

static void collect_runs(Diff *diff) {
    uint32_t a = 0, b = 0;
    while (a < diff->old.len || b < diff->new.len) {
        if (a < diff->old.len && vec_at(&diff->old, a).match == b) {
            a++, b++;
            continue;
        }
        Run run = {a, a, b, b};
        while (run.a_end < diff->old.len && vec_at(&diff->old, run.a_end).match == no_line)
            run.a_end++;
        run.b_end = run.a_end < diff->old.len ? vec_at(&diff->old, run.a_end).match : diff->new.len;
        vec_push(&diff->runs, run);
        a = run.a_end, b = run.b_end;
    }
}

static Diff diff_of(Str before, Str after) {
    Diff diff = {0};
    IdTable table = {0};
    split_lines(before, &diff.old, &table, false);
    split_lines(after, &diff.new, &table, true);
    match_unique(&diff, &table);
    close_gaps(&diff);
    collect_runs(&diff);
    map_free(&table.by_hash);
    vec_free(&table.ids);
    return diff;
}

static void diff_free(Diff *diff) {
    vec_free(&diff->old);
    vec_free(&diff->new);
    vec_free(&diff->runs);
}

// ---------------------------------------------------------------- as a unified diff

// A file name as git writes it: in quotes, with escapes, where it has a character that a patch could not hold.
static void put_name(Buf *out, const char *label, const char *prefix, Str path) {
    bool quote = false, space = false;
    for (size_t i = 0; i < path.len; i++) {
        unsigned char c = (unsigned char)path.ptr[i];
        quote |= c < 0x20 || c == 0x7F || c == '"' || c == '\\';
        space |= c == ' ';
    }
    buf_printf(out, "%s%s%s", label, quote ? "\"" : "", prefix);
    for (size_t i = 0; i < path.len; i++) {
        unsigned char c = (unsigned char)path.ptr[i];
        if (c == '"' || c == '\\')
            buf_printf(out, "\\%c", c);
        else if (c < 0x20 || c == 0x7F)
            buf_printf(out, "\\%03o", c);
        else
            buf_char(out, (char)c);
    }
    // The tab tells patch that a name with spaces ends here.
    buf_cstr(out, quote ? "\"\n" : space ? "\t\n" : "\n");
}

static void put_line(Buf *out, char mark, Str text) {
    buf_char(out, mark);
    buf_str(out, text);
    if (!str_ends(text, STR("\n")))
        buf_cstr(out, "\n\\ No newline at end of file\n");
}

static void put_range(Buf *out, char mark, uint32_t from, uint32_t to) {
    uint32_t count = to - from;
    buf_printf(out, " %c%u", mark, count ? from + 1 : from);
    if (count != 1)
        buf_printf(out, ",%u", count);
}

// One hunk for runs [first, last], which lie close together.
static void put_hunk(const Diff *diff, uint32_t first, uint32_t last, Buf *out) {
    Run from = vec_at(&diff->runs, first), to = vec_at(&diff->runs, last);
    uint32_t lead = from.a < CONTEXT ? from.a : CONTEXT;
    uint32_t trail = diff->old.len - to.a_end < CONTEXT ? diff->old.len - to.a_end : CONTEXT;
    buf_cstr(out, "@@");
    put_range(out, '-', from.a - lead, to.a_end + trail);
    put_range(out, '+', from.b - lead, to.b_end + trail);
    buf_cstr(out, " @@\n");
    uint32_t a = from.a - lead;
    for (uint32_t i = first; i <= last; i++) {
        Run run = vec_at(&diff->runs, i);
        for (; a < run.a; a++)
            put_line(out, ' ', vec_at(&diff->old, a).text);
        for (; a < run.a_end; a++)
            put_line(out, '-', vec_at(&diff->old, a).text);
        for (uint32_t b = run.b; b < run.b_end; b++)
            put_line(out, '+', vec_at(&diff->new, b).text);
    }
    for (; a < to.a_end + trail; a++)
        put_line(out, ' ', vec_at(&diff->old, a).text);
}

void diff_unified(Str path, Str before, Str after, Buf *out) {
    Diff diff = diff_of(before, after);
    while (str_starts(path, STR("./")))
        path = str_slice(path, 2, path.len);
    while (str_starts(path, STR("/")))
        path = str_slice(path, 1, path.len);
    if (diff.runs.len) {
        if (before.ptr)
            put_name(out, "--- ", "a/", path);
        else
            buf_cstr(out, "--- /dev/null\n");
        put_name(out, "+++ ", "b/", path);
    }
    for (uint32_t first = 0; first < diff.runs.len;) {
        uint32_t last = first;
        while (last + 1 < diff.runs.len &&
               vec_at(&diff.runs, last + 1).a - vec_at(&diff.runs, last).a_end <= 2 * CONTEXT)
            last++;
        put_hunk(&diff, first, last, out);
        first = last + 1;
    }
    diff_free(&diff);
}

void diff_color(Str diff, Buf *out) {
    for (size_t at = 0; at < diff.len;) {
        const char *end = memchr(diff.ptr + at, '\n', diff.len - at);
        size_t stop = end ? (size_t)(end - diff.ptr) : diff.len;
        Str line = str_slice(diff, at, stop);
        const char *color = str_starts(line, STR("--- ")) || str_starts(line, STR("+++ ")) ? "\033[1m"
                            : str_starts(line, STR("@@"))                                  ? "\033[36m"
                            : str_starts(line, STR("-"))                                   ? "\033[31m"
                            : str_starts(line, STR("+"))                                   ? "\033[32m"
                                                                                           : "";
        buf_printf(out, "%s%.*s%s\n", color, STR_ARG(line), *color ? "\033[0m" : "");
        at = stop + 1;
    }
}

// ---------------------------------------------------------------- as edits

static bool starts_character(Str text, size_t at) {
    return at >= text.len || ((unsigned char)text.ptr[at] & 0xC0) != 0x80;
}

// Whole lines down to what differs in them, never cutting a character.
static Edit trim_edit(Str before, size_t start, size_t end, Str text) {
    Str old = str_slice(before, start, end);
    size_t lead = 0, shorter = old.len < text.len ? old.len : text.len;
    while (lead < shorter && old.ptr[lead] == text.ptr[lead])
        lead++;
    while (lead > 0 && (!starts_character(old, lead) || !starts_character(text, lead)))
        lead--;
    size_t trail = 0;
    while (trail < shorter - lead && old.ptr[old.len - 1 - trail] == text.ptr[text.len - 1 - trail])
        trail++;
    while (trail > 0 && !starts_character(old, old.len - trail))
        trail--;
    return (Edit){start + lead, end - trail, str_slice(text, lead, text.len - trail)};
}

// Offset of line `at`, which may be one past the last.
static size_t offset_of(const LineVec *lines, uint32_t at, Str text) {
    return at < lines->len ? (size_t)(vec_at(lines, at).text.ptr - text.ptr) : text.len;
}

// A changed line that is still mostly what it was.
static bool resembles(Str old, const Edit *edit) {
    return edit->end - edit->start <= old.len / 2;
}

// As many lines as before, each resembling the one in its place: an edit a line, so that neighbours stay apart.
static bool edit_lines(const Diff *diff, Run run, Str before, EditList *edits) {
    uint32_t first = edits->len;
    bool good = run.a_end - run.a == run.b_end - run.b;
    for (uint32_t i = 0; good && i < run.a_end - run.a; i++) {
        Str old = vec_at(&diff->old, run.a + i).text, text = vec_at(&diff->new, run.b + i).text;
        size_t start = offset_of(&diff->old, run.a + i, before);
        Edit edit = trim_edit(before, start, start + old.len, text);
        good = resembles(old, &edit);
        if (edit.start < edit.end || edit.text.len)
            vec_push(edits, edit);
    }
    if (!good)
        edits->len = first;
    return good;
}

void diff_edits(Str before, Str after, EditList *edits) {
    Diff diff = diff_of(before, after);
    for (uint32_t i = 0; i < diff.runs.len; i++) {
        Run run = vec_at(&diff.runs, i);
        if (edit_lines(&diff, run, before, edits))
            continue;
        size_t start = offset_of(&diff.old, run.a, before), end = offset_of(&diff.old, run.a_end, before);
        Str text =
            str_slice(after, offset_of(&diff.new, run.b, after), offset_of(&diff.new, run.b_end, after));
        Edit edit = trim_edit(before, start, end, text);
        vec_push(edits, edit);
    }
    diff_free(&diff);
}
