// Imports: from a dotted name to a module of the project, and from a module to what a name of it denotes elsewhere.
//
// Input: IMPORT and IMPORT_FROM aliases, names seen from outside. Output: references. Follows absolute and relative
// imports, re-exports of packages, star imports (a literal __all__ is respected), and the lazy packages of transformers:
// `_import_structure = {"sub": ["Name"]}`, and define_import_structure(), whose names are found in the submodules.
//
// Outside the input only files of the same package tree, or beside it, are opened; never site-packages at large. What is
// not found is external, under its dotted name; a relative import that leaves the known tree keeps its leading dots.
//
// A name that nothing in the module binds is a builtin or comes through a star. A star import from outside the project
// is taken not to hide print, len and the exceptions; torch's and numpy's own stars may hide any other builtin.

#include <stdlib.h>

#include "project/internal.h"
#include "rules/rules.h"

// ---------------------------------------------------------------- modules

static Name head_of(Name dotted) {
    Str text = name_str(dotted);
    size_t dot = 0;
    return str_find(text, STR("."), &dot) ? intern(str_slice(text, 0, dot)) : dotted;
}

static bool may_look_beside(const Module *from, Name dotted) {
    Str root = from->state->import_root;
    if (root.len == 0 || head_of(dotted) == NAME_OF("torch"))
        return false;
    if (from->name && name_parent(from->name) && head_of(from->name) == head_of(dotted))
        return true; // its own package
    Str base = str_basename(root);
    return !str_eq(base, STR("site-packages")) && !str_eq(base, STR("dist-packages"));
}

// import_root/a/b/c, the slashes for dots.
static Str path_of(Arena *arena, Str root, Name dotted) {
    Str path = path_join(arena, root, name_str(dotted));
    char *text = arena_dup(arena, path.ptr, path.len + 1);
    for (size_t i = root.len; i < path.len; i++)
        if (text[i] == '.')
            text[i] = '/';
    return (Str){text, path.len};
}

static Module *known_or_opened(Module *from, Str path, Name dotted, bool is_package) {
    Project *project = from->project;
    Module *module = map_ptr(&project->by_path, intern(path));
    if (module)
        return module;
    module = module_open(project, path.ptr, dotted, is_package);
    if (module)
        module->state->import_root = from->state->import_root;
    return module;
}

static Module *look_beside(Module *from, Name dotted) {
    Project *project = from->project;
    if (!may_look_beside(from, dotted))
        return NULL;
    uint64_t key = map_key_pair(intern(from->state->import_root), dotted);
    uintptr_t cached = 0;
    if (map_get(&project->beside, key, &cached))
        return (Module *)cached;
    Str stem = path_of(project->arena, from->state->import_root, dotted);
    Str file = str_format(project->arena, "%.*s.py", STR_ARG(stem));
    Module *module = known_or_opened(from, file, dotted, false);
    if (!module)
        module = known_or_opened(from, path_join(project->arena, stem, STR("__init__.py")), dotted, true);
    map_put(&project->beside, key, (uintptr_t)module);
    return module;
}

// A tree given as "src" may be imported as src.pkg from above.
static Module *below_root(Project *project, Name dotted) {
    Str text = name_str(dotted);
    for (uint32_t i = 0; i < project->root_names.len; i++) {
        Str root = project->root_names.items[i];
        if (text.len > root.len + 1 && str_starts(text, root) && text.ptr[root.len] == '.')
            return map_ptr(&project->by_name, intern(str_slice(text, root.len + 1, text.len)));
    }
    return NULL;
}

// Two programs below one folder may have modules of the same name: each sees its own.
static Module *nearer(Module *from, Module *found, Name dotted) {
    Str root = from->state->import_root;
    if (root.len == 0 || str_eq(root, found->state->import_root))
        return found;
    Arena *arena = from->project->arena;
    Str stem = path_of(arena, root, dotted);
    Module *own = map_ptr(&from->project->by_path, intern(str_format(arena, "%.*s.py", STR_ARG(stem))));
    if (!own)
        own = map_ptr(&from->project->by_path, intern(path_join(arena, stem, STR("__init__.py"))));
    return own ? own : found;
}

