// The public API where only a caller in C can tell: what of the options is copied, sessions on several threads, files that
// change under it.
#include "unit/test.h"

#include "graphmend/graphmend.h"

static Arena *arena;
static char root[] = "/tmp/graphmend-unit-XXXXXX";

static const char MODEL[] = "import torch\n\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n"
                            "        print('a')\n        return x\n";

static const char *at(const char *relative) {
    return str_format(arena, "%s/%s", root, relative).ptr;
}

static void put(const char *path, const char *text) {
    Str why;
    CHECK(file_write_atomic(path, str_of(text), NULL, arena, &why));
}

static Str content(const char *path) {
    Buf buf = {0};
    Str why;
    CHECK(file_read(path, &buf, arena, &why));
    Str copy = str_dup(arena, buf_view(&buf));
    buf_free(&buf);
    return copy;
}

// ---------------------------------------------------------------- options

static const gm_options *nothing_else(void *context, const char *folder) {
    (void)context, (void)folder;
    return NULL;
}

TEST(options_are_copied) {
    Str why;
    CHECK(file_make_dirs(at("tree/sub"), arena, &why));
    put(at("tree/sub/keep.py"), MODEL);
    put(at("tree/sub/left.py"), MODEL);
    put(at("tree/sub/out.py"), MODEL);
    char pattern[] = "left.py", here[] = "out.py", *folder = strdup(at("tree"));
    const char *patterns[] = {pattern, NULL}, *heres[] = {here, NULL};
    gm_options options = {
        .exclude = patterns, .exclude_here = heres, .root = folder, .options_of = nothing_else};
    gm_session *session = gm_open(&options, NULL);
    memset(pattern, 'x', strlen(pattern));
    memset(here, 'x', strlen(here));
    memset(folder, 'x', strlen(folder));
    free(folder);
    patterns[0] = heres[0] = NULL;
    EXPECT(session && gm_add_path(session, at("tree")));
    gm_check(session);
    EXPECT(gm_file_count(session) == 1);
    EXPECT_STR(str_of(gm_file_at(session, 0)->path), at("tree/sub/keep.py"));
    gm_close(session);
}

// ---------------------------------------------------------------- writing

TEST(a_file_that_has_changed_since_is_left) {
    const char *changed = at("changed.py"), *gone = at("gone.py"), *same = at("same.py");
    const char *paths[] = {changed, gone, same};
    gm_session *session = gm_open(&(gm_options){.runtime = GM_RUNTIME_EMBED}, NULL);
    for (int i = 0; i < 3; i++) {
        put(paths[i], MODEL);
        CHECK(gm_add_path(session, paths[i]));
    }
    gm_check(session);
    put(changed, "x = 1\n");
    unlink(gone);
    EXPECT(!gm_fix(session));
    EXPECT_STR(content(changed), "x = 1\n");
    EXPECT(!file_exists(gone));
    EXPECT(str_find(content(same), STR("_graphmend"), NULL));
    EXPECT(gm_file_find(session, changed)->failed && gm_file_find(session, gone)->failed);
    EXPECT(!gm_file_find(session, same)->failed && gm_error_count(session) == 2);
    EXPECT_STR(str_of(gm_diagnostic_at(session, 0).message),
               "it has changed since it was read, and is left as it is");
    gm_close(session);
}

TEST(what_came_from_memory_is_written) {
    const char *path = at("memory.py");
    put(path, "old = 1\n");
    gm_session *session = gm_open(&(gm_options){.runtime = GM_RUNTIME_EMBED}, NULL);
    CHECK(gm_add_text(session, path, MODEL, strlen(MODEL)));
    EXPECT(gm_fix(session));
    EXPECT(str_find(content(path), STR("_graphmend"), NULL));
    gm_close(session);
}

// ---------------------------------------------------------------- threads

enum { FUNCTIONS = 60, SESSIONS = 24 };

// Functions that call each other in a circle, over tests that need facts of all of them.
static Str circle(void) {
    Buf buf = {0};
    buf_cstr(&buf, "import torch\n\n\n");
    for (int i = 0; i < FUNCTIONS; i++)
        buf_printf(&buf,
                   "def f%d(x, n):\n    y = f%d(x * 2, n)\n    while n:\n        y = f%d(y, n - 1)\n"
                   "    if y.sum() > %d:\n        print(y.shape)\n        return y\n    return x\n\n\n",
                   i, (i + 1) % FUNCTIONS, (i * 7 + 3) % FUNCTIONS, i);
    buf_cstr(&buf, "f = torch.compile(f0)\n");
    Str text = str_dup(arena, buf_view(&buf));
    buf_free(&buf);
    return text;
}

typedef struct Run {
    Str text;
    Buf results[SESSIONS];
} Run;

static void run_session(void *context, uint32_t index) {
    Run *run = context;
    gm_session *session = gm_open(&(gm_options){.jobs = 1}, NULL);
    CHECK(session && gm_add_text(session, "circle.py", run->text.ptr, run->text.len));
    gm_check(session);
    for (size_t i = 0; i < gm_finding_count(session); i++) {
        const gm_finding *finding = gm_finding_at(session, i);
        buf_printf(&run->results[index], "%u %s %d %s\n", finding->range.start.line, finding->code,
                   (int)finding->status, finding->reason ? finding->reason : "");
    }
    gm_close(session);
}

TEST(sessions_on_several_threads_do_not_mix) {
    Run alone = {.text = circle()}, together = {.text = alone.text};
    run_session(&alone, 0);
    EXPECT(alone.results[0].len > 0);
    pool_run(SESSIONS, 4, run_session, &together);
    bool same = true;
    for (int i = 0; i < SESSIONS; i++)
        same &= str_eq(buf_view(&alone.results[0]), buf_view(&together.results[i]));
    EXPECT(same);
    for (int i = 0; i < SESSIONS; i++)
        buf_free(&together.results[i]);
    buf_free(&alone.results[0]);
}

int main(void) {
    arena = arena_new();
    if (!mkdtemp(root) || chdir(root) != 0)
        return 1;
    RUN(options_are_copied);
    RUN(a_file_that_has_changed_since_is_left);
    RUN(what_came_from_memory_is_written);
    RUN(sessions_on_several_threads_do_not_mix);
    int status = system(str_format(arena, "rm -rf %s", root).ptr);
    arena_free(arena);
    return test_report() || status != 0;
}
