// Reading, atomic writing and what remains after a write that fails, walking a tree.
#include "unit/test.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

static Arena *arena;
static char root[] = "/tmp/graphmend-unit-XXXXXX";
static Str why;

static const char *at(const char *relative) {
    return str_format(arena, "%s/%s", root, relative).ptr;
}

static Str content(const char *path) {
    Buf buf = {0};
    if (!file_read(path, &buf, arena, &why)) {
        buf_free(&buf);
        return STR("<unreadable>");
    }
    Str copy = str_dup(arena, buf_view(&buf));
    buf_free(&buf);
    return copy;
}

static bool put(const char *path, const char *text) {
    return file_write_atomic(path, str_of(text), NULL, arena, &why);
}

static unsigned mode_of(const char *path) {
    struct stat info;
    return stat(path, &info) == 0 ? info.st_mode & 07777 : 0;
}

static bool count_entry(void *context, const char *relative, FileKind kind) {
    (void)relative, (void)kind;
    ++*(int *)context;
    return true;
}

static int entries_in(const char *directory) {
    int count = 0;
    return file_walk(directory, count_entry, &count, arena, &why) ? count : -1;
}

TEST(read_and_write) {
    const char *path = at("plain.py");
    EXPECT(put(path, "one\n"));
    EXPECT_STR(content(path), "one\n");
    EXPECT(put(path, ""));
    EXPECT_STR(content(path), "");
    EXPECT(file_write_atomic(path, STR("a\0b"), NULL, arena, &why));
    EXPECT(str_eq(content(path), STR("a\0b")));
    EXPECT(file_exists(path) && !file_is_dir(path) && file_is_dir(root) && !file_exists(at("nothing")));
}

TEST(read_appends_and_restores) {
    Buf buf = {0};
    buf_cstr(&buf, "kept:");
    EXPECT(put(at("more.py"), "text"));
    EXPECT(file_read(at("more.py"), &buf, arena, &why));
    EXPECT_STR(buf_view(&buf), "kept:text");
    EXPECT(!file_read(root, &buf, arena, &why));
    EXPECT_STR(why, "cannot read: Is a directory");
    EXPECT(!file_read(at("nothing"), &buf, arena, &why));
    EXPECT_STR(why, "cannot open: No such file or directory");
    EXPECT_STR(buf_view(&buf), "kept:text");
    buf_free(&buf);
}

TEST(read_large_and_sizeless) {
    Buf big = {0}, back = {0};
    buf_repeat(&big, 'x', 3000000);
    EXPECT(file_write_atomic(at("big"), buf_view(&big), NULL, arena, &why));
    EXPECT(file_read(at("big"), &back, arena, &why) && str_eq(buf_view(&big), buf_view(&back)));
    buf_free(&big);
    buf_free(&back);
    EXPECT(file_read("/proc/self/status", &back, arena, &why) && back.len > 100); // says it has 0 bytes
    buf_free(&back);
}

TEST(write_keeps_the_mode) {
    const char *path = at("mode.py");
    mode_t before = umask(027);
    EXPECT(put(path, "x"));
    EXPECT(mode_of(path) == 0640);
    umask(before);
    chmod(path, 0751);
    EXPECT(put(path, "y") && mode_of(path) == 0751);
    EXPECT(file_write_atomic(at("copy.py"), STR("z"), path, arena, &why) && mode_of(at("copy.py")) == 0751);
}

// The mode bits for others of what lies in the folder under a temporary name.
static mode_t open_to_others(const char *folder, bool *seen) {
    mode_t mode = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *item; dir && (item = readdir(dir));) {
        struct stat info;
        if (str_ends(str_of(item->d_name), STR(".tmp")) && fstatat(dirfd(dir), item->d_name, &info, 0) == 0) {
            *seen = true;
            mode |= info.st_mode & 0077;
        }
    }
    if (dir)
        closedir(dir);
    return mode;
}

