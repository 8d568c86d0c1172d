// Mirrors a folder: what was rewritten is written, everything else is copied, links are made anew (those that
// lead out of it with absolute targets), modes are kept.
//
// In:  a session that has checked `from`; an output folder, which may exist. Out: `to` holds the same entries. What lies
// there under other names is left alone.
// Nothing outside `to` is touched: a link in the place of a folder stops that folder, a link in the place of a file is
// replaced by the file. Declines, each with an error, and goes on: what cannot be read or written. Devices, pipes and
// sockets are left out with a warning.
// A copy is written under a temporary name and renamed, but streamed and not flushed to disk: trees hold weights.
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COPY_STEP = 256 * 1024, COPY_AT_ONCE = 64 << 20 };

typedef struct Entry {
    const char *relative;
    FileKind kind;
    mode_t mode; // of a folder, set when all is in it
    Str failure; // what to say; empty: fine
    bool is_warning;
} Entry;
typedef VEC(Entry) EntryVec;

typedef struct Mirror {
    const Options *options;
    const gm_session *session;
    const char *from, *to;
    EntryVec entries;
    VEC(const char *) missing; // runtimes that could not be written: neither is what imports them
    Arena *arena;              // of the walk; not for the entries worked on in parallel
} Mirror;

static bool visit_entry(void *context, const char *relative, FileKind kind) {
    Mirror *mirror = context;
    Entry entry = {.relative = str_dup(mirror->arena, str_of(relative)).ptr, .kind = kind};
    vec_push(&mirror->entries, entry);
    return true;
}

static void fail(Entry *entry, const char *text) {
    entry->failure = str_of(text);
}

// ---------------------------------------------------------------- folders and links, one after another

// A folder of the output. Its parent was made before it, so only its own name is in question.
static void make_folder(Mirror *mirror, Entry *entry) {
    const char *from = paths_join(mirror->arena, mirror->from, entry->relative);
    const char *to = paths_join(mirror->arena, mirror->to, entry->relative);
    struct stat model, there;
    if (lstat(from, &model) != 0) {
        fail(entry, strerror(errno));
        return;
    }
    entry->mode = model.st_mode & 0777;
    if (mkdir(to, 0700) == 0) // first: another run may be making it
        return;
    int error = errno;
    if (lstat(to, &there) != 0)
        fail(entry, strerror(error));
    else if (!S_ISDIR(there.st_mode))
        fail(entry, S_ISLNK(there.st_mode) ? "the output has a link in its place"
                                           : "the output has a file in its place");
}

// A relative link that leaves the tree would lead elsewhere from the output: it is made absolute.
static ssize_t read_link(const Mirror *mirror, const Entry *entry, char target[PATH_MAX]) {
    const char *from = paths_join(mirror->arena, mirror->from, entry->relative);
    char real[PATH_MAX];
    ssize_t len = readlink(from, target, PATH_MAX - 1);
    if (len <= 0 || target[0] == '/' || !realpath(from, real) ||
        paths_is_inside(real, mirror->from, mirror->arena))
        return len;
    strcpy(target, real);
    return (ssize_t)strlen(target);
}

static void make_link(Mirror *mirror, Entry *entry) {
    char target[PATH_MAX], already[PATH_MAX];
    const char *to = paths_join(mirror->arena, mirror->to, entry->relative);
    ssize_t len = read_link(mirror, entry, target);
    if (len < 0) {
        fail(entry, strerror(errno));
        return;
    }
    target[len] = '\0';
    ssize_t there = readlink(to, already, sizeof already);
    if (there != len || memcmp(target, already, (size_t)len) != 0)
        (void)file_replace_by_link(to, target, mirror->arena, &entry->failure);
}

// ---------------------------------------------------------------- files, in parallel

