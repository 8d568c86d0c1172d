// Names with a meaning: conventional parameter names, logger factories and methods, compile functions, boundaries, and the
// kinds of annotations, external calls and tensor attributes.
//
// Input: names.json. Output: sets and kind sets by interned name. A key of a kind table lists kinds ("tensor none"), whose
// bits are those of analysis.h's KIND_*; facts.c asserts that the order below is theirs. Read once, on first use.
#include <pthread.h>
#include <stdlib.h>

#include "rules/tables.h"

// In the order of the bits of KIND_*.
static const char *const kind_words[] = {"tensor", "module",      "bool",    "int",      "float", "str",
                                         "none",   "sequence",    "dict",    "callable", "dtype", "device",
                                         "object", "scalar_read", "ndarray", "other"};

typedef enum SetId {
    SET_LOGGER_FACTORIES,
    SET_LOGGER_METHODS,
    SET_LOGGER_CACHING,
    SET_LOGGING_FUNCTIONS,
    SET_COMPILING_QUERIES,
    SET_COMPILE_FUNCTIONS,
    SET_BOUNDARIES,
    SET_HIGHER_ORDER,
    SET_PURE_BUILTINS,
    SET_IO,
    SET_RANDOM,
    SET_GLOBAL_STATE,
    SET_CHANGES_FIRST,
    SET_MODULE_SETTERS,
    SET_CONTAINER_SETTERS,
    SET_CONFIG,
    SET_GENERIC,
    SET_CONTEXTS,
    SET_DISABLING,
    SET_RECURRENT,
    SET_SIZED,
    SET_NUMPY,
    SET_NUMPY_DRAWS,
    SET_NUMPY_FOLDS,
    SET_COUNT
} SetId;
typedef enum KindTable {
    KINDS_PARAMETER,
    KINDS_ANNOTATION,
    KINDS_CALL,
    KINDS_ATTRIBUTE,
    KINDS_COUNT
} KindTable;

static Map sets[SET_COUNT], kinds[KINDS_COUNT];
static Map breaking_calls, breaking_methods; // name -> code of the rule

typedef struct Target {
    Map *map;
    uint32_t value;
} Target;

static void add_word(void *context, Str word) {
    const Target *target = context;
    Name name = intern(word);
    uintptr_t old = 0;
    map_get(target->map, name, &old);
    map_put(target->map, name, old | target->value);
}

static void add_code(void *context, Str word) {
    const Target *target = context;
    map_put(target->map, intern(word), target->value);
}

static void add_kind(void *context, Str word) {
    for (uint32_t bit = 0; bit < sizeof kind_words / sizeof *kind_words; bit++)
        if (str_eq(word, str_of(kind_words[bit]))) {
            *(uint32_t *)context |= 1u << bit;
            return;
        }
    PANIC("names.json: unknown kind %.*s", STR_ARG(word));
}

static void read_set(const cJSON *json, const char *key, SetId id) {
    Target target = {&sets[id], 1};
    rules_words(json, key, add_word, &target);
}

static void read_kinds(const cJSON *json, const char *key, KindTable table) {
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(json, key)) {
        Target target = {&kinds[table], 0};
        rules_each_word(item->string, add_kind, &target.value);
        rules_each_word(cJSON_GetStringValue(item), add_word, &target);
    }
}

static void read_codes(const cJSON *codes, Map *map) {
    const cJSON *item;
    cJSON_ArrayForEach(item, codes) {
        Target target = {map, intern(str_of(item->string))};
        rules_each_word(cJSON_GetStringValue(item), add_code, &target);
    }
}

static void load(void) {
    cJSON *json = rules_json("names.json");
    const cJSON *loggers = cJSON_GetObjectItemCaseSensitive(json, "loggers");
    read_set(loggers, "factories", SET_LOGGER_FACTORIES);
    read_set(loggers, "methods", SET_LOGGER_METHODS);
    read_set(loggers, "caching_methods", SET_LOGGER_CACHING);
    read_set(loggers, "functions", SET_LOGGING_FUNCTIONS);
    read_set(json, "compiling_queries", SET_COMPILING_QUERIES);
    read_set(json, "compile_functions", SET_COMPILE_FUNCTIONS);
    read_set(json, "boundaries", SET_BOUNDARIES);
    read_set(json, "higher_order_calls", SET_HIGHER_ORDER);
    read_set(json, "pure_builtins", SET_PURE_BUILTINS);
    read_set(json, "io_calls", SET_IO);
    read_set(json, "random_calls", SET_RANDOM);
    read_set(json, "global_state", SET_GLOBAL_STATE);
    read_set(json, "changes_first", SET_CHANGES_FIRST);
    read_set(json, "module_setters", SET_MODULE_SETTERS);
    read_set(json, "container_setters", SET_CONTAINER_SETTERS);
    read_set(json, "config_names", SET_CONFIG);
    read_set(json, "generic_names", SET_GENERIC);
    read_set(json, "breaking_contexts", SET_CONTEXTS);
    read_set(json, "disabling", SET_DISABLING);
    read_set(json, "recurrent", SET_RECURRENT);
    read_set(json, "sized", SET_SIZED);
    const cJSON *numpy = cJSON_GetObjectItemCaseSensitive(json, "numpy");
    read_set(numpy, "traced", SET_NUMPY);
    read_set(numpy, "draws_a_number", SET_NUMPY_DRAWS);
    read_set(numpy, "folds", SET_NUMPY_FOLDS);
    read_codes(cJSON_GetObjectItemCaseSensitive(json, "breaking_calls"), &breaking_calls);
    read_codes(cJSON_GetObjectItemCaseSensitive(json, "breaking_methods"), &breaking_methods);
    read_kinds(json, "parameter_names", KINDS_PARAMETER);
    read_kinds(json, "annotations", KINDS_ANNOTATION);
    read_kinds(json, "external_calls", KINDS_CALL);
    read_kinds(json, "tensor_attributes", KINDS_ATTRIBUTE);
    cJSON_Delete(json);
}

