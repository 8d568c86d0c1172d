// Which files of a folder are left out: --exclude and .gitignore, by git's rules.
//
// In:  patterns, each with the folder that it stands in; for some folders others. Out: whether a path is left out. The last pattern that fits wins,
// those of deeper folders last; `!pattern` takes back. Read are the .gitignore of every folder from the root of the
// repository (the folder that holds .git; else the one being walked) down, and .git/info/exclude.
// Deliberately simple: what lies below a folder that was named is not left out because of that folder's own name, so
// that `check .venv/lib/x` looks there; git's global excludes are not read.
#include "pipeline/select.h"

#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct Pattern {
    const char *text; // without '!' and slashes around it; anchored: fits from the folder on
    bool negative, only_folders, anchored;
} Pattern;
typedef struct Patterns {
    Str folder; // real path
    VEC(Pattern) list;
    struct Patterns *outer; // of the folder above
} Patterns;

// What options say, for what lies directly in some folders.
typedef struct Given {
    Patterns own, here;
    bool gitignore;
} Given;

struct Exclude {
    Arena *arena;
    bool force;
    Given given;
    ExcludeOptionsOf *options_of;
    void *context;
    Map others;  // ExcludeOptions* -> Given*
    Map folders; // Name of a real path -> Patterns*
    Map real;    // Name of a folder as walked -> Name of its real path
    VEC(Patterns *) all;
};

// ---------------------------------------------------------------- one pattern

// `[a-z]`, `[!a]` at *p (past the bracket): whether c is in it. *p moves behind it; NULL when it is not closed.
static bool in_class(const char **p, char c) {
    const char *at = *p;
    bool negative = *at == '!' || *at == '^', found = false;
    at += negative;
    for (bool first = true; *at && (first || *at != ']'); first = false) {
        char low = *at++, high = low;
        if (at[0] == '-' && at[1] && at[1] != ']')
            high = at[1], at += 2;
        found |= c >= low && c <= high;
    }
    *p = *at ? at + 1 : NULL;
    return found != negative;
}

enum { GLOB_STEPS_MAX = 100000 }; // a pattern of many stars: given up on, as not fitting

static bool fits(const char *p, const char *t, uint32_t *steps) {
    for (; *p; p++, t++) {
        if (++*steps > GLOB_STEPS_MAX)
            return false;
        if (p[0] == '*' && p[1] == '*' && (p[2] == '/' || !p[2])) {
            if (!p[2])
                return true;
            for (const char *rest = t; rest; rest = strchr(rest, '/') ? strchr(rest, '/') + 1 : NULL)
                if (fits(p + 3, rest, steps))
                    return true;
            return false;
        }
        if (*p == '*') {
            while (p[1] == '*')
                p++;
            for (;; t++) {
                if (fits(p + 1, t, steps))
                    return true;
                if (!*t || *t == '/')
                    return false;
            }
        }
        if (!*t || ((*p == '?' || *p == '[') && *t == '/'))
            return false;
        if (*p == '[') {
            const char *at = p + 1;
            bool in = in_class(&at, *t);
            if (at && !in)
                return false;
            if (at) {
                p = at - 1;
                continue;
            }
        }
        if (*p == '\\' && p[1])
            p++;
        if (*p != *t && *p != '?')
            return false;
    }
    return !*t;
}

// A pattern without a slash fits the name at any depth.
static bool fits_path(const Pattern *pattern, const char *path) {
    uint32_t steps = 0;
    if (pattern->anchored)
        return fits(pattern->text, path, &steps);
    const char *slash = strrchr(path, '/');
    return fits(pattern->text, slash ? slash + 1 : path, &steps);
}

