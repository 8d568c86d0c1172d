// graphmend verify ORIGINAL PATCHED: runs both under torch.compile, each in a process of graphmend-host, and compares what
// they did in a third. This program itself knows no Python: it starts the processes, waits, and shows the verdict, which
// src/verify/graphmend_verify/judge.py writes.
// Exit: 0 equal and no more breaks; 1 different or worse; 2 where one side cannot run, is killed or takes too long.
#include "cli/cli.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <unistd.h>

static const double default_timeout = 600;
enum { WORDS_MAX = 32 };

typedef struct Side {
    const char *path, *record;
} Side;

typedef struct Verify {
    const Options *options;
    const char *host, *script; // script: main.py of src/verify
    const char *folder;        // temporary
    const char *name, *beside; // of the original: what both are called, and its folder
    const char *inputs;
    Side sides[2];
    double timeout;
} Verify;

typedef struct Line {
    const char *words[WORDS_MAX];
    int count;
} Line;

static void add(Line *line, const char *word) {
    CHECK(line->count + 1 < WORDS_MAX);
    line->words[line->count++] = word;
    line->words[line->count] = NULL;
}

static void add_option(Line *line, const char *name, const char *value) {
    if (value)
        add(line, name), add(line, value);
}

// ---------------------------------------------------------------- what is given

static const char *join(const Options *options, const char *folder, const char *name) {
    return str_format(options->arena, "%s/%s", folder, name).ptr;
}

static const char *folder_of(const Options *options, const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? str_dup(options->arena, (Str){path, (size_t)(slash - path)}).ptr : ".";
}

// An absolute path without links; NULL, and said so, if nothing is there.
static const char *real(const Options *options, const char *path) {
    char found[PATH_MAX];
    if (realpath(path, found))
        return str_dup(options->arena, str_of(found)).ptr;
    console_error(options, "%s: %s", path, strerror(errno));
    return NULL;
}

static bool find_host(Verify *verify) {
    const Options *options = verify->options;
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    verify->host = options->host ? options->host : join(options, folder_of(options, self), "graphmend-host");
    if (access(verify->host, X_OK) != 0) {
        console_error(
            options,
            "verify needs the program graphmend-host, which is not at %s. It is built with "
            "-DGRAPHMEND_VERIFY=ON, for a Python with torch (./dev build verify makes build/verify)",
            verify->host);
        return false;
    }
    verify->host = real(options, verify->host);
    // Beside the host where it was built; under share/ where it is installed.
    const char *folder = folder_of(options, verify->host);
    verify->script = join(options, folder, "scripts/main.py");
    if (!file_exists(verify->script))
        verify->script = join(options, folder, "../share/graphmend/verify/main.py");
    return true;
}

static bool read_timeout(Verify *verify) {
    const char *text = verify->options->timeout;
    char *end = NULL;
    verify->timeout = text ? strtod(text, &end) : default_timeout;
    if (!text || (end != text && !*end && verify->timeout > 0 && isfinite(verify->timeout)))
        return true;
    console_error(verify->options, "'--timeout' takes a number of seconds, not '%s'", text);
    return false;
}

static bool is_number(const Options *options, const char *name, const char *text) {
    char *end = NULL;
    if (!text || (strtod(text, &end) >= 0 && end != text && !*end))
        return true;
    console_error(options, "'--%s' takes a number, not '%s'", name, text);
    return false;
}

static bool read_sides(Verify *verify) {
    const Options *options = verify->options;
    if (options->arguments.len != 2) {
        console_error(options, "verify takes the original and the patched file or folder");
        return false;
    }
    for (int i = 0; i < 2; i++)
        if (!(verify->sides[i].path = real(options, options->arguments.items[i])))
            return false;
    if (file_is_dir(verify->sides[0].path) != file_is_dir(verify->sides[1].path)) {
        console_error(options, "verify takes two files or two folders, not one of each");
        return false;
    }
    const char *original = verify->sides[0].path;
    Str name = str_of(strrchr(original, '/') + 1);
    if (str_ends(name, STR(".py")))
        name.len -= strlen(".py");
    verify->name = str_dup(options->arena, name).ptr;
    verify->beside = folder_of(options, original);
    return !options->inputs || (verify->inputs = real(options, options->inputs));
}

static bool prepare(Verify *verify) {
    const Options *options = verify->options;
    if (!read_sides(verify) || !read_timeout(verify) || !is_number(options, "rtol", options->rtol) ||
        !is_number(options, "atol", options->atol) || !find_host(verify))
        return false;
    const char *base = getenv("TMPDIR");
    const char *pattern = join(options, base && *base ? base : "/tmp", "graphmend-verify-XXXXXX");
    char *folder = arena_dup(options->arena, pattern, strlen(pattern) + 1);
    verify->folder = mkdtemp(folder);
    if (!verify->folder) {
        console_error(options, "%s: %s", folder, strerror(errno));
        return false;
    }
    verify->sides[0].record = join(options, verify->folder, "original");
    verify->sides[1].record = join(options, verify->folder, "patched");
    return true;
}