static void need(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
}

static bool in_set(SetId id, Name name) {
    need();
    return map_get(&sets[id], name, NULL);
}

static uint32_t kinds_in(KindTable table, Name name) {
    need();
    uintptr_t value = 0;
    map_get(&kinds[table], name, &value);
    return (uint32_t)value;
}

uint32_t kinds_of_external_call(Name dotted) {
    return kinds_in(KINDS_CALL, dotted);
}
uint32_t kinds_of_tensor_attribute(Name attribute) {
    return kinds_in(KINDS_ATTRIBUTE, attribute);
}
uint32_t kinds_of_annotation(Name dotted) {
    return kinds_in(KINDS_ANNOTATION, dotted);
}
uint32_t kinds_of_parameter_name(Name name) {
    return kinds_in(KINDS_PARAMETER, name);
}

bool is_logger_factory(Name dotted) {
    return in_set(SET_LOGGER_FACTORIES, dotted);
}

bool is_logger_method(Name method, bool *caches) {
    bool caching = in_set(SET_LOGGER_CACHING, method);
    if (caches)
        *caches = caching;
    return caching || in_set(SET_LOGGER_METHODS, method);
}

bool is_logging_function(Name dotted) {
    return in_set(SET_LOGGING_FUNCTIONS, dotted);
}
bool is_compiling_query(Name dotted) {
    return in_set(SET_COMPILING_QUERIES, dotted);
}
bool is_compile_function(Name dotted) {
    return in_set(SET_COMPILE_FUNCTIONS, dotted);
}
bool is_region_boundary(Name dotted) {
    return in_set(SET_BOUNDARIES, dotted);
}
bool is_higher_order_call(Name dotted) {
    return in_set(SET_HIGHER_ORDER, dotted);
}
bool is_pure_builtin(Name name) {
    return in_set(SET_PURE_BUILTINS, name);
}
bool is_io_call(Name dotted) {
    return in_set(SET_IO, dotted);
}
bool sets_global_state(Name dotted) {
    return in_set(SET_GLOBAL_STATE, dotted);
}
bool is_first_changed(Name dotted) {
    return in_set(SET_CHANGES_FIRST, dotted);
}
bool is_module_setter(Name method) {
    return in_set(SET_MODULE_SETTERS, method);
}
bool is_container_setter(Name method) {
    return in_set(SET_CONTAINER_SETTERS, method);
}
bool is_random_call(Name dotted) {
    return in_set(SET_RANDOM, dotted);
}
bool is_generic_name(Name name) {
    return in_set(SET_GENERIC, name);
}
bool is_config_name(Name name) {
    return in_set(SET_CONFIG, name);
}
bool is_breaking_context(Name dotted) {
    return in_set(SET_CONTEXTS, dotted);
}
bool is_disabling(Name dotted) {
    return in_set(SET_DISABLING, dotted);
}
bool is_recurrent_module(Name dotted) {
    return in_set(SET_RECURRENT, dotted);
}
bool is_sized(Name function) {
    return in_set(SET_SIZED, function);
}
bool numpy_is_traced(Name name) {
    return in_set(SET_NUMPY, name);
}
bool numpy_draws_number(Name name) {
    return in_set(SET_NUMPY_DRAWS, name);
}
bool numpy_folds(Name name) {
    return in_set(SET_NUMPY_FOLDS, name);
}

Name breaking_method(Name method) {
    need();
    uintptr_t code = 0;
    map_get(&breaking_methods, method, &code);
    return (Name)code;
}

// "subprocess" stands for subprocess.run, subprocess.Popen, ...
Name breaking_call(Name dotted) {
    need();
    uintptr_t code = 0;
    if (map_get(&breaking_calls, dotted, &code))
        return (Name)code;
    Str text = name_str(dotted);
    size_t dot = 0;
    if (str_find(text, STR("."), &dot))
        map_get(&breaking_calls, intern(str_slice(text, 0, dot)), &code);
    return (Name)code;
}
