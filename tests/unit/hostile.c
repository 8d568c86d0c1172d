// Inputs made to hurt: nesting without end, lines without end, cut-off text. Each goes through the whole compiler, which
// has to come back within seconds with a diagnostic or a result, never with a crash.
#include "pipeline/pipeline.h"
#include "unit/test.h"

#include <time.h>

enum {
    DEEP = 100000,
    MANY = 2000,         // findings, or bindings of one name, in one function: each looks at the others
#ifdef GM_STRESS_REALLOC // the sanitizers' build
    SECONDS_MAX = 100,
#else
    SECONDS_MAX = 20,
#endif
};

static const char head[] =
    "import torch\nfrom torch import nn\nclass M(nn.Module):\n    def forward(self, x):\n";

// What `fix -` does; whether the input came back unchanged or the output still parses.
static bool survives(Str bytes) {
    const char *everything[] = {"all", NULL};
    PipelineOptions options = {
        .passes = {.trap = true, .where = true, .defer = true, .cond = true, .runtime = RUNTIME_EMBED},
        .jobs = 1,
        .entries = everything,
    };
    time_t start = time(NULL);
    Pipeline *pipeline = pipeline_new(&options);
    bool fine = true;
    pipeline_add_bytes(pipeline, STR("hostile.py"), bytes);
    pipeline_run(pipeline);
    const ModuleResult *result = pipeline_result(pipeline, STR("hostile.py"));
    if (result && result->changed)
        fine = syntax_error_count(buf_view(&result->output)) <= syntax_error_count(bytes);
    pipeline_free(pipeline);
    return fine && time(NULL) - start < SECONDS_MAX;
}

// head, before, `count` times `piece`, middle, `count` times `close`, after
static bool nested(const char *before, const char *piece, uint32_t count, const char *middle,
                   const char *close, const char *after) {
    Buf text = {0};
    buf_cstr(&text, head);
    buf_cstr(&text, before);
    for (uint32_t i = 0; i < count; i++)
        buf_cstr(&text, piece);
    buf_cstr(&text, middle);
    for (uint32_t i = 0; i < count; i++)
        buf_cstr(&text, close);
    buf_cstr(&text, after);
    bool fine = survives(buf_view(&text));
    buf_free(&text);
    return fine;
}

static bool repeated(const char *before, const char *piece, const char *after) {
    return nested(before, piece, DEEP, "", "", after);
}

TEST(brackets) {
    EXPECT(nested("        y = ", "(", DEEP, "x", ")", "\n"));
    EXPECT(nested("        y = ", "[", DEEP, "x", "]", "\n"));
    EXPECT(nested("        y = ", "{1: ", DEEP, "x", "}", "\n"));
    EXPECT(nested("        y = ", "f(", DEEP, "x", ")", "\n"));
    EXPECT(nested("        y = x", "[x", DEEP, "", "]", "\n"));
    EXPECT(repeated("        y = ", "(", "\n"));
    EXPECT(repeated("        y = ", "]", "\n"));
}

TEST(operators) {
    EXPECT(repeated("        y = x", " + x", "\n"));
    EXPECT(repeated("        y = x", " and x", "\n"));
    EXPECT(repeated("        y = x", " ** x", "\n"));
    EXPECT(repeated("        y = x", " < x", "\n"));
    EXPECT(repeated("        y = ", "not ", "x\n"));
    EXPECT(repeated("        y = ", "-", "x\n"));
    EXPECT(repeated("        y = ", "x if x else ", "x\n"));
    EXPECT(repeated("        y = ", "lambda: ", "x\n"));
    EXPECT(repeated("        y = x", ".x", "\n"));
    EXPECT(repeated("        y = x", "()", "\n"));
    EXPECT(repeated("        y = x", "[0]", "\n"));
    EXPECT(repeated("        ", "x = ", "x\n"));
    EXPECT(repeated("        y = ", "await ", "x\n"));
    EXPECT(nested("        y = [x", " for x in x", MANY, "]\n", "", ""));
}

