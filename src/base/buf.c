// A growable byte buffer: what printers and readers write into.
//
// Input: bytes, strings, printf formats. Output: buf_view, valid until the next write. After each write a NUL follows the
// contents (not counted), so that buf->ptr can go where a C string is wanted.
#include "base/base.h"

#include <stdio.h>

enum { FIRST_CAP = 64 };

static void reserve(Buf *buf, size_t more) {
    CHECK(more < SIZE_MAX / 4 && buf->len < SIZE_MAX / 4);
    size_t need = buf->len + more + 1;
    if (need <= buf->cap)
        return;
    size_t cap = buf->cap ? buf->cap * 2 : FIRST_CAP;
#ifdef GM_STRESS_REALLOC
    cap = need + need / 16; // as in vec.c
#endif
    if (cap < need)
        cap = need;
    buf->ptr = heap_resize(buf->ptr, cap, 1);
    buf->cap = cap;
}

void buf_bytes(Buf *buf, const void *bytes, size_t len) {
    reserve(buf, len);
    if (len)
        memcpy(buf->ptr + buf->len, bytes, len);
    buf->len += len;
    buf->ptr[buf->len] = '\0';
}

void buf_str(Buf *buf, Str s) {
    buf_bytes(buf, s.ptr, s.len);
}

void buf_cstr(Buf *buf, const char *c_string) {
    buf_bytes(buf, c_string, strlen(c_string));
}

void buf_char(Buf *buf, char c) {
    buf_bytes(buf, &c, 1);
}

void buf_repeat(Buf *buf, char c, size_t count) {
    reserve(buf, count);
    memset(buf->ptr + buf->len, c, count);
    buf->len += count;
    buf->ptr[buf->len] = '\0';
}

void buf_printf(Buf *buf, const char *format, ...) {
    va_list args;
    va_start(args, format);
    buf_vprintf(buf, format, args);
    va_end(args);
}

void buf_vprintf(Buf *buf, const char *format, va_list args) {
    va_list again;
    va_copy(again, args);
    int len = vsnprintf(NULL, 0, format, args);
    CHECK(len >= 0);
    reserve(buf, (size_t)len);
    vsnprintf(buf->ptr + buf->len, (size_t)len + 1, format, again);
    va_end(again);
    buf->len += (size_t)len;
}

Str buf_view(const Buf *buf) {
    return buf->len ? (Str){buf->ptr, buf->len} : (Str){"", 0};
}

void buf_free(Buf *buf) {
    free(buf->ptr);
    *buf = (Buf){0};
}
