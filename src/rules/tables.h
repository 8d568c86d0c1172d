// What the loaders of this layer share: reading an embedded JSON file and word lists out of it.
#ifndef GM_RULES_TABLES_H
#define GM_RULES_TABLES_H

#include <cjson/cJSON.h>

#include "rules/rules.h"

// The parsed file; the caller deletes it. Panics when it is not embedded or not JSON: the build made it.
cJSON *rules_json(const char *file);
Str rules_text(const cJSON *object, const char *key); // "" when absent; lives as long as the JSON
// Calls add(context, word) for each of the words of a text that spaces separate.
typedef void WordVisit(void *context, Str word);
void rules_each_word(const char *text, WordVisit *add, void *context);
// Calls add(context, word) for each word of object[key].
void rules_words(const cJSON *object, const char *key, WordVisit *add, void *context);

#endif
