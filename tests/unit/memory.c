// Arena, strings, interning: what the base layer says about memory that is freed as a whole.
#include "unit/test.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

TEST(arena_zeroed_aligned_apart) {
    Arena *arena = arena_new();
    for (size_t size = 0; size < 3000; size++) {
        unsigned char *memory = arena_alloc(arena, size);
        EXPECT(((uintptr_t)memory & 7) == 0);
        for (size_t i = 0; i < size; i++)
            if (memory[i] != 0)
                EXPECT(memory[i] == 0);
        memset(memory, 0xAB, size);
    }
    EXPECT(arena_used(arena) == 3000u * 2999u / 2);
    arena_free(arena);
    arena_free(NULL);
}

TEST(arena_empty_allocations_differ) {
    Arena *arena = arena_new();
    void *first = arena_alloc(arena, 0), *second = arena_alloc(arena, 0);
    EXPECT(first && second && first != second);
    arena_free(arena);
}

TEST(arena_large_keeps_the_current_chunk) {
    Arena *arena = arena_new();
    char *before = arena_alloc(arena, 8);
    char *large = arena_alloc(arena, 5 * 1024 * 1024);
    char *after = arena_alloc(arena, 8);
    memset(large, 1, 5 * 1024 * 1024);
    EXPECT(*before == 0 && *after == 0);
    EXPECT(after > before && after - before < 64);
    arena_free(arena);
}

TEST(arena_dup_copies) {
    Arena *arena = arena_new();
    char text[] = "hello";
    char *copy = arena_dup(arena, text, sizeof text);
    text[0] = 'j';
    EXPECT(strcmp(copy, "hello") == 0);
    EXPECT(arena_dup(arena, NULL, 0) != NULL);
    arena_free(arena);
}

TEST(arena_redzones) {
#if defined(__SANITIZE_ADDRESS__)
    Arena *arena = arena_new();
    char *first = arena_alloc(arena, 13), *second = arena_alloc(arena, 8);
    EXPECT(!__asan_address_is_poisoned(first + 12));
    EXPECT(__asan_address_is_poisoned(first + 13));
    EXPECT(__asan_address_is_poisoned(second - 1));
    EXPECT(__asan_address_is_poisoned(second + 8));
    arena_free(arena);
#endif
}

TEST(arena_refuses_absurd_sizes) {
    Arena *arena = arena_new();
    EXPECT_PANIC(arena_alloc(arena, SIZE_MAX / 2));
    arena_free(arena);
}

TEST(str_compare) {
    Str none = {NULL, 0};
    EXPECT(str_eq(none, STR("")) && str_cmp(none, STR("")) == 0);
    EXPECT(str_cmp(STR("a"), STR("ab")) < 0 && str_cmp(STR("b"), STR("ab")) > 0);
    EXPECT(str_cmp(STR("\xff"), STR("a")) > 0);
    EXPECT(str_eq(STR("a\0b"), STR("a\0b")) && !str_eq(STR("a\0b"), STR("a\0c")));
    EXPECT(str_starts(STR("torch.nn"), STR("torch")) && !str_starts(STR("to"), STR("torch")));
    EXPECT(str_starts(none, none) && str_ends(none, STR("")));
    EXPECT(str_ends(STR("a.py"), STR(".py")) && !str_ends(STR("py"), STR(".py")));
    EXPECT(str_of(NULL).len == 0);
}

TEST(str_find_slice_trim) {
    size_t at = 99;
    EXPECT(str_find(STR("abcabc"), STR("ca"), &at) && at == 2);
    EXPECT(!str_find(STR("abc"), STR("abcd"), &at) && !str_find((Str){NULL, 0}, STR("a"), NULL));
    EXPECT(str_find(STR("abc"), STR(""), &at) && at == 0);
    EXPECT_STR(str_slice(STR("abcdef"), 2, 4), "cd");
    EXPECT_STR(str_slice(STR("abc"), 3, 3), "");
    EXPECT_PANIC((void)str_slice(STR("abc"), 2, 4));
    EXPECT_PANIC((void)str_slice(STR("abc"), 2, 1));
    EXPECT_STR(str_trim(STR(" \t\r\n\fa b\n ")), "a b");
    EXPECT_STR(str_trim(STR(" \n ")), "");
    EXPECT_STR(str_trim((Str){NULL, 0}), "");
}

