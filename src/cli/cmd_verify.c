// graphmend verify ORIGINAL PATCHED: runs both under torch.compile and compares what they did. This program itself knows no
// Python: it starts graphmend-host, which forks a process for each side (src/verify/graphmend_verify/sides.py), and shows the
// verdict that comes from there.
// Exit: 0 equal and no more breaks; 1 different or worse; 2 where one side cannot run, is killed or takes too long.
#include "cli/cli.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <unistd.h>

enum { WORDS_MAX = 32 };

typedef struct Verify {
    const Options *options;
    const char *host, *script; // script: main.py of src/verify
    const char *name, *beside; // of the original: what both are called, and its folder
    const char *inputs;
    const char *sides[2];
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
    verify->host = options->host
                       ? options->host
                       : paths_join(options->arena, paths_folder(options->arena, self), "graphmend-host");
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
    const char *folder = paths_folder(options->arena, verify->host);
    verify->script = paths_join(options->arena, folder, "scripts/main.py");
    if (!file_exists(verify->script))
        verify->script = paths_join(options->arena, folder, "../share/graphmend/verify/main.py");
    return true;
}

static bool is_number(const Options *options, const char *name, const char *text, double least) {
    char *end = NULL;
    if (!text || (strtod(text, &end) >= least && end != text && !*end))
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
        if (!(verify->sides[i] = real(options, options->arguments.items[i])))
            return false;
    if (file_is_dir(verify->sides[0]) != file_is_dir(verify->sides[1])) {
        console_error(options, "verify takes two files or two folders, not one of each");
        return false;
    }
    const char *original = verify->sides[0];
    Str name = str_basename(str_of(original));
    if (str_ends(name, STR(".py")))
        name.len -= strlen(".py");
    verify->name = str_dup(options->arena, name).ptr;
    verify->beside = paths_folder(options->arena, original);
    return !options->inputs || (verify->inputs = real(options, options->inputs));
}

static bool prepare(Verify *verify) {
    const Options *options = verify->options;
    return read_sides(verify) && is_number(options, "timeout", options->timeout, 0) &&
           is_number(options, "rtol", options->rtol, 0) && is_number(options, "atol", options->atol, 0) &&
           find_host(verify);
}

// ---------------------------------------------------------------- the host

static Line host_line(const Verify *verify) {
    const Options *options = verify->options;
    Line line = {.count = 0};
    add(&line, verify->host);
    add_option(&line, "--python", options->python);
    add(&line, verify->script);
    add_option(&line, "--original", verify->sides[0]);
    add_option(&line, "--patched", verify->sides[1]);
    add_option(&line, "--name", verify->name);
    add_option(&line, "--beside", verify->beside);
    add_option(&line, "--entry", options->verify_entry);
    add_option(&line, "--inputs", verify->inputs);
    add_option(&line, "--backend", options_choice(options, "backend"));
    add_option(&line, "--format", options_choice(options, "output-format"));
    add_option(&line, "--timeout", options->timeout);
    add_option(&line, "--rtol", options->rtol);
    add_option(&line, "--atol", options->atol);
    return line;
}

// The first line of what the host said is the message; the rest is for who wants to know. Python's own words, if that is
// all there is, end with what happened.
static void say_failure(const Verify *verify, const Process *process) {
    Str said = str_trim(buf_view(&process->said)), complaint = str_trim(buf_view(&process->complaint));
    size_t end;
    if (process->signal)
        console_error(verify->options, "graphmend-host died of signal %d (%s)", process->signal,
                      strsignal(process->signal));
    else if (said.len == 0)
        console_error(verify->options, "graphmend-host failed");
    if (said.len == 0)
        said = complaint;
    else {
        if (!str_find(said, STR("\n"), &end))
            end = said.len;
        console_error(verify->options, "%.*s", (int)end, said.ptr);
        said = str_trim(str_slice(said, end, said.len));
    }
    if (said.len)
        fprintf(stderr, "%.*s\n", STR_ARG(said));
}

static bool show(const Options *options, Str verdict) {
    Str why;
    if (!options->output_file)
        return console_write(options, verdict);
    if (file_write_atomic(options->output_file, verdict, NULL, options->arena, &why))
        return true;
    console_error(options, "%s: %.*s", options->output_file, STR_ARG(why));
    return false;
}

// Python exits with 1 of its own accord too, but then there is no verdict.
static bool has_verdict(const Process *process) {
    return !process->signal && process->code <= EXIT_FINDINGS && process->said.len > 0;
}

int cmd_verify(const Options *options) {
    Verify verify = {.options = options};
    if (!prepare(&verify))
        return EXIT_TROUBLE;
    Line line = host_line(&verify);
    Process process;
    int code = EXIT_TROUBLE;
    if (!process_run(&process, line.words))
        console_error(options, "cannot start %s: %s", verify.host, strerror(errno));
    else if (has_verdict(&process))
        code = show(options, buf_view(&process.said)) ? process.code : EXIT_TROUBLE;
    else if (!process_interrupted())
        say_failure(&verify, &process);
    process_free(&process);
    if (process_interrupted())
        raise(process_interrupted());
    return code;
}
