// graphmend fix PATH...: rewrite, and put the result where the user said.
//
//     fix m.py                  standard output        fix m.py -o out.py    a file
//     fix m.py n.py src -i      where they are         fix src -o out        a mirrored folder
//     fix ... --diff            a unified diff, nothing written
//
// What makes no sense is found before anything is read, what cannot be opened before anything is written. After that each
// file is on its own: one that cannot be handled stays as it is and is reported, the others are written.
// Exit: 0; 1 when the diff is not empty, or with --exit-non-zero-on-fix when something changed; 2 for any error.
#include "cli/cli.h"
#include "pipeline/diff.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

typedef struct Fix {
    const Options *options;
    gm_session *session;
    Arena *arena;
    FileList unwritten;
    bool failed;
} Fix;

// ---------------------------------------------------------------- does what was asked make sense?

static const char *output_trouble(const Options *options, const char *input, Arena *arena) {
    const char *output = options->output;
    if (paths_is_stdin(input) && !options->stdin_filename && file_is_dir(output))
        return "'--output' is a folder: say with '--stdin-filename' what the result is called in it";
    if (paths_is_stdin(input) || paths_is_stdin(output))
        return NULL;
    if (!file_is_dir(input)) {
        if (paths_same_file(input, output))
            return "the output is the input; use --in-place to rewrite it";
        return NULL;
    }
    if (file_exists(output) && !file_is_dir(output))
        return "the output of a folder has to be a folder";
    if (paths_same_file(input, output))
        return "the output is the input; use --in-place to rewrite it";
    if (paths_is_inside(output, input, arena))
        return "the output lies inside the input";
    if (paths_is_inside(input, output, arena))
        return "the input lies inside the output";
    return NULL;
}

// NULL when all is well.
static const char *usage_trouble(const Options *options, Arena *arena) {
    uint32_t count = options->arguments.len;
    bool placed = options->output || options->in_place || options->diff;
    if (count == 0)
        return "no input; see 'graphmend fix --help'";
    if (options->output && options->in_place)
        return "'--output' and '--in-place' exclude each other";
    if (options->output && options->diff)
        return "'--output' and '--diff' exclude each other: --diff writes nothing";
    if (count > 1 && options->output)
        return "'--output' takes one input; for several use --in-place or --diff";
    if (count > 1 && !placed)
        return "several inputs need --in-place or --diff";
    for (uint32_t i = 0; i < count; i++) {
        const char *path = options->arguments.items[i];
        if (paths_is_stdin(path) && options->in_place && !options->diff)
            return "standard input cannot be rewritten in place";
        if (paths_is_stdin(path) && count > 1)
            return "standard input goes alone";
        if (file_is_dir(path) && !placed)
            return "a folder needs -o FOLDER, --in-place or --diff";
        if (file_is_dir(path) && options->output && paths_is_stdin(options->output))
            return "a folder cannot go to standard output";
    }
    return options->output ? output_trouble(options, options->arguments.items[0], arena) : NULL;
}

// ---------------------------------------------------------------- writing

static bool write_file(Fix *fix, const char *path, Str bytes, const char *mode_from) {
    Str why;
    if (file_write_atomic(path, bytes, mode_from, fix->arena, &why))
        return true;
    console_error(fix->options, "%s: %.*s", path, STR_ARG(why));
    return false;
}

static Str runtime_bytes(void) {
    Str text;
    text.ptr = gm_runtime_text(&text.len);
    return text;
}

static bool write_runtime(Fix *fix, const char *path) {
    if (file_holds(path, runtime_bytes(), fix->arena))
        return true;
    if (gm_runtime_fits(path))
        return write_file(fix, path, runtime_bytes(), NULL);
    console_error(fix->options, "%s: not a runtime of graphmend, and left as it is", path);
    return false;
}

static Str result_text(const gm_file *file) {
    return file->output ? (Str){file->output, file->output_len} : (Str){file->text, file->len};
}

// The one file of a single-file run; NULL, and said so, when it could not be handled.
static const gm_file *only_file(Fix *fix) {
    if (gm_file_count(fix->session) == 0) {
        console_note(fix->options, "%s is excluded", fix->options->arguments.items[0]);
        return NULL;
    }
    if (gm_file_at(fix->session, 0)->failed) {
        fix->failed = true; // the diagnostics told why
        return NULL;
    }
    return gm_file_at(fix->session, 0);
}

static void say_runtime_needed(Fix *fix, const gm_file *file) {
    if (file->runtime)
        console_note(fix->options,
                     "the result imports %s: write it beside the result, or use --runtime=embed",
                     paths_base(file->runtime));
}

static bool to_stdout(Fix *fix, const gm_file *file) {
    bool good = console_write(fix->options, result_text(file));
    say_runtime_needed(fix, file);
    return good;
}

static const char *runtime_beside(Fix *fix, const char *path, const gm_file *file) {
    return paths_join(fix->arena, paths_folder(fix->arena, path), paths_base(file->runtime));
}

// The runtime first, as in gm_fix.
static bool to_file(Fix *fix, const gm_file *file, const char *input, const char *path) {
    bool stdin_read = paths_is_stdin(input);
    if (!stdin_read && paths_same_file(input, path)) {
        console_error(fix->options, "%s: the output is the input; use --in-place to rewrite it", path);
        return false;
    }
    if (file_is_special(path)) {
        say_runtime_needed(fix, file);
    } else if (file->runtime && !write_runtime(fix, runtime_beside(fix, path, file))) {
        console_error(fix->options, "%s: not written, as its runtime is missing", path);
        return false;
    }
    return write_file(fix, path, result_text(file), stdin_read ? NULL : input);
}

