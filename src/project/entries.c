// Entry points: the functions that torch.compile is given.
//
// Input: the parsed modules of the input. Output: FuncInfo.is_entry, each one entered. Sites: torch.compile(f) by any name
// it was imported as, f being a function, a bound method, an instance of an nn.Module (its forward); the decorator with and
// without arguments; torch.compile(dynamic=True)(f); functools.partial(torch.compile, ...); m.compile(); and a function of
// the project that hands its own parameter to torch.compile, at each of its calls.
//
// Without a site, or with one whose target is not known, every forward of an nn.Module class of the input is an entry too.
// Where the sites compile functions only, no model, as helpers of a library do, the forwards of the other files are.
// --entry names replace all of this; "all" makes every function an entry.

#include <stdlib.h>

#include "base/nearest.h"
#include "project/internal.h"
#include "rules/rules.h"

// A function that compiles what it is given.
typedef struct Compiler {
    FuncInfo *func;
    uint32_t param;
    bool used;
} Compiler;

typedef struct Search {
    Project *project;
    VEC(Compiler) compilers;
    bool second; // the round that looks for calls of compilers
} Search;

static void mark_entry(FuncInfo *func) {
    Node *def = func->function->node;
    if (func->cls && node_is(def, NODE_FUNCTION_DEF) && def->u.function.name == NAME_OF("forward"))
        func->module->project->model_site = true;
    func->is_entry = true;
    func->module->project->any_entry = true;
    callgraph_enter(func);
}

static void mark_overrides(ClassInfo *cls, Name method) {
    FuncList overrides = {0};
    callgraph_overrides(cls, method, &overrides);
    for (uint32_t i = 0; i < overrides.len; i++)
        mark_entry(overrides.items[i]);
    vec_free(&overrides);
}

// The forward is inherited from a class outside of the project: it may call any method that is defined here.
static void mark_methods(ClassInfo *cls) {
    class_mro(cls);
    for (uint32_t i = 0; i < cls->mro_len; i++)
        for (uint32_t k = 0; k < cls->mro[i]->functions.len; k++) {
            FuncInfo *func = cls->mro[i]->functions.items[k];
            Str name = name_str(func->function->node->u.function.name);
            if (func->module->is_input && !str_starts(name, STR("__")))
                mark_entry(func);
        }
}

static bool mark_instance(const Ref *ref) {
    FuncInfo *func = callgraph_dispatch(ref->cls);
    if (func)
        mark_entry(func);
    else
        mark_methods(ref->cls);
    if (ref->subtypes)
        mark_overrides(ref->cls, callgraph_dispatch_name(ref->cls));
    return func != NULL;
}

// False: not known what is compiled.
static bool mark_reference(const Ref *ref) {
    switch (ref->kind) {
    case REF_FUNCTION:
        mark_entry(ref->func);
        return true;
    case REF_METHOD:
        mark_entry(ref->func);
        if (ref->subtypes && node_is(ref->func->function->node, NODE_FUNCTION_DEF))
            mark_overrides(ref->cls, ref->func->function->node->u.function.name);
        return true;
    case REF_INSTANCE:
    case REF_CLASS:
        return mark_instance(ref);
    case REF_LIST:
        return ref->element && ref->element->kind == REF_INSTANCE
                   ? mark_instance(ref->element)
                   : ref->element && ref->element->kind == REF_EXTERNAL_INSTANCE;
    case REF_EXTERNAL: // a library function
        return true;
    case REF_EXTERNAL_INSTANCE:
        return str_starts(name_str(ref->name), STR("torch.nn."));
    default:
        return false;
    }
}

// ---------------------------------------------------------------- sites

static bool find_param(const FuncInfo *func, const Node *param, uint32_t *index) {
    const Node *node = func->function->node;
    const Node *params = node_is(node, NODE_FUNCTION_DEF) ? node->u.function.params : NULL;
    for (uint32_t i = 0; params && i < params->u.items.items.len; i++)
        if (params->u.items.items.items[i] == param) {
            *index = i;
            return true;
        }
    return false;
}