// ---------------------------------------------------------------- the processes

static const char *backend_name(const Options *options) {
    static const char *const names[] = {"eager", "aot_eager", "inductor"};
    return names[options->backend];
}

static Line host_line(const Verify *verify, const char *what) {
    Line line = {.count = 0};
    add(&line, verify->host);
    add_option(&line, "--python", verify->options->python);
    add(&line, verify->script);
    add(&line, what);
    return line;
}

static bool start(const Verify *verify, Process *process, const Line *line) {
    if (process_start(process, line->words))
        return true;
    console_error(verify->options, "cannot start %s: %s", verify->host, strerror(errno));
    return false;
}

static bool start_side(const Verify *verify, int i, Process *process) {
    Line line = host_line(verify, "record");
    add_option(&line, "--path", verify->sides[i].path);
    add_option(&line, "--name", verify->name);
    add_option(&line, "--beside", verify->beside);
    add_option(&line, "--entry", verify->options->verify_entry);
    add_option(&line, "--inputs", verify->inputs);
    add_option(&line, "--backend", backend_name(verify->options));
    add_option(&line, "--output", verify->sides[i].record);
    return start(verify, process, &line);
}

// The first line of what the process said of itself is the message; all else is for who wants to know.
static void say_failure(const Verify *verify, const char *what, const Process *process) {
    Str said = str_trim(buf_view(&process->said));
    size_t end;
    if (said.len == 0)
        said = str_trim(buf_view(&process->complaint));
    if (!str_find(said, STR("\n"), &end))
        end = said.len;
    switch (process->state) {
    case PROCESS_TIMED_OUT:
        if (process_interrupted())
            return;
        console_error(verify->options, "%s takes longer than %g s (see --timeout)", what, verify->timeout);
        return;
    case PROCESS_KILLED:
        console_error(verify->options, "%s: the process died of signal %d (%s)", what, process->code,
                      strsignal(process->code));
        end = 0;
        break;
    default:
        console_error(verify->options, "%s cannot be run: %.*s", what, (int)end, said.ptr);
    }
    Str rest = str_trim(str_slice(said, end, said.len));
    if (rest.len)
        fprintf(stderr, "%.*s\n", STR_ARG(rest));
}

static bool run_sides(const Verify *verify) {
    Process processes[2] = {{.pid = -1}, {.pid = -1}};
    bool good = start_side(verify, 0, &processes[0]) && start_side(verify, 1, &processes[1]);
    process_wait(processes, 2, good ? verify->timeout : 0);
    for (int i = 0; i < 2; i++) {
        if (good && (processes[i].state != PROCESS_EXITED || processes[i].code != 0)) {
            say_failure(verify, verify->options->arguments.items[i], &processes[i]);
            // What is wrong with both is said once.
            good = false;
        }
    }
    for (int i = 0; i < 2; i++)
        process_free(&processes[i]);
    return good;
}

static int run_judge(const Verify *verify, const char *verdict) {
    const Options *options = verify->options;
    Line line = host_line(verify, "judge");
    add(&line, verify->sides[0].record);
    add(&line, verify->sides[1].record);
    add_option(&line, "--format", options->verify_format == 0 ? "text" : "json");
    add_option(&line, "--output", verdict);
    add_option(&line, "--rtol", options->rtol);
    add_option(&line, "--atol", options->atol);
    Process process;
    bool good = start(verify, &process, &line);
    process_wait(&process, 1, good ? verify->timeout : 0);
    int code = process.code;
    // Python exits with 1 of its own accord too, but then it wrote no verdict.
    if (good && (process.state != PROCESS_EXITED || code > 1 || !file_exists(verdict))) {
        say_failure(verify, "the comparison", &process);
        good = false;
    }
    process_free(&process);
    return good ? code : EXIT_TROUBLE;
}

// ---------------------------------------------------------------- the verdict

static bool show(const Options *options, const char *verdict) {
    Buf bytes = {0};
    Str why;
    bool good = file_read(verdict, &bytes, options->arena, &why);
    if (good && !options->output_file)
        good = console_write(options, buf_view(&bytes));
    else if (good && !file_write_atomic(options->output_file, buf_view(&bytes), NULL, options->arena, &why)) {
        console_error(options, "%s: %.*s", options->output_file, STR_ARG(why));
        good = false;
    }
    buf_free(&bytes);
    return good;
}

int cmd_verify(const Options *options) {
    Verify verify = {.options = options};
    if (!prepare(&verify))
        return EXIT_TROUBLE;
    const char *verdict = join(options, verify.folder, "verdict");
    int code = run_sides(&verify) ? run_judge(&verify, verdict) : EXIT_TROUBLE;
    if (code != EXIT_TROUBLE && !show(options, verdict))
        code = EXIT_TROUBLE;
    unlink(verify.sides[0].record);
    unlink(verify.sides[1].record);
    unlink(verdict);
    rmdir(verify.folder);
    if (process_interrupted())
        raise(process_interrupted());
    return code;
}
