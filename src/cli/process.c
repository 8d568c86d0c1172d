// Another program: run to its end, with what it wrote.
//
// It leads a process group of its own, so that what it started goes with it when an interrupt of ours ends it. Its output
// goes to unnamed files, which cannot fill up as pipes do while nobody reads.
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static int interrupted;

// Blocked from before there is a child, so that none can come before somebody waits for it.
typedef struct Signals {
    sigset_t waited, before;
    struct sigaction child;
} Signals;

static void hold_signals(Signals *signals) {
    static const int interrupts[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction now, usual = {.sa_handler = SIG_DFL};
    sigemptyset(&signals->waited);
    sigaddset(&signals->waited, SIGCHLD);
    for (int i = 0; i < 3; i++)
        if (sigaction(interrupts[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN) // nohup's stays ignored
            sigaddset(&signals->waited, interrupts[i]);
    sigaction(SIGCHLD, &usual, &signals->child);
    sigprocmask(SIG_BLOCK, &signals->waited, &signals->before);
}

static void let_signals(const Signals *signals) {
    sigaction(SIGCHLD, &signals->child, NULL);
    sigprocmask(SIG_SETMASK, &signals->before, NULL);
}

static _Noreturn void become(const char *const *argv, FILE *const files[2], const Signals *signals) {
    setpgid(0, 0);
    let_signals(signals);
    int nothing = open("/dev/null", O_RDONLY);
    if (dup2(nothing, STDIN_FILENO) >= 0 && dup2(fileno(files[0]), STDOUT_FILENO) >= 0 &&
        dup2(fileno(files[1]), STDERR_FILENO) >= 0)
        execv(argv[0], (char *const *)(void *)argv);
    dprintf(STDERR_FILENO, "cannot run %s: %s\n", argv[0], strerror(errno));
    _exit(127);
}

// Its status; an interrupt kills it and all that it started.
static int wait_for(pid_t pid, const Signals *signals) {
    int status = 0;
    while (waitpid(pid, &status, WNOHANG) == 0) {
        int number = sigwaitinfo(&signals->waited, NULL);
        if (number > 0 && number != SIGCHLD) {
            interrupted = number;
            kill(-pid, SIGKILL);
        }
    }
    return status;
}

static void read_back(FILE *file, Buf *into) {
    char step[4096];
    size_t got;
    rewind(file);
    while ((got = fread(step, 1, sizeof step, file)) > 0)
        buf_bytes(into, step, got);
}

bool process_run(Process *process, const char *const *argv) {
    *process = (Process){0};
    FILE *files[2] = {tmpfile(), tmpfile()};
    Signals signals;
    hold_signals(&signals);
    pid_t pid = files[0] && files[1] ? fork() : -1;
    if (pid == 0)
        become(argv, files, &signals);
    if (pid > 0) {
        setpgid(pid, pid); // whoever comes first
        int status = wait_for(pid, &signals);
        process->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        process->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        read_back(files[0], &process->said);
        read_back(files[1], &process->complaint);
    }
    let_signals(&signals);
    for (int i = 0; i < 2; i++)
        if (files[i])
            fclose(files[i]);
    return pid > 0;
}

int process_interrupted(void) {
    return interrupted;
}

void process_free(Process *process) {
    buf_free(&process->said);
    buf_free(&process->complaint);
}
