// Vec, map, buf, diagnostics, pool.
#include "unit/test.h"

#include <stdatomic.h>
#include <sys/resource.h>

typedef VEC(uint32_t) Numbers;

TEST(vec_grows) {
    Numbers numbers = {0};
    for (uint32_t i = 0; i < 100000; i++)
        vec_push(&numbers, i * 3);
    uint32_t wrong = 0;
    for (uint32_t i = 0; i < 100000; i++)
        wrong += vec_at(&numbers, i) != i * 3;
    EXPECT(wrong == 0 && numbers.len == 100000);
    EXPECT(vec_last(&numbers) == 99999 * 3);
    EXPECT(vec_pop(&numbers) == 99999 * 3 && numbers.len == 99999);
    vec_clear(&numbers);
    EXPECT(numbers.len == 0 && numbers.cap > 0);
    vec_free(&numbers);
    EXPECT(numbers.items == NULL && numbers.cap == 0);
}

TEST(vec_moves_when_stressed) {
#ifdef GM_STRESS_REALLOC
    Numbers numbers = {0};
    for (uint32_t i = 0; i < 12; i++) {
        uintptr_t before = (uintptr_t)numbers.items;
        vec_push(&numbers, i);
        EXPECT((uintptr_t)numbers.items != before);
    }
    for (uint32_t i = 0; i < 12; i++)
        EXPECT(vec_at(&numbers, i) == i);
    vec_free(&numbers);
#endif
}

TEST(vec_checks_ranges) {
    Numbers numbers = {0};
    EXPECT_PANIC((void)vec_at(&numbers, 0));
    EXPECT_PANIC((void)vec_last(&numbers));
    EXPECT_PANIC((void)vec_pop(&numbers));
    vec_push(&numbers, 1);
    EXPECT_PANIC((void)vec_at(&numbers, 1));
    EXPECT_PANIC(vec_reserve(&numbers, UINT32_MAX));
    vec_free(&numbers);
}

TEST(vec_of_structs) {
    typedef struct Pair {
        Str text;
        int number;
    } Pair;
    VEC(Pair) pairs = {0};
    for (int i = 0; i < 50; i++) {
        Pair pair = {STR("x"), i};
        vec_push(&pairs, pair);
    }
    vec_at(&pairs, 49).number = 7;
    EXPECT(vec_at(&pairs, 49).number == 7 && vec_at(&pairs, 48).number == 48);
    vec_free(&pairs);
}

TEST(map_put_get) {
    Map map = {0};
    EXPECT(!map_get(&map, 1, NULL) && map_ptr(&map, 1) == NULL);
    for (uint64_t i = 0; i < 50000; i++)
        map_put(&map, i * 64, (uintptr_t)i);
    uintptr_t value = 0;
    uint32_t wrong = 0;
    for (uint64_t i = 0; i < 50000; i++)
        wrong += !map_get(&map, i * 64, &value) || value != i || map.entries[i].key != i * 64;
    EXPECT(wrong == 0 && map.len == 50000);
    EXPECT(!map_get(&map, 63, &value));
    map_put(&map, 0, 17); // overwrites, keeps its place
    EXPECT(map_get(&map, 0, &value) && value == 17 && map.len == 50000 && map.entries[0].value == 17);
    map_free(&map);
    EXPECT(map.len == 0 && !map_get(&map, 0, NULL));
}

TEST(map_keys) {
    Map map = {0};
    int here = 0, there = 0;
    map_put(&map, map_key_ptr(&here), (uintptr_t)&there);
    map_put(&map, map_key_pair(1, 2), 12);
    map_put(&map, map_key_pair(2, 1), 21);
    map_put(&map, UINT64_MAX, 3);
    map_put(&map, 0, 4);
    uintptr_t value = 0;
    EXPECT(map_ptr(&map, map_key_ptr(&here)) == &there);
    EXPECT(map_get(&map, map_key_pair(2, 1), &value) && value == 21);
    EXPECT(map_get(&map, UINT64_MAX, &value) && value == 3 && map_get(&map, 0, &value) && value == 4);
    map_free(&map);
}

