// Reading and parsing. A byte scan decides what is parsed at once, on all cores; the rest is parsed when a name leads there.
//
// Input: the registered modules. Output: Module.unit, with its classes and functions indexed. At once: files that import
// something called torch and define classes with a forward, or call something named compile; a file that names a class
// of those as a base follows in a second wave. Everything else that matters is reached through imports, by need: a file
// of the input, or (read only) one in the same package tree or beside a single input file, OPENED_MAX of them at most.
//
// A file that cannot be read or decoded is a diagnostic, and then as good as absent.

#include <ctype.h>
#include <stdlib.h>

#include "project/internal.h"

// ---------------------------------------------------------------- the byte scan

static bool has(Str bytes, Str needle) {
    return bytes.len >= needle.len && str_find(bytes, needle, NULL);
}

static bool is_word_byte(char c) {
    return isalnum((unsigned char)c) || c == '_' || (c & 0x80);
}

// As Python reads lines: \r ends one too. Of \r\n the \n then ends an empty one.
static Str next_line(Str *rest) {
    const char *end = rest->len ? memchr(rest->ptr, '\n', rest->len) : NULL;
    size_t len = end ? (size_t)(end - rest->ptr) : rest->len;
    const char *lone = len ? memchr(rest->ptr, '\r', len) : NULL;
    if (lone)
        end = lone, len = (size_t)(lone - rest->ptr);
    Str line = {rest->ptr, len};
    size_t skip = len + (end ? 1 : 0);
    *rest = (Str){rest->ptr + skip, rest->len - skip};
    return line;
}

// A line `import ...torch...` or `from ...torch... import`, however deep: "pytorch_lightning" counts too.
static bool imports_torch(Str bytes) {
    if (!has(bytes, STR("torch")))
        return false;
    for (Str rest = bytes; rest.len;) {
        Str line = str_trim(next_line(&rest));
        bool import = str_starts(line, STR("import ")) || str_starts(line, STR("from ")) ||
                      has(line, STR("; import")) || has(line, STR(": import"));
        if (import && has(line, STR("torch")))
            return true;
    }
    return false;
}

// `.compile(` of something that is not spelled re: m.compile() needs no torch import in its file.
static bool calls_compile(Str bytes) {
    static const char needle[] = ".compile(";
    size_t at = 0, base = 0;
    while (str_find(str_slice(bytes, base, bytes.len), STR(needle), &at)) {
        size_t dot = base + at;
        bool regex = dot >= 2 && bytes.ptr[dot - 1] == 'e' && bytes.ptr[dot - 2] == 'r' &&
                     (dot == 2 || !is_word_byte(bytes.ptr[dot - 3]));
        if (!regex)
            return true;
        base = dot + sizeof needle - 1;
    }
    return false;
}

static bool wanted_at_once(Str bytes) {
    bool forward = has(bytes, STR("def forward"));
    if (forward && has(bytes, STR("class ")))
        return true;
    if (hooks_text(bytes))
        return true;
    if (!imports_torch(bytes))
        return calls_compile(bytes);
    return has(bytes, STR("compile")) ||
           (has(bytes, STR("class ")) && (forward || has(bytes, STR("Module"))));
}

static bool word_at(Str bytes, size_t at, size_t len) {
    if (at > 0 && is_word_byte(bytes.ptr[at - 1]))
        return false;
    return at + len >= bytes.len || !is_word_byte(bytes.ptr[at + len]);
}

static bool has_word(Str bytes, Str word) {
    size_t at = 0, base = 0;
    while (base < bytes.len && str_find(str_slice(bytes, base, bytes.len), word, &at)) {
        if (word_at(bytes, base + at, word.len))
            return true;
        base += at + word.len;
    }
    return false;
}

// ---------------------------------------------------------------- one module

// Thread-safe: touches only the module's own memory.
static bool read_raw(Module *module) {
    ModuleState *state = module->state;
    if (state->has_raw)
        return true;
    if (module->failed)
        return false;
    if (!file_read(state->file_path.ptr, &state->raw, state->arena, &state->failure)) {
        module->failed = true;
        return false;
    }
    state->has_raw = true;
    return true;
}

static bool parse(Module *module) {
    ModuleState *state = module->state;
    if (module->unit)
        return true;
    if (!read_raw(module))
        return false;
    Source source;
    bool readable = source_init(&source, state->arena, module->path, buf_view(&state->raw), &state->failure);
    buf_free(&state->raw);
    state->has_raw = false;
    if (!readable) {
        module->failed = true;
        state->failure_line = source.fault_line;
        return false;
    }
    module->unit = unit_new(syntax_parse(state->arena, source, &state->diags));
    return true;
}

// Moves what the parse had to say to the user's list.
static void report(Module *module) {
    ModuleState *state = module->state;
    DiagList *diags = module->project->diags;
    if (module->failed && state->failure.len && module->is_input)
        diag_add(diags, DIAG_ERROR, module->path, state->failure_line, 0, "%.*s", STR_ARG(state->failure));
    state->failure = (Str){0};
    for (uint32_t i = 0; i < state->diags.list.len && module->is_input; i++) {
        Diag *diag = &state->diags.list.items[i];
        diag_add(diags, diag->level, diag->path, diag->line, diag->column, "%.*s", STR_ARG(diag->message));
    }
    vec_clear(&state->diags.list);
}

