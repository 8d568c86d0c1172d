// The yardstick of `./dev bench`: reads each file named on standard input, parses it with bare tree-sitter, one thread.
//
// Output: files, bytes and the seconds spent.
#include "base/base.h"

#include <stdio.h>
#include <time.h>
#include <tree_sitter/api.h>

const TSLanguage *tree_sitter_python(void);

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(void) {
    Arena *arena = arena_new();
    TSParser *parser = ts_parser_new();
    ts_parser_set_language(parser, tree_sitter_python());
    double start = seconds();
    uint32_t files = 0;
    size_t bytes = 0;
    char path[4096];
    while (fgets(path, sizeof path, stdin)) {
        path[strcspn(path, "\n")] = '\0';
        Buf text = {0};
        Str why;
        if (!file_read(path, &text, arena, &why))
            continue;
        ts_tree_delete(ts_parser_parse_string(parser, NULL, text.ptr, (uint32_t)text.len));
        files++;
        bytes += text.len;
        buf_free(&text);
    }
    printf("%u files, %zu bytes, %.2f s\n", files, bytes, seconds() - start);
    ts_parser_delete(parser);
    arena_free(arena);
    return 0;
}