Module *import_module(Module *from, Name dotted) {
    if (!dotted)
        return NULL;
    Module *module = map_ptr(&from->project->by_name, dotted);
    if (module)
        return nearer(from, module, dotted);
    module = below_root(from->project, dotted);
    return module ? module : look_beside(from, dotted);
}

static void add_module(Module *from, Name dotted, RefSet *set) {
    Module *module = import_module(from, dotted);
    refs_add(set,
             module ? (Ref){.kind = REF_MODULE, .module = module, .name = dotted} : ref_external(dotted));
}

static Name dots_and(uint32_t level, Name module) {
    Buf text = {0};
    buf_repeat(&text, '.', level);
    if (module)
        buf_str(&text, name_str(module));
    Name name = intern(buf_view(&text));
    buf_free(&text);
    return name;
}

// The absolute dotted name of its module.
static Name import_base(Module *module, const Node *import_from, bool *outside) {
    uint32_t level = import_from->u.from.level;
    Name target = import_from->u.from.module;
    *outside = false;
    if (level == 0)
        return target;
    Name package = module->is_package ? module->name : name_parent(module->name);
    for (uint32_t i = 1; i < level && package; i++)
        package = name_parent(package);
    if (package)
        return name_join(package, target);
    // A file outside any package that says `from .helper import x`: its neighbour, if there is one.
    if (level == 1 && target && import_module(module, target))
        return target;
    *outside = true;
    return dots_and(level, target);
}

static bool import_from_values(Module *module, const Node *statement, Name name, RefSet *set) {
    bool outside = false;
    Name base = import_base(module, statement, &outside);
    if (outside) {
        Str text = name_str(base);
        bool only_dots = text.len && text.ptr[text.len - 1] == '.';
        Buf joined = {0};
        buf_str(&joined, text);
        buf_cstr(&joined, only_dots ? "" : ".");
        buf_str(&joined, name_str(name));
        refs_add(set, ref_external(intern(buf_view(&joined))));
        buf_free(&joined);
        return true;
    }
    Module *target = import_module(module, base);
    if (target && export_values(target, name, set))
        return true;
    Name full = name_join(base, name);
    Module *sub = import_module(module, full);
    if (sub)
        refs_add(set, (Ref){.kind = REF_MODULE, .module = sub, .name = full});
    else if (target)
        set->unknown = true;
    else
        refs_add(set, ref_external(full));
    return true;
}

bool import_values(Module *module, Node *alias, RefSet *set) {
    const Node *statement = alias->parent;
    if (node_is(statement, NODE_IMPORT_FROM))
        return import_from_values(module, statement, alias->u.alias.name, set);
    add_module(module, alias->u.alias.as ? alias->u.alias.name : head_of(alias->u.alias.name), set);
    return true;
}

// ---------------------------------------------------------------- __all__

static void add_strings(Module *module, Node *list, Map *into, uintptr_t value) {
    if (!node_is(list, NODE_LIST) && !node_is(list, NODE_TUPLE) && !node_is(list, NODE_SET))
        return;
    for (uint32_t i = 0; i < list->u.items.items.len; i++) {
        Str text;
        if (node_string_value(module->unit->tree, list->u.items.items.items[i], module->state->arena, &text))
            map_put(into, intern(text), value);
    }
}

static void read_all_names(Module *module) {
    ModuleState *state = module->state;
    Symbol *symbol = scope_own(module->unit->scope, NAME_OF("__all__"));
    state->all = symbol && symbol->bindings.len ? ALL_LITERAL : ALL_ABSENT;
    for (uint32_t i = 0; symbol && i < symbol->bindings.len; i++) {
        Node *statement = node_statement(symbol->bindings.items[i]);
        Node *value = node_is(statement, NODE_ASSIGN)       ? statement->u.assign.value
                      : node_is(statement, NODE_ANN_ASSIGN) ? statement->u.ann.value
                      : node_is(statement, NODE_AUG_ASSIGN) ? statement->u.aug.value
                                                            : NULL;
        if (node_is(value, NODE_LIST) || node_is(value, NODE_TUPLE))
            add_strings(module, value, &state->all_names, 1);
        else
            state->all = ALL_DYNAMIC;
    }
    for (uint32_t i = 0; symbol && i < symbol->uses.len; i++) // __all__.append(...), .extend(...), +=
        if (node_is(symbol->uses.items[i]->parent, NODE_ATTRIBUTE))
            state->all = ALL_DYNAMIC;
}

