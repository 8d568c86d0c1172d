// Interned strings: equal text gets the equal Name in the whole process, from any thread.
//
// Input: text. Output: a Name, and back from a Name its text, which lives for the process. Empty text is Name 0, "none".
// The numbers depend on the order in which threads come, so Names are compared for equality only, never for order.
//
// 64 shards, each a hash table under its own lock. A shard keeps its entries in segments that double and never move, so
// name_str reads without a lock: whoever holds a Name got it after its entry was written.
#include "base/base.h"

#include <pthread.h>

enum {
    SHARD_BITS = 6,
    SHARD_COUNT = 1 << SHARD_BITS,
    FIRST_SEGMENT_BITS = 8,
    SEGMENT_COUNT = 18,                                           // 2^8 + ... + 2^25 entries
    SHARD_MAX = ((1 << SEGMENT_COUNT) - 1) << FIRST_SEGMENT_BITS, // all of them
    FIRST_SLOT_COUNT = 1024,
};
_Static_assert(((uint64_t)SHARD_MAX << SHARD_BITS) < UINT32_MAX, "a Name holds a shard and an index");

typedef struct Shard {
    _Alignas(64) pthread_mutex_t lock; // a cache line of its own
    Str *segments[SEGMENT_COUNT];
    uint32_t *hashes; // by index
    uint32_t *slots;  // index + 1; 0 is free
    uint32_t count, hash_cap, slot_count;
    Arena *text;
} Shard;

static Shard shards[SHARD_COUNT];
static pthread_once_t shards_once = PTHREAD_ONCE_INIT;

static void shards_init(void) {
    for (int i = 0; i < SHARD_COUNT; i++)
        pthread_mutex_init(&shards[i].lock, NULL);
}

static uint64_t hash_text(Str text) {
    uint64_t hash = 14695981039346656037u; // FNV-1a
    for (size_t i = 0; i < text.len; i++)
        hash = (hash ^ (unsigned char)text.ptr[i]) * 1099511628211u;
    return hash ^ (hash >> 29);
}

// Segment k holds indices [2^k - 1, 2^(k+1) - 1) in units of the first segment's size.
static Str *entry_at(const Shard *shard, uint32_t index) {
    uint32_t unit = (index >> FIRST_SEGMENT_BITS) + 1;
    uint32_t segment = 31 - (uint32_t)__builtin_clz(unit);
    uint32_t start = ((1u << segment) - 1) << FIRST_SEGMENT_BITS;
    return &shard->segments[segment][index - start];
}

static void slot_insert(Shard *shard, uint32_t hash, uint32_t index) {
    uint32_t mask = shard->slot_count - 1, at = hash & mask;
    while (shard->slots[at])
        at = (at + 1) & mask;
    shard->slots[at] = index + 1;
}

static void grow_slots(Shard *shard) {
    shard->slot_count = shard->slot_count ? shard->slot_count * 2 : FIRST_SLOT_COUNT;
    free(shard->slots);
    shard->slots = heap_alloc(shard->slot_count, sizeof *shard->slots);
    for (uint32_t i = 0; i < shard->count; i++)
        slot_insert(shard, shard->hashes[i], i);
}

static uint32_t add_entry(Shard *shard, Str text, uint32_t hash) {
    CHECK(shard->count < SHARD_MAX);
    if (!shard->text)
        shard->text = arena_new();
    if (shard->count * 2 >= shard->slot_count)
        grow_slots(shard);
    if (shard->count == shard->hash_cap) {
        shard->hash_cap = shard->hash_cap ? shard->hash_cap * 2 : 1u << FIRST_SEGMENT_BITS;
        shard->hashes = heap_resize(shard->hashes, shard->hash_cap, sizeof *shard->hashes);
    }
    uint32_t index = shard->count++;
    uint32_t segment = 31 - (uint32_t)__builtin_clz((index >> FIRST_SEGMENT_BITS) + 1);
    if (!shard->segments[segment])
        shard->segments[segment] = heap_alloc((size_t)1 << (FIRST_SEGMENT_BITS + segment), sizeof(Str));
    *entry_at(shard, index) = str_dup(shard->text, text);
    shard->hashes[index] = hash;
    slot_insert(shard, hash, index);
    return index;
}

static uint32_t find_or_add(Shard *shard, Str text, uint32_t hash) {
    uint32_t mask = shard->slot_count - 1;
    for (uint32_t at = hash & mask; shard->slot_count && shard->slots[at]; at = (at + 1) & mask) {
        uint32_t index = shard->slots[at] - 1;
        if (shard->hashes[index] == hash && str_eq(*entry_at(shard, index), text))
            return index;
    }
    return add_entry(shard, text, hash);
}

Name intern(Str text) {
    if (text.len == 0)
        return 0;
    pthread_once(&shards_once, shards_init);
    uint64_t hash = hash_text(text);
    uint32_t which = (uint32_t)(hash >> 32) & (SHARD_COUNT - 1);
    Shard *shard = &shards[which];
    pthread_mutex_lock(&shard->lock);
    uint32_t index = find_or_add(shard, text, (uint32_t)hash);
    pthread_mutex_unlock(&shard->lock);
    return (index << SHARD_BITS | which) + 1;
}

Str name_str(Name name) {
    if (name == 0)
        return (Str){"", 0};
    const Shard *shard = &shards[(name - 1) & (SHARD_COUNT - 1)];
    return *entry_at(shard, (name - 1) >> SHARD_BITS);
}
