// The base layer: memory, strings, containers, diagnostics, files, digests, threads.
// It knows nothing of Python. Every other layer includes this header.
//
// Two lifetimes only: an Arena (freed as a whole; one per source module, one per project) and the
// process heap (Vec, Map, Buf: freed by their owner). Allocation never returns NULL: running out of
// memory, like every bug of our own, ends the process through panic(). What is the user's fault goes
// into a DiagList and work goes on.
#ifndef GM_BASE_H
#define GM_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------- panic.c
// A bug of our own: prints "graphmend: internal error: FILE:LINE: message" and aborts.
_Noreturn void panic_at(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
#define PANIC(...) panic_at(__FILE__, __LINE__, __VA_ARGS__)
#define CHECK(cond) ((cond) ? (void)0 : PANIC("check failed: %s", #cond))

// ---------------------------------------------------------------- heap.c
// For what no Vec, Map or Buf fits; freed with free().
void *heap_alloc(size_t count, size_t size); // zeroed
void *heap_resize(void *memory, size_t count, size_t size);

// ---------------------------------------------------------------- arena.c
typedef struct Arena Arena;
Arena *arena_new(void);
void arena_free(Arena *arena);                // NULL is fine
void *arena_alloc(Arena *arena, size_t size); // zeroed, aligned to 8 bytes
void *arena_dup(Arena *arena, const void *from, size_t size);
size_t arena_used(const Arena *arena); // bytes handed out so far
#define ARENA_NEW(arena, Type) ((Type *)arena_alloc((arena), sizeof(Type)))
#define ARENA_ARRAY(arena, Type, count) ((Type *)arena_alloc((arena), sizeof(Type) * (size_t)(count)))

// ---------------------------------------------------------------- str.c
// A borrowed run of bytes, not NUL-terminated.
typedef struct Str {
    const char *ptr;
    size_t len;
} Str;
#define STR(literal) ((Str){(literal), sizeof(literal) - 1})
#define STR_ARG(s) (int)(s).len, (s).ptr // for "%.*s"
Str str_of(const char *c_string);
bool str_eq(Str a, Str b);
int str_cmp(Str a, Str b); // bytewise, as memcmp
bool str_starts(Str s, Str prefix);
bool str_ends(Str s, Str suffix);
bool str_find(Str s, Str needle, size_t *at); // first occurrence; at may be NULL
Str str_slice(Str s, size_t from, size_t to); // [from, to), checked
Str str_trim(Str s);                          // spaces, tabs, newlines, form feeds
Str str_dirname(Str path);                    // "a" of "a/b.py", "." of "b.py", "/" of "/b.py"
Str str_basename(Str path);                   // "b.py" of each
Str str_dup(Arena *arena, Str s);             // NUL follows the copy
Str str_format(Arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

// ---------------------------------------------------------------- intern.c
// An identifier or dotted name: equal text, equal id, for the whole process; thread-safe. 0 is "none".
typedef uint32_t Name;
Name intern(Str text);
Str name_str(Name name); // lives for the process; NUL-terminated
#define NAME_OF(literal) intern(STR(literal))

// ---------------------------------------------------------------- vec.c
// Typed growable arrays on the heap. VEC(int) v = {0}; vec_push(&v, 3); vec_at(&v, 0); vec_free(&v);
#define VEC(Type)                                                                                            \
    struct {                                                                                                 \
        Type *items;                                                                                         \
        uint32_t len, cap;                                                                                   \
    }
void *vec_grow_(void *items, uint32_t *cap, uint32_t need, size_t item_size);
#define vec_reserve(v, n)                                                                                    \
    ((n) <= (v)->cap ? (void)0                                                                               \
                     : (void)((v)->items = vec_grow_((v)->items, &(v)->cap, (n), sizeof *(v)->items)))
#define vec_push(v, item) (vec_reserve((v), (v)->len + 1), (void)((v)->items[(v)->len++] = (item)))
#define vec_at(v, i) ((v)->items[vec_check_((i), (v)->len)])
#define vec_last(v) vec_at((v), (v)->len - 1)
#define vec_pop(v) (CHECK((v)->len > 0), (v)->items[--(v)->len])
#define vec_clear(v) ((void)((v)->len = 0))
#define vec_free(v) (free((v)->items), (v)->items = NULL, (void)((v)->len = (v)->cap = 0))
uint32_t vec_check_(uint32_t index, uint32_t len); // panics when out of range

// ---------------------------------------------------------------- map.c
// Open addressing, 64-bit key to pointer-sized value. Zero-initialise. Iteration order is insertion order.
typedef struct MapEntry {
    uint64_t key;
    uintptr_t value;
} MapEntry;
typedef struct Map {
    MapEntry *entries; // insertion order, len of them
    uint32_t *slots;
    uint32_t len, cap, slot_count;
} Map;
void map_put(Map *map, uint64_t key, uintptr_t value);        // overwrites
bool map_get(const Map *map, uint64_t key, uintptr_t *value); // value may be NULL
void *map_ptr(const Map *map, uint64_t key);                  // value as a pointer, NULL if absent
void map_free(Map *map);
static inline uint64_t map_key_ptr(const void *pointer) {
    return (uint64_t)(uintptr_t)pointer;
}
static inline uint64_t map_key_pair(uint32_t a, uint32_t b) {
    return ((uint64_t)a << 32) | b;
}

// ---------------------------------------------------------------- buf.c
// A growable byte buffer on the heap. Zero-initialise.
typedef struct Buf {
    char *ptr;
    size_t len, cap;
} Buf;
void buf_bytes(Buf *buf, const void *bytes, size_t len);
void buf_str(Buf *buf, Str s);
void buf_cstr(Buf *buf, const char *c_string);
void buf_char(Buf *buf, char c);
void buf_printf(Buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_vprintf(Buf *buf, const char *format, va_list args) __attribute__((format(printf, 2, 0)));
void buf_repeat(Buf *buf, char c, size_t count);
Str buf_view(const Buf *buf); // valid until the next write
void buf_free(Buf *buf);

// ---------------------------------------------------------------- diag.c
// What the user has to hear. Not findings (src/detect): these are about the tool's own work.
typedef enum DiagLevel { DIAG_NOTE, DIAG_WARNING, DIAG_ERROR } DiagLevel;
typedef struct Diag {
    DiagLevel level;
    Str path;              // may be empty
    uint32_t line, column; // 1-based, column in code points; 0: no place
    Str message;
} Diag;
typedef struct DiagList {
    Arena *arena; // owns the strings
    VEC(Diag) list;
    uint32_t errors;
} DiagList;
void diag_init(DiagList *diags, Arena *arena);
void diag_free(DiagList *diags);
void diag_add(DiagList *diags, DiagLevel level, Str path, uint32_t line, uint32_t column, const char *format,
              ...) __attribute__((format(printf, 6, 7)));

// ---------------------------------------------------------------- signals.c
void signals_hold(void); // on this thread, and those that it starts; held twice is released twice
void signals_release(void);
bool signals_waiting(void); // one has come that is held

// ---------------------------------------------------------------- file.c, walk.c
// All return false with a reason in *why (static or arena text; never ends with a newline).
bool file_read(const char *path, Buf *into, Arena *arena, Str *why); // a regular file
bool file_read_stream(const char *path, Buf *into, Arena *arena,
                      Str *why); // or a pipe, a device: all it gives
// Atomic: a temporary file beside the target, fsync, rename; keeps the target's mode (mode_from's if the
// target does not exist; NULL: 0644 less umask); follows a symlink target; leaves nothing behind on failure.
bool file_write_atomic(const char *path, Str bytes, const char *mode_from, Arena *arena, Str *why);
// The same in the place of a file, a link or nothing: where one of these stands, or nothing.
bool file_replaceable(const char *path, Arena *arena, Str *why);
bool file_replace(const char *path, Str bytes, const char *mode_from, Arena *arena, Str *why);
bool file_replace_by_link(const char *path, const char *target, Arena *arena, Str *why);
// A new file beside path, for its owner alone, to be written and renamed; -1 with errno.
int file_open_temporary(const char *path, Arena *arena, const char **temporary);
// Atomic too, and its owner's alone; in the place of a file or of nothing, no links. Killed, it leaves PATH-PID-N.tmp.
bool file_write_private(const char *path, Str bytes, Arena *arena, Str *why);
bool file_is_dir(const char *path);
bool file_is_special(const char *path); // a pipe, a socket or a device
bool file_exists(const char *path);
bool file_holds(const char *path, Str bytes,
                Arena *arena); // these and no others; false when it cannot be read
bool file_make_dirs(const char *path, Arena *arena, Str *why); // mkdir -p
// Every entry under root, depth first, names in byte order. visit gets a path relative to root ('/'
// separators) and returns whether to go into it, for a directory. Symlinks are not followed.
typedef enum FileKind { FILE_REGULAR, FILE_DIRECTORY, FILE_SYMLINK, FILE_OTHER } FileKind;
typedef bool FileVisit(void *context, const char *relative, FileKind kind);
bool file_walk(const char *root, FileVisit *visit, void *context, Arena *arena, Str *why);

// ---------------------------------------------------------------- digest.c
enum { DIGEST_BYTES = 32 };
typedef struct Digest {
    unsigned char bytes[DIGEST_BYTES];
} Digest;
Digest digest_of(Str bytes);
bool digest_eq(const Digest *a, const Digest *b);

// ---------------------------------------------------------------- pool.c
enum { POOL_JOBS_MAX = 256 };
// Runs work(context, i) for i in [0, count) on up to `jobs` threads (0: one for each CPU that the process may use; at most
// POOL_JOBS_MAX), returns when all are done. Items are handed out in order; work must not panic for user errors.
void pool_run(uint32_t count, uint32_t jobs, void (*work)(void *context, uint32_t index), void *context);

#endif
