// What torch's operators return and do, by name.
//
// Input: torch_ops.json (rules/generate.py), in which each set of flags is followed by the names that have it. Output:
// flags by interned name: "torch.nn.functional.relu" for functions, "relu" for methods, "torch.nn.ReLU" for modules.
// Unknown names have no flags. Read once, on first use.
#include <pthread.h>
#include <stdlib.h>

#include "rules/tables.h"

static struct {
    Map functions, methods, modules, distinctive;
    // Arguments of a kind. By name: a bit a position. By name and keyword: present.
    Map places[ARGUMENT_KINDS], keywords[ARGUMENT_KINDS];
} torch_table;

static const struct {
    const char *word;
    uint32_t flag;
} flag_words[] = {
    {"TENSOR", OP_RETURNS_TENSOR},
    {"TENSORS", OP_RETURNS_TENSORS},
    {"BOOL", OP_RETURNS_BOOL},
    {"SCALAR", OP_RETURNS_SCALAR},
    {"STATIC", OP_RETURNS_STATIC},
    {"INPLACE", OP_INPLACE},
    {"RANDOM", OP_RANDOM},
    {"VIEW", OP_VIEW},
    {"DYNAMIC_SHAPE", OP_DYNAMIC_SHAPE},
    {"DATA_DEPENDENT", OP_DATA_DEPENDENT},
    {"RAISES_ON_DATA", OP_RAISES_ON_DATA},
    {"NONE", OP_RETURNS_NONE},
    {"BOOL_TENSOR", OP_RETURNS_BOOL_TENSOR},
    {"SELF", OP_RETURNS_SELF},
    {"REDUCES", OP_REDUCES_TO_SCALAR},
    {"HEAVY", OP_HEAVY},
};

static void add_flag(void *context, Str word) {
    uint32_t *flags = context;
    for (size_t i = 0; i < sizeof flag_words / sizeof *flag_words; i++)
        if (str_eq(word, str_of(flag_words[i].word))) {
            *flags |= flag_words[i].flag;
            return;
        }
    PANIC("torch_ops.json: unknown flag %.*s", STR_ARG(word));
}

typedef struct Group {
    Map *map;
    const char *prefix; // of a dotted name, or NULL
    uint32_t flags;
} Group;

static void add_name(void *context, Str word) {
    const Group *group = context;
    Name name;
    if (group->prefix) {
        char dotted[128];
        size_t len = strlen(group->prefix);
        CHECK(len + 1 + word.len <= sizeof dotted);
        memcpy(dotted, group->prefix, len);
        dotted[len] = '.';
        memcpy(dotted + len + 1, word.ptr, word.len);
        name = intern((Str){dotted, len + 1 + word.len});
    } else {
        name = intern(word);
    }
    map_put(group->map, name, group->flags);
}

static void read_groups(const cJSON *groups, Map *map, const char *prefix) {
    const cJSON *item;
    cJSON_ArrayForEach(item, groups) {
        Group group = {.map = map, .prefix = prefix};
        rules_each_word(item->string, add_flag, &group.flags);
        rules_each_word(cJSON_GetStringValue(item), add_name, &group);
    }
}

typedef struct Arguments {
    const char *words; // "1 3 dim length"
    Name name;
    TorchArgument kind;
} Arguments;

static void add_argument(void *context, Str word) {
    const Arguments *arguments = context;
    bool place = word.ptr[0] >= '0' && word.ptr[0] <= '9';
    if (!place) {
        map_put(&torch_table.keywords[arguments->kind], map_key_pair(arguments->name, intern(word)), 1);
        return;
    }
    uint32_t at = 0;
    for (size_t i = 0; i < word.len && at < 32; i++)
        at = at * 10 + (uint32_t)(word.ptr[i] - '0');
    CHECK(at < 32);
    uintptr_t places = 0;
    map_get(&torch_table.places[arguments->kind], arguments->name, &places);
    map_put(&torch_table.places[arguments->kind], arguments->name, places | (uintptr_t)1 << at);
}

static void add_arguments(void *context, Str word) {
    Arguments *arguments = context;
    arguments->name = intern(word);
    rules_each_word(arguments->words, add_argument, arguments);
}