static bool star_lets_through(Module *target, Name name) {
    if (target->state->all == ALL_UNREAD)
        read_all_names(target);
    if (target->state->all == ALL_LITERAL)
        return map_get(&target->state->all_names, name, NULL);
    return !str_starts(name_str(name), STR("_"));
}

// Whether it is worth parsing a file to look for the name: it has the word, or hands names on.
static bool could_provide(Module *target, Name name) {
    if (target->unit || target->is_package || module_mentions(target, name))
        return true;
    return target->state->has_raw && str_find(buf_view(&target->state->raw), STR("import *"), NULL);
}

typedef struct Stars {
    uint32_t external; // how many of the module's stars come from outside
    Name from;         // one of them
    bool hides;        // one may hide builtins
    bool lost;         // one was not followed, and may give anything
} Stars;

// The last star that provides the name counts, as at run time.
static bool star_values(Module *module, Name name, RefSet *set, Stars *stars) {
    Project *project = module->project;
    if (project->star_depth >= STAR_DEPTH_MAX && module->state->stars.len) {
        stars->lost = true;
        return false;
    }
    project->star_depth++;
    bool found = false;
    for (uint32_t i = module->state->stars.len; i > 0 && !found; i--) {
        bool outside = false;
        Name base = import_base(module, module->state->stars.items[i - 1], &outside);
        Module *target = outside ? NULL : import_module(module, base);
        if (!target) {
            stars->external++;
            stars->from = base;
            stars->hides |= star_hides_builtins(head_of(base));
        } else if (target != module && could_provide(target, name) && module_load(target)) {
            found = star_lets_through(target, name) && export_values(target, name, set);
        }
    }
    project->star_depth--;
    return found;
}

// ---------------------------------------------------------------- lazy packages

static void add_structure_entry(Module *module, Node *key, Node *names) {
    Str text;
    if (key && node_string_value(module->unit->tree, key, module->state->arena, &text))
        add_strings(module, names, &module->state->lazy_names, intern(text));
}

static void read_structure_dict(Module *module, Node *dict) {
    if (!node_is(dict, NODE_DICT))
        return;
    for (uint32_t i = 0; i < dict->u.items.items.len; i++) {
        const Node *item = dict->u.items.items.items[i];
        if (node_is(item, NODE_DICT_ITEM))
            add_structure_entry(module, item->u.dict_item.key, item->u.dict_item.value);
    }
}

// `_import_structure["sub"] = [...]`, `_import_structure["sub"].extend([...])`, `.append("Name")`
static void read_structure_use(Module *module, const Node *use) {
    Node *item = use->parent;
    if (!node_is(item, NODE_SUBSCRIPT) || item->u.subscript.value != use)
        return;
    Node *key = item->u.subscript.index, *above = item->parent;
    if (node_is(above, NODE_ASSIGN))
        add_structure_entry(module, key, above->u.assign.value);
    if (!node_is(above, NODE_ATTRIBUTE) || !node_is(above->parent, NODE_CALL))
        return;
    Node *names = call_arg(above->parent, 0, NULL);
    Str sub, name;
    SyntaxTree *tree = module->unit->tree;
    if (names && node_string_value(tree, names, module->state->arena, &name) &&
        node_string_value(tree, key, module->state->arena, &sub))
        map_put(&module->state->lazy_names, intern(name), intern(sub));
    else
        add_structure_entry(module, key, names);
}

static void read_lazy(Module *module) {
    if (module->state->lazy_read)
        return;
    module->state->lazy_read = true;
    Scope *scope = module->unit->scope;
    module->state->lazy_scan = scope_own(scope, NAME_OF("define_import_structure")) != NULL;
    Symbol *symbol = scope_own(scope, NAME_OF("_import_structure"));
    for (uint32_t i = 0; symbol && i < symbol->bindings.len; i++) {
        const Node *statement = node_statement(symbol->bindings.items[i]);
        if (node_is(statement, NODE_ASSIGN))
            read_structure_dict(module, statement->u.assign.value);
    }
    for (uint32_t i = 0; symbol && i < symbol->uses.len; i++)
        read_structure_use(module, symbol->uses.items[i]);
}

