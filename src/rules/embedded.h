// Files that are part of the program: written as C arrays at build time by cmake/embed.c.
#ifndef GM_EMBEDDED_H
#define GM_EMBEDDED_H

#include <stddef.h>

extern const unsigned char embedded_runtime[]; // src/runtime/graphmend_runtime.py; a NUL follows
extern const size_t embedded_runtime_size;

typedef struct EmbeddedRules {
    const char *name;           // "torch_ops.json"
    const unsigned char *bytes; // a NUL follows
    size_t size;
} EmbeddedRules;
extern const EmbeddedRules embedded_rules[]; // rules/*.json in byte order of name; ends with a NULL name
extern const size_t embedded_rules_count;

#endif