TEST(strings) {
    EXPECT(repeated("        y = ", "'x' ", "\n"));
    EXPECT(repeated("        y = f'", "{x}", "'\n"));
    EXPECT(nested("        y = ", "f'{", 500, "x", "}'", "\n"));
    EXPECT(repeated("        y = '''", "x\n", ""));
    EXPECT(repeated("        y = '", "\\", ""));
    EXPECT(repeated("        # ", "#", ""));
}

TEST(statements) {
    EXPECT(repeated("        if x: pass\n", "        elif x: pass\n", ""));
    EXPECT(nested("        pass", "; print(x)", MANY, "\n", "", ""));
    EXPECT(nested("", "        if x.any(): raise ValueError(x)\n", MANY, "", "", ""));
    EXPECT(nested("", "        if x.any():\n            x = x + 1\n", MANY, "", "", ""));
    EXPECT(nested("", "        print(x)\n", MANY, "", "", ""));
    EXPECT(repeated("", "    @x\n", "    def g(self): pass\n"));
    EXPECT(repeated("        def g(a", ", a", "): pass\n"));
    EXPECT(repeated("        return x\n", "\n", ""));
    EXPECT(nested("        x = 1 ", "\\\n", MANY, "", "", "")); // quadratic inside tree-sitter
    EXPECT(repeated("        import x", ", x", "\n"));
    EXPECT(repeated("        global x", ", x", "\n"));
}

// Each level indents by one more, so the text grows with the square of the depth.
static bool indented(const char *line, uint32_t depth) {
    Buf text = {0};
    buf_cstr(&text, head);
    for (uint32_t i = 0; i < depth; i++) {
        buf_repeat(&text, ' ', 8 + i);
        buf_cstr(&text, line);
    }
    buf_repeat(&text, ' ', 8 + depth);
    buf_cstr(&text, "print(x)\n");
    bool fine = survives(buf_view(&text));
    buf_free(&text);
    return fine;
}

TEST(suites) {
    EXPECT(indented("if x.any():\n", 1000));
    EXPECT(indented("def f(x):\n", 1000));
    EXPECT(indented("class C:\n", 1000));
    EXPECT(indented("with x:\n", 1000));
    EXPECT(indented("for x in x:\n", 1000));
    EXPECT(indented("try:\n", 1000));
    EXPECT(indented("match x:\n", 400));
}

TEST(odd_bytes) {
    EXPECT(survives(STR("")));
    EXPECT(survives(STR("\n")));
    EXPECT(survives(STR("\xef\xbb\xbf")));
    EXPECT(survives(STR("import torch\0\n")));
    EXPECT(survives(STR("import torch\nx = '\xff\xfe'\n")));
    EXPECT(survives(STR("# coding: utf-7\nimport torch\n")));
    EXPECT(survives(STR("import torch\r\rclass M(torch.nn.Module):\r def forward(self, x):\r  print(x)\r")));
    EXPECT(survives(
        STR("import torch\n\f\nclass M(torch.nn.Module):\n\tdef forward(self, x):\n        print(x)\n")));
}

// Every prefix of a file that matters: what an editor sends while someone types.
TEST(prefixes) {
    static const char text[] =
        "import torch\n\nclass M(torch.nn.Module):\n    def forward(self, x):\n"
        "        if x.max() > 3:\n            raise ValueError(f\"bad {x.max()!r:>{3}}\")\n"
        "        if torch.isnan(x).any():\n            x = torch.zeros_like(x)\n"
        "        print(\"x\", x)  # comment\n        return x\n";
    for (size_t len = 0; len < sizeof text; len++)
        EXPECT(survives((Str){text, len}));
}

int main(void) {
    RUN(brackets);
    RUN(operators);
    RUN(strings);
    RUN(statements);
    RUN(suites);
    RUN(odd_bytes);
    RUN(prefixes);
    return test_report();
}
