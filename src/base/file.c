// Reading, and writing so that whatever happens the target holds either its old bytes or all of the new ones.
//
// Input: paths and bytes. Output: false with a reason ("cannot open: No such file or directory"; the caller puts the path
// before it). A write goes to a temporary file in the target's directory, is flushed to disk and renamed over the target.
//
// Declined: a target without write permission (a rename would go over it all the same), a directory, a chain of symlinks
// that does not end, a file above file_bytes_max, a pipe or a device that is not asked for as such. A target that is one
// (/dev/stdout) is written in place.
// An interrupt waits until a write is over, so that it leaves no temporary file.
// A target with several hard links becomes a file of its own: that is what a rename means.
#include "base/base.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    READ_STEP = 64 * 1024,
    SYMLINKS_MAX = 40, // as the kernel
    TEMPORARY_NAMES_MAX = 100,
};
static const size_t file_bytes_max = (size_t)1 << 31; // offsets into a source are 32 bits

static bool fail(Arena *arena, Str *why, const char *what) {
    *why = str_format(arena, "%s: %s", what, strerror(errno)); // glibc: thread-safe
    return false;
}

// What stands there instead.
static bool not_a_file(const struct stat *info, const char *what, Arena *arena, Str *why) {
    *why = str_format(arena, "%s: it is %s, not a file", what,
                      S_ISDIR(info->st_mode)    ? "a directory"
                      : S_ISLNK(info->st_mode)  ? "a link"
                      : S_ISFIFO(info->st_mode) ? "a pipe"
                      : S_ISSOCK(info->st_mode) ? "a socket"
                                                : "a device");
    return false;
}

// ---- reading

static bool read_all(int fd, Buf *into, Arena *arena, Str *why) {
    struct stat info;
    if (fstat(fd, &info) != 0)
        return fail(arena, why, "cannot read");
    if (S_ISDIR(info.st_mode)) {
        errno = EISDIR;
        return fail(arena, why, "cannot read");
    }
    size_t start = into->len;
    // One byte more than the size, so that the read which finds the end needs no growth.
    size_t step = S_ISREG(info.st_mode) && info.st_size > 0 ? (size_t)info.st_size + 1 : READ_STEP;
    while (into->len - start <= file_bytes_max) {
        if (step > file_bytes_max)
            break;
        size_t at = into->len;
        buf_repeat(into, '\0', step);
        ssize_t got = read(fd, into->ptr + at, step);
        into->len = at + (got > 0 ? (size_t)got : 0);
        into->ptr[into->len] = '\0';
        if (got == 0)
            return true;
        if (got < 0 && errno != EINTR)
            return fail(arena, why, "cannot read");
        step = into->cap - into->len - 1;
        if (step == 0)
            step = READ_STEP;
    }
    *why = STR("the file is larger than 2 GiB");
    return false;
}

bool file_read_stream(const char *path, Buf *into, Arena *arena, Str *why) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return fail(arena, why, "cannot open");
    size_t start = into->len;
    bool ok = read_all(fd, into, arena, why);
    if (!ok)
        into->len = start;
    close(fd);
    return ok;
}

// Opening a pipe waits until somebody writes, and a device may never end.
bool file_read(const char *path, Buf *into, Arena *arena, Str *why) {
    struct stat info;
    bool special = stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
    if (!special)
        return file_read_stream(path, into, arena, why);
    return not_a_file(&info, "cannot read", arena, why);
}

// ---- writing

