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

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number) {
    interrupted = number;
}

static _Noreturn void become(const char *const *argv, FILE *const files[2]) {
    setpgid(0, 0);
    int nothing = open("/dev/null", O_RDONLY);
    if (dup2(nothing, STDIN_FILENO) >= 0 && dup2(fileno(files[0]), STDOUT_FILENO) >= 0 &&
        dup2(fileno(files[1]), STDERR_FILENO) >= 0)
        execv(argv[0], (char *const *)(void *)argv);
    dprintf(STDERR_FILENO, "cannot run %s: %s\n", argv[0], strerror(errno));
    _exit(127);
}

// Its status; an interrupt kills it and all that it started.
static int wait_for(pid_t pid) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction handler = {.sa_handler = on_interrupt}, before[3];
    int status = 0;
    for (int i = 0; i < 3; i++)
        sigaction(signals[i], &handler, &before[i]);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        if (interrupted)
            kill(-pid, SIGKILL);
    for (int i = 0; i < 3; i++)
        sigaction(signals[i], &before[i], NULL);
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
    pid_t pid = files[0] && files[1] ? fork() : -1;
    if (pid == 0)
        become(argv, files);
    if (pid > 0) {
        setpgid(pid, pid); // whoever comes first
        int status = wait_for(pid);
        process->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
        process->code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        read_back(files[0], &process->said);
        read_back(files[1], &process->complaint);
    }
    for (int i = 0; i < 2; i++)
        if (files[i])
            fclose(files[i]);
    return pid > 0;
}

int process_interrupted(void) {
    return (int)interrupted;
}

void process_free(Process *process) {
    buf_free(&process->said);
    buf_free(&process->complaint);
}