static bool stream(int from, int to) {
    // The kernel copies, or shares the blocks, where the file system can.
    for (ssize_t got; (got = copy_file_range(from, NULL, to, NULL, COPY_AT_ONCE, 0)) != 0;)
        if (got < 0 || signals_waiting())
            break;
    char *step = heap_alloc(COPY_STEP, 1);
    bool good = true;
    for (ssize_t got; good && (got = read(from, step, COPY_STEP)) != 0;) {
        if (got < 0) {
            good = errno == EINTR;
            continue;
        }
        for (ssize_t done = 0; good && done < got;) {
            ssize_t wrote = write(to, step + done, (size_t)(got - done));
            if (wrote > 0)
                done += wrote;
            else
                good = wrote < 0 && errno == EINTR;
        }
        if (good && signals_waiting())
            good = false, errno = EINTR;
    }
    int error = errno;
    free(step);
    errno = error;
    return good;
}

static bool copy_into(int in, const char *to, Arena *arena) {
    struct stat info;
    const char *temporary;
    int out = fstat(in, &info) == 0 ? file_open_temporary(to, arena, &temporary) : -1;
    if (out < 0)
        return false;
    bool good = stream(in, out) && fchmod(out, info.st_mode & 0777) == 0;
    int error = errno;
    if (close(out) != 0 && good)
        good = false, error = errno;
    if (good && rename(temporary, to) != 0)
        good = false, error = errno;
    if (!good)
        unlink(temporary);
    errno = error;
    return good;
}

static bool copy_file(const char *from, const char *to, Arena *arena, Str *why) {
    if (!file_replaceable(to, arena, why))
        return false;
    int in = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    bool good = in >= 0 && copy_into(in, to, arena);
    if (!good)
        *why = str_format(arena, "cannot copy %s: %s", from, strerror(errno));
    if (in >= 0)
        close(in);
    return good;
}

static bool lacks_runtime(const Mirror *mirror, const gm_file *file) {
    for (uint32_t i = 0; file && file->runtime && i < mirror->missing.len; i++)
        if (strcmp(file->runtime, mirror->missing.items[i]) == 0)
            return true;
    return false;
}

static void put_file(void *context, uint32_t index) {
    Mirror *mirror = context;
    Entry *entry = &vec_at(&mirror->entries, index);
    if (entry->kind == FILE_REGULAR && !entry->failure.len && signals_waiting())
        fail(entry, "interrupted");
    if (entry->kind != FILE_REGULAR || entry->failure.len)
        return;
    Arena *arena = arena_new();
    const char *from = paths_join(arena, mirror->from, entry->relative);
    const char *to = paths_join(arena, mirror->to, entry->relative);
    const gm_file *file = gm_file_find(mirror->session, from);
    Str why = STR("not written, as its runtime is missing");
    bool good = !lacks_runtime(mirror, file);
    if (good && file && file->output)
        good = file_replace(to, (Str){file->output, file->output_len}, from, arena, &why);
    else if (good)
        good = copy_file(from, to, arena, &why);
    if (!good)
        entry->failure = name_str(intern(why));
    arena_free(arena);
}

// Held by all that copy at once: an interrupt ends the process when each has finished its step.
static void put_files(Mirror *mirror) {
    signals_hold();
    pool_run(mirror->entries.len, mirror->options->jobs, put_file, mirror);
    signals_release();
}

// ---------------------------------------------------------------- the whole

// What lies in a folder that could not be made cannot be written either: one message is enough.
static bool is_below(const char *relative, const char *folder) {
    return folder && str_starts(str_of(relative), str_of(folder)) && relative[strlen(folder)] == '/';
}

static void note_unwritten(const Mirror *mirror, const Entry *entry, FileList *unwritten) {
    const gm_file *file =
        gm_file_find(mirror->session, paths_join(mirror->arena, mirror->from, entry->relative));
    if (file && file->output)
        vec_push(unwritten, file);
}

static void make_places(Mirror *mirror, FileList *unwritten) {
    const char *failed = NULL;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < mirror->entries.len; i++) {
        Entry entry = vec_at(&mirror->entries, i);
        if (is_below(entry.relative, failed)) {
            note_unwritten(mirror, &entry, unwritten);
            continue;
        }
        if (entry.kind == FILE_DIRECTORY)
            make_folder(mirror, &entry);
        else if (entry.kind == FILE_SYMLINK)
            make_link(mirror, &entry);
        else if (entry.kind == FILE_OTHER) {
            fail(&entry, "not a file: left out");
            entry.is_warning = true;
        }
        if (entry.kind == FILE_DIRECTORY && entry.failure.len)
            failed = entry.relative;
        mirror->entries.items[kept++] = entry;
    }
    mirror->entries.len = kept;
}

