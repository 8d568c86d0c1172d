// How far the work is, as one line that is written over again and again: on a terminal only, and not with -q.
//
//     graphmend: rewriting 118 of 1875 files, 33 breaks found
#include "cli/cli.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { STEP_MS = 100 }; // nobody reads faster

static bool shown;
static struct timespec last;

static bool is_due(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t passed = (int64_t)(now.tv_sec - last.tv_sec) * 1000 + (now.tv_nsec - last.tv_nsec) / 1000000;
    if (passed < STEP_MS)
        return false;
    last = now;
    return true;
}

static void show(void *context, const gm_progress *progress) {
    (void)context;
    if (!is_due())
        return;
    if (progress->total)
        fprintf(stderr, "\r\033[Kgraphmend: %s %u of %u files, %u break%s found", progress->step,
                progress->done, progress->total, progress->found, progress->found == 1 ? "" : "s");
    else
        fprintf(stderr, "\r\033[Kgraphmend: %s", progress->step);
    fflush(stderr);
    shown = true;
}

void progress_start(const Options *options, gm_options *settings) {
    const char *terminal = getenv("TERM");
    if (options->quiet || !isatty(STDERR_FILENO) || (terminal && strcmp(terminal, "dumb") == 0))
        return;
    settings->progress = show;
}

void progress_end(void) {
    if (shown)
        fputs("\r\033[K", stderr);
    shown = false;
}