// compile(model) where model is a parameter of the function around: its callers say what is compiled.
static bool note_compiler(Search *search, Module *module, const Node *target) {
    if (!node_is(target, NODE_NAME) || !target->u.name.symbol || target->u.name.symbol->bindings.len != 1)
        return false;
    const Node *param = target->u.name.symbol->bindings.items[0];
    FuncInfo *func = node_is(param, NODE_PARAM) ? module_function_at(module, param->parent->parent) : NULL;
    uint32_t index = 0;
    if (!func || !find_param(func, param, &index))
        return false;
    for (uint32_t i = 0; i < search->compilers.len; i++)
        if (search->compilers.items[i].func == func && search->compilers.items[i].param == index)
            return true;
    vec_push(&search->compilers, ((Compiler){.func = func, .param = index}));
    return true;
}

static void note_site(Search *search, Module *module) {
    search->project->any_site = true;
    module->has_site = true;
}

static void site(Search *search, Module *module, Node *target) {
    const RefList *refs = resolve_values(module, target);
    note_site(search, module);
    if (refs->len == 0 && note_compiler(search, module, target))
        return;
    bool known = !refs->unknown && refs->len > 0;
    for (uint32_t i = 0; i < refs->len; i++)
        known &= mark_reference(&refs->items[i]);
    search->project->unresolved_site |= !known;
}

static bool names_compile(const Ref *ref) {
    return (ref->kind == REF_EXTERNAL || ref->kind == REF_EXTERNAL_INSTANCE) &&
           is_compile_function(ref->name);
}

// m.compile(): of an nn.Module; of something unknown only with arguments that torch.compile has.
static void method_site(Search *search, Module *module, const Node *call) {
    const Node *func = call->u.call.func;
    if (!node_is(func, NODE_ATTRIBUTE) || func->u.attribute.attr != NAME_OF("compile"))
        return;
    const RefList *of = resolve_values(module, func->u.attribute.value);
    for (uint32_t i = 0; i < of->len; i++) {
        const Ref *ref = &of->items[i];
        if (ref->kind != REF_INSTANCE || !class_is_nn_module(ref->cls) ||
            class_find_method(ref->cls, NAME_OF("compile")))
            continue;
        note_site(search, module);
        search->project->unresolved_site |= !mark_instance(ref);
    }
    bool fits = of->len == 0;
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        const Node *arg = call->u.call.args.items[i];
        Str name =
            node_is(arg, NODE_KEYWORD) && arg->u.keyword.name ? name_str(arg->u.keyword.name) : (Str){"", 0};
        fits &= str_eq(name, STR("mode")) || str_eq(name, STR("backend")) || str_eq(name, STR("fullgraph")) ||
                str_eq(name, STR("dynamic")) || str_eq(name, STR("options")) || str_eq(name, STR("disable"));
    }
    search->project->unresolved_site |= fits;
}

static void compiler_site(Search *search, Module *module, const Node *call, const Ref *ref) {
    if (ref->kind != REF_FUNCTION && ref->kind != REF_METHOD)
        return;
    for (uint32_t i = 0; i < search->compilers.len; i++) {
        Compiler compiler = search->compilers.items[i];
        if (compiler.func != ref->func)
            continue;
        const Node *params = ref->func->function->node->u.function.params;
        Str name = name_str(params->u.items.items.items[compiler.param]->u.param.name);
        uint32_t bound = ref->kind == REF_METHOD && compiler.param > 0;
        Node *target = call_arg(call, compiler.param - bound, name.ptr);
        search->compilers.items[i].used = true;
        if (target)
            site(search, module, target);
    }
}

static void visit_call(Search *search, Module *module, Node *call) {
    const RefList *funcs = resolve_values(module, call->u.call.func);
    for (uint32_t i = 0; i < funcs->len; i++) {
        Node *target = names_compile(&funcs->items[i]) ? call_arg(call, 0, "model") : NULL;
        if (target && !search->second)
            site(search, module, target);
        if (search->second)
            compiler_site(search, module, call, &funcs->items[i]);
    }
    if (!search->second)
        method_site(search, module, call);
}

