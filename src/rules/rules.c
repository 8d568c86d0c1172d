// The rule table, the reason table and Dynamo's registry of break ids.
//
// Input: rules.json, reasons.json and gb_registry.json as embedded bytes. Output: arrays that live for the process, read
// once on first use by whichever thread comes first. The registry is only for explain, so it has a reader of its own.
// A table that is missing or malformed is a fault of the build and panics.
#include <pthread.h>
#include <stdlib.h>

#include "rules/embedded.h"
#include "rules/tables.h"

static struct {
    VEC(Rule) rules;
    VEC(Reason) reasons;
    Map rule_of, reason_of; // Name -> index + 1: codes, names and break ids
    Arena *arena;
} tables;
static struct {
    Map entries; // Name -> cJSON array [type, context]
    cJSON *json;
} registry;

cJSON *rules_json(const char *file) {
    for (size_t i = 0; i < embedded_rules_count; i++) {
        if (strcmp(embedded_rules[i].name, file) != 0)
            continue;
        cJSON *json = cJSON_ParseWithLength((const char *)embedded_rules[i].bytes, embedded_rules[i].size);
        if (!json)
            PANIC("embedded %s is not JSON", file);
        return json;
    }
    PANIC("%s is not embedded", file);
}

Str rules_text(const cJSON *object, const char *key) {
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    return str_of(text ? text : "");
}

void rules_each_word(const char *text, WordVisit *add, void *context) {
    while (*text) {
        size_t len = strcspn(text, " ");
        if (len)
            add(context, (Str){text, len});
        text += len + (text[len] == ' ');
    }
}

void rules_words(const cJSON *object, const char *key, WordVisit *add, void *context) {
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));
    if (text)
        rules_each_word(text, add, context);
}

static Str kept(const cJSON *object, const char *key) {
    return str_dup(tables.arena, rules_text(object, key));
}

// The first rule that claims a key keeps it; a break id belongs to the rule that lists it first.
static void claim(Map *map, Str key, uint32_t index) {
    Name name = intern(key);
    if (!map_get(map, name, NULL))
        map_put(map, name, index + 1);
}

static void read_rule(const cJSON *json) {
    Rule rule = {.code = intern(rules_text(json, "code")),
                 .name = kept(json, "name"),
                 .summary = kept(json, "summary"),
                 .help = kept(json, "help"),
                 .before = kept(json, "before"),
                 .after = kept(json, "after"),
                 .category = kept(json, "category"),
                 .since = kept(json, "since"),
                 .until = kept(json, "until")};
    const cJSON *id;
    cJSON_ArrayForEach(id, cJSON_GetObjectItemCaseSensitive(json, "gb_ids"))
        vec_push(&rule.gb_ids, intern(str_of(cJSON_GetStringValue(id))));
    uint32_t index = tables.rules.len;
    vec_push(&tables.rules, rule);
    claim(&tables.rule_of, name_str(rule.code), index);
    claim(&tables.rule_of, rule.name, index);
}

static void index_gb_ids(void) {
    for (uint32_t place = 0, more = 1; more; place++) {
        more = 0;
        for (uint32_t i = 0; i < tables.rules.len; i++) {
            const Rule *rule = &tables.rules.items[i];
            if (place < rule->gb_ids.len) {
                claim(&tables.rule_of, name_str(rule->gb_ids.items[place]), i);
                more = 1;
            }
        }
    }
}

static void load_tables(void) {
    tables.arena = arena_new();
    cJSON *rules = rules_json("rules.json"), *reasons = rules_json("reasons.json");
    const cJSON *item;
    cJSON_ArrayForEach(item, rules) read_rule(item);
    index_gb_ids();
    cJSON_ArrayForEach(item, reasons) {
        Reason reason = {.id = intern(rules_text(item, "id")),
                         .summary = kept(item, "summary"),
                         .help = kept(item, "help")};
        claim(&tables.reason_of, name_str(reason.id), tables.reasons.len);
        vec_push(&tables.reasons, reason);
    }
    cJSON_Delete(rules);
    cJSON_Delete(reasons);
}

static void need_tables(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_tables);
}

static void load_registry(void) {
    registry.json = rules_json("gb_registry.json");
    const cJSON *item;
    cJSON_ArrayForEach(item, registry.json)
        map_put(&registry.entries, intern(str_of(item->string)), (uintptr_t)item);
}

const Rule *rule_find(Str code) {
    need_tables();
    uintptr_t index = 0;
    return map_get(&tables.rule_of, intern(code), &index) ? &tables.rules.items[index - 1] : NULL;
}

const Reason *reason_find(Str id) {
    need_tables();
    uintptr_t index = 0;
    return map_get(&tables.reason_of, intern(id), &index) ? &tables.reasons.items[index - 1] : NULL;
}

uint32_t rule_count(void) {
    need_tables();
    return tables.rules.len;
}

const Rule *rule_at(uint32_t index) {
    need_tables();
    return &vec_at(&tables.rules, index);
}

uint32_t reason_count(void) {
    need_tables();
    return tables.reasons.len;
}

const Reason *reason_at(uint32_t index) {
    need_tables();
    return &vec_at(&tables.reasons, index);
}

bool gb_find(Str id, Str *type, Str *context) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load_registry);
    const cJSON *entry = map_ptr(&registry.entries, intern(id));
    if (!entry)
        return false;
    *type = str_of(cJSON_GetStringValue(cJSON_GetArrayItem(entry, 0)));
    *context = str_of(cJSON_GetStringValue(cJSON_GetArrayItem(entry, 1)));
    return true;
}