static void read_arguments(const cJSON *groups, TorchArgument kind) {
    const cJSON *item;
    cJSON_ArrayForEach(item, groups) {
        Arguments arguments = {.words = item->string, .kind = kind};
        rules_each_word(cJSON_GetStringValue(item), add_arguments, &arguments);
    }
}

static void load(void) {
    cJSON *json = rules_json("torch_ops.json");
    const cJSON *space;
    cJSON_ArrayForEach(space, cJSON_GetObjectItemCaseSensitive(json, "functions"))
        read_groups(space, &torch_table.functions, space->string);
    read_groups(cJSON_GetObjectItemCaseSensitive(json, "methods"), &torch_table.methods, NULL);
    read_groups(cJSON_GetObjectItemCaseSensitive(json, "modules"), &torch_table.modules, "torch.nn");
    const cJSON *numbers = cJSON_GetObjectItemCaseSensitive(json, "numbers");
    read_arguments(cJSON_GetObjectItemCaseSensitive(numbers, "functions"), ARGUMENT_NUMBER);
    read_arguments(cJSON_GetObjectItemCaseSensitive(numbers, "methods"), ARGUMENT_NUMBER_OF_METHOD);
    read_arguments(cJSON_GetObjectItemCaseSensitive(json, "inplace"), ARGUMENT_INPLACE);
    read_arguments(cJSON_GetObjectItemCaseSensitive(json, "statistics"), ARGUMENT_STATISTICS);
    Group likely = {.map = &torch_table.distinctive, .flags = 1},
          distinctive = {.map = &torch_table.distinctive, .flags = 2};
    rules_words(json, "likely", add_name, &likely);
    rules_words(json, "distinctive", add_name, &distinctive);
    cJSON_Delete(json);
}

static void need(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
}

static uint32_t lookup(const Map *map, Name name) {
    need();
    uintptr_t flags = 0;
    map_get(map, name, &flags);
    return (uint32_t)flags;
}

// torch.Tensor.add(x, y) is x.add(y); torch.ops.aten.add(x, y) has overload names behind it and stays unknown.
uint32_t torch_function_flags(Name dotted) {
    uint32_t flags = lookup(&torch_table.functions, dotted);
    Str text = name_str(dotted), prefix = STR("torch.Tensor.");
    if (!flags && str_starts(text, prefix))
        flags = torch_method_flags(intern(str_slice(text, prefix.len, text.len)));
    return flags;
}

uint32_t torch_method_flags(Name method) {
    return lookup(&torch_table.methods, method);
}

// "torch.nn.modules.linear.Linear" is the same class as "torch.nn.Linear".
uint32_t torch_module_flags(Name dotted) {
    uint32_t flags = lookup(&torch_table.modules, dotted);
    Str text = name_str(dotted);
    if (flags || !str_starts(text, STR("torch.nn.modules.")))
        return flags;
    size_t last = text.len;
    while (text.ptr[last - 1] != '.')
        last--;
    char plain[128] = "torch.nn.";
    if (text.len - last > sizeof plain - 10)
        return 0;
    memcpy(plain + 9, text.ptr + last, text.len - last);
    return lookup(&torch_table.modules, intern((Str){plain, 9 + text.len - last}));
}

bool torch_method_is_distinctive(Name method) {
    return lookup(&torch_table.distinctive, method) == 2;
}

bool torch_method_is_likely(Name method) {
    return lookup(&torch_table.distinctive, method) != 0;
}

bool torch_takes(TorchArgument kind, Name function, uint32_t position, Name keyword) {
    need();
    if (keyword)
        return map_get(&torch_table.keywords[kind], map_key_pair(function, keyword), NULL);
    uintptr_t places = 0;
    return map_get(&torch_table.places[kind], function, &places) && position < 32 && (places >> position & 1);
}

bool torch_wants_number(Name function, bool is_method, uint32_t position, Name keyword) {
    return torch_takes(is_method ? ARGUMENT_NUMBER_OF_METHOD : ARGUMENT_NUMBER, function, position, keyword);
}