static void to_stdout_or_file(Fix *fix, const char *input, const char *output) {
    const gm_file *file = only_file(fix);
    bool good;
    if (!file)
        return;
    if (!output || paths_is_stdin(output))
        good = to_stdout(fix, file);
    else if (file_is_dir(output))
        good = to_file(fix, file, input, paths_join(fix->arena, output, paths_base(file->path)));
    else
        good = to_file(fix, file, input, output);
    if (!good) {
        fix->failed = true;
        vec_push(&fix->unwritten, file);
    }
}

static void in_place(Fix *fix) {
    size_t before = gm_diagnostic_count(fix->session);
    gm_fix(fix->session);
    progress_end();
    console_diagnostics(fix->options, fix->session, before);
    for (size_t i = 0; i < gm_file_count(fix->session); i++) {
        const gm_file *file = gm_file_at(fix->session, i);
        if (file->output && file->failed)
            vec_push(&fix->unwritten, file);
    }
}

static void to_folder(Fix *fix, const char *input, const char *output) {
    if (tree_mirror(fix->options, fix->session, input, output, &fix->unwritten) > 0)
        fix->failed = true;
}

// A path under the working directory is shown from there, as `git apply` wants it.
static Str diff_path(Fix *fix, Str path) {
    char here[PATH_MAX];
    if (path.len && path.ptr[0] == '/' && getcwd(here, sizeof here)) {
        Str folder = str_of(paths_join(fix->arena, here, ""));
        if (str_starts(path, folder))
            return str_slice(path, folder.len, path.len);
    }
    return path;
}

static bool show_diff(Fix *fix) {
    Buf diff = {0};
    for (size_t i = 0; i < gm_runtime_count(fix->session); i++) {
        Str path = str_of(gm_runtime_path(fix->session, i));
        Buf old = {0};
        Str why;
        bool there = file_exists(path.ptr);
        if (there && !file_read(path.ptr, &old, fix->arena, &why)) {
            console_error(fix->options, "%.*s: %.*s", STR_ARG(path), STR_ARG(why));
            fix->failed = true;
        } else {
            diff_unified(diff_path(fix, path), there ? buf_view(&old) : (Str){NULL, 0}, runtime_bytes(),
                         &diff);
        }
        buf_free(&old);
    }
    for (size_t i = 0; i < gm_file_count(fix->session); i++) {
        const gm_file *file = gm_file_at(fix->session, i);
        if (file->output)
            diff_unified(diff_path(fix, str_of(file->path)), (Str){file->text, file->len}, result_text(file),
                         &diff);
    }
    bool shown = diff.len > 0;
    if (console_color(fix->options, STDOUT_FILENO)) {
        Buf colored = {0};
        diff_color(buf_view(&diff), &colored);
        fix->failed = !console_write(fix->options, buf_view(&colored)) || fix->failed;
        buf_free(&colored);
    } else {
        fix->failed = !console_write(fix->options, buf_view(&diff)) || fix->failed;
    }
    buf_free(&diff);
    return shown;
}

// ---------------------------------------------------------------- the command

static bool any_changed(const gm_session *session) {
    for (size_t i = 0; i < gm_file_count(session); i++)
        if (gm_file_at(session, i)->output)
            return true;
    return false;
}

// On standard error: standard output may be the result.
static void show_statistics(Fix *fix) {
    Buf table = {0};
    if (fix->options->statistics)
        summary_statistics(fix->session, &fix->unwritten, &table);
    fwrite(buf_view(&table).ptr, 1, table.len, stderr);
    buf_free(&table);
}

static int finish(Fix *fix) {
    const Options *options = fix->options;
    const char *input = options->arguments.items[0];
    bool findings = false;
    gm_check(fix->session);
    progress_end();
    console_diagnostics(options, fix->session, 0);
    if (inputs_usage_failed(fix->session))
        return EXIT_TROUBLE;
    if (options->diff)
        findings = show_diff(fix);
    else if (options->in_place)
        in_place(fix);
    else if (file_is_dir(input))
        to_folder(fix, input, options->output);
    else
        to_stdout_or_file(fix, input, options->output);
    show_statistics(fix);
    summary_fix(options, fix->session, &fix->unwritten);
    if (options->exit_non_zero_on_fix && any_changed(fix->session))
        findings = true;
    if (fix->failed || gm_error_count(fix->session) > 0)
        return EXIT_TROUBLE;
    return findings ? EXIT_FINDINGS : EXIT_FINE;
}

int cmd_fix(const Options *options) {
    Fix fix = {.options = options, .arena = arena_new()};
    int code = EXIT_TROUBLE;
    const char *trouble = usage_trouble(options, fix.arena);
    if (trouble) {
        console_error(options, "%s", trouble);
    } else {
        fix.session = inputs_open(options, false);
        if (fix.session && inputs_add(options, fix.session, options->arguments.items, options->arguments.len))
            code = finish(&fix);
        gm_close(fix.session);
    }
    vec_free(&fix.unwritten);
    arena_free(fix.arena);
    return code;
}
