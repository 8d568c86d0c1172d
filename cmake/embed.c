// Build-time tool: writes files as C arrays.
//
//     embed OUT.c RUNTIME.py RULES.json...
//
// Output: the definitions that src/rules/embedded.h declares. A NUL follows each array's bytes and is not counted.
#include <stdio.h>
#include <string.h>

static int write_bytes(FILE *out, const char *path) {
    FILE *in = fopen(path, "rb");
    if (!in) {
        fprintf(stderr, "embed: cannot read %s\n", path);
        return 0;
    }
    int column = 0;
    for (int byte; (byte = getc(in)) != EOF;) {
        column += fprintf(out, "%d,", byte);
        if (column > 100) {
            putc('\n', out);
            column = 0;
        }
    }
    int ok = !ferror(in);
    fclose(in);
    return ok;
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

int main(int argc, char **argv) {
    FILE *out = argc >= 3 ? fopen(argv[1], "wb") : NULL;
    if (!out) {
        fprintf(stderr, "usage: embed OUT.c RUNTIME.py RULES.json...\n");
        return 1;
    }
    fprintf(out, "#include \"rules/embedded.h\"\n\nconst unsigned char embedded_runtime[] = {\n");
    if (!write_bytes(out, argv[2]))
        return 1;
    fprintf(out, "0};\nconst size_t embedded_runtime_size = sizeof embedded_runtime - 1;\n\n");
    for (int i = 3; i < argc; i++) {
        fprintf(out, "static const unsigned char file_%d[] = {\n", i);
        if (!write_bytes(out, argv[i]))
            return 1;
        fprintf(out, "0};\n");
    }
    fprintf(out, "const EmbeddedRules embedded_rules[] = {\n");
    for (int i = 3; i < argc; i++)
        fprintf(out, "    {\"%s\", file_%d, sizeof file_%d - 1},\n", base_name(argv[i]), i, i);
    fprintf(out, "    {0, 0, 0},\n};\nconst size_t embedded_rules_count = %d;\n", argc - 3);
    return fclose(out) == 0 ? 0 : 1;
}
