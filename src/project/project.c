// The project: which files belong to it, and under which dotted name each is imported.
//
// Input: files and folders as the user gave them, or bytes. Output: a Module for each .py file, in path order, and (through
// project_analyse) everything the layer derives. A file inside packages (folders with __init__.py) is named from the
// outermost one; any other file of a folder is named by its place below that folder, as a namespace package would be; a
// single file by its stem.
//
// Left out of folders: hidden ones, __pycache__, build, dist, node_modules, virtual environments. A folder somewhere below
// that cannot be read is an error, and the walk goes on.

#include <limits.h>
#include <stdlib.h>

#include "project/internal.h"

typedef struct Folder {
    Name package;    // dotted name of the package it is, 0 if it is none
    Str import_root; // the folder from which that name counts; the folder itself if it is no package
} Folder;

Project *project_new(DiagList *diags, const ProjectOptions *options) {
    Arena *arena = arena_new();
    Project *project = ARENA_NEW(arena, Project);
    project->arena = arena;
    project->diags = diags;
    if (options)
        project->options = *options;
    return project;
}

static void free_class(ClassInfo *cls) {
    for (uint32_t i = 0; i < cls->attributes.len; i++) {
        AttrInfo *attr = (AttrInfo *)cls->attributes.entries[i].value;
        vec_free(&attr->values);
        vec_free(&attr->annotations);
        vec_free(&attr->writers);
        vec_free(&attr->added);
    }
    map_free(&cls->attributes);
    map_free(&cls->methods);
    map_free(&cls->last_named);
    vec_free(&cls->bases);
    vec_free(&cls->subclasses);
    vec_free(&cls->functions);
}

static void free_module(Module *module) {
    if (module->analysis_free) // src/analysis's cache of what it found out about this module
        module->analysis_free(module->analysis);
    for (uint32_t i = 0; i < module->classes.len; i++)
        free_class(module->classes.items[i]);
    for (uint32_t i = 0; i < module->functions.len; i++) {
        vec_free(&module->functions.items[i]->calls);
        vec_free(&module->functions.items[i]->callers);
        vec_free(&module->functions.items[i]->unknown_calls);
    }
    vec_free(&module->classes);
    vec_free(&module->functions);
    map_free(&module->exports);
    map_free(&module->class_at);
    map_free(&module->function_at);
    ModuleState *state = module->state;
    vec_free(&state->stars);
    vec_free(&state->children);
    map_free(&state->all_names);
    map_free(&state->lazy_names);
    buf_free(&state->raw);
    diag_free(&state->diags);
    unit_free(module->unit);
    arena_free(state->arena);
}

void project_free(Project *project) {
    if (!project)
        return;
    for (uint32_t i = 0; i < project->modules.len; i++)
        free_module(project->modules.items[i]);
    vec_free(&project->modules);
    vec_free(&project->root_names);
    vec_free(&project->seen);
    map_free(&project->seen_at);
    vec_free(&project->unlinked);
    vec_free(&project->worklist);
    vec_free(&project->open_calls);
    vec_free(&project->undecided);
    map_free(&project->by_name);
    map_free(&project->by_path);
    map_free(&project->folders);
    map_free(&project->beside);
    map_free(&project->values);
    map_free(&project->results);
    map_free(&project->property_names);
    map_free(&project->query_nodes);
    map_free(&project->method_names);
    map_free(&project->wrappers);
    map_free(&project->leaves);
    map_free(&project->withs);
    map_free(&project->hooked);
    arena_free(project->arena);
}

Arena *project_arena(Project *project) {
    return project->arena;
}

void **project_analysis(Project *project) {
    return &project->analysis;
}

uint32_t project_module_count(const Project *project) {
    return project->modules.len;
}

Module *project_module(Project *project, uint32_t index) {
    return vec_at(&project->modules, index);
}

// ---------------------------------------------------------------- names

Str path_join(Arena *arena, Str dir, Str file) {
    if (dir.len == 0)
        return str_dup(arena, file);
    const char *slash = dir.ptr[dir.len - 1] == '/' ? "" : "/";
    return str_format(arena, "%.*s%s%.*s", STR_ARG(dir), slash, STR_ARG(file));
}

