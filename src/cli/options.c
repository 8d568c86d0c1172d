// Reads the command line by the table in options.def, and prints --help from it.
//
// In:  argv. Out: Options. Options and paths may be mixed; `--` ends the options; `--name value` and `--name=value`,
// `-o PATH` and `-oPATH`, `-qv` are all understood. An option that needs a value never takes the next option for it:
// a value that begins with a dash is written `--name=-value`.
// Declines, with the nearest name: an unknown command, option or choice. Which options go together is the command's own
// business.
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>

enum { FLAG, TEXT, NUMBER, CHOICE, SET, LIST };

enum {
    IN_FIX = 1 << COMMAND_FIX,
    IN_CHECK = 1 << COMMAND_CHECK,
    IN_EXPLAIN = 1 << COMMAND_EXPLAIN,
    IN_DUMP = 1 << COMMAND_DUMP,
    IN_HELP = 1 << COMMAND_HELP,
    IN_NONE = 1 << COMMAND_NONE,
    IN_ALL = IN_FIX | IN_CHECK | IN_EXPLAIN | IN_DUMP | IN_HELP | IN_NONE,
};

typedef struct OptionRow {
    uint32_t commands;
    const char *name;
    char letter;
    int kind;
    size_t offset;
    const char *argument, *help;
} OptionRow;

