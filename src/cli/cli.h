// The command line: what the user typed (options.c), one file per subcommand (cmd_*.c), what they show (report_*.c, diff.c)
// and how they write (output.c, tree.c). The work itself is src/pipeline; nothing here knows Python.
#ifndef GM_CLI_H
#define GM_CLI_H

#include "pipeline/pipeline.h"

#ifndef GRAPHMEND_VERSION
#define GRAPHMEND_VERSION "0.1.0"
#endif

// The exit codes, the same for every subcommand.
enum { EXIT_FINE = 0, EXIT_FINDINGS = 1, EXIT_TROUBLE = 2 };

// ---------------------------------------------------------------- options.c, options.def
// X(ENUM, name, arguments, summary)
#define COMMANDS(X)                                                                                          \
    X(FIX, fix, "PATH...", "rewrite the statements that break the graph")                                    \
    X(CHECK, check, "[PATH...]", "list the statements that break the graph; writes nothing")                 \
    X(EXPLAIN, explain, "[CODE|NAME|GB-ID|REASON]",                                                          \
      "say what a rule or a reason means; without argument: list all")                                       \
    X(DUMP, dump, "FILE", "show what the compiler knows of a file")                                          \
    X(HELP, help, "[COMMAND]", "show this text, or that of a command")

typedef enum Command {
    COMMAND_NONE,
#define X(id, name, arguments, summary) COMMAND_##id,
    COMMANDS(X)
#undef X
} Command;

typedef enum OutputFormat { FORMAT_FULL, FORMAT_CONCISE, FORMAT_JSON } OutputFormat;
typedef enum ColorMode { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } ColorMode;

typedef struct Options {
    Command command;
    VEC(const char *) arguments; // what is not an option, in order
    bool help, version;
    bool quiet, verbose;
    uint32_t color; // ColorMode
    // fix
    const char *output;
    bool in_place, diff, exit_non_zero_on_fix;
    // check
    bool exit_zero;
    uint32_t output_format; // OutputFormat
    const char *output_file;
    // both
    const char *stdin_filename;
    uint32_t trap_form, runtime; // TrapForm, RuntimeForm
    uint32_t disabled;           // set of DISABLE_*
    VEC(const char *) entries;   // NULL-terminated once parsed
    uint32_t jobs;
    bool pedantic;
    // dump
    bool ast, ir, cfg, symbols, facts, calls, dot;
} Options;
enum { DISABLE_TRAP = 1 << 0, DISABLE_WHERE = 1 << 1, DISABLE_DEFER = 1 << 2 }; // in the order of options.def

// False with a message (in the arena) when the arguments make no sense.
bool options_parse(Options *options, int argc, char **argv, Arena *arena, Str *why);
void options_free(Options *options);
void options_help(Command command, Buf *out); // COMMAND_NONE: the overview
const char *command_name(Command command);
bool command_find(const char *name, Command *command);
PipelineOptions options_pipeline(const Options *options);

// ---------------------------------------------------------------- cmd_*.c: each gives the exit code
int cmd_fix(const Options *options);
int cmd_check(const Options *options);
int cmd_explain(const Options *options);
int cmd_dump(const Options *options);
int cmd_help(const Options *options);

// ---------------------------------------------------------------- console.c: standard output and standard error
void console_error(const Options *options, const char *format, ...) __attribute__((format(printf, 2, 3)));
void console_note(const Options *options, const char *format, ...)
    __attribute__((format(printf, 2, 3))); // not with -q
void console_diags(const Options *options, const DiagList *diags);
bool console_write(const Options *options,
                   Str bytes); // to standard output; false, and said so, when it failed
bool console_color(const Options *options, int descriptor);
bool console_stdin(const Options *options, Buf *into); // reads all of it; false, and said so, when it failed
void buf_printable(Buf *buf, Str text); // control characters (a terminal would obey them) as \xNN

// ---------------------------------------------------------------- inputs.c: the paths of fix and check
// Adds every path to the pipeline; says what is wrong with each that cannot be opened, and returns false then.
bool inputs_add(const Options *options, Pipeline *pipeline, const char *const *paths, uint32_t count);
static inline bool paths_is_stdin(const char *path) {
    return strcmp(path, "-") == 0;
}

// ---------------------------------------------------------------- report_text.c, report_json.c, summary.c
void report_text(const Pipeline *pipeline, bool source_lines, bool color, Buf *out);
void report_json(const Pipeline *pipeline, Buf *out);
typedef struct Totals {
    uint32_t files, found, fixable, guarded, unsafe, left;
} Totals;
typedef struct Count {
    Str name;
    uint32_t count;
} Count;
typedef VEC(Count) CountList; // by name
Totals totals_of(const Pipeline *pipeline);
CountList counts_by_code(const Pipeline *pipeline);
CountList counts_by_reason(const Pipeline *pipeline); // of what is left; "" where none was given
void summary_fix(const Options *options, const Pipeline *pipeline); // both on standard error, not with -q
void summary_check(const Options *options, const Pipeline *pipeline);

// ---------------------------------------------------------------- width.c
// Columns that a code point takes on a terminal: 0 (combining), 1, 2 (wide).
uint32_t width_of(uint32_t code_point);
// Decodes one code point of valid UTF-8 at *at (< text.len) and steps over it; a stray byte gives U+FFFD.
uint32_t utf8_next(Str text, size_t *at);

// ---------------------------------------------------------------- nearest.c: "did you mean ...?"
enum { NEAREST_MAX = 3 };
typedef struct Nearest {
    Str word;
    Str best[NEAREST_MAX];
    uint32_t distance[NEAREST_MAX];
    uint32_t count;
} Nearest;
Nearest nearest_start(Str word);
void nearest_try(Nearest *nearest, Str candidate);
// "; did you mean 'a', 'b'?" or nothing.
void nearest_say(const Nearest *nearest, Buf *out);

// ---------------------------------------------------------------- diff.c
// A unified diff with three lines of context that `git apply` and `patch -p1` take; nothing when equal.
// before.ptr NULL: the file is new.
void diff_unified(Str path, Str before, Str after, Buf *out);
void diff_color(Str diff, Buf *out); // the same text with ANSI colours
// The changed spans, smallest first to last, as byte offsets into both texts: whole lines trimmed to what differs.
typedef struct Edit {
    size_t start, end; // in before
    Str text;          // from after
} Edit;
typedef VEC(Edit) EditList;
void diff_edits(Str before, Str after, EditList *edits);

// ---------------------------------------------------------------- paths.c
const char *paths_join(Arena *arena, const char *folder, const char *name);
const char *paths_base(const char *path);                 // "a/b.py": "b.py"
const char *paths_folder(Arena *arena, const char *path); // "a/b.py": "a"; "b.py": "."
bool paths_same_file(const char *a, const char *b);       // both exist and are one file
bool paths_is_inside(const char *inner, const char *outer,
                     Arena *arena);       // or the same; neither need exist yet
void paths_remove_link(const char *path); // if it is a symlink; what it leads to stays

// ---------------------------------------------------------------- tree.c
// Mirrors folder `from` into `to`: what `pipeline` changed is written, all else is copied, links are made anew, modes are
// kept. Nothing outside `to` is touched, whatever links lie there. Gives the number of entries that failed; each was said.
bool tree_add(const Options *options, const char *to, const char *relative,
              Str bytes); // one more file; false, and said so
uint32_t tree_mirror(const Options *options, const Pipeline *pipeline, const char *from, const char *to);

#endif