static Str real_path(Arena *arena, Str path) {
    char *found = realpath(str_dup(arena, path).ptr, NULL);
    if (!found)
        return str_dup(arena, path);
    Str result = str_dup(arena, str_of(found));
    free(found);
    return result;
}

// The dotted name of the package that a real folder is, cached. Goes up until a folder without __init__.py.
static const Folder *folder_at(Project *project, Str real_dir) {
    Name key = intern(real_dir);
    Folder *folder = map_ptr(&project->folders, key);
    if (folder)
        return folder;
    folder = ARENA_NEW(project->arena, Folder);
    folder->import_root = str_dup(project->arena, real_dir);
    map_put(&project->folders, key, (uintptr_t)folder);
    Str parent = str_dirname(real_dir), base = str_basename(real_dir);
    if (base.len == 0 || !file_exists(path_join(project->arena, real_dir, STR("__init__.py")).ptr))
        return folder;
    const Folder *outer = folder_at(project, parent); // as deep as the path has folders
    folder->package = name_join(outer->package, intern(base));
    folder->import_root = outer->import_root;
    return folder;
}

// The dotted spelling of a relative path without its .py; *is_package for an __init__.py, whose name is its folder's.
static Name name_of_path(Str relative, bool *is_package) {
    Str path = str_ends(relative, STR(".py")) ? str_slice(relative, 0, relative.len - 3) : relative;
    *is_package = str_eq(path, STR("__init__")) || str_ends(path, STR("/__init__"));
    if (*is_package)
        path = str_slice(path, 0, path.len - (path.len > 8 ? 9 : 8));
    while (path.len && (path.ptr[0] == '/' || path.ptr[0] == '.'))
        path = str_slice(path, 1, path.len);
    Buf text = {0};
    for (size_t i = 0; i < path.len; i++)
        buf_char(&text, path.ptr[i] == '/' ? '.' : path.ptr[i]);
    Name name = text.len ? intern(buf_view(&text)) : 0;
    buf_free(&text);
    return name;
}

Module *project_register(Project *project, Str path, Str real_dir, Name name, bool is_package) {
    Arena *arena = arena_new();
    Module *module = ARENA_NEW(project->arena, Module);
    ModuleState *state = ARENA_NEW(project->arena, ModuleState);
    module->project = project;
    module->state = state;
    module->path = str_dup(project->arena, path);
    module->relative = module->path;
    module->name = name;
    module->is_package = is_package;
    state->arena = arena;
    state->real_dir = str_dup(project->arena, real_dir);
    state->import_root = state->real_dir;
    state->file_path = module->path;
    diag_init(&state->diags, arena);
    vec_push(&project->modules, module);
    if (name && !map_get(&project->by_name, name, NULL))
        map_put(&project->by_name, name, (uintptr_t)module);
    return module;
}

static Module *add_file(Project *project, Str path, Str relative, Name fallback, bool fallback_package) {
    Str dir = str_dirname(path), file = str_basename(path);
    Str real_dir = real_path(project->arena, dir);
    Name path_key = intern(path_join(project->arena, real_dir, file));
    Module *known = map_ptr(&project->by_path, path_key);
    if (known) {
        known->is_input = true;
        return known;
    }
    const Folder *folder = folder_at(project, real_dir);
    bool is_package = fallback_package;
    Name name = fallback;
    if (folder->package) {
        is_package = str_eq(file, STR("__init__.py"));
        Name stem = intern(str_slice(file, 0, file.len - (str_ends(file, STR(".py")) ? 3 : 0)));
        name = is_package ? folder->package : name_join(folder->package, stem);
    }
    Module *module = project_register(project, path, real_dir, name, is_package);
    module->relative = str_dup(project->arena, relative);
    module->is_input = true;
    module->state->import_root = folder->import_root;
    map_put(&project->by_path, path_key, (uintptr_t)module);
    // Run from the root, src/pkg/a.py is src.pkg.a as well; but pkg/logging.py is never logging.
    bool longer = fallback && str_ends(name_str(fallback), name_str(name)) &&
                  name_str(fallback).len > name_str(name).len;
    if (longer && !map_get(&project->by_name, fallback, NULL))
        map_put(&project->by_name, fallback, (uintptr_t)module);
    return module;
}

// ---------------------------------------------------------------- adding

typedef struct FolderWalk {
    Project *project;
    Str root;
} FolderWalk;

