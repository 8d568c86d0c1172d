// Where the runtime of a rewritten module lives, and how the module imports it.
//
// In:  a module and the form asked for. Out: the form it gets and, for RUNTIME_MODULE, the file and the import.
//     pkg/sub/m.py, pkg and sub being packages:  pkg/_graphmend_runtime.py   from .. import _graphmend_runtime
//     train.py in no package:                    graphmend_runtime.py        import graphmend_runtime
// A package is a folder with an __init__.py; whether a namespace package is imported as one cannot be known.
// The file never lies above the folder that was given: a package that begins above it gets its runtime in that folder.
// RUNTIME_AUTO embeds in a file that was named itself, and in a module of a tree that is in no package and not at its
// top: how such a file is found at run time nobody can tell.
// Declines: where another file already has the name, the runtime is embedded, with a warning.
#include "pipeline/pipeline.h"

static const char runtime_mark[] = "GRAPHMEND_RUNTIME"; // every version of the runtime defines it

bool place_is_runtime(Str bytes) {
    return str_find(bytes, str_of(runtime_mark), NULL);
}

static uint32_t count_char(Str text, char c) {
    uint32_t count = 0;
    for (size_t i = 0; i < text.len; i++)
        count += text.ptr[i] == c;
    return count;
}

// "a/b/c.py" without its last `levels` + 1 parts: "a/b/" for 0, "a/" for 1.
static Str folder_above(Str path, uint32_t levels) {
    size_t len = path.len;
    for (uint32_t i = 0; i <= levels && len > 0; i++) {
        len--;
        while (len > 0 && path.ptr[len - 1] != '/')
            len--;
    }
    return str_slice(path, 0, len);
}

static bool taken_by_another(Pipeline *pipeline, Str path) {
    Buf bytes = {0};
    SeenKind kind = project_look(pipeline->project, path.ptr, &bytes);
    bool taken = kind == SEEN_UNREADABLE || (kind == SEEN_FILE && !place_is_runtime(buf_view(&bytes)));
    buf_free(&bytes);
    return taken;
}

// How many folders from the file upwards are packages, up to the folder that was given.
static uint32_t package_depth(Pipeline *pipeline, const ModuleResult *result, uint32_t folders) {
    uint32_t depth = 0;
    Buf bytes = {0};
    while (depth <= folders) {
        Str folder = folder_above(result->module->path, depth);
        Str init = str_format(pipeline->arena, "%.*s__init__.py", STR_ARG(folder));
        if (project_look(pipeline->project, init.ptr, &bytes) == SEEN_NOTHING)
            break;
        depth++;
    }
    buf_free(&bytes);
    return depth;
}

void place_runtime(Pipeline *pipeline, ModuleResult *result) {
    const Module *module = result->module;
    PassContext *context = &result->context;
    RuntimeForm form = pipeline->options.passes.runtime;
    // Folders between the one that was given and the file.
    uint32_t folders = result->in_tree ? count_char(module->relative, '/') : 0;
    uint32_t packages = package_depth(pipeline, result, folders);
    bool is_script = module->unit && str_find(module->unit->tree->source.bytes, STR("__main__"), NULL);
    if (form ==
        RUNTIME_AUTO) // a script inside a package has no package when it is run: it carries its runtime
        form = result->in_tree && (packages > 0 ? !is_script : folders == 0) ? RUNTIME_MODULE : RUNTIME_EMBED;
    context->runtime_form = form;
    context->runtime_level = 0;
    context->runtime_module = STR("graphmend_runtime");
    if (form != RUNTIME_MODULE)
        return;
    if (packages > 0) {
        context->runtime_level = packages;
        context->runtime_module = STR("_graphmend_runtime");
    }
    Str folder = folder_above(module->path, context->runtime_level > 0 ? context->runtime_level - 1 : 0);
    Str path = str_format(pipeline->arena, "%.*s%.*s.py", STR_ARG(folder), STR_ARG(context->runtime_module));
    if (taken_by_another(pipeline, path)) {
        diag_add(&result->diags, DIAG_WARNING, path, 0, 0,
                 "not a runtime of graphmend: the runtime is embedded instead");
        context->runtime_form = RUNTIME_EMBED;
        return;
    }
    result->runtime_path = path;
}
