// Runs a fuzz harness over the files of its corpus, for builds without libFuzzer: the corpus is part of every test run.
//
//     fuzz_NAME FOLDER...  prints "N passed, 0 failed"; a property that does not hold aborts
#include "base/base.h"

#include <signal.h>
#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

void __sanitizer_set_death_callback(void (*callback)(void))
    __attribute__((weak)); // there in sanitized builds

static const char *running = "nothing";

static void name_the_culprit(void) {
    fprintf(stderr, "failed on %s\n", running);
}

static void on_signal(int number) {
    name_the_culprit();
    signal(number, SIG_DFL);
    raise(number);
}

typedef struct Replay {
    const char *folder;
    Arena *arena;
    uint32_t count;
} Replay;

static bool run_file(void *context, const char *relative, FileKind kind) {
    Replay *replay = context;
    if (kind != FILE_REGULAR)
        return true;
    Buf bytes = {0};
    Str why;
    const char *path = str_format(replay->arena, "%s/%s", replay->folder, relative).ptr;
    if (!file_read(path, &bytes, replay->arena, &why))
        PANIC("%s: %.*s", path, STR_ARG(why));
    running = path;
    LLVMFuzzerTestOneInput((const uint8_t *)bytes.ptr, bytes.len);
    replay->count++;
    buf_free(&bytes);
    return true;
}

int main(int argc, char **argv) {
    signal(SIGABRT, on_signal);
    if (__sanitizer_set_death_callback)
        __sanitizer_set_death_callback(name_the_culprit);
    else
        signal(SIGSEGV, on_signal);
    Replay replay = {.arena = arena_new()};
    for (int i = 1; i < argc; i++) {
        Str why;
        replay.folder = argv[i];
        if (!file_walk(argv[i], run_file, &replay, replay.arena, &why))
            PANIC("%s: %.*s", argv[i], STR_ARG(why));
    }
    printf("%u passed, 0 failed\n", replay.count);
    running = "nothing";
    arena_free(replay.arena);
    return 0;
}
