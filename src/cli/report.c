// What the reports share: a finding's line, its fingerprint, paths as other programs want them.
#include "cli/cli.h"

#include <limits.h>
#include <unistd.h>

const char *report_status(gm_status status) {
    static const char *const names[] = {
        [GM_LEFT] = "left", [GM_FIXABLE] = "fixable", [GM_GUARDED] = "guarded", [GM_UNSAFE] = "unsafe"};
    return names[status];
}

static bool is_break(char c) {
    return c == '\n' || c == '\r';
}

Str report_line(const gm_finding *finding) {
    const gm_file *file = finding->file;
    if (!file || !file->text || finding->range.start.byte > file->len)
        return (Str){NULL, 0};
    size_t start = finding->range.start.byte, end = start;
    while (start > 0 && !is_break(file->text[start - 1]))
        start--;
    if (start == 0 && file->len >= 3 && memcmp(file->text, "\xef\xbb\xbf", 3) == 0 && end >= 3)
        start = 3; // the byte-order mark
    while (end < file->len && !is_break(file->text[end]))
        end++;
    return (Str){file->text + start, end - start};
}

const char *report_path(const char *path, Arena *arena) {
    char here[PATH_MAX];
    while (path[0] == '.' && path[1] == '/')
        path += 2;
    if (path[0] != '/' || !getcwd(here, sizeof here))
        return path;
    Str folder = str_of(paths_join(arena, here, ""));
    return str_starts(str_of(path), folder) ? path + folder.len : path;
}

void report_sentence(const gm_finding *finding, Buf *out) {
    buf_cstr(out, finding->message);
    if (finding->reason_text)
        buf_printf(out, ". Left: %s", finding->reason_text);
}

static uint64_t hash_bytes(uint64_t hash, Str text, bool words) {
    for (size_t i = 0; i < text.len; i++)
        if (!words || (text.ptr[i] != ' ' && text.ptr[i] != '\t'))
            hash = (hash ^ (unsigned char)text.ptr[i]) * 0x100000001b3u;
    return hash;
}

uint64_t report_print(Prints *prints, const gm_finding *finding, bool with_path, uint32_t *occurrence) {
    uint64_t hash = hash_bytes(0xcbf29ce484222325u, str_of(finding->code), false);
    hash = hash_bytes(hash, report_line(finding), true);
    uint64_t key = hash_bytes(hash, str_of(finding->path), false);
    uintptr_t seen = 0;
    map_get(&prints->seen, key, &seen);
    map_put(&prints->seen, key, ++seen);
    *occurrence = (uint32_t)seen;
    return with_path ? key : hash;
}

static void find_lines(LineStarts *lines, const gm_file *file) {
    size_t body = file->len >= 3 && memcmp(file->text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    lines->file = file;
    vec_clear(&lines->starts);
    vec_push(&lines->starts, body);
    for (size_t at = body; at < file->len; at++)
        if (file->text[at] == '\n' ||
            (file->text[at] == '\r' && !(at + 1 < file->len && file->text[at + 1] == '\n')))
            vec_push(&lines->starts, at + 1);
}

gm_place report_place(LineStarts *lines, const gm_file *file, size_t offset) {
    if (lines->file != file)
        find_lines(lines, file);
    uint32_t low = 0, high = lines->starts.len;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (lines->starts.items[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    gm_place place = {low + 1, 1, (uint32_t)offset};
    for (size_t at = lines->starts.items[low]; at < offset && at < file->len; at++)
        place.column += ((unsigned char)file->text[at] & 0xC0) != 0x80;
    return place;
}