// Over a file-size limit the kernel sends SIGXFSZ, which would end the process with the temporary file left behind.
// Held back on this thread, write() fails with EFBIG instead; the pending signal is then taken and dropped.
static bool write_all(int fd, Str bytes) {
    sigset_t limit, before;
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    pthread_sigmask(SIG_BLOCK, &limit, &before);
    bool ok = true;
    int error = 0;
    while (ok && bytes.len) {
        ssize_t wrote = write(fd, bytes.ptr, bytes.len);
        if (wrote >= 0)
            bytes = str_slice(bytes, (size_t)wrote, bytes.len);
        else if (errno != EINTR) {
            ok = false;
            error = errno;
        }
    }
    if (error == EFBIG && !sigismember(&before, SIGXFSZ)) {
        struct timespec now = {0};
        sigtimedwait(&limit, NULL, &now);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return ok;
}

// "a/b.py" gives "a/" and "b.py" gives "".
static Str directory_of(Str path) {
    while (path.len && path.ptr[path.len - 1] != '/')
        path.len--;
    return path;
}

// Follows symlinks by hand, because realpath() fails for a link to a file that is yet to be written.
static bool follow_links(const char **path, Arena *arena, Str *why) {
    char text[PATH_MAX];
    for (int i = 0; i < SYMLINKS_MAX; i++) {
        ssize_t len = readlink(*path, text, sizeof text);
        if (len < 0)
            return true; // no link, or nothing there
        Str link = {text, (size_t)len};
        Str base = len > 0 && text[0] == '/' ? STR("") : directory_of(str_of(*path));
        *path = str_format(arena, "%.*s%.*s", STR_ARG(base), STR_ARG(link)).ptr;
    }
    errno = ELOOP;
    return fail(arena, why, "cannot write");
}

// START-PID-N.tmp
static const char *temporary_name(Str start, Arena *arena) {
    static atomic_uint counter;
    unsigned number = atomic_fetch_add(&counter, 1);
    return str_format(arena, "%.*s-%ld-%u.tmp", STR_ARG(start), (long)getpid(), number).ptr;
}

// A short name in the same directory: that of the file itself may be as long as a name can be.
static Str temporary_start(const char *path, Arena *arena) {
    return str_format(arena, "%.*s.graphmend", STR_ARG(directory_of(str_of(path))));
}

static int open_temporary(Str start, mode_t mode, Arena *arena, const char **path) {
    for (int i = 0; i < TEMPORARY_NAMES_MAX; i++) {
        *path = temporary_name(start, arena);
        int fd = open(*path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

int file_open_temporary(const char *path, Arena *arena, const char **temporary) {
    return open_temporary(temporary_start(path, arena), 0600, arena, temporary);
}

// What a file that is written takes over from another: NULL, or the owner too of `target`, or the mode of `model`.
typedef struct Attributes {
    const struct stat *target, *model;
} Attributes;

// The target's owner as far as we may, then its mode: a change of owner clears set-id bits.
static bool keep_attributes(int fd, Attributes kept) {
    const struct stat *target = kept.target;
    if (target) {
        if ((target->st_uid != geteuid() || target->st_gid != getegid()) &&
            fchown(fd, target->st_uid, target->st_gid) != 0)
            return fchmod(fd, target->st_mode & 0777) == 0;
        return fchmod(fd, target->st_mode & 07777) == 0;
    }
    return !kept.model || fchmod(fd, kept.model->st_mode & 0777) == 0;
}

static void flush_directory(Str directory) {
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%.*s", STR_ARG(directory.len ? directory : STR(".")));
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return; // the bytes are safe; only the name might be the old one after a power cut
    fsync(fd);
    close(fd);
}

static bool put_in_place(const char *path, Str start, Attributes kept, mode_t mode, Str bytes, Arena *arena,
                         Str *why) {
    Str directory = directory_of(str_of(path));
    const char *temporary;
    // Others must not read it before it has the mode that it is to have.
    int fd = open_temporary(start, kept.target || kept.model ? 0600 : mode, arena, &temporary);
    if (fd < 0)
        return fail(arena, why, "cannot create a temporary file beside it");
    bool ok = write_all(fd, bytes) && keep_attributes(fd, kept) && fsync(fd) == 0;
    int error = errno;
    if (close(fd) != 0 && ok) { // network file systems report a full disk here
        ok = false;
        error = errno;
    }
    if (ok && rename(temporary, path) != 0) {
        ok = false;
        error = errno;
    }
    if (!ok) {
        unlink(temporary);
        errno = error;
        return fail(arena, why, "cannot write");
    }
    flush_directory(directory);
    return true;
}

static bool replace_file(const char *path, Str start, Attributes kept, mode_t mode, Str bytes, Arena *arena,
                         Str *why) {
    signals_hold();
    bool ok = put_in_place(path, start, kept, mode, bytes, arena, why);
    signals_release();
    return ok;
}

static bool write_in_place(const char *path, Str bytes, Arena *arena, Str *why) {
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return fail(arena, why, "cannot open for writing");
    bool ok = write_all(fd, bytes);
    if (!ok)
        fail(arena, why, "cannot write");
    close(fd);
    return ok;
}

static bool write_new(const char *path, const struct stat *target, Str bytes, const char *mode_from,
                      Arena *arena, Str *why) {
    struct stat model;
    Attributes kept = {.target = target, .model = mode_from && stat(mode_from, &model) == 0 ? &model : NULL};
    return replace_file(path, temporary_start(path, arena), kept, 0644, bytes, arena, why);
}

bool file_write_atomic(const char *path, Str bytes, const char *mode_from, Arena *arena, Str *why) {
    struct stat target;
    bool exists = stat(path, &target) == 0;
    errno = EISDIR;
    if (exists && (S_ISDIR(target.st_mode) || faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0))
        return fail(arena, why, "cannot write");
    // Before the links are followed: /dev/stdout is a link to a name that cannot be opened when it stands for a pipe.
    if (exists && !S_ISREG(target.st_mode))
        return write_in_place(path, bytes, arena, why);
    if (!follow_links(&path, arena, why))
        return false;
    return write_new(path, exists ? &target : NULL, bytes, mode_from, arena, why);
}

bool file_replaceable(const char *path, Arena *arena, Str *why) {
    struct stat there;
    errno = EISDIR;
    if (lstat(path, &there) != 0 || S_ISREG(there.st_mode) || S_ISLNK(there.st_mode))
        return true;
    return S_ISDIR(there.st_mode) ? fail(arena, why, "cannot write")
                                  : not_a_file(&there, "cannot write", arena, why);
}

bool file_replace(const char *path, Str bytes, const char *mode_from, Arena *arena, Str *why) {
    struct stat target;
    bool is_file = lstat(path, &target) == 0 && S_ISREG(target.st_mode);
    return file_replaceable(path, arena, why) &&
           write_new(path, is_file ? &target : NULL, bytes, mode_from, arena, why);
}

bool file_replace_by_link(const char *path, const char *target, Arena *arena, Str *why) {
    if (!file_replaceable(path, arena, why))
        return false;
    const char *temporary = temporary_name(temporary_start(path, arena), arena);
    signals_hold();
    bool made = symlink(target, temporary) == 0, ok = made && rename(temporary, path) == 0;
    if (!ok)
        fail(arena, why, "cannot write");
    if (made && !ok)
        unlink(temporary);
    signals_release();
    return ok;
}

bool file_write_private(const char *path, Str bytes, Arena *arena, Str *why) {
    struct stat target;
    if (lstat(path, &target) == 0 && !S_ISREG(target.st_mode))
        return not_a_file(&target, "cannot write", arena, why);
    return replace_file(path, str_of(path), (Attributes){0}, 0600, bytes, arena, why);
}

// ---- directories

bool file_is_dir(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && S_ISDIR(info.st_mode);
}

bool file_is_special(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

bool file_exists(const char *path) {
    struct stat info;
    return stat(path, &info) == 0;
}

bool file_holds(const char *path, Str bytes, Arena *arena) {
    Buf held = {0};
    Str why;
    bool same = file_exists(path) && file_read(path, &held, arena, &why) && str_eq(buf_view(&held), bytes);
    buf_free(&held);
    return same;
}

bool file_make_dirs(const char *path, Arena *arena, Str *why) {
    char *prefix = arena_dup(arena, path, strlen(path) + 1);
    for (char *at = prefix; *at; at++) {
        if (*at != '/' || at == prefix)
            continue;
        *at = '\0';
        (void)mkdir(prefix, 0777); // whether it worked shows at the last one
        *at = '/';
    }
    if (mkdir(prefix, 0777) == 0)
        return true;
    int error = errno;
    if (file_is_dir(path))
        return true;
    errno = error;
    return fail(arena, why, "cannot create the directory");
}