static void compiler_decorator(Search *search, Module *module, Node *decorator, FuncInfo *func) {
    const RefList *refs = resolve_values(module, decorator);
    for (uint32_t k = 0; k < refs->len; k++)
        for (uint32_t i = 0; i < search->compilers.len; i++)
            if (refs->items[k].kind == REF_FUNCTION &&
                refs->items[k].func == search->compilers.items[i].func) {
                search->compilers.items[i].used = true;
                mark_entry(func);
            }
    if (!node_is(decorator, NODE_CALL))
        return;
    // @factory(...) whose inner function is the compiler
    refs = resolve_values(module, decorator->u.call.func);
    for (uint32_t k = 0; k < refs->len; k++)
        for (uint32_t i = 0; i < search->compilers.len && refs->items[k].kind == REF_FUNCTION; i++)
            if (search->compilers.items[i].func->function->outer == refs->items[k].func->function) {
                search->compilers.items[i].used = true;
                mark_entry(func);
            }
}

static void visit_decorated(Search *search, Module *module) {
    for (uint32_t i = 0; i < module->functions.len; i++) {
        FuncInfo *func = module->functions.items[i];
        Node *node = func->function->node;
        if (!node_is(node, NODE_FUNCTION_DEF) || node->u.function.decorators.len == 0)
            continue;
        if (!search->second && func_flags(func) & FUNC_COMPILED) {
            note_site(search, module);
            mark_entry(func);
        }
        for (uint32_t k = 0; search->second && k < node->u.function.decorators.len; k++)
            compiler_decorator(search, module, node->u.function.decorators.items[k], func);
    }
    for (uint32_t i = 0; i < module->classes.len && !search->second; i++) {
        NodeList decorators = module->classes.items[i]->node->u.cls.decorators;
        for (uint32_t k = 0; k < decorators.len; k++) {
            const RefList *refs = resolve_values(module, decorators.items[k]);
            if (refs->len != 1 || !names_compile(&refs->items[0]))
                continue;
            note_site(search, module);
            Ref made = ref_instance(module->classes.items[i], false);
            mark_reference(&made);
        }
    }
}

static bool is_relevant(const Search *search, const Module *module) {
    Str text = module->unit->tree->source.bytes;
    if (!search->second)
        return str_find(text, STR("compile"), NULL);
    for (uint32_t i = 0; i < search->compilers.len; i++)
        if (str_find(text, name_str(name_last(search->compilers.items[i].func->name)), NULL))
            return true;
    return false;
}

static void search_module(Search *search, Module *module) {
    if (!module->unit || !module->is_input || !is_relevant(search, module))
        return;
    Walk walk = {0};
    walk_push(&walk, module->unit->tree->module);
    for (Node *at; (at = walk_next(&walk));) {
        if (node_is(at, NODE_CALL))
            visit_call(search, module, at);
        walk_children(&walk, at);
    }
    walk_free(&walk);
    visit_decorated(search, module);
}

static void find_sites(Project *project) {
    Search search = {.project = project};
    uint32_t count = project->input_count;
    for (uint32_t i = 0; i < count; i++)
        search_module(&search, project->modules.items[i]);
    search.second = true;
    // A compiler may hand on to another: site() adds those, and the next pass looks for their calls.
    for (uint32_t known = 0; known < search.compilers.len;) {
        known = search.compilers.len;
        for (uint32_t i = 0; i < count; i++)
            search_module(&search, project->modules.items[i]);
    }
    for (uint32_t i = 0; i < search.compilers.len; i++)
        project->unresolved_site |= !search.compilers.items[i].used;
    vec_free(&search.compilers);
}

// ---------------------------------------------------------------- without sites

static void every_forward(Project *project, bool without_sites_only) {
    Name forward = NAME_OF("forward");
    for (uint32_t i = 0; i < project->input_count; i++) {
        Module *module = project->modules.items[i];
        for (uint32_t k = 0; k < module->classes.len && !(without_sites_only && module->has_site); k++) {
            ClassInfo *cls = module->classes.items[k];
            FuncInfo *func = class_is_nn_module(cls) ? class_find_method(cls, forward) : NULL;
            if (func && func->module->is_input) // perhaps a mixin's
                mark_entry(func);
        }
    }
}