TEST(buf_appends) {
    Buf buf = {0};
    EXPECT_STR(buf_view(&buf), "");
    buf_cstr(&buf, "a");
    buf_char(&buf, 'b');
    buf_str(&buf, STR("cd"));
    buf_str(&buf, (Str){NULL, 0});
    buf_bytes(&buf, "e", 1);
    buf_repeat(&buf, ' ', 3);
    buf_printf(&buf, "%d|%s", 42, "x");
    EXPECT_STR(buf_view(&buf), "abcde   42|x");
    EXPECT(buf.ptr[buf.len] == '\0');
    buf_free(&buf);
    for (int i = 0; i < 100000; i++)
        buf_printf(&buf, "%d,", i % 10);
    EXPECT(buf.len == 200000);
    buf_free(&buf);
    EXPECT(buf.ptr == NULL && buf.len == 0);
}

TEST(diag_collects) {
    Arena *arena = arena_new();
    DiagList diags;
    diag_init(&diags, arena);
    char path[] = "a.py";
    diag_add(&diags, DIAG_WARNING, str_of(path), 3, 5, "%s %d", "odd", 1);
    diag_add(&diags, DIAG_ERROR, (Str){NULL, 0}, 0, 0, "no place");
    path[0] = 'b';
    EXPECT(diags.errors == 1 && diags.list.len == 2);
    EXPECT_STR(vec_at(&diags.list, 0).path, "a.py");
    EXPECT_STR(vec_at(&diags.list, 0).message, "odd 1");
    EXPECT(vec_at(&diags.list, 0).line == 3 && vec_at(&diags.list, 0).column == 5);
    diag_free(&diags);
    arena_free(arena);
}

enum { POOL_ITEMS = 10000 };
static atomic_uint visits[POOL_ITEMS];

static void visit_item(void *context, uint32_t index) {
    atomic_fetch_add(&visits[index], 1);
    atomic_fetch_add((atomic_uint *)context, 1);
}

TEST(pool_runs_each_once) {
    for (uint32_t jobs = 0; jobs < 9; jobs++) {
        atomic_uint total = 0;
        memset(visits, 0, sizeof visits);
        pool_run(POOL_ITEMS, jobs, visit_item, &total);
        uint32_t wrong = 0;
        for (uint32_t i = 0; i < POOL_ITEMS; i++)
            wrong += visits[i] != 1;
        EXPECT(wrong == 0 && total == POOL_ITEMS);
    }
    atomic_uint total = 0;
    pool_run(0, 4, visit_item, &total);
    pool_run(1, 10000, visit_item, &total);
    EXPECT(total == 1);
}

static uint32_t sink;
static void use_stack(void *context, uint32_t index) {
    (void)context;
    volatile char frame[32 * 1024 * 1024]; // more than the usual ulimit -s
    frame[0] = (char)index;
    frame[sizeof frame - 1] = (char)index;
    sink = (unsigned char)frame[0];
}

TEST(pool_stack_is_large) {
    pool_run(1, 1, use_stack, NULL);
}

#ifndef GM_STRESS_REALLOC // the sanitizers need address space themselves
static void run_without_room(void) {
    struct rlimit size = {16 << 20, 16 << 20};
    setrlimit(RLIMIT_AS, &size);
    pool_run(1, 1, use_stack, NULL);
}

TEST(pool_never_runs_on_a_smaller_stack) {
    EXPECT_PANIC(run_without_room());
}
#endif

int main(void) {
    RUN(vec_grows);
    RUN(vec_moves_when_stressed);
    RUN(vec_checks_ranges);
    RUN(vec_of_structs);
    RUN(map_put_get);
    RUN(map_keys);
    RUN(buf_appends);
    RUN(diag_collects);
    RUN(pool_runs_each_once);
    RUN(pool_stack_is_large);
#ifndef GM_STRESS_REALLOC
    RUN(pool_never_runs_on_a_smaller_stack);
#endif
    return test_report();
}
