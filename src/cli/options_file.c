// Options beyond the command line: what a configuration file may set, how that is shown, and what the API is given.
#include "cli/options_table.h"

static bool set_flag(Options *options, const OptionRow *row, const char *value, Str *why) {
    bool truth = strcmp(value, "true") == 0;
    *(bool *)(void *)((char *)options + row->offset) = truth;
    if (!truth && strcmp(value, "false") != 0)
        *why = str_format(options->arena, "'%s' is true or false", row->name);
    return why->len == 0;
}

bool options_set(Options *options, Str name, const char *value, Str *why) {
    for (int i = 0; i < option_count; i++) {
        const OptionRow *row = &option_rows[i];
        if (!(row->commands & IN_FILE) || !str_eq(str_of(row->name), name) || options->given[i])
            continue;
        return row->kind == FLAG ? set_flag(options, row, value, why)
                                 : option_set_row(options, row, value, why);
    }
    return true;
}

OptionShape options_shape(Str name) {
    for (int i = 0; i < option_count; i++) {
        const OptionRow *row = &option_rows[i];
        if (!(row->commands & IN_FILE) || !str_eq(str_of(row->name), name))
            continue;
        return row->kind == FLAG                      ? SHAPE_BOOL
               : row->kind == NUMBER                  ? SHAPE_NUMBER
               : row->kind == TABLE                   ? SHAPE_TABLE
               : row_is_list(row) || row->kind == SET ? SHAPE_LIST
                                                      : SHAPE_TEXT;
    }
    return SHAPE_UNKNOWN;
}

bool options_given(const Options *options, Str name) {
    for (int i = 0; i < option_count; i++)
        if (str_eq(str_of(option_rows[i].name), name))
            return options->given[i];
    return false;
}

const char *options_choice(const Options *options, const char *name) {
    for (int i = 0; i < option_count; i++) {
        const OptionRow *row = &option_rows[i];
        if (row->kind != CHOICE || !row_allowed(row, options->command) || strcmp(row->name, name) != 0)
            continue;
        uint32_t index = *(const uint32_t *)(const void *)((const char *)options + row->offset);
        Str rest = str_of(row->argument), word;
        while (option_next_word(&rest, '|', &word) && index > 0)
            index--;
        return str_dup(options->arena, word).ptr;
    }
    PANIC("'%s' is no choice of this command", name);
}

void options_nearest(Nearest *nearest) {
    for (int i = 0; i < option_count; i++)
        if (option_rows[i].commands & IN_FILE)
            nearest_try(nearest, str_of(option_rows[i].name));
}

static void put_list(const Words *words, Buf *out) {
    buf_char(out, '[');
    for (uint32_t i = 0; i < words->len && words->items[i]; i++) {
        buf_cstr(out, i ? ", " : "");
        json_string(str_of(words->items[i]), out);
    }
    buf_char(out, ']');
}

// A set or a choice: its words whose bit, or whose index, the field holds.
static void put_words(const OptionRow *row, uint32_t field, Buf *out) {
    Str rest = str_of(row->argument), word;
    bool first = true;
    buf_cstr(out, row->kind == SET ? "[" : "");
    for (uint32_t i = 0; option_next_word(&rest, row->kind == SET ? ',' : '|', &word); i++) {
        if (row->kind == SET ? !(field >> i & 1) : field != i)
            continue;
        buf_cstr(out, first ? "" : ", ");
        json_string(word, out);
        first = false;
    }
    buf_cstr(out, row->kind == SET ? "]" : "");
}

void options_settings(const Options *options, Buf *out) {
    for (int i = 0; i < option_count; i++) {
        const OptionRow *row = &option_rows[i];
        const void *field = (const char *)options + row->offset;
        if (!(row->commands & IN_FILE) || (row->kind == TEXT && !*(const char *const *)field))
            continue;
        buf_printf(out, "%s = ", row->name);
        switch (row->kind) {
        case FLAG:
            buf_cstr(out, *(const bool *)field ? "true" : "false");
            break;
        case TEXT:
            json_string(str_of(*(const char *const *)field), out);
            break;
        case NUMBER:
            buf_printf(out, "%u", *(const uint32_t *)field);
            break;
        case CHOICE:
        case SET:
            put_words(row, *(const uint32_t *)field, out);
            break;
        default:
            put_list(field, out);
        }
        buf_char(out, '\n');
    }
}

// ---------------------------------------------------------------- for the API

static const char *const *list_or_null(const Words *words) {
    return words->len > 1 ? words->items : NULL;
}

static const gm_file_ignore *file_ignores(const Options *options) {
    const Words *words = &options->per_file_ignores;
    gm_file_ignore *ignores = ARENA_ARRAY(options->arena, gm_file_ignore, words->len + 1);
    const char *root = options_given(options, STR("per-file-ignores")) ? "." : NULL;
    for (uint32_t i = 0; i + 1 < words->len; i++) {
        Str text = str_of(words->items[i]), code;
        size_t colon = text.len;
        while (colon > 0 && text.ptr[colon] != ':')
            colon--;
        const char **codes = ARENA_ARRAY(options->arena, const char *, text.len + 2);
        uint32_t count = 0;
        Str rest = colon ? str_slice(text, colon + 1, text.len) : STR("");
        while (option_next_word(&rest, ',', &code))
            codes[count++] = str_dup(options->arena, str_trim(code)).ptr;
        const char *pattern = str_dup(options->arena, str_slice(text, 0, colon)).ptr;
        ignores[i] = (gm_file_ignore){pattern, codes, root};
    }
    return ignores;
}

// Patterns of the command line are relative to the working directory, those of a file to its folder.
static const char *const *excluded(const Options *options, bool given) {
    const Words *lists[] = {&options->exclude, &options->extend_exclude};
    const char *const names[] = {"exclude", "extend-exclude"};
    uint32_t count = 0;
    const char **all =
        ARENA_ARRAY(options->arena, const char *, options->exclude.len + options->extend_exclude.len + 1);
    for (int list = 0; list < 2; list++)
        for (uint32_t i = 0; i + 1 < lists[list]->len; i++)
            if (options_given(options, str_of(names[list])) == given)
                all[count++] = lists[list]->items[i];
    return all;
}

gm_options options_api(const Options *options) {
    return (gm_options){
        .entries = list_or_null(&options->entries),
        .select = list_or_null(&options->select),
        .extend_select = list_or_null(&options->extend_select),
        .ignore = list_or_null(&options->ignore),
        .fix_only = list_or_null(&options->fix_only),
        .file_ignores = file_ignores(options),
        .target_torch = options->target_torch,
        .exclude = excluded(options, false),
        .exclude_here = excluded(options, true),
        .root = options->config_found ? paths_folder(options->arena, options->config_found) : NULL,
        .no_gitignore = options->no_gitignore,
        .force_exclude = options->force_exclude,
        .no_trap = (options->disabled & DISABLE_TRAP) != 0,
        .no_where = (options->disabled & DISABLE_WHERE) != 0,
        .no_defer = (options->disabled & DISABLE_DEFER) != 0,
        .unsafe_fixes = options->unsafe_fixes,
        .assert_async = options->trap_form == TRAP_CHOICE_ASSERT_ASYNC,
        .no_cond = options->cond == COND_NEVER,
        .runtime = (gm_runtime)options->runtime,
        .pedantic = options->pedantic,
        .jobs = options->jobs,
    };
}
