// What asks a process to end waits while a file is half written, so that no temporary file is left behind.
//
// A signal goes to any thread that does not hold it: before several threads write, their starter holds, and what it starts
// holds too.
#include "base/base.h"

#include <signal.h>

static const int held[] = {SIGINT, SIGTERM, SIGHUP};

static _Thread_local uint32_t depth;
static _Thread_local sigset_t before;

// One that is ignored (nohup) ends nothing; held, it would wait all the same.
static bool is_ignored(int number) {
    struct sigaction action;
    return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

void signals_hold(void) {
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof held / sizeof *held; i++)
        if (!is_ignored(held[i]))
            sigaddset(&set, held[i]);
    if (depth++ == 0)
        pthread_sigmask(SIG_BLOCK, &set, &before);
}

void signals_release(void) {
    if (--depth == 0)
        pthread_sigmask(SIG_SETMASK, &before, NULL);
}

bool signals_waiting(void) {
    sigset_t pending;
    if (sigpending(&pending) != 0)
        return false;
    for (size_t i = 0; i < sizeof held / sizeof *held; i++)
        if (sigismember(&pending, held[i]) == 1)
            return true;
    return false;
}
