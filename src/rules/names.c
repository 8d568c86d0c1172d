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

#define SET_ID(function, object, key, match) SET_##function,
typedef enum SetId { NAME_SETS(SET_ID) SET_COUNT } SetId;
#undef SET_ID
typedef enum KindTable {
    KINDS_PARAMETER,
    KINDS_ANNOTATION,
    KINDS_CALL,
    KINDS_ATTRIBUTE,
    KINDS_COUNT
} KindTable;

static Map sets[SET_COUNT], kinds[KINDS_COUNT];
static Map breaking_calls, breaking_methods; // name -> code of the rule
static Map inplace_places;                   // name -> position

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

static void add_value(void *context, Str word) {
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

static void read_set(const cJSON *json, const char *object, const char *key, SetId id) {
    Target target = {&sets[id], 1};
    rules_words(object ? cJSON_GetObjectItemCaseSensitive(json, object) : json, key, add_word, &target);
    if (!sets[id].len)
        PANIC("names.json: no %s", key);
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
        rules_each_word(cJSON_GetStringValue(item), add_value, &target);
    }
}

static void read_places(const cJSON *places, Map *map) {
    const cJSON *item;
    cJSON_ArrayForEach(item, places) {
        Target target = {map, (uint32_t)strtoul(item->string, NULL, 10)};
        rules_each_word(cJSON_GetStringValue(item), add_value, &target);
    }
}

static void load(void) {
    cJSON *json = rules_json("names.json");
#define READ_SET(function, object, key, match) read_set(json, object, key, SET_##function);
    NAME_SETS(READ_SET)
#undef READ_SET
    read_codes(cJSON_GetObjectItemCaseSensitive(json, "breaking_calls"), &breaking_calls);
    read_codes(cJSON_GetObjectItemCaseSensitive(json, "breaking_methods"), &breaking_methods);
    read_places(cJSON_GetObjectItemCaseSensitive(json, "inplace_at"), &inplace_places);
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

static bool matches(NameMatch match, Str text, Str word) {
    return match == NAME_STARTS ? str_starts(text, word)
           : match == NAME_ENDS ? str_ends(text, word)
                                : str_find(text, word, NULL);
}

static bool in_set(SetId id, NameMatch match, Name name) {
    need();
    if (match == NAME_IS)
        return map_get(&sets[id], name, NULL);
    for (uint32_t i = 0; i < sets[id].len; i++)
        if (matches(match, name_str(name), name_str((Name)sets[id].entries[i].key)))
            return true;
    return false;
}

#define DEFINE_SET(function, object, key, match)                                                             \
    bool function(Name name) {                                                                               \
        return in_set(SET_##function, match, name);                                                          \
    }
NAME_SETS(DEFINE_SET)
#undef DEFINE_SET

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

bool is_logger_method(Name method, bool *caches) {
    bool caching = is_caching_logger_method(method);
    if (caches)
        *caches = caching;
    return caching || is_plain_logger_method(method);
}

bool inplace_place(Name module_class, uint32_t *at) {
    need();
    uintptr_t place = 0;
    bool known = map_get(&inplace_places, module_class, &place);
    *at = (uint32_t)place;
    return known;
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
