// A hash map from 64-bit keys to pointer-sized values that remembers the order of insertion.
//
// Input: keys (interned names, node addresses, pairs of ids). Output: entries[0 .. len) in insertion order, which makes
// every walk over a map the same from run to run. There is no removal: nothing here needs it.
#include "base/base.h"

enum { FIRST_SLOT_COUNT = 16 };

// The finaliser of splitmix64: keys are small integers or aligned addresses, whose low bits alone would collide.
static uint64_t mix(uint64_t key) {
    key = (key ^ (key >> 30)) * 0xbf58476d1ce4e5b9u;
    key = (key ^ (key >> 27)) * 0x94d049bb133111ebu;
    return key ^ (key >> 31);
}

// The slot that holds the key's index + 1, or the free one where it belongs.
static uint32_t *find_slot(const Map *map, uint64_t key) {
    uint32_t mask = map->slot_count - 1, at = (uint32_t)mix(key) & mask;
    while (map->slots[at] && map->entries[map->slots[at] - 1].key != key)
        at = (at + 1) & mask;
    return &map->slots[at];
}

static void grow_slots(Map *map) {
    CHECK(map->slot_count <= UINT32_MAX / 4);
    map->slot_count = map->slot_count ? map->slot_count * 2 : FIRST_SLOT_COUNT;
    free(map->slots);
    map->slots = heap_alloc(map->slot_count, sizeof *map->slots);
    for (uint32_t i = 0; i < map->len; i++)
        *find_slot(map, map->entries[i].key) = i + 1;
}

void map_put(Map *map, uint64_t key, uintptr_t value) {
    if (map->len >= map->slot_count / 4 * 3)
        grow_slots(map);
    uint32_t *slot = find_slot(map, key);
    if (*slot) {
        map->entries[*slot - 1].value = value;
        return;
    }
    if (map->len == map->cap)
        map->entries = vec_grow_(map->entries, &map->cap, map->len + 1, sizeof *map->entries);
    map->entries[map->len++] = (MapEntry){key, value};
    *slot = map->len;
}

bool map_get(const Map *map, uint64_t key, uintptr_t *value) {
    uint32_t slot = map->len ? *find_slot(map, key) : 0;
    if (slot && value)
        *value = map->entries[slot - 1].value;
    return slot != 0;
}

void *map_ptr(const Map *map, uint64_t key) {
    uintptr_t value = 0;
    map_get(map, key, &value);
    return (void *)value;
}

void map_free(Map *map) {
    free(map->entries);
    free(map->slots);
    *map = (Map){0};
}