static bool read_pattern(Str line, Arena *arena, Pattern *pattern) {
    while (line.len && (line.ptr[line.len - 1] == ' ' || line.ptr[line.len - 1] == '\r') &&
           !(line.len > 1 && line.ptr[line.len - 2] == '\\'))
        line.len--;
    if (line.len == 0 || line.ptr[0] == '#')
        return false;
    *pattern = (Pattern){.negative = line.ptr[0] == '!'};
    line = str_slice(line, pattern->negative, line.len);
    if (line.len && line.ptr[line.len - 1] == '/')
        pattern->only_folders = true, line.len--;
    if (line.len && line.ptr[0] == '/')
        pattern->anchored = true, line = str_slice(line, 1, line.len);
    pattern->anchored |= str_find(line, STR("/"), NULL);
    pattern->text = str_dup(arena, line).ptr;
    return line.len > 0;
}

bool pattern_fits(const char *text, const char *path) {
    Arena *arena = arena_new();
    Pattern pattern;
    bool found = false;
    if (read_pattern(str_of(text), arena, &pattern)) {
        // A folder above the file, or the file itself.
        size_t len = strlen(path);
        for (size_t i = 1; i <= len && !found; i++)
            if (i == len || path[i] == '/')
                found = (i < len || !pattern.only_folders) &&
                        fits_path(&pattern, str_dup(arena, (Str){path, i}).ptr);
    }
    arena_free(arena);
    return found != (text[0] == '!');
}

// ---------------------------------------------------------------- the patterns of a folder

static void read_file(Exclude *exclude, Patterns *patterns, const char *path) {
    Buf bytes = {0};
    Str why;
    if (file_exists(path) && !file_is_dir(path) && file_read(path, &bytes, exclude->arena, &why)) {
        Str text = buf_view(&bytes);
        for (size_t at = 0; at < text.len;) {
            const char *end = memchr(text.ptr + at, '\n', text.len - at);
            size_t stop = end ? (size_t)(end - text.ptr) : text.len;
            Pattern pattern;
            if (read_pattern(str_slice(text, at, stop), exclude->arena, &pattern))
                vec_push(&patterns->list, pattern);
            at = stop + 1;
        }
    }
    buf_free(&bytes);
}

// Goes up to the root of the repository, or to the file system's; as deep as the path has folders.
static Patterns *patterns_of(Exclude *exclude, Str folder) {
    Name key = intern(folder);
    Patterns *patterns = map_ptr(&exclude->folders, key);
    if (patterns)
        return patterns;
    Arena *arena = exclude->arena;
    patterns = ARENA_NEW(arena, Patterns);
    patterns->folder = str_dup(arena, folder);
    map_put(&exclude->folders, key, (uintptr_t)patterns);
    vec_push(&exclude->all, patterns);
    bool root = file_exists(str_format(arena, "%.*s/.git", STR_ARG(folder)).ptr);
    if (root)
        read_file(exclude, patterns, str_format(arena, "%.*s/.git/info/exclude", STR_ARG(folder)).ptr);
    read_file(exclude, patterns, str_format(arena, "%.*s/.gitignore", STR_ARG(folder)).ptr);
    Str outer = str_dirname(folder);
    if (!root && outer.len > 1)
        patterns->outer = patterns_of(exclude, outer);
    return patterns;
}

// 1: left out, 0: taken back, -1: nothing fits.
static int verdict(const Patterns *patterns, Str path, bool is_folder) {
    if (path.len <= patterns->folder.len + 1 || !str_starts(path, patterns->folder))
        return -1;
    const char *relative = path.ptr + patterns->folder.len + (patterns->folder.len > 1);
    int last = -1;
    for (uint32_t i = 0; i < patterns->list.len; i++) {
        const Pattern *pattern = &patterns->list.items[i];
        if ((is_folder || !pattern->only_folders) && fits_path(pattern, relative))
            last = !pattern->negative;
    }
    return last;
}

static bool skips_real(Exclude *exclude, const Given *given, Str folder, Str path, bool is_folder) {
    int found = verdict(&given->here, path, is_folder);
    if (found < 0)
        found = verdict(&given->own, path, is_folder);
    if (found >= 0)
        return found == 1;
    for (const Patterns *p = given->gitignore ? patterns_of(exclude, folder) : NULL; p && found < 0;
         p = p->outer)
        found = verdict(p, path, is_folder);
    return found == 1;
}

// ---------------------------------------------------------------- the whole

