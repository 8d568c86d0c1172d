// Other programs: started, waited for with a limit, and what they wrote.
//
// Each is the leader of a process group of its own, so that what it started goes with it when it is killed. Its output goes
// to unnamed files, which cannot fill up as pipes do while nobody reads. An interrupt of ours ends them too.
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t interrupted;

static void on_interrupt(int number) {
    interrupted = number;
}

static _Noreturn void become(const Process *process, const char *const *argv) {
    setpgid(0, 0);
    int nothing = open("/dev/null", O_RDONLY);
    if (dup2(nothing, STDIN_FILENO) >= 0 && dup2(fileno(process->files[0]), STDOUT_FILENO) >= 0 &&
        dup2(fileno(process->files[1]), STDERR_FILENO) >= 0)
        execv(argv[0], (char *const *)(void *)argv);
    dprintf(STDERR_FILENO, "cannot run %s: %s\n", argv[0], strerror(errno));
    _exit(127);
}

bool process_start(Process *process, const char *const *argv) {
    *process = (Process){.pid = -1};
    for (int i = 0; i < 2; i++)
        if (!(process->files[i] = tmpfile()))
            return false;
    process->pid = fork();
    if (process->pid == 0)
        become(process, argv);
    if (process->pid > 0)
        setpgid(process->pid, process->pid); // whoever comes first
    return process->pid > 0;
}

static void read_back(FILE *file, Buf *into) {
    char step[4096];
    size_t got;
    rewind(file);
    while ((got = fread(step, 1, sizeof step, file)) > 0)
        buf_bytes(into, step, got);
}

static void finish(Process *process, int status) {
    if (process->state == PROCESS_RUNNING)
        process->state = WIFSIGNALED(status) ? PROCESS_KILLED : PROCESS_EXITED;
    process->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    process->pid = -1;
    read_back(process->files[0], &process->said);
    read_back(process->files[1], &process->complaint);
}

// How many are still running.
static int poll_all(Process *processes, int count) {
    int running = 0, status;
    for (int i = 0; i < count; i++) {
        if (processes[i].pid <= 0)
            continue;
        if (waitpid(processes[i].pid, &status, WNOHANG) > 0)
            finish(&processes[i], status);
        else
            running++;
    }
    return running;
}

static void kill_all(Process *processes, int count) {
    int status;
    for (int i = 0; i < count; i++) {
        if (processes[i].pid <= 0)
            continue;
        processes[i].state = PROCESS_TIMED_OUT;
        kill(-processes[i].pid, SIGKILL);
        while (waitpid(processes[i].pid, &status, 0) < 0 && errno == EINTR)
            continue;
        finish(&processes[i], status);
    }
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void process_wait(Process *processes, int count, double seconds) {
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction handler = {.sa_handler = on_interrupt}, before[3];
    for (int i = 0; i < 3; i++)
        sigaction(signals[i], &handler, &before[i]);
    double end = now() + seconds;
    while (poll_all(processes, count) > 0 && !interrupted && now() < end)
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
    kill_all(processes, count);
    for (int i = 0; i < 3; i++)
        sigaction(signals[i], &before[i], NULL);
}

int process_interrupted(void) {
    return (int)interrupted;
}

void process_free(Process *process) {
    for (int i = 0; i < 2; i++)
        if (process->files[i])
            fclose(process->files[i]);
    buf_free(&process->said);
    buf_free(&process->complaint);
}
