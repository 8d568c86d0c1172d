// The configuration: graphmend.toml, or [tool.graphmend] in pyproject.toml.
//
// In:  the options as typed, a folder. Out: the same, with what the nearest file says where the command line says nothing.
// Looked at are the folder and those above it; in one folder graphmend.toml comes first; a pyproject.toml without the table
// is passed over; nothing is inherited from a file further up. What a rule is selected for, and what is left out, is said
// by the file nearest to each source file; all else (entry points, passes, runtime, format) by that of the first path.
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

// What the files nearest to other folders say, with the command line.
typedef struct FolderOptions {
    Options options;
    gm_options api;
} FolderOptions;

struct ConfigFiles {
    Map folders; // Name of a real path -> FolderOptions*, NULL: those of the run
    VEC(FolderOptions *) all;
    FolderOptions *none; // the command line alone
    bool failed;
};

static void complain(Config *config, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void complain(Config *config, const char *format, ...) {
    va_list args;
    Buf text = {0};
    va_start(args, format);
    buf_vprintf(&text, format, args);
    va_end(args);
    console_error(config->options, "%s: %.*s", config->path, STR_ARG(buf_view(&text)));
    buf_free(&text);
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

static bool may_have_own(const char *folder, Arena *arena) {
    return file_exists(paths_join(arena, folder, "graphmend.toml")) ||
           file_exists(paths_join(arena, folder, "pyproject.toml"));
}

// That of this very folder. True when there is one.
static bool read_own(Config *config, const char *folder) {
    Arena *arena = config->options->arena;
    const char *own = paths_join(arena, folder, "graphmend.toml");
    const char *project = paths_join(arena, folder, "pyproject.toml");
    return (file_exists(own) && read_file(config, own, "")) ||
           (file_exists(project) && read_file(config, project, "tool.graphmend"));
}

static bool read_nearest(Config *config) {
    const char *folder = start_folder(config->options);
    while (folder && !read_own(config, folder))
        folder = strcmp(folder, "/") == 0 ? NULL : paths_folder(config->options->arena, folder);
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

// ---------------------------------------------------------------- the files of other folders

// The command line once more: what one configuration has set must not stand in the way of another.
static FolderOptions *only_typed(const Options *options) {
    ConfigFiles *files = options->config_files;
    FolderOptions *typed = ARENA_NEW(options->arena, FolderOptions);
    Str why;
    bool good = options_parse(&typed->options, options->argc, options->argv, options->arena, &why);
    CHECK(good); // it was when the run began
    vec_push(&files->all, typed);
    return typed;
}

static FolderOptions *finished(FolderOptions *of) {
    options_end_lists(&of->options);
    of->api = options_api(&of->options);
    return of;
}

static FolderOptions *read_folder(const Options *options, const char *folder);

static FolderOptions *read_above(const Options *options, const char *folder) {
    ConfigFiles *files = options->config_files;
    if (strcmp(folder, "/") != 0)
        return read_folder(options, paths_folder(options->arena, folder));
    if (!options->config_found)
        return NULL;
    if (!files->none)
        files->none = finished(only_typed(options));
    return files->none;
}

static FolderOptions *read_own_or_above(const Options *options, const char *folder) {
    if (may_have_own(folder, options->arena)) {
        FolderOptions *own = only_typed(options);
        Config config = {.options = &own->options};
        bool found = read_own(&config, folder);
        options->config_files->failed |= config.failed;
        if (found)
            return finished(own);
    }
    return read_above(options, folder);
}

// As deep as the path has folders.
static FolderOptions *read_folder(const Options *options, const char *folder) {
    ConfigFiles *files = options->config_files;
    Name key = intern(str_of(folder));
    uintptr_t known;
    if (map_get(&files->folders, key, &known))
        return (FolderOptions *)known;
    bool is_first =
        options->config_found && strcmp(folder, paths_folder(options->arena, options->config_found)) == 0;
    FolderOptions *found = is_first ? NULL : read_own_or_above(options, folder);
    map_put(&files->folders, key, (uintptr_t)found);
    return found;
}

const gm_options *config_of(void *context, const char *folder) {
    Options *options = context;
    char real[PATH_MAX];
    if (!options->config_files)
        options->config_files = ARENA_NEW(options->arena, ConfigFiles);
    if (!realpath(folder, real))
        return NULL; // of a text from memory, whose name leads nowhere
    const FolderOptions *found = read_folder(options, real);
    return found ? &found->api : NULL;
}

bool config_failed(const Options *options) {
    return options->config_files && options->config_files->failed;
}

void config_free(Options *options) {
    ConfigFiles *files = options->config_files;
    for (uint32_t i = 0; files && i < files->all.len; i++)
        options_free(&files->all.items[i]->options);
    if (!files)
        return;
    vec_free(&files->all);
    map_free(&files->folders);
}

int cmd_settings(const Options *options) {
    Buf out = {0};
    buf_printf(&out, "# configuration: %s\n", options->config_found ? options->config_found : "none");
    options_settings(options, &out);
    bool good = console_write(options, buf_view(&out));
    buf_free(&out);
    return good ? EXIT_FINE : EXIT_TROUBLE;
}
