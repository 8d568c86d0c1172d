// The process heap: allocation that never gives NULL and cannot overflow.
//
// Input: how many items of what size. Output: their memory, which the caller frees with free(). Running out of memory, like
// a size that does not fit into size_t, ends the process.
#include "base/base.h"

void *heap_alloc(size_t count, size_t size) {
    void *memory = calloc(count ? count : 1, size ? size : 1);
    if (!memory)
        PANIC("out of memory: %zu items of %zu bytes", count, size);
    return memory;
}

void *heap_resize(void *memory, size_t count, size_t size) {
    memory = reallocarray(memory, count ? count : 1, size ? size : 1);
    if (!memory)
        PANIC("out of memory: %zu items of %zu bytes", count, size);
    return memory;
}