// Watched from outside while it is written.
TEST(what_is_private_is_so_from_the_start) {
    EXPECT(file_make_dirs(at("private"), arena, &why));
    const char *folder = at("private"), *path = at("private/secret.py"), *fresh = at("private/entry");
    EXPECT(put(path, "x") && chmod(path, 0600) == 0);
    pid_t child = fork();
    if (child == 0) {
        Buf big = {0};
        buf_repeat(&big, 'x', 4 << 20);
        for (int i = 0; i < 20; i++)
            if (!file_write_atomic(path, buf_view(&big), NULL, arena, &why) ||
                !file_write_atomic(at("private/copy.py"), buf_view(&big), path, arena, &why) ||
                !file_write_private(fresh, buf_view(&big), arena, &why))
                _exit(1);
        _exit(0);
    }
    bool seen = false;
    mode_t mode = 0;
    int status = 0;
    while (waitpid(child, &status, WNOHANG) == 0)
        mode |= open_to_others(folder, &seen);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    EXPECT(seen && mode == 0);
    EXPECT(mode_of(path) == 0600 && mode_of(at("private/copy.py")) == 0600 && mode_of(fresh) == 0600);
}

TEST(write_follows_symlinks) {
    EXPECT(file_make_dirs(at("real/deep"), arena, &why) && file_make_dirs(at("links"), arena, &why));
    EXPECT(put(at("real/deep/target.py"), "old"));
    EXPECT(symlink("../real/deep/target.py", at("links/one.py")) == 0);
    EXPECT(symlink("one.py", at("links/two.py")) == 0);
    EXPECT(put(at("links/two.py"), "new"));
    EXPECT_STR(content(at("real/deep/target.py")), "new");
    struct stat info;
    EXPECT(lstat(at("links/two.py"), &info) == 0 && S_ISLNK(info.st_mode));
    EXPECT(lstat(at("links/one.py"), &info) == 0 && S_ISLNK(info.st_mode));

    EXPECT(symlink("../real/fresh.py", at("links/dangling.py")) == 0);
    EXPECT(put(at("links/dangling.py"), "made"));
    EXPECT_STR(content(at("real/fresh.py")), "made");

    EXPECT(symlink("loop.py", at("links/loop.py")) == 0);
    EXPECT(!put(at("links/loop.py"), "x"));
    EXPECT(entries_in(at("links")) == 4 && entries_in(at("real")) == 3);
}

TEST(write_to_a_device) {
    EXPECT(put("/dev/null", "x"));
    EXPECT(!put("/dev/full", "x"));
    EXPECT_STR(why, "cannot write: No space left on device");
}

TEST(write_declines) {
    EXPECT(!put(root, "x"));
    EXPECT(!put(at("no/such/folder.py"), "x"));
    EXPECT_STR(why, "cannot create a temporary file beside it: No such file or directory");
    EXPECT(put(at("a_file"), "x") && !put(at("a_file/below.py"), "x"));
    EXPECT_STR(content(at("a_file")), "x");
}

// In a child, as nobody: root may write anywhere.
TEST(write_without_permission) {
    EXPECT(file_make_dirs(at("locked"), arena, &why));
    EXPECT(put(at("locked/open.py"), "old") && put(at("locked/readonly.py"), "old"));
    chmod(at("locked/open.py"), 0666);
    chmod(at("locked/readonly.py"), 0444);
    chmod(root, 0755);
    chmod(at("locked"), 0555);
    pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
            _exit(3);
        bool denied = !put(at("locked/open.py"), "new") && !put(at("locked/fresh.py"), "new");
        _exit(denied && !put(at("locked/readonly.py"), "new") ? 0 : 1);
    }
    int status = 0;
    EXPECT(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    EXPECT_STR(content(at("locked/open.py")), "old");
    EXPECT_STR(content(at("locked/readonly.py")), "old");
    EXPECT(entries_in(at("locked")) == 2);
    chmod(at("locked"), 0755);
}