static bool skip_folder(const FolderWalk *walk, const char *relative) {
    static const char *const skipped[] = {"__pycache__", "node_modules", "build",         "dist",
                                          "venv",        "env",          "site-packages", "__pypackages__",
                                          "buck-out",    "_build"};
    Str base = str_basename(str_of(relative));
    if (base.len == 0 || base.ptr[0] == '.')
        return true;
    bool named = false;
    for (size_t i = 0; i < sizeof skipped / sizeof *skipped; i++)
        named |= str_eq(base, str_of(skipped[i]));
    Arena *arena = walk->project->arena;
    Str full = path_join(arena, walk->root, str_of(relative));
    // "build" may be a package of the project; a virtual environment has this file whatever its name.
    if (named)
        return !file_exists(path_join(arena, full, STR("__init__.py")).ptr);
    return file_exists(path_join(arena, full, STR("pyvenv.cfg")).ptr);
}

static bool visit_entry(void *context, const char *relative, FileKind kind) {
    FolderWalk *walk = context;
    const ProjectOptions *options = &walk->project->options;
    Str file = str_of(relative);
    if (kind == FILE_DIRECTORY ? skip_folder(walk, relative)
                               : kind != FILE_REGULAR || !str_ends(file, STR(".py")))
        return false;
    if (options->skip &&
        options->skip(options->skip_context, path_join(walk->project->arena, walk->root, file).ptr,
                      kind == FILE_DIRECTORY))
        return false;
    if (kind == FILE_DIRECTORY)
        return true;
    bool is_package = false;
    Name name = name_of_path(file, &is_package);
    add_file(walk->project, path_join(walk->project->arena, walk->root, file), file, name, is_package);
    return false;
}

bool project_add(Project *project, const char *path, Str *why) {
    Str given = str_of(path);
    if (!file_is_dir(path)) {
        if (!file_exists(path)) {
            *why = STR("no such file or directory");
            return false;
        }
        Str file = str_basename(given);
        bool is_package = false;
        Name name = name_of_path(file, &is_package);
        add_file(project, given, file, name, is_package);
        return true;
    }
    vec_push(&project->root_names, str_basename(real_path(project->arena, given)));
    FolderWalk walk = {project, given};
    if (!file_walk(path, visit_entry, &walk, project->arena, why))
        diag_add(project->diags, DIAG_ERROR, given, 0, 0, "%.*s", STR_ARG(*why));
    return true;
}

Module *project_add_bytes(Project *project, Str path, Str bytes) {
    Str dir = str_dirname(path), file = str_basename(path);
    Module *module;
    if (file_is_dir(str_dup(project->arena, dir).ptr)) {
        bool is_package = false;
        Name name = name_of_path(file, &is_package);
        module = add_file(project, path, file, name, is_package);
    } else {
        bool is_package = false;
        Name name = name_of_path(path, &is_package);
        module = project_register(project, path, dir, name, is_package);
        map_put(&project->by_path, intern(path), (uintptr_t)module);
        module->state->import_root = STR("");
    }
    module->is_input = true;
    module->state->in_memory = module->state->has_raw = true;
    module->state->raw.len = 0;
    buf_str(&module->state->raw, bytes);
    return module;
}

// ---------------------------------------------------------------- the whole

static int by_path(const void *a, const void *b) {
    return str_cmp((*(Module *const *)a)->path, (*(Module *const *)b)->path);
}

static void attach_children(Project *project) {
    for (uint32_t i = 0; i < project->modules.len; i++) {
        Module *module = project->modules.items[i];
        Module *parent = module->name ? map_ptr(&project->by_name, name_parent(module->name)) : NULL;
        if (parent && parent != module)
            vec_push(&parent->state->children, module);
    }
}

static void sort_modules(Project *project) {
    if (project->modules.len)
        qsort(project->modules.items, project->modules.len, sizeof(Module *), by_path);
}

bool project_read(Project *project) {
    sort_modules(project);
    return load_digests(project);
}

void project_analyse(Project *project) {
    if (project->analysed)
        return;
    project->analysed = true;
    sort_modules(project);
    project->input_count = project->modules.len;
    attach_children(project);
    load_all(project);
    classes_link_pending(project);
    load_subclasses(project);
    entries_find(project);
    callgraph_reach(project);
    hooks_find(project);
    catch_propagate(project);
}