TEST(str_paths) {
    static const char *const paths[][3] = {
        {"a/b.py", "a", "b.py"}, {"b.py", ".", "b.py"}, {"/b.py", "/", "b.py"}, {"/a/b/c", "/a/b", "c"},
        {"a/", "a", ""},         {"/", "/", ""},        {"", ".", ""}};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        EXPECT_STR(str_dirname(str_of(paths[i][0])), paths[i][1]);
        EXPECT_STR(str_basename(str_of(paths[i][0])), paths[i][2]);
    }
}

TEST(str_copies) {
    Arena *arena = arena_new();
    Str copy = str_dup(arena, str_slice(STR("abcdef"), 1, 3));
    EXPECT_STR(copy, "bc");
    EXPECT(copy.ptr[2] == '\0');
    Str text = str_format(arena, "%.*s:%d:%s", STR_ARG(copy), 7, "x");
    EXPECT_STR(text, "bc:7:x");
    EXPECT(text.ptr[text.len] == '\0');
    EXPECT_STR(str_format(arena, "%s", ""), "");
    arena_free(arena);
}

TEST(intern_equal_text_equal_name) {
    char text[] = "hidden_states";
    Name first = intern(str_of(text));
    EXPECT(first != 0 && first == NAME_OF("hidden_states"));
    EXPECT(first != NAME_OF("hidden_state"));
    text[0] = 'x'; // the table has its own copy
    EXPECT_STR(name_str(first), "hidden_states");
    EXPECT(name_str(first).ptr[13] == '\0');
    EXPECT(intern(STR("")) == 0);
    EXPECT_STR(name_str(0), "");
    EXPECT(NAME_OF("a\0b") != NAME_OF("a\0c"));
}

enum { INTERN_THREADS = 16, INTERN_WORDS = 20000 };
static Name names_of[INTERN_THREADS][INTERN_WORDS];

static void intern_words(void *context, uint32_t thread) {
    (void)context;
    char text[32];
    for (uint32_t i = 0; i < INTERN_WORDS; i++) {
        uint32_t word = (i * 7919 + thread * 4001) % INTERN_WORDS; // each thread in an order of its own
        int len = snprintf(text, sizeof text, "word_%u", word);
        Name name = intern((Str){text, (size_t)len});
        names_of[thread][word] = name;
        if (!str_eq(name_str(name), (Str){text, (size_t)len}))
            PANIC("a name lost its text");
    }
}

TEST(intern_threads) {
    pool_run(INTERN_THREADS, INTERN_THREADS, intern_words, NULL);
    uint32_t different = 0, wrong = 0;
    char text[32];
    for (uint32_t word = 0; word < INTERN_WORDS; word++) {
        for (uint32_t thread = 1; thread < INTERN_THREADS; thread++)
            different += names_of[thread][word] != names_of[0][word];
        snprintf(text, sizeof text, "word_%u", word);
        wrong += !str_eq(name_str(names_of[0][word]), str_of(text));
    }
    EXPECT(different == 0);
    EXPECT(wrong == 0);
}

int main(void) {
    RUN(arena_zeroed_aligned_apart);
    RUN(arena_empty_allocations_differ);
    RUN(arena_large_keeps_the_current_chunk);
    RUN(arena_dup_copies);
    RUN(arena_redzones);
    RUN(arena_refuses_absurd_sizes);
    RUN(str_compare);
    RUN(str_find_slice_trim);
    RUN(str_paths);
    RUN(str_copies);
    RUN(intern_equal_text_equal_name);
    RUN(intern_threads);
    return test_report();
}
