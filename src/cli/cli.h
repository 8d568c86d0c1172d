// The command line: what the user typed (options.c), one file per subcommand (cmd_*.c), what they show (report_*.c) and how
// they write (tree.c). The work itself is behind graphmend.h; only dump looks deeper. Files that show texts of rules, a diff
// or read TOML include rules/rules.h, pipeline/diff.h and syntax/toml.h themselves.
#ifndef GM_CLI_H
#define GM_CLI_H

#include "base/nearest.h"
#include "graphmend/graphmend.h"

#include <stdio.h>

#ifndef GRAPHMEND_VERSION
#define GRAPHMEND_VERSION "0.1.0"
#endif

// The exit codes, the same for every subcommand.
enum { EXIT_FINE = 0, EXIT_FINDINGS = 1, EXIT_TROUBLE = 2 };

// ---------------------------------------------------------------- options*.c, options.def
// X(ENUM, name, arguments, summary)
#define COMMANDS(X)                                                                                          \
    X(FIX, fix, "PATH...", "rewrite the statements that break the graph")                                    \
    X(CHECK, check, "[PATH...]", "list the statements that break the graph; writes nothing")                 \
    X(EXPLAIN, explain, "[CODE|NAME|GB-ID|REASON]",                                                          \
      "say what a rule or a reason means; without argument: list all")                                       \
    X(VERIFY, verify, "ORIGINAL PATCHED",                                                                    \
      "run a program and its rewritten form under torch.compile, and compare all they do")                   \
    X(DUMP, dump, "FILE", "show what the compiler knows of a file")                                          \
    X(GENERATE, generate, "man|bash|zsh|fish", "print the manual page, or the completions of a shell")       \
    X(HELP, help, "[COMMAND]", "show this text, or that of a command")

typedef enum Command {
    COMMAND_NONE,
#define X(id, name, arguments, summary) COMMAND_##id,
    COMMANDS(X)
#undef X
} Command;

typedef enum OutputFormat {
    FORMAT_FULL, // in the order of options.def
    FORMAT_CONCISE,
    FORMAT_JSON,
    FORMAT_JSON_LINES,
    FORMAT_GITHUB,
    FORMAT_GITLAB,
    FORMAT_SARIF,
    FORMAT_JUNIT,
} OutputFormat;
typedef enum TrapChoice { TRAP_CHOICE_EXACT, TRAP_CHOICE_ASSERT_ASYNC } TrapChoice;
typedef enum CondChoice { COND_AUTO, COND_NEVER } CondChoice;
typedef enum ColorMode { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } ColorMode;

typedef VEC(const char *) Words; // a NULL stands behind the last one, once parsed
enum { OPTIONS_MAX = 64 };

typedef struct ConfigFiles ConfigFiles;

