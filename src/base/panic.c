// What happens when a check of our own fails: one line on stderr, then abort().
//
// Input: the place in our source and a message. Output: none, the process ends. A user's mistake never comes here,
// it goes into a DiagList (diag.c); so does every limit that an input can reach.
#include "base/base.h"

#include <stdio.h>

_Noreturn void panic_at(const char *file, int line, const char *format, ...) {
    va_list args;
    va_start(args, format);
    flockfile(stderr); // one thread's message is not cut up by another's
    fprintf(stderr, "graphmend: internal error: %s:%d: ", file, line);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    fflush(stderr);
    funlockfile(stderr);
    va_end(args);
    abort();
}