static void find_stars(Module *module) {
    if (!module->unit->scope->has_star_import)
        return;
    Walk walk = {0};
    walk_list(&walk, module->unit->tree->module->u.module.body);
    for (Node *node; (node = walk_next(&walk));) {
        if (node_is_scope(node) || node_is_expr(node))
            continue;
        if (node_is(node, NODE_IMPORT_FROM) && node->u.from.items.len &&
            node_is(node->u.from.items.items[0], NODE_STAR_IMPORT))
            vec_push(&module->state->stars, node);
        walk_children(&walk, node);
    }
    walk_free(&walk);
}

static bool settle(Module *module) {
    report(module);
    if (!module->unit)
        return false;
    if (!module->state->indexed) {
        module->state->indexed = true;
        module->matters = true;
        find_stars(module);
        module_index(module);
    }
    return true;
}

bool module_load(Module *module) {
    if (module->state->indexed)
        return true;
    parse(module);
    return settle(module);
}

bool module_mentions(Module *module, Name word) {
    if (module->unit)
        return scope_own(module->unit->scope, word) != NULL;
    if (!read_raw(module)) {
        report(module);
        return false;
    }
    return has_word(buf_view(&module->state->raw), name_str(word));
}

// ---------------------------------------------------------------- the waves

static void read_input(void *context, uint32_t index) {
    Module *module = ((Project *)context)->modules.items[index];
    if (read_raw(module))
        module->state->digest = digest_of(buf_view(&module->state->raw));
}

bool load_digests(Project *project) {
    bool good = true;
    pool_run(project->modules.len, project->options.jobs, read_input, project);
    for (uint32_t i = 0; i < project->modules.len; i++)
        good &= project->modules.items[i]->state->has_raw;
    return good;
}

static void first_wave(void *context, uint32_t index) {
    Module *module = ((Project *)context)->modules.items[index];
    if (!read_raw(module))
        return;
    module->state->eager = wanted_at_once(buf_view(&module->state->raw));
    if (module->state->eager)
        parse(module);
}

void load_all(Project *project) {
    uint32_t count = project->modules.len;
    pool_run(count, project->options.jobs, first_wave, project);
    for (uint32_t i = 0; i < count; i++)
        settle(project->modules.items[i]);
}

typedef struct BaseScan {
    Project *project;
    ModuleList candidates;
    Map names; // of module classes
} BaseScan;

// Does `class X(..., Known, ...)` stand in the line?
static bool names_known_base(const BaseScan *scan, Str line) {
    line = str_trim(line);
    size_t open = 0;
    if (!str_starts(line, STR("class ")) || !str_find(line, STR("("), &open))
        return false;
    for (size_t i = open + 1; i < line.len;) {
        size_t end = i;
        while (end < line.len && is_word_byte(line.ptr[end]))
            end++;
        if (end > i && map_get(&scan->names, intern(str_slice(line, i, end)), NULL))
            return true;
        i = end + 1;
    }
    return false;
}

static void subclass_wave(void *context, uint32_t index) {
    BaseScan *scan = context;
    Module *module = scan->candidates.items[index];
    for (Str rest = buf_view(&module->state->raw); rest.len && !module->state->eager;)
        module->state->eager = names_known_base(scan, next_line(&rest));
    if (module->state->eager)
        parse(module);
}

static void collect_module_classes(BaseScan *scan) {
    for (uint32_t i = 0; i < scan->project->modules.len; i++) {
        Module *module = scan->project->modules.items[i];
        for (uint32_t k = 0; k < module->classes.len; k++)
            if (class_is_nn_module(module->classes.items[k]))
                map_put(&scan->names, module->classes.items[k]->node->u.cls.name, 1);
        if (!module->unit && module->state->has_raw && has(buf_view(&module->state->raw), STR("class ")))
            vec_push(&scan->candidates, module);
    }
}

// A class may inherit its forward and still override what forward calls, in a file that never says torch.
void load_subclasses(Project *project) {
    BaseScan scan = {.project = project};
    collect_module_classes(&scan);
    if (scan.names.len)
        pool_run(scan.candidates.len, project->options.jobs, subclass_wave, &scan);
    for (uint32_t i = 0; i < scan.candidates.len; i++)
        if (scan.candidates.items[i]->unit)
            settle(scan.candidates.items[i]);
    classes_link_pending(project);
    vec_free(&scan.candidates);
    map_free(&scan.names);
}

// ---------------------------------------------------------------- files that are no input

Module *module_open(Project *project, const char *path, Name name, bool is_package) {
    Buf bytes = {0};
    if (project_look(project, path, &bytes) != SEEN_FILE) {
        buf_free(&bytes);
        return NULL;
    }
    if (project->opened == OPENED_MAX) {
        if (!project->opened_limit_told)
            diag_add(project->diags, DIAG_NOTE, str_of(path), 0, 0,
                     "more than %d files outside the input would be needed to resolve names (OPENED_MAX); "
                     "the rest is unknown",
                     (int)OPENED_MAX);
        project->opened_limit_told = true;
        buf_free(&bytes);
        return NULL;
    }
    project->opened++;
    Str full = str_of(path);
    Module *module = project_register(project, full, str_dirname(full), name, is_package);
    module->state->raw = bytes;
    module->state->has_raw = true;
    map_put(&project->by_path, intern(full), (uintptr_t)module);
    Module *parent = map_ptr(&project->by_name, name_parent(name));
    if (parent)
        vec_push(&parent->state->children, module);
    return module;
}
