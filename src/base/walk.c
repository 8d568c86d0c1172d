// Walks a directory tree: file_walk of base.h.
//
// Input: a root. Output: a call of visit for each entry below it, names in byte order, a directory before what is in it.
// A directory that cannot be read, or lies deeper than DEPTH_MAX, is left out and the walk goes on; file_walk then
// returns false, and the reason names the first such directory. Symlinks are reported, not followed, so there are no
// cycles.
#include "base/base.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

enum { DEPTH_MAX = 128 }; // no package is nested like that; PATH_MAX would come next

typedef struct Entry {
    char *name;
    FileKind kind;
} Entry;
typedef VEC(Entry) EntryVec;

typedef struct Walk {
    FileVisit *visit;
    void *context;
    Arena *arena;
    Buf path;        // root, '/', relative
    size_t root_len; // of root and the slash
    uint32_t failures;
    Str why; // the first one
} Walk;

static void note_failure(Walk *walk, const char *reason) {
    if (walk->failures++)
        return;
    const char *relative = walk->path.ptr + walk->root_len;
    walk->why = *relative ? str_format(walk->arena, "cannot read the directory %s: %s", relative, reason)
                          : str_format(walk->arena, "cannot read the directory: %s", reason);
}

static FileKind kind_of(DIR *dir, const struct dirent *entry) {
    if (entry->d_type == DT_REG)
        return FILE_REGULAR;
    if (entry->d_type == DT_DIR)
        return FILE_DIRECTORY;
    if (entry->d_type == DT_LNK)
        return FILE_SYMLINK;
    struct stat info;
    if (entry->d_type != DT_UNKNOWN || fstatat(dirfd(dir), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
        return FILE_OTHER;
    return S_ISREG(info.st_mode)   ? FILE_REGULAR
           : S_ISDIR(info.st_mode) ? FILE_DIRECTORY
           : S_ISLNK(info.st_mode) ? FILE_SYMLINK
                                   : FILE_OTHER;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const Entry *)a)->name, ((const Entry *)b)->name);
}

static char *copy_name(const char *name) {
    size_t size = strlen(name) + 1;
    return memcpy(heap_alloc(size, 1), name, size);
}

// The whole directory at once, so that no descriptor stays open while its subdirectories are walked.
static bool list_directory(Walk *walk, EntryVec *entries) {
    DIR *dir = opendir(walk->path.ptr);
    if (!dir) {
        note_failure(walk, strerror(errno));
        return false;
    }
    errno = 0;
    for (struct dirent *entry; (entry = readdir(dir)); errno = 0) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        Entry item = {copy_name(entry->d_name), kind_of(dir, entry)};
        vec_push(entries, item);
    }
    if (errno)
        note_failure(walk, strerror(errno));
    closedir(dir);
    if (entries->len)
        qsort(entries->items, entries->len, sizeof *entries->items, by_name);
    return true;
}

static void set_length(Buf *path, size_t len) {
    path->len = len;
    path->ptr[len] = '\0';
}

static void walk_directory(Walk *walk, uint32_t depth) {
    EntryVec entries = {0};
    if (depth > DEPTH_MAX)
        note_failure(walk, str_format(walk->arena, "nested more than %d levels deep", DEPTH_MAX).ptr);
    else
        list_directory(walk, &entries);
    size_t len = walk->path.len;
    for (uint32_t i = 0; i < entries.len; i++) {
        Entry *entry = &vec_at(&entries, i);
        buf_cstr(&walk->path, entry->name);
        bool enter = walk->visit(walk->context, walk->path.ptr + walk->root_len, entry->kind);
        if (enter && entry->kind == FILE_DIRECTORY) {
            buf_char(&walk->path, '/');
            walk_directory(walk, depth + 1);
        }
        set_length(&walk->path, len);
        free(entry->name);
    }
    vec_free(&entries);
}

bool file_walk(const char *root, FileVisit *visit, void *context, Arena *arena, Str *why) {
    Walk walk = {.visit = visit, .context = context, .arena = arena};
    buf_cstr(&walk.path, root);
    if (!str_ends(buf_view(&walk.path), STR("/")))
        buf_char(&walk.path, '/');
    walk.root_len = walk.path.len;
    walk_directory(&walk, 0);
    buf_free(&walk.path);
    if (walk.failures == 0)
        return true;
    *why = walk.failures == 1 ? walk.why
                              : str_format(arena, "%.*s (and %u more)", STR_ARG(walk.why), walk.failures - 1);
    return false;
}
