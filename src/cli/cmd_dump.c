// graphmend dump --ast|--ir|--cfg|--symbols|--facts|--calls [--dot] FILE: what a layer knows of a file, as text.
//
// The first four need one file only and show any Python; facts and calls are shown of an analysed project, where a file
// that has nothing to do with torch is not even parsed. Exit: 2 when the file cannot be read.
#include "cli/cli.h"
#include "pipeline/pipeline.h"

static bool read_input(const Options *options, const char *path, Buf *bytes, Arena *arena) {
    if (paths_is_stdin(path))
        return console_stdin(options, bytes);
    Str why;
    if (file_read(path, bytes, arena, &why))
        return true;
    console_error(options, "%s: %.*s", path, STR_ARG(why));
    return false;
}

static bool dump_syntax(const Options *options, const char *path, Buf *out) {
    Arena *arena = arena_new();
    Buf bytes = {0};
    Source source;
    Str why;
    bool good = read_input(options, path, &bytes, arena);
    if (good && !source_init(&source, arena, str_of(path), buf_view(&bytes), &why)) {
        if (source.fault_line)
            console_error(options, "%s:%u: %.*s", path, source.fault_line, STR_ARG(why));
        else
            console_error(options, "%s: %.*s", path, STR_ARG(why));
        good = false;
    }
    if (good) {
        DiagList diags;
        diag_init(&diags, arena);
        SyntaxTree *tree = syntax_parse(arena, source, &diags);
        Unit *unit = unit_new(tree);
        console_diags(options, &diags);
        if (options->ast)
            dump_ast(tree, out);
        if (options->symbols)
            dump_symbols(unit, out);
        if (options->cfg)
            dump_cfg(unit, out, options->dot);
        if (options->ir)
            dump_ir(unit, out);
        unit_free(unit);
        diag_free(&diags);
    }
    buf_free(&bytes);
    arena_free(arena);
    return good;
}

static bool add_input(const Options *options, Pipeline *pipeline, const char *path) {
    Str why = STR("");
    Buf bytes = {0};
    bool good;
    if (paths_is_stdin(path)) {
        good = console_stdin(options, &bytes);
        if (good)
            pipeline_add_bytes(pipeline, STR("<stdin>"), buf_view(&bytes));
    } else if (!(good = pipeline_add(pipeline, path, &why))) {
        console_error(options, "%s: %.*s", path, STR_ARG(why));
    }
    buf_free(&bytes);
    return good;
}

static bool dump_project(const Options *options, const char *path, Buf *out) {
    PipelineOptions settings = {.jobs = options->jobs,
                                .entries = options->entries.len > 1 ? options->entries.items : NULL};
    Pipeline *pipeline = pipeline_new(&settings);
    bool good = add_input(options, pipeline, path);
    if (good) {
        project_analyse(pipeline->project);
        console_diags(options, &pipeline->diags);
        good = pipeline->diags.errors == 0;
        if (options->calls)
            dump_calls(pipeline->project, out, options->dot);
        for (uint32_t i = 0; options->facts && i < project_module_count(pipeline->project); i++) {
            Module *module = project_module(pipeline->project, i);
            if (module->is_input && module->unit)
                dump_facts(module, out);
        }
    }
    pipeline_free(pipeline);
    return good;
}

int cmd_dump(const Options *options) {
    bool syntax = options->ast || options->symbols || options->cfg || options->ir;
    bool project = options->facts || options->calls;
    if (options->arguments.len != 1) {
        console_error(options, "dump takes one file; see 'graphmend dump --help'");
        return EXIT_TROUBLE;
    }
    const char *path = options->arguments.items[0];
    if (syntax + project != 1) {
        console_error(options, "dump needs one of --ast, --ir, --cfg, --symbols, --facts, --calls");
        return EXIT_TROUBLE;
    }
    if (options->dot && !options->cfg && !options->calls) {
        console_error(options, "'--dot' goes with '--cfg' or '--calls'");
        return EXIT_TROUBLE;
    }
    if (syntax && file_is_dir(path)) {
        console_error(options, "%s: is a directory; dump takes a file", path);
        return EXIT_TROUBLE;
    }
    Buf out = {0};
    bool good = syntax ? dump_syntax(options, path, &out) : dump_project(options, path, &out);
    good = console_write(options, buf_view(&out)) && good;
    buf_free(&out);
    return good ? EXIT_FINE : EXIT_TROUBLE;
}