static uint32_t finish(Mirror *mirror, FileList *unwritten) {
    uint32_t failures = 0;
    for (uint32_t i = mirror->entries.len; i-- > 0;) { // a folder after what is in it
        const Entry *entry = &vec_at(&mirror->entries, i);
        if (entry->kind == FILE_DIRECTORY && entry->failure.len == 0)
            (void)chmod(paths_join(mirror->arena, mirror->to, entry->relative), entry->mode);
    }
    for (uint32_t i = 0; i < mirror->entries.len; i++) {
        const Entry *entry = &vec_at(&mirror->entries, i);
        if (entry->failure.len == 0)
            continue;
        const char *to = paths_join(mirror->arena, mirror->to, entry->relative);
        if (entry->is_warning) {
            console_note(mirror->options, "warning: %s/%s: %.*s", mirror->from, entry->relative,
                         STR_ARG(entry->failure));
            continue;
        }
        console_error(mirror->options, "%s: %.*s", to, STR_ARG(entry->failure));
        note_unwritten(mirror, entry, unwritten);
        failures++;
    }
    return failures;
}

// A file that the input may not have.
static bool put_runtime(const Mirror *mirror, const char *relative) {
    const char *path = paths_join(mirror->arena, mirror->to, relative);
    Str why = STR("its folder leads out of the output"), bytes;
    bytes.ptr = gm_runtime_text(&bytes.len);
    bool good = paths_is_inside(paths_folder(mirror->arena, path), mirror->to, mirror->arena);
    if (good && !gm_runtime_fits(path)) {
        why = STR("not a runtime of graphmend, and left as it is");
        good = false;
    }
    if (good)
        good = file_replace(path, bytes, NULL, mirror->arena, &why);
    if (!good)
        console_error(mirror->options, "%s: %.*s", path, STR_ARG(why));
    return good;
}

// Before the files that import them. An older one of the input is not copied over it.
static void put_runtimes(Mirror *mirror) {
    Str root = str_of(paths_join(mirror->arena, mirror->from, ""));
    for (size_t i = 0; i < gm_runtime_count(mirror->session); i++) {
        Str path = str_of(gm_runtime_path(mirror->session, i));
        CHECK(str_starts(path, root));
        const char *relative = path.ptr + root.len;
        if (!put_runtime(mirror, relative))
            vec_push(&mirror->missing, path.ptr);
        for (uint32_t k = 0; k < mirror->entries.len; k++)
            if (strcmp(vec_at(&mirror->entries, k).relative, relative) == 0)
                vec_at(&mirror->entries, k).kind = FILE_OTHER;
    }
}

uint32_t tree_mirror(const Options *options, const gm_session *session, const char *from, const char *to,
                     FileList *unwritten) {
    Mirror mirror = {.options = options, .session = session, .from = from, .to = to, .arena = arena_new()};
    Str why;
    uint32_t failures = 0;
    struct stat model;
    bool fresh = !file_exists(to) && stat(from, &model) == 0;
    if (!file_make_dirs(to, mirror.arena, &why)) {
        console_error(options, "%s: %.*s", to, STR_ARG(why));
        failures = 1;
        for (size_t i = 0; i < gm_file_count(session); i++)
            if (gm_file_at(session, i)->output)
                vec_push(unwritten, gm_file_at(session, i));
    } else {
        if (!file_walk(from, visit_entry, &mirror, mirror.arena, &why))
            failures++; // said when the folder was opened
        make_places(&mirror, unwritten);
        put_runtimes(&mirror);
        failures += mirror.missing.len;
        put_files(&mirror);
        failures += finish(&mirror, unwritten);
        if (fresh)
            (void)chmod(to, (model.st_mode & 0777) | S_IRWXU); // the runtime may have to go there
    }
    vec_free(&mirror.entries);
    vec_free(&mirror.missing);
    arena_free(mirror.arena);
    return failures;
}
