// Memory that is freed as a whole: a chain of chunks, each handed out from the front.
//
// Input: sizes. Output: zeroed memory, aligned to 8 bytes, that lives until arena_free. Not for use by two threads at a
// time. Never returns NULL: no memory is a panic.
//
// In a build with AddressSanitizer a redzone follows each allocation and everything not handed out is poisoned, so that
// an overrun inside a chunk is found as it would be with malloc.
#include "base/base.h"

#if defined(__SANITIZE_ADDRESS__)
#define ARENA_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_ASAN 1
#endif
#endif

#ifdef ARENA_ASAN
#include <sanitizer/asan_interface.h>
#define REDZONE 16u
#else
#define ASAN_POISON_MEMORY_REGION(ptr, size) ((void)(ptr), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(ptr, size) ((void)(ptr), (void)(size))
#define REDZONE 0u
#endif

enum {
    ALIGNMENT = 8,
    CHUNK_FIRST = 16 * 1024,  // most modules of a tree are small, and there is an arena for each
    CHUNK_LAST = 1024 * 1024, // from here on chunks no longer double
};

typedef struct Chunk Chunk;
struct Chunk {
    Chunk *previous;
    size_t size, used; // of bytes[]
    _Alignas(ALIGNMENT) char bytes[];
};

struct Arena {
    Chunk *current;
    size_t next_size; // of the next chunk
    size_t handed_out;
};

Arena *arena_new(void) {
    Arena *arena = heap_alloc(1, sizeof(Arena));
    arena->next_size = CHUNK_FIRST;
    return arena;
}

void arena_free(Arena *arena) {
    if (!arena)
        return;
    for (Chunk *chunk = arena->current, *previous; chunk; chunk = previous) {
        previous = chunk->previous;
        ASAN_UNPOISON_MEMORY_REGION(chunk->bytes, chunk->size);
        free(chunk);
    }
    free(arena);
}

static Chunk *chunk_new(size_t size) {
    Chunk *chunk = heap_alloc(sizeof(Chunk) + size, 1); // fresh pages are zero at no cost
    chunk->size = size;
    ASAN_POISON_MEMORY_REGION(chunk->bytes, size);
    return chunk;
}

static void add_chunk(Arena *arena, size_t need) {
    size_t size = arena->next_size;
    if (size < need)
        size = need;
    else if (arena->next_size < CHUNK_LAST)
        arena->next_size *= 2;
    Chunk *chunk = chunk_new(size);
    // A large allocation takes a chunk of its own behind the current one, whose free rest stays in use.
    if (size == need && arena->current) {
        chunk->previous = arena->current->previous;
        arena->current->previous = chunk;
        return;
    }
    chunk->previous = arena->current;
    arena->current = chunk;
}

static Chunk *chunk_with_room(Arena *arena, size_t need) {
    Chunk *current = arena->current;
    if (current && current->size - current->used >= need)
        return current;
    add_chunk(arena, need);
    current = arena->current;
    return current->size - current->used >= need ? current : current->previous;
}

void *arena_alloc(Arena *arena, size_t size) {
    CHECK(size < SIZE_MAX / 4);
    size_t need = (size + REDZONE + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    if (need == 0)
        need = ALIGNMENT; // two allocations of nothing are still two places
    Chunk *chunk = chunk_with_room(arena, need);
    void *memory = chunk->bytes + chunk->used;
    chunk->used += need;
    arena->handed_out += size;
    ASAN_UNPOISON_MEMORY_REGION(memory, size);
    return memory;
}

void *arena_dup(Arena *arena, const void *from, size_t size) {
    void *copy = arena_alloc(arena, size);
    if (size)
        memcpy(copy, from, size);
    return copy;
}

size_t arena_used(const Arena *arena) {
    return arena->handed_out;
}