// ---------------------------------------------------------------- --entry

static void every_function(Project *project) {
    for (uint32_t i = 0; i < project->input_count; i++) {
        Module *module = project->modules.items[i];
        if (!module_load(module))
            continue;
        for (uint32_t k = 0; k < module->functions.len; k++)
            mark_entry(module->functions.items[k]);
    }
}

static bool is_named(const Module *module, Str name) {
    return str_eq(name_str(module->name), name) || str_eq(module->path, name) ||
           str_eq(module->relative, name);
}

static bool mark_in_module(Module *module, Name wanted) {
    bool found = false;
    for (uint32_t i = 0; i < module->functions.len; i++)
        if (module->functions.items[i]->name == wanted) {
            mark_entry(module->functions.items[i]);
            found = true;
        }
    for (uint32_t i = 0; i < module->classes.len && !found; i++)
        if (module->classes.items[i]->name == wanted) {
            Ref made = ref_instance(module->classes.items[i], false);
            found = mark_reference(&made);
        }
    return found;
}

// Says which part of the entry leads nowhere, and what is spelled alike.
static void unknown_entry(Project *project, Str text, Str where, Name wanted) {
    Nearest modules = nearest_start(where), functions = nearest_start(name_str(wanted));
    bool known = where.len == 0;
    for (uint32_t i = 0; i < project->input_count; i++) {
        const Module *module = project->modules.items[i];
        bool named = where.len == 0 || is_named(module, where);
        known |= named;
        nearest_try(&modules, name_str(module->name));
        for (uint32_t k = 0; named && k < module->functions.len; k++)
            nearest_try(&functions, name_str(module->functions.items[k]->name));
        for (uint32_t k = 0; named && k < module->classes.len; k++)
            nearest_try(&functions, name_str(module->classes.items[k]->name));
    }
    Buf hint = {0};
    nearest_say(known ? &functions : &modules, &hint);
    Str missing = known ? name_str(wanted) : where;
    diag_add(project->diags, DIAG_ERROR, (Str){"", 0}, 0, 0,
             "--entry %.*s: no %s of the input is called '%.*s'%s", STR_ARG(text),
             known ? "function or module class" : "file or module", STR_ARG(missing),
             hint.ptr ? hint.ptr : "");
    buf_free(&hint);
}

static void named_entry(Project *project, Str text) {
    size_t colon = text.len;
    while (colon > 0 && text.ptr[colon - 1] != ':')
        colon--;
    Str where = colon ? str_slice(text, 0, colon - 1) : (Str){"", 0};
    Name wanted = intern(str_slice(text, colon, text.len));
    bool found = false;
    for (uint32_t i = 0; i < project->input_count; i++) {
        Module *module = project->modules.items[i];
        if ((where.len == 0 || is_named(module, where)) && module_load(module))
            found |= mark_in_module(module, wanted);
    }
    if (!found)
        unknown_entry(project, text, where, wanted);
}

static bool reads_torch(const Module *module) {
    Str text = module->unit ? module->unit->tree->source.bytes : module_raw(module);
    size_t at;
    return str_find(text, STR("import torch"), &at) || str_find(text, STR("from torch"), &at);
}

// A reader of "0 breaks found" would take it that nothing breaks.
static void note_no_entry(Project *project) {
    for (uint32_t i = 0; i < project->input_count; i++) {
        if (!reads_torch(project->modules.items[i]))
            continue;
        diag_add(
            project->diags, DIAG_NOTE, (Str){"", 0}, 0, 0,
            "no torch.compile and no nn.Module here: nothing was taken to be compiled; --entry all looks at "
            "every function");
        return;
    }
}

void entries_find(Project *project) {
    const char *const *entries = project->options.entries;
    if (entries && entries[0]) {
        for (; *entries; entries++) {
            if (str_eq(str_of(*entries), STR("all")))
                every_function(project);
            else
                named_entry(project, str_of(*entries));
        }
        return;
    }
    find_sites(project);
    if (!project->any_site || project->unresolved_site)
        every_forward(project, false);
    else if (!project->model_site)
        every_forward(project, true);
    if (!project->any_entry)
        note_no_entry(project);
}
