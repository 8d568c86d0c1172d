// Memoised recursion over a program that is full of cycles: loops feed variables back, functions call each other.
//
// Values grow from bottom, and a value in progress is bottom to whoever asks for it. What was computed while leaning on such
// a part is provisional: it holds only until the head of that cycle is done, and is computed anew afterwards, so that an
// answer does not depend on which question came first. The recursion is capped; beyond the cap the caller's `limit` is
// the answer.
#include "analysis/memo.h"

#include <stdlib.h>

// A level takes a few hundred bytes in several functions: 400 levels stay well below the stack that base/pool.c gives.
enum { MAX_DEPTH = 400, MAX_WORK = 200000, NO_HEAD = 1 << 30 };

typedef enum EntryState { ENTRY_NEW, ENTRY_ACTIVE, ENTRY_FINAL, ENTRY_PROVISIONAL } EntryState;
typedef struct Entry Entry;
struct Entry {
    Entry *next;   // of the same subject
    uint64_t code; // aspect and path
    MemoValue value;
    uint32_t state;
    int32_t depth;        // active: its frame. provisional: the frame of the cycle's head ...
    uint32_t head_serial; // ... and which frame that was
};
// The recursion as it stands; one a project, because it goes from module to module.
typedef struct Engine {
    uint32_t serials[MAX_DEPTH + 1];
    int32_t depth, low; // low: the lowest frame in progress that the current value leans on
    uint32_t serial, work;
} Engine;
typedef struct Memory {
    Map entries; // subject -> Entry*, a list
    VEC(Map *) maps;
    Arena *arena;
    Engine *engine;
} Memory;

static void free_memory(void *analysis) {
    Memory *memory = analysis;
    for (uint32_t i = 0; i < memory->maps.len; i++)
        map_free(memory->maps.items[i]);
    vec_free(&memory->maps);
    map_free(&memory->entries);
    arena_free(memory->arena);
    free(memory);
}

static Engine *engine_of(Project *project) {
    void **own = project_analysis(project);
    if (!*own) {
        Engine *engine = ARENA_NEW(project_arena(project), Engine);
        engine->low = NO_HEAD;
        *own = engine;
    }
    return *own;
}

static Memory *memory_of(Module *module) {
    if (!module->analysis) {
        Memory *memory = heap_alloc(1, sizeof *memory);
        memory->arena = arena_new();
        memory->engine = engine_of(module->project);
        module->analysis = memory;
        module->analysis_free = free_memory;
    }
    return module->analysis;
}

// The aspect and the path, without loss.
static uint64_t code_of(uint32_t aspect, Path path) {
    uint64_t code = (uint64_t)aspect << 40 | (uint64_t)path.len << 32;
    for (uint32_t i = 0; i < path.len; i++)
        code |= (uint64_t)(uint8_t)path.at[i] << (8 * i);
    return code;
}

static Entry *entry_of(Memory *memory, const void *subject, uint64_t code) {
    Entry *first = map_ptr(&memory->entries, map_key_ptr(subject));
    for (Entry *entry = first; entry; entry = entry->next)
        if (entry->code == code)
            return entry;
    Entry *entry = ARENA_NEW(memory->arena, Entry);
    entry->code = code;
    entry->next = first;
    map_put(&memory->entries, map_key_ptr(subject), (uintptr_t)entry);
    return entry;
}

static void lean_on(Engine *engine, int32_t depth) {
    if (depth < engine->low)
        engine->low = depth;
}

MemoValue memo(Module *module, void *subject, uint32_t aspect, Path path, MemoCompute *compute, void *context,
               MemoValue limit) {
    Memory *memory = memory_of(module);
    Engine *engine = memory->engine;
    Entry *entry = entry_of(memory, subject, code_of(aspect, path));
    if (entry->state == ENTRY_FINAL)
        return entry->value;
    if (entry->state == ENTRY_ACTIVE) {
        lean_on(engine, entry->depth);
        return (MemoValue){0};
    }
    if (entry->state == ENTRY_PROVISIONAL && entry->depth < engine->depth &&
        engine->serials[entry->depth] == entry->head_serial) {
        lean_on(engine, entry->depth);
        return entry->value;
    }
    if (engine->depth >= MAX_DEPTH || ++engine->work > MAX_WORK) {
        lean_on(engine, 0);
        return limit;
    }
    int32_t depth = engine->depth++, outer_low = engine->low;
    engine->serials[depth] = ++engine->serial;
    engine->low = NO_HEAD;
    entry->state = ENTRY_ACTIVE;
    entry->depth = depth;
    entry->value = compute(module, subject, path, context);
    engine->depth = depth;
    if (engine->low >= depth) {
        entry->state = ENTRY_FINAL;
        engine->low = outer_low;
    } else {
        entry->state = ENTRY_PROVISIONAL;
        entry->depth = engine->low;
        entry->head_serial = engine->serials[engine->low];
        lean_on(engine, outer_low);
    }
    return entry->value;
}

bool memo_get(Module *module, const void *subject, uint32_t aspect, MemoValue *value) {
    const Entry *entry = entry_of(memory_of(module), subject, code_of(aspect, (Path){0}));
    *value = entry->value;
    return entry->state == ENTRY_FINAL;
}

void memo_put(Module *module, const void *subject, uint32_t aspect, MemoValue value) {
    Memory *memory = memory_of(module);
    Entry *entry = entry_of(memory, subject, code_of(aspect, (Path){0}));
    entry->value = value;
    if (memory->engine->work <= MAX_WORK)
        entry->state = ENTRY_FINAL;
}

void memo_keep(Module *module, Map *map) {
    vec_push(&memory_of(module)->maps, map);
}

void memo_begin(Module *module) {
    Engine *engine = memory_of(module)->engine;
    if (engine->depth)
        return;
    engine->work = 0;
    engine->low = NO_HEAD;
}