static bool lazy_values(Module *module, Name name, RefSet *set) {
    if (!module->is_package)
        return false;
    read_lazy(module);
    uintptr_t sub = 0;
    if (map_get(&module->state->lazy_names, name, &sub)) {
        Module *target = import_module(module, name_join(module->name, (Name)sub));
        if (target && export_values(target, name, set))
            return true;
    }
    for (uint32_t i = 0; module->state->lazy_scan && i < module->state->children.len; i++) {
        Module *child = module->state->children.items[i];
        if (could_provide(child, name) && module_load(child) && star_lets_through(child, name) &&
            export_values(child, name, set))
            return true;
    }
    return false;
}

// ---------------------------------------------------------------- a name seen from outside

// In the cache beside what was found; 0: it is being looked for.
static const RefList *const export_absent = &REFS_UNKNOWN;
static const RefList export_unkept;

static bool find_export(Module *module, Name name, RefSet *set) {
    if (!module_load(module))
        return false;
    Symbol *own = scope_own(module->unit->scope, name);
    if (own && own->bindings.len) {
        symbol_values(module, own, NULL, set);
        return true;
    }
    Stars stars = {0};
    if (star_values(module, name, set, &stars) || lazy_values(module, name, set))
        return true;
    Module *sub = module->is_package ? import_module(module, name_join(module->name, name)) : NULL;
    if (sub) {
        refs_add(set, (Ref){.kind = REF_MODULE, .module = sub, .name = sub->name});
        return true;
    }
    if (stars.external == 1) {
        refs_add(set, ref_external(name_join(stars.from, name)));
        return true;
    }
    bool anything = stars.external || stars.lost;
    set->unknown |= anything;
    return anything;
}

// The answers of this search that a cycle decided.
static void forget_exports(Project *project) {
    for (uint32_t i = 0; i < project->undecided.len; i++) {
        Export export = project->undecided.items[i];
        map_put(&export.module->exports, export.name, (uintptr_t)&export_unkept);
    }
    project->undecided.len = 0;
}

// A name that is being looked for further up (modules that import each other) is absent here. Such an answer holds until the
// outermost search ends, so that modules in a cycle are searched once, and is not kept.
bool export_values(Module *module, Name name, RefSet *set) {
    Project *project = module->project;
    uintptr_t cached = 0;
    const RefList *list = &export_unkept;
    if (map_get(&module->exports, name, &cached))
        list = (const RefList *)cached;
    if (list != &export_unkept) {
        if (!list)
            project->cycles++;
        if (!list || list == export_absent)
            return false;
        refs_merge(set, list);
        return true;
    }
    if (project->depth >= RESOLVE_MAX_DEPTH) {
        project->cycles++;
        return false;
    }
    uint32_t cycles = project->cycles;
    map_put(&module->exports, name, 0);
    project->depth++;
    project->exports_open++;
    RefSet own = {0};
    bool found = find_export(module, name, &own);
    project->exports_open--;
    project->depth--;
    RefList *kept = ARENA_NEW(project->arena, RefList);
    *kept = *refs_freeze(project->arena, &own);
    if (found)
        refs_merge(set, kept);
    if (!found && project->cycles != cycles && project->exports_open)
        vec_push(&project->undecided, ((Export){module, name}));
    else
        map_put(&module->exports, name, (uintptr_t)(found ? kept : export_absent));
    if (!project->exports_open)
        forget_exports(project);
    return found;
}

// ---------------------------------------------------------------- names bound nowhere

void implicit_values(Module *module, Name name, RefSet *set) {
    Stars stars = {0};
    if (star_values(module, name, set, &stars))
        return;
    bool builtin = name_is_builtin(name);
    if (stars.lost)
        set->unknown = true;
    else if (builtin && (!stars.hides || name_survives_torch_star(name)))
        refs_add(set, (Ref){.kind = REF_BUILTIN, .name = name});
    else if (!builtin && stars.external == 1)
        refs_add(set, ref_external(name_join(stars.from, name)));
    else
        set->unknown = true;
}
