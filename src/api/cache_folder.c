// The folder in which results are kept: one file an entry, named by its key.
//
//     CACHEDIR.TAG         tells backup programs that nothing in it is needed
//     .gitignore           "*": it may lie in a repository
//     6f1c....graphmend    what the entry holds, then a digest of that
// In:  a key, bytes. Out: the bytes that were kept under it. An entry is written under another name and renamed, so that
// runs at the same time see a whole one or none; one that is damaged does not fit its digest and is taken as absent.
// What cannot be written is not kept: a cache is never a reason to fail. Past folder_bytes_max the entries that were not
// used for longest go. The folder may hold other files: they are neither counted nor touched, and a folder that was there
// before gets no CACHEDIR.TAG and no .gitignore.
#include "api/cache_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint64_t folder_bytes_max = (uint64_t)256 << 20;
static const uint64_t entry_bytes_max = (uint64_t)64 << 20;

static const char suffix[] = ".graphmend";

static const char *entry_path(const char *folder, const Digest *key, Arena *arena) {
    Buf hex = {0};
    for (size_t i = 0; i < sizeof key->bytes; i++)
        buf_printf(&hex, "%02x", key->bytes[i]);
    const char *path = str_format(arena, "%s/%s%s", folder, hex.ptr, suffix).ptr;
    buf_free(&hex);
    return path;
}

bool cache_folder_get(const char *folder, const Digest *key, Buf *into) {
    Arena *arena = arena_new();
    Str why;
    Digest digest;
    const char *path = entry_path(folder, key, arena);
    bool good = file_exists(path) && file_read(path, into, arena, &why) && into->len >= sizeof digest;
    if (good) {
        into->len -= sizeof digest;
        memcpy(&digest, into->ptr + into->len, sizeof digest);
        Digest actual = digest_of(buf_view(into));
        good = digest_eq(&digest, &actual);
        (void)utimensat(AT_FDCWD, path, NULL, 0); // used now
    }
    if (!good)
        into->len = 0;
    arena_free(arena);
    return good;
}

// ---------------------------------------------------------------- writing

static bool put_file(const char *folder, const char *name, Str text, Arena *arena) {
    Str why;
    const char *path = str_format(arena, "%s/%s", folder, name).ptr;
    return file_exists(path) || file_write_atomic(path, text, NULL, arena, &why);
}

static bool make_folder(const char *folder, Arena *arena) {
    Str why;
    return file_is_dir(folder) ||
           (file_make_dirs(folder, arena, &why) &&
            put_file(folder, "CACHEDIR.TAG",
                     STR("Signature: 8a477f597d28d172789f06886806bc55\n# Results of graphmend.\n"), arena) &&
            put_file(folder, ".gitignore", STR("*\n"), arena));
}

typedef struct Entry {
    const char *path;
    uint64_t size;
    struct timespec used;
} Entry;
typedef VEC(Entry) EntryVec;

static int by_use(const void *a, const void *b) {
    const Entry *first = a, *second = b;
    if (first->used.tv_sec != second->used.tv_sec)
        return first->used.tv_sec < second->used.tv_sec ? -1 : 1;
    return first->used.tv_nsec < second->used.tv_nsec ? -1 : first->used.tv_nsec > second->used.tv_nsec;
}

// An entry, or what a run that was killed has left of one: "6f1c....graphmend-PID-N.tmp".
static bool is_ours(Str name) {
    size_t hex = 0;
    while (hex < name.len && memchr("0123456789abcdef", name.ptr[hex], 16))
        hex++;
    Str rest = str_slice(name, hex, name.len);
    return hex == sizeof(Digest) * 2 &&
           (str_eq(rest, str_of(suffix)) ||
            (str_starts(rest, STR(".graphmend-")) && str_ends(rest, STR(".tmp"))));
}

static uint64_t list_entries(const char *folder, EntryVec *entries, Arena *arena) {
    uint64_t total = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *item; dir && (item = readdir(dir));) {
        Str name = str_of(item->d_name);
        Entry entry = {.path = str_format(arena, "%s/%s", folder, item->d_name).ptr};
        struct stat info;
        if (!is_ours(name) || lstat(entry.path, &info) != 0 || !S_ISREG(info.st_mode))
            continue;
        entry.size = (uint64_t)info.st_size;
        entry.used = info.st_mtim;
        total += entry.size;
        vec_push(entries, entry);
    }
    if (dir)
        closedir(dir);
    return total;
}

static void trim(const char *folder, Arena *arena) {
    EntryVec entries = {0};
    uint64_t total = list_entries(folder, &entries, arena);
    if (total > folder_bytes_max)
        qsort(entries.items, entries.len, sizeof(Entry), by_use);
    for (uint32_t i = 0; i < entries.len && total > folder_bytes_max; i++) {
        (void)unlink(entries.items[i].path);
        total -= entries.items[i].size;
    }
    vec_free(&entries);
}

void cache_folder_put(const char *folder, const Digest *key, Buf *bytes) {
    if (bytes->len > entry_bytes_max)
        return;
    Arena *arena = arena_new();
    Str why;
    Digest digest = digest_of(buf_view(bytes));
    buf_bytes(bytes, &digest, sizeof digest);
    if (make_folder(folder, arena) &&
        file_write_private(entry_path(folder, key, arena), buf_view(bytes), arena, &why))
        trim(folder, arena);
    arena_free(arena);
}
