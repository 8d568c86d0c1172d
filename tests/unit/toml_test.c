// src/syntax/toml.c: the tables of a TOML text as JSON.
#include "syntax/toml.h"
#include "test.h"

static const char document[] = "top = 1_000 # comment\n"
                               "[tool.graphmend]\n"
                               "select = [\"GM1\", 'GM2',\n  \"\"\"G\\\n   M3\"\"\"]\n"
                               "quiet = true\n"
                               "ratio = 1.5e3\n"
                               "since = 2026-11-30\n"
                               "\"odd key\".sub = \"tab\\t quote\\\" \\u00e9\"\n"
                               "[tool.graphmend.per-file-ignores]\n"
                               "\"a/*.py\" = [\"ALL\"]\n"
                               "inline = { a = 1, b = { c = -2 } }\n"
                               "[[list]]\nx = 1\n[[list]]\nx = 0x1F\n"
                               "[empty]\n";

static void expect_json(const char *text, const char *path, const char *wanted) {
    Arena *arena = arena_new();
    Buf json = {0};
    Str why;
    bool found = toml_section(str_of(text), str_of(path), arena, &json, &why);
    EXPECT(found == (wanted != NULL) && why.len == 0);
    EXPECT(!wanted || str_eq(buf_view(&json), str_of(wanted)));
    buf_free(&json);
    arena_free(arena);
}

static void expect_error(const char *text, const char *wanted) {
    Arena *arena = arena_new();
    Buf json = {0};
    Str why;
    EXPECT(!toml_section(str_of(text), STR(""), arena, &json, &why) && str_eq(why, str_of(wanted)));
    buf_free(&json);
    arena_free(arena);
}

TEST(tables) {
    expect_json(
        document, "tool.graphmend",
        "{\"select\":[\"GM1\",\"GM2\",\"GM3\"],\"quiet\":true,\"ratio\":1.5e3,\"since\":\"2026-11-30\","
        "\"odd key\":{\"sub\":\"tab\\u0009 quote\\\" \xc3\xa9\"},"
        "\"per-file-ignores\":{\"a/*.py\":[\"ALL\"],\"inline\":{\"a\":1,\"b\":{\"c\":-2}}}}");
    expect_json(document, "empty", "{}");
    expect_json(document, "tool.other", NULL);
    expect_json("a.b = 1\na.c = [{x = 1}, []]\n", "a", "{\"b\":1,\"c\":[{\"x\":1},[]]}");
    expect_json("[[list]]\nx = 1\n[list.sub]\ny = 2\n", "", "{\"list\":[{\"x\":1,\"sub\":{\"y\":2}}]}");
    expect_json("", "", "{}");
}

TEST(errors) {
    expect_error("a = 1\na = 2\n", "line 2, column 1: the key is set twice");
    expect_error("[a]\n[a]\n", "line 2, column 1: the table is given twice");
    expect_error("a = 1\n[a.b]\nc = 2\n", "line 2, column 2: the key is set to a value already");
    expect_error("a = 1\nb = = 2\n", "line 2, column 3: not TOML");
}

int main(void) {
    RUN(tables);
    RUN(errors);
    return test_report();
}