static const OptionRow rows[] = {
#define OPTION(commands, name, letter, kind, field, argument, help)                                          \
    {commands, name, letter, kind, offsetof(Options, field), argument, help},
#include "cli/options.def"
#undef OPTION
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

typedef struct CommandRow {
    const char *name, *arguments, *summary;
} CommandRow;
// clang-format off
static const CommandRow command_rows[] = {
    {"", "", ""},
#define X(id, name, arguments, summary) {#name, arguments, summary},
    COMMANDS(X)
#undef X
};
// clang-format on
enum { COMMAND_COUNT = sizeof command_rows / sizeof *command_rows };

// More threads than this is a slip of the finger.
enum { JOBS_MAX = 1024 };

typedef struct Parse {
    Options *options;
    Arena *arena;
    Str *why;
    int argc, at;
    char **argv;
} Parse;

const char *command_name(Command command) {
    return command_rows[command].name;
}

bool command_find(const char *name, Command *command) {
    for (int i = 1; i < COMMAND_COUNT; i++) {
        if (strcmp(command_rows[i].name, name) == 0) {
            *command = (Command)i;
            return true;
        }
    }
    return false;
}

static bool fail(Parse *parse, const Nearest *nearest, Str message) {
    Buf text = {0};
    buf_str(&text, message);
    if (nearest)
        nearest_say(nearest, &text);
    *parse->why = str_dup(parse->arena, buf_view(&text));
    buf_free(&text);
    return false;
}

static bool row_allowed(const OptionRow *row, Command command) {
    return (row->commands >> command & 1) != 0;
}

static const OptionRow *find_long(Command command, Str name) {
    for (int i = 0; i < ROW_COUNT; i++)
        if (row_allowed(&rows[i], command) && str_eq(str_of(rows[i].name), name))
            return &rows[i];
    return NULL;
}

static const OptionRow *find_letter(Command command, char letter) {
    for (int i = 0; i < ROW_COUNT; i++)
        if (row_allowed(&rows[i], command) && rows[i].letter == letter)
            return &rows[i];
    return NULL;
}

static bool unknown_option(Parse *parse, Str name) {
    Command command = parse->options->command;
    Nearest nearest = nearest_start(name);
    const char *owner = NULL;
    for (int i = 0; i < ROW_COUNT; i++) {
        if (row_allowed(&rows[i], command))
            nearest_try(&nearest, str_of(rows[i].name));
        else if (str_eq(str_of(rows[i].name), name))
            for (int c = 1; c < COMMAND_COUNT && !owner; c++)
                if (row_allowed(&rows[i], (Command)c))
                    owner = command_rows[c].name;
    }
    if (owner && command)
        return fail(parse, NULL,
                    str_format(parse->arena, "'--%.*s' is an option of %s, not of %s", STR_ARG(name), owner,
                               command_name(command)));
    for (uint32_t i = 0; i < nearest.count; i++)
        nearest.best[i] = str_format(parse->arena, "--%.*s", STR_ARG(nearest.best[i]));
    return fail(parse, &nearest, str_format(parse->arena, "unknown option '--%.*s'", STR_ARG(name)));
}

// The next word of a list separated by `separator`; false at its end.
static bool next_word(Str *rest, char separator, Str *word) {
    if (!rest->ptr)
        return false;
    size_t end = 0;
    while (end < rest->len && rest->ptr[end] != separator)
        end++;
    *word = str_slice(*rest, 0, end);
    *rest = end < rest->len ? str_slice(*rest, end + 1, rest->len) : (Str){NULL, 0};
    return true;
}

static bool find_choice(Parse *parse, const OptionRow *row, Str value, uint32_t *index) {
    char separator = row->kind == SET ? ',' : '|';
    Str rest = str_of(row->argument), word;
    Nearest nearest = nearest_start(value);
    for (*index = 0; next_word(&rest, separator, &word); ++*index) {
        if (str_eq(word, value))
            return true;
        nearest_try(&nearest, word);
    }
    return fail(parse, nearest.count ? &nearest : NULL,
                str_format(parse->arena, "'--%s' does not take '%.*s': it is %s%s", row->name, STR_ARG(value),
                           row->kind == SET ? "some of " : "one of ", row->argument));
}

static bool set_number(Parse *parse, const OptionRow *row, const char *value, uint32_t *field) {
    char *end = NULL;
    unsigned long number = value[0] >= '0' && value[0] <= '9' ? strtoul(value, &end, 10) : JOBS_MAX + 1;
    if (number > JOBS_MAX || *end)
        return fail(parse, NULL,
                    str_format(parse->arena, "'--%s' takes a number from 0 to %d, not '%s'", row->name,
                               JOBS_MAX, value));
    *field = (uint32_t)number;
    return true;
}

static bool set_option(Parse *parse, const OptionRow *row, const char *value) {
    void *field = (char *)parse->options + row->offset;
    uint32_t index;
    switch (row->kind) {
    case FLAG:
        *(bool *)field = true;
        return true;
    case TEXT:
        if (!*value)
            return fail(parse, NULL,
                        str_format(parse->arena, "'--%s' needs a value that is not empty", row->name));
        *(const char **)field = value;
        return true;
    case NUMBER:
        return set_number(parse, row, value, field);
    case CHOICE:
        return find_choice(parse, row, str_of(value), field);
    case SET: {
        Str rest = str_of(value), word;
        while (next_word(&rest, ',', &word)) {
            if (!find_choice(parse, row, str_trim(word), &index))
                return false;
            *(uint32_t *)field |= 1u << index;
        }
        return true;
    }
    default:
        vec_push(&parse->options->entries, value);
        return true; // LIST: --entry is the only one
    }
}

// Value of an option that needs one: what is attached to it, or the next argument.
static bool take_value(Parse *parse, const OptionRow *row, const char *attached, const char **value) {
    *value = attached;
    if (row->kind == FLAG)
        return !attached || fail(parse, NULL, str_format(parse->arena, "'--%s' takes no value", row->name));
    if (attached)
        return true;
    const char *next = parse->at < parse->argc ? parse->argv[parse->at] : NULL;
    if (!next || (next[0] == '-' && next[1]))
        return fail(parse, NULL,
                    str_format(parse->arena, "'--%s' needs a value: %s", row->name, row->argument));
    parse->at++;
    *value = next;
    return true;
}

static bool parse_long(Parse *parse, const char *text) {
    const char *equals = strchr(text, '=');
    Str name = {text, equals ? (size_t)(equals - text) : strlen(text)};
    const OptionRow *row = find_long(parse->options->command, name);
    if (!row)
        return unknown_option(parse, name);
    const char *value;
    return take_value(parse, row, equals ? equals + 1 : NULL, &value) && set_option(parse, row, value);
}

static bool parse_letters(Parse *parse, const char *letters) {
    for (; *letters; letters++) {
        const OptionRow *row = find_letter(parse->options->command, *letters);
        if (!row)
            return fail(parse, NULL, str_format(parse->arena, "unknown option '-%s'", letters));
        const char *rest = row->kind != FLAG && letters[1] ? letters + 1 : NULL, *value;
        if (!take_value(parse, row, rest, &value) || !set_option(parse, row, value))
            return false;
        if (row->kind != FLAG)
            return true;
    }
    return true;
}

static bool set_command(Parse *parse, const char *name) {
    if (command_find(name, &parse->options->command))
        return true;
    Nearest nearest = nearest_start(str_of(name));
    for (int i = 1; i < COMMAND_COUNT; i++)
        nearest_try(&nearest, str_of(command_rows[i].name));
    return fail(parse, &nearest, str_format(parse->arena, "unknown command '%s'", name));
}

// "src/" is "src": paths are joined with a slash of our own.
static char *trim_slashes(char *path) {
    size_t len = strlen(path);
    while (len > 1 && path[len - 1] == '/')
        path[--len] = '\0';
    return path;
}

bool options_parse(Options *options, int argc, char **argv, Arena *arena, Str *why) {
    Parse parse = {.options = options, .arena = arena, .why = why, .argc = argc, .at = 1, .argv = argv};
    bool only_paths = false;
    memset(options, 0, sizeof *options);
    while (parse.at < argc) {
        char *argument = argv[parse.at++];
        bool good = true;
        if (!only_paths && strcmp(argument, "--") == 0)
            only_paths = true;
        else if (!only_paths && strncmp(argument, "--", 2) == 0)
            good = parse_long(&parse, argument + 2);
        else if (!only_paths && argument[0] == '-' && argument[1])
            good = parse_letters(&parse, argument + 1);
        else if (options->command == COMMAND_NONE)
            good = set_command(&parse, argument);
        else
            vec_push(&options->arguments, trim_slashes(argument));
        if (!good)
            return false;
    }
    vec_push(&options->entries, NULL);
    return true;
}

void options_free(Options *options) {
    vec_free(&options->arguments);
    vec_free(&options->entries);
}

PipelineOptions options_pipeline(const Options *options) {
    return (PipelineOptions){
        .passes = {.trap = !(options->disabled & DISABLE_TRAP),
                   .where = !(options->disabled & DISABLE_WHERE),
                   .defer = !(options->disabled & DISABLE_DEFER),
                   .trap_form = (TrapForm)options->trap_form,
                   .runtime = (RuntimeForm)options->runtime},
        .jobs = options->jobs,
        .entries = options->entries.len > 1 ? options->entries.items : NULL,
        .pedantic = options->pedantic,
    };
}

// ---------------------------------------------------------------- --help

enum { HELP_WIDTH = 100, HELP_INDENT = 30 };

// Wraps text to HELP_WIDTH; the cursor stands at column `at`, further lines begin at HELP_INDENT.
static void wrap(Buf *out, size_t at, const char *text) {
    if (at + 2 > HELP_INDENT)
        buf_char(out, '\n'), at = 0;
    buf_repeat(out, ' ', HELP_INDENT - at);
    size_t column = HELP_INDENT;
    while (*text) {
        size_t word = strcspn(text, " ");
        if (column > HELP_INDENT && column + 1 + word > HELP_WIDTH) {
            buf_char(out, '\n');
            buf_repeat(out, ' ', HELP_INDENT);
            column = HELP_INDENT;
        } else if (column > HELP_INDENT) {
            buf_char(out, ' ');
            column++;
        }
        buf_bytes(out, text, word);
        column += word;
        text += word;
        while (*text == ' ')
            text++;
    }
    buf_char(out, '\n');
}

static void help_options(Command command, Buf *out) {
    buf_cstr(out, "\nOptions:\n");
    for (int i = 0; i < ROW_COUNT; i++) {
        const OptionRow *row = &rows[i];
        if (!row_allowed(row, command))
            continue;
        size_t start = out->len;
        if (row->letter)
            buf_printf(out, "  -%c, --%s", row->letter, row->name);
        else
            buf_printf(out, "      --%s", row->name);
        if (row->argument)
            buf_printf(out, " %s", row->argument);
        wrap(out, out->len - start, row->help);
    }
}

static const char exit_codes[] =
    "\nExit codes:\n"
    "  0  fine: check found nothing, fix did its work (or --diff had nothing to show)\n"
    "  1  findings are left (check), the diff is not empty (fix --diff), something was rewritten\n"
    "     (fix --exit-non-zero-on-fix)\n"
    "  2  wrong usage or configuration, a file that could not be read, handled or written, an internal "
    "error;\n"
    "     in a tree all other files are still handled and written. A syntax error inside a file that could\n"
    "     otherwise be handled is a warning: the function around it is left as it is\n";

void options_help(Command command, Buf *out) {
    if (command == COMMAND_NONE) {
        buf_cstr(
            out,
            "graphmend: finds the statements at which TorchDynamo breaks the graph, and rewrites them\n\n"
            "Usage: graphmend COMMAND [OPTIONS] [ARGUMENTS]\n\nCommands:\n");
        for (int i = 1; i < COMMAND_COUNT; i++) {
            buf_printf(out, "  %s", command_rows[i].name);
            wrap(out, strlen(command_rows[i].name) + 2, command_rows[i].summary);
        }
    } else {
        const CommandRow *row = &command_rows[command];
        buf_printf(out, "graphmend %s: %s\n\nUsage: graphmend %s [OPTIONS] %s\n", row->name, row->summary,
                   row->name, row->arguments);
    }
    if (command == COMMAND_FIX)
        buf_cstr(
            out,
            "\nOne file without -o, --in-place or --diff goes to standard output; '-' is standard input.\n"
            "A folder, or several paths, need a destination.\n");
    if (command == COMMAND_CHECK)
        buf_cstr(out, "\nThe default path is the current folder; '-' is standard input. Findings go to "
                      "standard output,\n"
                      "the summary and what the tool has to say about its own work to standard error.\n");
    help_options(command, out);
    buf_cstr(out, exit_codes);
}
