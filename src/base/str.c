// Borrowed byte strings: comparing, searching, slicing, and copies in an arena.
//
// Input: Str, a pointer and a length; the bytes may hold anything, NUL included. Output: Str that borrows from its input,
// or lives in the given arena. An empty Str may have a NULL pointer, so nothing here passes one to memcmp and its kin.
#include "base/base.h"

#include <stdio.h>

Str str_of(const char *c_string) {
    return c_string ? (Str){c_string, strlen(c_string)} : (Str){"", 0};
}

bool str_eq(Str a, Str b) {
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

int str_cmp(Str a, Str b) {
    size_t common = a.len < b.len ? a.len : b.len;
    int order = common ? memcmp(a.ptr, b.ptr, common) : 0;
    return order ? order : (a.len > b.len) - (a.len < b.len);
}

bool str_starts(Str s, Str prefix) {
    return s.len >= prefix.len && str_eq((Str){s.ptr, prefix.len}, prefix);
}

bool str_ends(Str s, Str suffix) {
    return s.len >= suffix.len &&
           (suffix.len == 0 || str_eq((Str){s.ptr + s.len - suffix.len, suffix.len}, suffix));
}

bool str_find(Str s, Str needle, size_t *at) {
    size_t found = 0;
    if (needle.len) {
        const char *hit = s.len ? memmem(s.ptr, s.len, needle.ptr, needle.len) : NULL;
        if (!hit)
            return false;
        found = (size_t)(hit - s.ptr);
    }
    if (at)
        *at = found;
    return true;
}

Str str_slice(Str s, size_t from, size_t to) {
    CHECK(from <= to && to <= s.len);
    return (Str){s.ptr ? s.ptr + from : NULL, to - from};
}

static bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

Str str_trim(Str s) {
    size_t from = 0, to = s.len;
    while (from < to && is_space(s.ptr[from]))
        from++;
    while (to > from && is_space(s.ptr[to - 1]))
        to--;
    return str_slice(s, from, to);
}

static size_t last_part(Str path) {
    size_t at = path.len;
    while (at > 0 && path.ptr[at - 1] != '/')
        at--;
    return at;
}

Str str_dirname(Str path) {
    size_t at = last_part(path);
    return at == 0 ? STR(".") : str_slice(path, 0, at > 1 ? at - 1 : 1);
}

Str str_basename(Str path) {
    return str_slice(path, last_part(path), path.len);
}

Str str_dup(Arena *arena, Str s) {
    char *copy = arena_alloc(arena, s.len + 1);
    if (s.len)
        memcpy(copy, s.ptr, s.len);
    return (Str){copy, s.len};
}

Str str_format(Arena *arena, const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    va_end(args);
    CHECK(len >= 0);
    char *text = arena_alloc(arena, (size_t)len + 1);
    vsnprintf(text, (size_t)len + 1, format, again);
    va_end(again);
    return (Str){text, (size_t)len};
}