typedef struct Options {
    int argc; // as typed
    char **argv;
    Command command;
    VEC(const char *) arguments; // what is not an option, in order
    bool given[OPTIONS_MAX];     // by the row of options.def: on the command line
    Arena *arena;
    bool help, version;
    bool quiet, verbose;
    uint32_t color; // ColorMode
    // fix
    const char *output;
    bool in_place, diff, exit_non_zero_on_fix;
    // check
    bool exit_zero;
    uint32_t output_format; // OutputFormat
    const char *output_file, *from_log;
    // both
    const char *stdin_filename;
    uint32_t trap_form, cond; // TrapChoice, CondChoice
    uint32_t runtime;         // gm_runtime
    uint32_t disabled;        // set of DISABLE_*
    Words entries, select, extend_select, ignore, fix_only, exclude, extend_exclude;
    Words per_file_ignores; // "PATTERN:CODE"
    const char *target_torch;
    bool no_gitignore, force_exclude;
    uint32_t jobs;
    bool pedantic, statistics, unsafe_fixes;
    const char *cache_dir;
    bool no_cache;
    // configuration
    const char *config, *config_found; // found: the file that was read, or NULL
    ConfigFiles *config_files;         // for the files of other folders
    bool isolated, show_settings;
    // verify
    const char *verify_entry, *inputs, *rtol, *atol, *timeout, *python, *host;
    uint32_t backend, verify_format; // told by options_choice
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
// Sets an option by its long name and one value, as from a configuration file, unless the command line did. False with a
// message.
bool options_set(Options *options, Str name, const char *value, Str *why);
typedef enum OptionShape {
    SHAPE_UNKNOWN,
    SHAPE_BOOL,
    SHAPE_NUMBER,
    SHAPE_TEXT,
    SHAPE_LIST,
    SHAPE_TABLE
} OptionShape;
OptionShape options_shape(Str name);                                  // of an option that a file may set
const char *options_choice(const Options *options, const char *name); // the word of a CHOICE of the command
void options_nearest(Nearest *nearest);                               // tries all names that a file may set
void options_settings(const Options *options, Buf *out);              // what a file may set, as TOML
void options_end_lists(Options *options);
void options_man(Buf *out);
void options_completion(const char *shell, Buf *out); // bash, zsh, fish
// What the command line says as the API wants it. Lives as long as the options.
gm_options options_api(const Options *options);

// ---------------------------------------------------------------- config.c: [tool.graphmend]
// Reads the configuration nearest to the first path into what the command line did not set; false, and said so.
bool config_read(Options *options);
// gm_options.options_of: what the configuration nearest to a folder says, which is another one; NULL: the same.
const gm_options *config_of(void *options, const char *folder);
bool config_failed(const Options *options); // one of those is wrong, and that was said
void config_free(Options *options);

// ---------------------------------------------------------------- cmd_*.c: each gives the exit code
int cmd_fix(const Options *options);
int cmd_check(const Options *options);
int cmd_explain(const Options *options);
int cmd_verify(const Options *options);
int cmd_dump(const Options *options);
int cmd_help(const Options *options);
int cmd_generate(const Options *options);
int cmd_settings(const Options *options);

// ---------------------------------------------------------------- console.c: standard output and standard error
void console_error(const Options *options, const char *format, ...) __attribute__((format(printf, 2, 3)));
void console_note(const Options *options, const char *format, ...)
    __attribute__((format(printf, 2, 3))); // not with -q
void console_diags(const Options *options, const DiagList *diags);
void console_diagnostics(const Options *options, const gm_session *session, size_t from);
bool console_write(const Options *options,
                   Str bytes); // to standard output; false, and said so, when it failed
bool console_color(const Options *options, int descriptor);
bool console_stdin(const Options *options, Buf *into); // reads all of it; false, and said so, when it failed
void buf_printable(Buf *buf, Str text); // control characters (a terminal would obey them) as \xNN

// ---------------------------------------------------------------- process.c: another program
typedef struct Process {
    int code, signal; // its exit code; the signal that killed it, or 0
    Buf said;         // what it wrote to standard output
    Buf complaint;    // and to standard error
} Process;
// Waits for its end. False, with errno, if it cannot be started. argv ends with NULL.
bool process_run(Process *process, const char *const *argv);
int process_interrupted(void); // the signal, to be raised again once all is tidied up; or 0
void process_free(Process *process);

// ---------------------------------------------------------------- inputs.c: the paths of fix and check
// A session by the options; NULL, and said so, when they make no sense.
gm_session *inputs_open(const Options *options, bool for_check);
// Adds every path; says what is wrong with each that cannot be opened, and returns false then.
bool inputs_add(const Options *options, gm_session *session, const char *const *paths, uint32_t count);
// An error that is about no file, such as an --entry that does not exist, is about what was asked for.
bool inputs_usage_failed(const gm_session *session);
static inline bool paths_is_stdin(const char *path) {
    return strcmp(path, "-") == 0;
}

// ---------------------------------------------------------------- report_*.c: one format each
void report_text(gm_session *session, bool source_lines, bool color, Buf *out);
void report_json(gm_session *session, Buf *out);
void report_json_lines(gm_session *session, Buf *out);
void report_github(gm_session *session, Buf *out);
void report_gitlab(gm_session *session, Buf *out);
void report_sarif(gm_session *session, Buf *out);
void report_junit(gm_session *session, Buf *out);

// ---------------------------------------------------------------- report.c: what they share
Str report_line(const gm_finding *finding); // the first line of what is shown, without its newline
// A path for other programs: from the working directory, where it lies below that.
const char *report_path(const char *path, Arena *arena);
// "print in compiled code. Left: the value of the call is used."
void report_sentence(const gm_finding *finding, Buf *out);
const char *report_status(gm_status status);
// Names a finding whatever is inserted above it: of its code, its path and the words of its line; how many before it have
// the same is its second part.
typedef struct Prints {
    Map seen;
} Prints;
uint64_t report_print(Prints *prints, const gm_finding *finding, bool with_path, uint32_t *occurrence);
typedef struct
    LineStarts { // of the file last asked about; all zero at first; `starts` is freed by the caller
    const gm_file *file;
    VEC(size_t) starts;
} LineStarts;
gm_place report_place(LineStarts *lines, const gm_file *file, size_t offset); // of a byte of its text

// ---------------------------------------------------------------- json.c
void json_string(Str text, Buf *out);
void json_field(const char *name, Str value, Buf *out); // "name": "value"

// ---------------------------------------------------------------- summary.c
typedef struct Totals {
    uint32_t files, found, fixable, guarded, unsafe, left, suppressed;
    uint32_t remarks, remarks_left; // of those found: about comments, not about breaks
} Totals;
typedef struct Count {
    Str name;
    uint32_t count;
} Count;
typedef VEC(Count) CountList; // by name
Totals totals_of(const gm_session *session);
CountList counts_by_code(const gm_session *session);
CountList counts_by_reason(const gm_session *session); // of what is left; "" where none was given
typedef VEC(const gm_file *) FileList;
// Both on standard error, not with -q. What is in a file that was not written is not fixed.
void summary_fix(const Options *options, const gm_session *session, const FileList *unwritten);
void summary_check(const Options *options, const gm_session *session);
// unwritten: after fix, else NULL.
void summary_statistics(const gm_session *session, const FileList *unwritten, Buf *out);

// ---------------------------------------------------------------- progress.c: one line on a terminal
void progress_start(const Options *options, gm_options *settings);
void progress_end(void); // takes the line away

// ---------------------------------------------------------------- width.c
// Columns that a code point takes on a terminal: 0 (combining), 1, 2 (wide).
uint32_t width_of(uint32_t code_point);
// Decodes one code point of valid UTF-8 at *at (< text.len) and steps over it; a stray byte gives U+FFFD.
uint32_t utf8_next(Str text, size_t *at);

// ---------------------------------------------------------------- paths.c
const char *paths_join(Arena *arena, const char *folder, const char *name);
const char *paths_base(const char *path);                 // "a/b.py": "b.py"
const char *paths_folder(Arena *arena, const char *path); // "a/b.py": "a"; "b.py": "."
bool paths_same_file(const char *a, const char *b);       // both exist and are one file
bool paths_is_inside(const char *inner, const char *outer,
                     Arena *arena); // or the same; neither need exist yet

// ---------------------------------------------------------------- tree.c
// Mirrors folder `from` into `to`: what the session changed is written, all else is copied, the runtime is added, links are
// made anew, modes are kept. Nothing outside `to` is touched, whatever links lie there. Gives the number of entries that failed; each was said,
// and the rewritten ones of them are added to `unwritten`.
uint32_t tree_mirror(const Options *options, const gm_session *session, const char *from, const char *to,
                     FileList *unwritten);

#endif
