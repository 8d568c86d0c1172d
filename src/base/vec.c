// What the VEC macros need: growth and the range check. Growing is the one place where sizes could overflow.
//
// Built with GM_STRESS_REALLOC an array has next to no room to spare, moves on each growth, and its old place is
// overwritten: a pointer kept across a push then shows at once.
#include "base/base.h"

enum { FIRST_CAP = 8 };
static const uint32_t cap_max = UINT32_C(1) << 31; // so that len + 1 never wraps

static uint32_t next_cap(uint32_t cap, uint32_t need) {
#ifdef GM_STRESS_REALLOC
    (void)cap;
    return need + need / 16; // a short array moves with each push, a long one often enough, in linear time
#else
    uint32_t doubled = cap < FIRST_CAP ? FIRST_CAP : cap < cap_max / 2 ? cap * 2 : cap_max;
    return doubled > need ? doubled : need;
#endif
}

#ifdef GM_STRESS_REALLOC
static void *move(void *items, size_t old_size, size_t size) {
    void *fresh = heap_alloc(size, 1);
    if (items) {
        memcpy(fresh, items, old_size);
        memset(items, 0xDD, old_size);
        free(items);
    }
    return fresh;
}
#else
static void *move(void *items, size_t old_size, size_t size) {
    (void)old_size;
    return heap_resize(items, size, 1);
}
#endif

void *vec_grow_(void *items, uint32_t *cap, uint32_t need, size_t item_size) {
    CHECK(need <= cap_max);
    uint32_t grown = next_cap(*cap, need);
    CHECK(grown <= SIZE_MAX / item_size);
    items = move(items, *cap * item_size, grown * item_size);
    *cap = grown;
    return items;
}

uint32_t vec_check_(uint32_t index, uint32_t len) {
    if (index >= len)
        PANIC("index %u out of range, length %u", index, len);
    return index;
}
