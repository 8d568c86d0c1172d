// The table of options as data; for options*.c only.
#ifndef GM_OPTIONS_TABLE_H
#define GM_OPTIONS_TABLE_H

#include "cli/cli.h"

enum { FLAG, TEXT, NUMBER, CHOICE, SET, LIST, WORDS, TABLE };

enum {
    IN_FIX = 1 << COMMAND_FIX,
    IN_CHECK = 1 << COMMAND_CHECK,
    IN_EXPLAIN = 1 << COMMAND_EXPLAIN,
    IN_VERIFY = 1 << COMMAND_VERIFY,
    IN_DUMP = 1 << COMMAND_DUMP,
    IN_HELP = 1 << COMMAND_HELP,
    IN_GENERATE = 1 << COMMAND_GENERATE,
    IN_FILE = 1 << 30,
    IN_NONE = 1 << COMMAND_NONE,
    IN_ALL = IN_FIX | IN_CHECK | IN_EXPLAIN | IN_VERIFY | IN_DUMP | IN_GENERATE | IN_HELP | IN_NONE,
};

typedef struct OptionRow {
    uint32_t commands;
    const char *name;
    char letter;
    int kind;
    size_t offset;
    const char *argument, *help;
} OptionRow;

typedef struct CommandRow {
    const char *name, *arguments, *summary;
} CommandRow;

extern const OptionRow option_rows[];
extern const int option_count;
extern const CommandRow command_rows[];
enum { COMMAND_COUNT = COMMAND_HELP + 1 };

static inline bool row_allowed(const OptionRow *row, Command command) {
    return (row->commands >> command & 1) != 0;
}
static inline bool row_is_list(const OptionRow *row) {
    return row->kind == LIST || row->kind == WORDS || row->kind == TABLE;
}
// The next word of a list separated by `separator`; false at its end.
bool option_next_word(Str *rest, char separator, Str *word);
// Sets the field to the value; false with the reason.
bool option_set_row(Options *options, const OptionRow *row, const char *value, Str *why);

#endif
