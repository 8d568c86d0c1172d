// Fuzz harness: any bytes through the parser, the scopes and the printer.
//
// Properties: nothing crashes or reads what it must not; a tree that no pass touched prints as the bytes it came from;
// the tree and the count of errors agree; the invariants of src/ir/verify.c hold.
#include "ir/ir.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void check_tree(Arena *arena, Source source) {
    DiagList diags;
    diag_init(&diags, arena);
    SyntaxTree *tree = syntax_parse(arena, source, &diags);
    CHECK(!tree->has_errors || diags.list.len > 0);
    Unit *unit = unit_new(tree);
    unit_verify(unit);
    Buf printed = {0};
    print_unit(tree, &printed);
    CHECK(str_eq(buf_view(&printed), source.bytes));
    buf_free(&printed);
    unit_free(unit);
    diag_free(&diags);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size) {
    Arena *arena = arena_new();
    Source source;
    Str why;
    if (source_init(&source, arena, STR("fuzz.py"), (Str){(const char *)bytes, size}, &why))
        check_tree(arena, source);
    arena_free(arena);
    return 0;
}
