// The configuration: graphmend.toml, or [tool.graphmend] in pyproject.toml.
//
// In:  the options as typed. Out: the same, with what the nearest file says where the command line says nothing. Looked at
// are the folder of the first path and those above it; in one folder graphmend.toml comes first; a pyproject.toml without
// the table is passed over. Deliberately simple: one configuration a run, that of the first path.
//     [tool.graphmend]
//     select = ["GM1", "GM3"]
//     per-file-ignores = {"tests/**" = ["GM301"]}
// Declines, with the nearest name: a key that does not exist, a value of the wrong kind.
#include "cli/cli.h"
#include "syntax/toml.h"

#include <cjson/cJSON.h>
#include <limits.h>
#include <stdio.h>

typedef struct Config {
    Options *options;
    const char *path;
    bool failed;
} Config;

static void complain(Config *config, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void complain(Config *config, const char *format, ...) {
    va_list args;
    char text[512];
    va_start(args, format);
    (void)vsnprintf(text, sizeof text, format, args);
    va_end(args);
    console_error(config->options, "%s: %s", config->path, text);
    config->failed = true;
}

static void unknown_key(Config *config, const char *key) {
    Nearest nearest = nearest_start(str_of(key));
    Buf text = {0};
    options_nearest(&nearest);
    nearest_say(&nearest, &text);
    buf_char(&text, '\0');
    complain(config, "unknown key '%s'%s", key, text.ptr);
    buf_free(&text);
}

static void set(Config *config, const char *key, const char *value) {
    Str why = STR("");
    if (!options_set(config->options, str_of(key), value, &why))
        complain(config, "%.*s", STR_ARG(why));
}

static void set_table(Config *config, const cJSON *table) {
    const cJSON *item, *code;
    cJSON_ArrayForEach(item, table) {
        Buf text = {0};
        buf_printf(&text, "%s:", item->string);
        if (!cJSON_IsArray(item) && !cJSON_IsString(item))
            complain(config, "'%s.%s' has to be a list of codes", table->string, item->string);
        if (cJSON_IsString(item))
            buf_cstr(&text, cJSON_GetStringValue(item));
        bool first = true;
        cJSON_ArrayForEach(code, item) {
            if (!cJSON_IsString(code))
                complain(config, "'%s.%s' has to be a list of codes", table->string, item->string);
            else
                buf_printf(&text, "%s%s", first ? "" : ",", cJSON_GetStringValue(code));
            first = false;
        }
        set(config, table->string, str_dup(config->options->arena, buf_view(&text)).ptr);
        buf_free(&text);
    }
}

static void set_list(Config *config, const cJSON *list) {
    const cJSON *word;
    cJSON_ArrayForEach(word, list) {
        if (cJSON_IsString(word))
            set(config, list->string,
                str_dup(config->options->arena, str_of(cJSON_GetStringValue(word))).ptr);
        else
            complain(config, "'%s' has to be a list of strings", list->string);
    }
}

static void set_key(Config *config, const cJSON *item) {
    const char *key = item->string;
    Arena *arena = config->options->arena;
    OptionShape shape = options_shape(str_of(key));
    if (shape == SHAPE_UNKNOWN)
        unknown_key(config, key);
    else if (shape == SHAPE_TABLE && cJSON_IsObject(item))
        set_table(config, item);
    else if (shape == SHAPE_LIST && cJSON_IsArray(item))
        set_list(config, item);
    else if (shape == SHAPE_BOOL && cJSON_IsBool(item))
        set(config, key, cJSON_IsTrue(item) ? "true" : "false");
    else if (shape == SHAPE_NUMBER && cJSON_IsNumber(item))
        set(config, key, str_format(arena, "%.15g", cJSON_GetNumberValue(item)).ptr);
    else if (shape == SHAPE_TEXT && cJSON_IsString(item))
        set(config, key, str_dup(arena, str_of(cJSON_GetStringValue(item))).ptr);
    else
        complain(config, "'%s' has to be %s", key,
                 shape == SHAPE_TABLE    ? "a table of lists of codes"
                 : shape == SHAPE_LIST   ? "a list of strings"
                 : shape == SHAPE_BOOL   ? "true or false"
                 : shape == SHAPE_NUMBER ? "a number"
                                         : "a string");
}

// True when the file has our table. What is wrong with it was said.
static bool read_file(Config *config, const char *path, const char *table) {
    Options *options = config->options;
    Buf bytes = {0};
    Str why;
    config->path = path;
    if (!file_read(path, &bytes, options->arena, &why)) {
        complain(config, "%.*s", STR_ARG(why));
        return true;
    }
    Buf json = {0};
    Str text = bytes.ptr ? buf_view(&bytes) : STR("");
    bool found = toml_section(text, str_of(table), options->arena, &json, &why);
    if (why.len)
        complain(config, "%.*s", STR_ARG(why));
    if (found) {
        options->config_found = path;
        cJSON *settings = cJSON_ParseWithLength(json.ptr, json.len);
        const cJSON *item;
        if (!cJSON_IsObject(settings))
            complain(config, "[%s] is no table", table);
        else
            cJSON_ArrayForEach(item, settings) set_key(config, item);
        cJSON_Delete(settings);
    }
    buf_free(&bytes);
    buf_free(&json);
    return found || why.len > 0;
}

static const char *start_folder(const Options *options) {
    const char *path = options->arguments.len ? options->arguments.items[0] : ".";
    if (paths_is_stdin(path))
        path = options->stdin_filename ? options->stdin_filename : ".";
    char real[PATH_MAX];
    const char *folder = file_is_dir(path) ? path : paths_folder(options->arena, path);
    return realpath(folder, real) ? str_dup(options->arena, str_of(real)).ptr : NULL;
}

static bool read_nearest(Config *config) {
    Arena *arena = config->options->arena;
    for (const char *folder = start_folder(config->options); folder;) {
        const char *own = paths_join(arena, folder, "graphmend.toml");
        const char *project = paths_join(arena, folder, "pyproject.toml");
        if (file_exists(own) && read_file(config, own, ""))
            break;
        if (file_exists(project) && read_file(config, project, "tool.graphmend"))
            break;
        if (strcmp(folder, "/") == 0)
            break;
        folder = paths_folder(arena, folder);
    }
    return !config->failed;
}

bool config_read(Options *options) {
    Config config = {.options = options};
    bool good = true;
    if (options->config) {
        bool project = strcmp(paths_base(options->config), "pyproject.toml") == 0;
        if (!read_file(&config, options->config, project ? "tool.graphmend" : ""))
            complain(&config, "has no [tool.graphmend]");
        good = !config.failed;
    } else if (!options->isolated) {
        good = read_nearest(&config);
    }
    options_end_lists(options);
    return good;
}

int cmd_settings(const Options *options) {
    Buf out = {0};
    buf_printf(&out, "# configuration: %s\n", options->config_found ? options->config_found : "none");
    options_settings(options, &out);
    bool good = console_write(options, buf_view(&out));
    buf_free(&out);
    return good ? EXIT_FINE : EXIT_TROUBLE;
}