// In a child, under a file-size limit: each number of bytes that fit before the write fails.
TEST(write_that_fails_leaves_the_old_file) {
    EXPECT(file_make_dirs(at("limit"), arena, &why));
    const char *path = at("limit/file.py");
    EXPECT(put(path, "old bytes"));
    for (rlim_t limit = 0; limit < 20; limit += 3) {
        pid_t child = fork();
        if (child == 0) {
            struct rlimit size = {limit, limit};
            setrlimit(RLIMIT_FSIZE, &size);
            bool refused = !put(path, "new bytes that are longer");
            _exit(refused && str_eq(why, STR("cannot write: File too large")) ? 0 : 1);
        }
        int status = 0;
        EXPECT(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
        EXPECT_STR(content(path), "old bytes");
        EXPECT(entries_in(at("limit")) == 1);
    }
}

static void write_one(void *context, uint32_t index) {
    Arena *mine = arena_new();
    Str reason = {0};
    char text[4096];
    memset(text, 'a' + (int)(index % 26), sizeof text);
    if (!file_write_atomic(context, (Str){text, sizeof text}, NULL, mine, &reason))
        PANIC("write failed: %.*s", STR_ARG(reason));
    arena_free(mine);
}

TEST(writes_from_several_threads_do_not_mix) {
    EXPECT(file_make_dirs(at("threads"), arena, &why));
    const char *path = at("threads/file.py");
    pool_run(100, 8, write_one, (void *)(uintptr_t)path);
    Str text = content(path);
    EXPECT(text.len == 4096 && memcmp(text.ptr, text.ptr + 1, 4095) == 0);
    EXPECT(entries_in(at("threads")) == 1);
}

TEST(make_dirs) {
    EXPECT(file_make_dirs(at("x/y/z"), arena, &why) && file_is_dir(at("x/y/z")));
    EXPECT(file_make_dirs(at("x/y/z/"), arena, &why) && file_make_dirs(at("x/y"), arena, &why));
    EXPECT(put(at("x/file"), "") && !file_make_dirs(at("x/file"), arena, &why));
    EXPECT_STR(why, "cannot create the directory: File exists");
    EXPECT(!file_make_dirs(at("x/file/below"), arena, &why));
}

typedef struct Listing {
    Buf text;
    const char *skip;
} Listing;

static bool list_entry(void *context, const char *relative, FileKind kind) {
    Listing *listing = context;
    buf_printf(&listing->text, "%s%c ", relative, "-/@?"[kind]);
    return !listing->skip || strcmp(relative, listing->skip) != 0;
}

TEST(walk_order_and_kinds) {
    EXPECT(file_make_dirs(at("walk/b/inner"), arena, &why) && file_make_dirs(at("walk/a"), arena, &why));
    EXPECT(put(at("walk/b/inner/x.py"), "") && put(at("walk/b.py"), "") && put(at("walk/B.py"), ""));
    EXPECT(symlink("..", at("walk/a/up")) == 0 && mkfifo(at("walk/pipe"), 0600) == 0);
    Listing listing = {0};
    EXPECT(file_walk(at("walk"), list_entry, &listing, arena, &why));
    EXPECT_STR(buf_view(&listing.text), "B.py- a/ a/up@ b/ b/inner/ b/inner/x.py- b.py- pipe? ");
    buf_free(&listing.text);
    listing.skip = "b";
    EXPECT(file_walk(at("walk/"), list_entry, &listing, arena, &why));
    EXPECT_STR(buf_view(&listing.text), "B.py- a/ a/up@ b/ b.py- pipe? ");
    buf_free(&listing.text);
}

TEST(walk_goes_on_after_a_failure) {
    Listing listing = {0};
    EXPECT(!file_walk(at("nothing"), list_entry, &listing, arena, &why));
    EXPECT_STR(why, "cannot read the directory: No such file or directory");
    Buf deep = {0};
    buf_cstr(&deep, at("deep"));
    for (int i = 0; i < 140; i++)
        buf_cstr(&deep, "/d");
    EXPECT(file_make_dirs(deep.ptr, arena, &why) && put(at("deep/last.py"), ""));
    EXPECT(!file_walk(at("deep"), list_entry, &listing, arena, &why));
    EXPECT(str_find(why, STR("nested more than 128 levels deep"), NULL));
    EXPECT(str_ends(buf_view(&listing.text), STR(" last.py- ")));
    buf_free(&listing.text);
    buf_free(&deep);
}

int main(void) {
    arena = arena_new();
    if (!mkdtemp(root))
        return 1;
    RUN(read_and_write);
    RUN(read_appends_and_restores);
    RUN(read_large_and_sizeless);
    RUN(write_keeps_the_mode);
    RUN(what_is_private_is_so_from_the_start);
    RUN(write_follows_symlinks);
    RUN(write_to_a_device);
    RUN(write_declines);
    RUN(write_without_permission);
    RUN(write_that_fails_leaves_the_old_file);
    RUN(writes_from_several_threads_do_not_mix);
    RUN(make_dirs);
    RUN(walk_order_and_kinds);
    RUN(walk_goes_on_after_a_failure);
    const char *remove = str_format(arena, "rm -rf %s", root).ptr;
    int status = system(remove);
    arena_free(arena);
    return test_report() || status != 0;
}
