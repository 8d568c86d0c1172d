// Reads the command line by the table in options.def.
//
// In:  argv. Out: Options. Options and paths may be mixed; `--` ends the options; `--name value` and `--name=value`,
// `-o PATH` and `-oPATH`, `-qv` are all understood. An option that needs a value never takes the next option for it:
// a value that begins with a dash is written `--name=-value`.
// Declines, with the nearest name: an unknown command, option or choice. Which options go together is the command's own
// business.
#include "cli/options_table.h"

#include <stdio.h>
#include <stdlib.h>

const OptionRow option_rows[] = {
#define OPTION(commands, name, letter, kind, field, argument, help)                                          \
    {commands, name, letter, kind, offsetof(Options, field), argument, help},
#include "cli/options.def"
#undef OPTION
};
enum { ROW_COUNT = sizeof option_rows / sizeof *option_rows };
_Static_assert(sizeof option_rows / sizeof *option_rows <= (size_t)OPTIONS_MAX, "OPTIONS_MAX");
const int option_count = ROW_COUNT;

// clang-format off
const CommandRow command_rows[] = {
    {"", "", ""},
#define X(id, name, arguments, summary) {#name, arguments, summary},
    COMMANDS(X)
#undef X
};
// clang-format on
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

static const OptionRow *find_long(Command command, Str name) {
    for (int i = 0; i < option_count; i++)
        if (row_allowed(&option_rows[i], command) && str_eq(str_of(option_rows[i].name), name))
            return &option_rows[i];
    return NULL;
}

static const OptionRow *find_letter(Command command, char letter) {
    for (int i = 0; i < option_count; i++)
        if (row_allowed(&option_rows[i], command) && option_rows[i].letter == letter)
            return &option_rows[i];
    return NULL;
}

static bool unknown_option(Parse *parse, Str name) {
    Command command = parse->options->command;
    Nearest nearest = nearest_start(name);
    const char *owner = NULL;
    for (int i = 0; i < option_count; i++) {
        if (row_allowed(&option_rows[i], command))
            nearest_try(&nearest, str_of(option_rows[i].name));
        else if (str_eq(str_of(option_rows[i].name), name))
            for (int c = 1; c < COMMAND_COUNT && !owner; c++)
                if (row_allowed(&option_rows[i], (Command)c))
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

bool option_next_word(Str *rest, char separator, Str *word) {
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
    for (*index = 0; option_next_word(&rest, separator, &word); ++*index) {
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
    unsigned long number = value[0] >= '0' && value[0] <= '9' ? strtoul(value, &end, 10) : POOL_JOBS_MAX + 1;
    if (number > POOL_JOBS_MAX || *end)
        return fail(parse, NULL,
                    str_format(parse->arena, "'--%s' takes a number from 0 to %d, not '%s'", row->name,
                               POOL_JOBS_MAX, value));
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
        while (option_next_word(&rest, ',', &word)) {
            if (!find_choice(parse, row, str_trim(word), &index))
                return false;
            *(uint32_t *)field |= 1u << index;
        }
        return true;
    }
    case WORDS: {
        Str rest = str_of(value), word;
        while (option_next_word(&rest, ',', &word)) {
            word = str_trim(word);
            if (word.len == 0)
                return fail(parse, NULL, str_format(parse->arena, "'--%s' has an empty word", row->name));
            vec_push((Words *)field, str_dup(parse->arena, word).ptr);
        }
        return true;
    }
    default:
        if (!*value)
            return fail(parse, NULL,
                        str_format(parse->arena, "'--%s' needs a value that is not empty", row->name));
        vec_push((Words *)field, value);
        return true;
    }
}

static bool set_given(Parse *parse, const OptionRow *row, const char *value) {
    parse->options->given[row - option_rows] = true;
    return set_option(parse, row, value);
}

// "-3" is a wrong number rather than an unknown option.
static bool is_option(const char *word, const OptionRow *before) {
    bool number = before->kind == NUMBER && word[0] == '-' && word[1] >= '0' && word[1] <= '9';
    return word[0] == '-' && word[1] && !number;
}

// Value of an option that needs one: what is attached to it, or the next argument.
static bool take_value(Parse *parse, const OptionRow *row, const char *attached, const char **value) {
    *value = attached;
    if (row->kind == FLAG)
        return !attached || fail(parse, NULL, str_format(parse->arena, "'--%s' takes no value", row->name));
    if (attached)
        return true;
    const char *next = parse->at < parse->argc ? parse->argv[parse->at] : NULL;
    if (!next || is_option(next, row))
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
    return take_value(parse, row, equals ? equals + 1 : NULL, &value) && set_given(parse, row, value);
}

static bool parse_letters(Parse *parse, const char *letters) {
    for (; *letters; letters++) {
        const OptionRow *row = find_letter(parse->options->command, *letters);
        if (!row)
            return fail(parse, NULL, str_format(parse->arena, "unknown option '-%s'", letters));
        const char *rest = row->kind != FLAG && letters[1] ? letters + 1 : NULL, *value;
        if (!take_value(parse, row, rest, &value) || !set_given(parse, row, value))
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
    options->arena = arena;
    options->argc = argc;
    options->argv = argv;
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
    return true;
}

void options_end_lists(Options *options) {
    for (int i = 0; i < option_count; i++) {
        Words *words = (Words *)(void *)((char *)options + option_rows[i].offset);
        if (row_is_list(&option_rows[i]) && (words->len == 0 || vec_last(words)))
            vec_push(words, NULL);
    }
}

void options_free(Options *options) {
    vec_free(&options->arguments);
    for (int i = 0; i < option_count; i++)
        if (row_is_list(&option_rows[i]))
            vec_free((Words *)(void *)((char *)options + option_rows[i].offset));
}

bool option_set_row(Options *options, const OptionRow *row, const char *value, Str *why) {
    Parse parse = {.options = options, .arena = options->arena, .why = why};
    return set_option(&parse, row, value);
}