static Str real_folder(Exclude *exclude, Str folder) {
    Name key = intern(folder);
    uintptr_t known;
    if (map_get(&exclude->real, key, &known))
        return name_str((Name)known);
    char real[PATH_MAX];
    Str found = realpath(folder.len ? name_str(key).ptr : ".", real) ? str_of(real) : folder;
    map_put(&exclude->real, key, intern(found));
    return name_str(intern(found));
}

static void read_patterns(Exclude *exclude, Patterns *patterns, const char *root, const char *const *texts) {
    patterns->folder = real_folder(exclude, str_of(root));
    for (const char *const *text = texts; text && *text; text++) {
        Pattern pattern;
        if (read_pattern(str_of(*text), exclude->arena, &pattern))
            vec_push(&patterns->list, pattern);
    }
}

static void read_given(Exclude *exclude, Given *given, const ExcludeOptions *options) {
    given->gitignore = !options->no_gitignore;
    read_patterns(exclude, &given->own, options->root ? options->root : ".", options->patterns);
    read_patterns(exclude, &given->here, ".", options->here);
}

static const Given *given_for(Exclude *exclude, Str folder) {
    const ExcludeOptions *options =
        exclude->options_of ? exclude->options_of(exclude->context, folder) : NULL;
    if (!options)
        return &exclude->given;
    Given *given = map_ptr(&exclude->others, map_key_ptr(options));
    if (given)
        return given;
    given = ARENA_NEW(exclude->arena, Given);
    read_given(exclude, given, options);
    map_put(&exclude->others, map_key_ptr(options), (uintptr_t)given);
    return given;
}

Exclude *exclude_new(const ExcludeOptions *options, ExcludeOptionsOf *options_of, void *context,
                     Arena *arena) {
    Exclude *exclude = ARENA_NEW(arena, Exclude);
    exclude->arena = arena;
    exclude->force = options->force;
    exclude->options_of = options_of;
    exclude->context = context;
    read_given(exclude, &exclude->given, options);
    return exclude;
}

static void free_given(Given *given) {
    vec_free(&given->own.list);
    vec_free(&given->here.list);
}

void exclude_free(Exclude *exclude) {
    for (uint32_t i = 0; i < exclude->all.len; i++)
        vec_free(&exclude->all.items[i]->list);
    for (uint32_t i = 0; i < exclude->others.len; i++)
        free_given((Given *)exclude->others.entries[i].value);
    free_given(&exclude->given);
    vec_free(&exclude->all);
    map_free(&exclude->folders);
    map_free(&exclude->others);
    map_free(&exclude->real);
}

// "a/b.py": the real path of a, and b.py below that.
static Str real_entry(Exclude *exclude, const char *path, Str *folder) {
    const char *slash = strrchr(path, '/');
    *folder = slash ? (Str){path, (size_t)(slash - path)} : STR("");
    *folder = slash == path ? STR("/") : real_folder(exclude, *folder);
    return str_format(exclude->arena, "%.*s/%s", STR_ARG(folder->len > 1 ? *folder : STR("")),
                      slash ? slash + 1 : path);
}

bool exclude_skips(Exclude *exclude, const char *path, bool is_folder) {
    Str folder, full = real_entry(exclude, path, &folder);
    return skips_real(exclude, given_for(exclude, folder), folder, full, is_folder);
}

// A folder above it too, as long as that lies below the one in which its own patterns stand.
bool exclude_skips_named(Exclude *exclude, const char *path) {
    if (!exclude->force)
        return false;
    char real[PATH_MAX];
    bool skips = exclude_skips(exclude, path, file_is_dir(path));
    Str up = realpath(path, real) ? str_dup(exclude->arena, str_of(real)) : str_of(path);
    while (!skips) {
        up = str_dup(exclude->arena, str_dirname(up));
        if (up.len < 2)
            break;
        Str folder, full = real_entry(exclude, up.ptr, &folder);
        const Given *given = given_for(exclude, folder);
        if (!str_starts(full, given->own.folder) || full.len == given->own.folder.len)
            break;
        skips = skips_real(exclude, given, folder, full, true);
    }
    return skips;
}
