// Paths: joining them, and telling whether two of them are the same place.
#include "cli/cli.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

const char *paths_join(Arena *arena, const char *folder, const char *name) {
    size_t len = strlen(folder);
    const char *slash = len && folder[len - 1] == '/' ? "" : "/";
    return str_format(arena, "%s%s%s", folder, slash, name).ptr;
}

const char *paths_base(const char *path) {
    return str_basename(str_of(path)).ptr;
}

const char *paths_folder(Arena *arena, const char *path) {
    return str_dup(arena, str_dirname(str_of(path))).ptr;
}

bool paths_same_file(const char *a, const char *b) {
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

// Real path of the longest part of `path` that exists, then the rest, by its letters: where nothing exists there are no
// links. realpath() alone wants all of it to exist.
static const char *real_path(Arena *arena, const char *path) {
    char real[PATH_MAX];
    size_t len = strlen(path);
    const char *known = NULL;
    while (!known) {
        const char *part = len ? str_dup(arena, (Str){path, len}).ptr : path[0] == '/' ? "/" : ".";
        if (realpath(part, real))
            known = str_dup(arena, str_of(real)).ptr;
        else if (len == 0)
            return path; // not even the working directory: whatever is done next will fail and say so
        else
            while (len > 0 && path[--len] != '/')
                continue;
    }
    for (const char *rest = path + len; *rest;) {
        while (*rest == '/')
            rest++;
        size_t word = strcspn(rest, "/");
        if (word == 2 && rest[0] == '.' && rest[1] == '.')
            known = paths_folder(arena, known);
        else if (word > 0 && !(word == 1 && rest[0] == '.'))
            known = paths_join(arena, known, str_dup(arena, (Str){rest, word}).ptr);
        rest += word;
    }
    return known;
}

bool paths_is_inside(const char *inner, const char *outer, Arena *arena) {
    Str in = str_of(real_path(arena, inner)), out = str_of(real_path(arena, outer));
    if (str_eq(out, STR("/")))
        return true;
    return str_starts(in, out) && (in.len == out.len || in.ptr[out.len] == '/');
}
