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

TEST(numbers_and_escapes) {
    expect_json("a = -9223372036854775808\nb = 0x7fffffffffffffff\nc = +1e308\n", "",
                "{\"a\":-9223372036854775808,\"b\":9223372036854775807,\"c\":1e308}");
    expect_json("a = \"\\U0010FFFF\\uD7FF\"\n", "", "{\"a\":\"\xf4\x8f\xbf\xbf\xed\x9f\xbf\"}");
    static const char *const numbers[] = {"9223372036854775808", "-9223372036854775809", "0x8000000000000000",
                                          "0o7777777777777777777777", "1e999"};
    for (size_t i = 0; i < 5; i++) {
        char text[64];
        snprintf(text, sizeof text, "a = %s\n", numbers[i]);
        expect_error(text, "line 1, column 5: the number is out of range");
    }
    expect_error("a = \"\\uD800\"\n", "line 1, column 5: an escape that stands for no character");
    expect_error("\"\\U00110000\".b = 1\n", "line 1, column 1: an escape that stands for no character");
}

// before, `count` times `piece`, after
static void expect_deep(const char *before, const char *piece, uint32_t count, const char *after, bool deep) {
    Arena *arena = arena_new();
    Buf text = {0}, json = {0};
    Str why;
    buf_cstr(&text, before);
    for (uint32_t i = 0; i < count; i++)
        buf_cstr(&text, piece);
    buf_cstr(&text, after);
    EXPECT(toml_section(buf_view(&text), STR(""), arena, &json, &why) == !deep);
    EXPECT(str_ends(why, STR("nested too deep")) == deep);
    buf_free(&text);
    buf_free(&json);
    arena_free(arena);
}

TEST(nesting) {
    expect_deep("a", ".a", 100, " = 1\n", false);
    expect_deep("a", ".a", 101, " = 1\n", true);
    expect_deep("a", ".a", 100000, " = 1\n", true);
    expect_deep("[a", ".a", 100000, "]\n", true);
    expect_deep("[a", ".a", 60, "]\nb.b.b = 1\n", false);
    expect_deep("[a.a.a]\nb", ".a", 99, " = 1\n", true);
}

// What is wrong lies at the bottom of a deep tree.
TEST(an_error_far_down) {
    Arena *arena = arena_new();
    Buf text = {0}, json = {0};
    Str why;
    buf_cstr(&text, "a = ");
    buf_repeat(&text, '[', 50000);
    buf_cstr(&text, "1 2");
    buf_repeat(&text, ']', 50000);
    EXPECT(!toml_section(buf_view(&text), STR(""), arena, &json, &why));
    EXPECT(str_ends(why, STR("not TOML")));
    buf_free(&text);
    buf_free(&json);
    arena_free(arena);
}

int main(void) {
    RUN(tables);
    RUN(errors);
    RUN(numbers_and_escapes);
    RUN(nesting);
    RUN(an_error_far_down);
    return test_report();
}
