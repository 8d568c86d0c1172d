// The tables of a module's classes and functions, and the class hierarchy.
//
// Input: a parsed module. Output: a ClassInfo for each class statement and a FuncInfo for each def and lambda, whatever
// they are nested in; bases resolved by binding, subclasses, the C3 linearisation of what is known. Where bases are
// inconsistent (Python would refuse the class) or nested more than CLASS_DEPTH_MAX deep, depth-first order is used.

#include <stdlib.h>

#include "project/internal.h"
#include "rules/rules.h"

// ---------------------------------------------------------------- the tables

static Name class_qualname(Module *module, const Scope *scope) {
    Name own = scope->owner->u.cls.name;
    const Scope *outer = scope->parent;
    while (outer && (outer->kind == SCOPE_COMPREHENSION || outer->kind == SCOPE_TYPE_PARAMS))
        outer = outer->parent;
    if (!outer || outer->kind == SCOPE_MODULE)
        return own;
    ClassInfo *around = outer->kind == SCOPE_CLASS ? module_class_at(module, outer->owner) : NULL;
    if (around)
        return name_join(around->name, own);
    if (!outer->function)
        return own;
    return name_join(name_join(outer->function->qualname, NAME_OF("<locals>")), own);
}

static void add_class(Module *module, Scope *scope) {
    ClassInfo *cls = ARENA_NEW(module->project->arena, ClassInfo);
    cls->module = module;
    cls->node = scope->owner;
    cls->name = class_qualname(module, scope);
    cls->module_state = -1;
    vec_push(&module->classes, cls);
    vec_push(&module->project->unlinked, cls);
    map_put(&module->class_at, map_key_ptr(scope->owner), (uintptr_t)cls);
}

// x.setter, x.deleter and overloads stand beside the function of that name, not for it.
static bool is_side_definition(const Node *def) {
    for (uint32_t i = 0; i < def->u.function.decorators.len; i++) {
        const Node *decorator = def->u.function.decorators.items[i];
        Name word = node_is(decorator, NODE_ATTRIBUTE) ? decorator->u.attribute.attr
                    : node_is(decorator, NODE_NAME)    ? decorator->u.name.name
                                                       : 0;
        if (word == NAME_OF("setter") || word == NAME_OF("deleter") || word == NAME_OF("overload"))
            return true;
    }
    return false;
}

static void add_function(Module *module, Function *function) {
    FuncInfo *func = ARENA_NEW(module->project->arena, FuncInfo);
    func->module = module;
    func->function = function;
    func->name = function->qualname;
    func->query = -2;
    vec_push(&module->functions, func);
    map_put(&module->function_at, map_key_ptr(function->node), (uintptr_t)func);
    func->cls = function->cls ? module_class_at(module, function->cls) : NULL;
    if (!func->cls)
        return;
    Name name = function->node->u.function.name;
    vec_push(&func->cls->functions, func);
    func->earlier = map_ptr(&func->cls->last_named, name);
    map_put(&func->cls->last_named, name, (uintptr_t)func);
    if (!is_side_definition(function->node) || !map_get(&func->cls->methods, name, NULL))
        map_put(&func->cls->methods, name, (uintptr_t)func);
    map_put(&module->project->method_names, name, 1);
    for (uint32_t i = 0; i < function->node->u.function.decorators.len; i++) {
        const Node *decorator = function->node->u.function.decorators.items[i];
        Name last = node_is(decorator, NODE_NAME)        ? decorator->u.name.name
                    : node_is(decorator, NODE_ATTRIBUTE) ? decorator->u.attribute.attr
                                                         : 0;
        if (last && str_ends(name_str(last), STR("property")))
            map_put(&module->project->property_names, name, 1);
    }
}

void module_index(Module *module) {
    Unit *unit = module->unit;
    for (uint32_t i = 0; i < unit->scopes.len; i++)
        if (unit->scopes.items[i]->kind == SCOPE_CLASS)
            add_class(module, unit->scopes.items[i]);
    for (uint32_t i = 0; i < unit->functions.len; i++)
        add_function(module, unit->functions.items[i]);
}

ClassInfo *module_class_at(Module *module, const Node *class_def) {
    return map_ptr(&module->class_at, map_key_ptr(class_def));
}

FuncInfo *module_function_at(Module *module, const Node *def) {
    return map_ptr(&module->function_at, map_key_ptr(def));
}

FuncInfo *function_info(Module *module, const Node *node) {
    const Function *function = unit_function_at(module->unit, node);
    return function ? module_function_at(module, function->node) : NULL;
}

// ---------------------------------------------------------------- bases

static void add_base(ClassInfo *cls, const Ref *ref) {
    Ref base = *ref;
    if (base.kind == REF_EXTERNAL_INSTANCE)
        base.kind = REF_EXTERNAL; // class X(namedtuple("X", ...)): known to be none of ours
    if (base.kind != REF_CLASS && base.kind != REF_EXTERNAL && base.kind != REF_BUILTIN)
        base = (Ref){0};
    if (base.kind == REF_CLASS && base.cls == cls)
        base = (Ref){0};
    vec_push(&cls->bases, base);
    if (base.kind == REF_CLASS)
        vec_push(&base.cls->subclasses, cls);
}

void class_link(ClassInfo *cls) {
    if (cls->linked)
        return;
    cls->linked = true;
    cls->module->project->linked_classes++;
    NodeList args = cls->node->u.cls.args;
    for (uint32_t i = 0; i < args.len && i < BASES_MAX; i++) {
        Node *arg = args.items[i];
        if (node_is(arg, NODE_KEYWORD))
            continue;
        if (node_is(arg, NODE_SUBSCRIPT)) // Generic[T], OrderedDict[str, X]
            arg = arg->u.subscript.value;
        const RefList *bases = resolve_values(cls->module, arg);
        for (uint32_t k = 0; k < bases->len; k++)
            add_base(cls, &bases->items[k]);
        if (bases->unknown || bases->len == 0)
            add_base(cls, &(Ref){0});
    }
}

void classes_link_pending(Project *project) {
    for (uint32_t i = 0; i < project->unlinked.len; i++) // linking may parse more files
        class_link(project->unlinked.items[i]);
    vec_clear(&project->unlinked);
}

// ---------------------------------------------------------------- linearisation

static bool in_tail(const ClassList *lists, const uint32_t *heads, uint32_t count, const ClassInfo *cls) {
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = heads[i] + 1; k < lists[i].len; k++)
            if (lists[i].items[k] == cls)
                return true;
    return false;
}

static void push_once(ClassList *list, ClassInfo *cls) {
    for (uint32_t i = 0; i < list->len; i++)
        if (list->items[i] == cls)
            return;
    vec_push(list, cls);
}

// The merge step of C3: takes the first head that stands in no other list's tail; any head when there is none.
static void merge(ClassList *lists, uint32_t count, ClassList *out) {
    uint32_t *heads = heap_alloc(count, sizeof *heads);
    for (;;) {
        ClassInfo *next = NULL, *any = NULL;
        for (uint32_t i = 0; i < count && !next; i++) {
            if (heads[i] >= lists[i].len)
                continue;
            ClassInfo *head = lists[i].items[heads[i]];
            any = any ? any : head;
            if (!in_tail(lists, heads, count, head))
                next = head;
        }
        next = next ? next : any;
        if (!next)
            break;
        push_once(out, next);
        for (uint32_t i = 0; i < count; i++)
            while (heads[i] < lists[i].len && lists[i].items[heads[i]] == next)
                heads[i]++;
        // An inconsistent hierarchy leaves next further down in some list: push_once keeps it from coming again.
    }
    free(heads);
}

static void mro_at(ClassInfo *cls, uint32_t depth);

static void gather(ClassInfo *cls, uint32_t depth, ClassList *order) {
    uint32_t count = 0;
    ClassList *lists = heap_alloc(cls->bases.len + (size_t)1, sizeof *lists);
    for (uint32_t i = 0; i < cls->bases.len; i++) {
        ClassInfo *base = cls->bases.items[i].kind == REF_CLASS ? cls->bases.items[i].cls : NULL;
        if (!base || base->mro_running || depth >= CLASS_DEPTH_MAX)
            continue;
        mro_at(base, depth + 1);
        for (uint32_t k = 0; k < base->mro_len && k < MRO_MAX; k++)
            vec_push(&lists[count], base->mro[k]);
        vec_push(&lists[cls->bases.len], base);
        count++;
    }
    if (count < cls->bases.len) {
        lists[count] = lists[cls->bases.len];
        lists[cls->bases.len] = (ClassList){0};
    }
    merge(lists, count + 1, order);
    for (uint32_t i = 0; i <= cls->bases.len; i++)
        vec_free(&lists[i]);
    free(lists);
}

static void mro_at(ClassInfo *cls, uint32_t depth) {
    if (cls->mro)
        return;
    class_link(cls);
    if (cls->mro) // found while its bases were being resolved
        return;
    cls->mro_running = true;
    ClassList order = {0};
    vec_push(&order, cls);
    gather(cls, depth, &order);
    cls->mro_running = false;
    cls->mro = arena_dup(cls->module->project->arena, order.items, order.len * sizeof *order.items);
    cls->mro_len = order.len;
    vec_free(&order);
}

void class_mro(ClassInfo *cls) {
    mro_at(cls, 0);
}

// ---------------------------------------------------------------- questions

FuncInfo *class_find_method(ClassInfo *cls, Name name) {
    class_mro(cls);
    for (uint32_t i = 0; i < cls->mro_len; i++) {
        FuncInfo *func = map_ptr(&cls->mro[i]->methods, name);
        if (func)
            return func;
    }
    return NULL;
}

FuncInfo *class_super_method(ClassInfo *cls, Name name) {
    class_mro(cls);
    for (uint32_t i = 1; i < cls->mro_len; i++) {
        FuncInfo *func = map_ptr(&cls->mro[i]->methods, name);
        if (func)
            return func;
    }
    return NULL;
}

AttrInfo *class_find_attr(ClassInfo *cls, Name name) {
    class_mro(cls);
    for (uint32_t i = 0; i < cls->mro_len; i++) {
        class_attrs(cls->mro[i]);
        AttrInfo *attr = map_ptr(&cls->mro[i]->attributes, name);
        if (attr)
            return attr;
    }
    return NULL;
}

bool class_bases_known(ClassInfo *cls) {
    class_mro(cls);
    for (uint32_t i = 0; i < cls->mro_len; i++)
        for (uint32_t k = 0; k < cls->mro[i]->bases.len; k++)
            if (cls->mro[i]->bases.items[k].kind == REF_NONE)
                return false;
    return true;
}

void class_descendants(ClassInfo *cls, ClassList *into) {
    uint32_t mark = ++cls->module->project->mark;
    cls->mark = mark;
    for (uint32_t i = 0; i <= into->len; i++) {
        ClassInfo *at = i == 0 ? cls : into->items[i - 1];
        for (uint32_t k = 0; k < at->subclasses.len; k++) {
            ClassInfo *sub = at->subclasses.items[k];
            if (sub->mark == mark)
                continue;
            sub->mark = mark;
            vec_push(into, sub);
        }
    }
}

static bool capitalised(Str word) {
    return word.len && word.ptr[0] >= 'A' && word.ptr[0] <= 'Z';
}

// Classes of other libraries that are nn.Modules: torch.nn's own, and the bases that model code derives from.
bool external_is_nn_module(Name dotted) {
    Name last = name_last(dotted);
    if (!capitalised(name_str(last)))
        return false;
    if (is_module_class(dotted))
        return true;
    if (ends_other(last) || in_other_package(dotted))
        return false;
    return in_module_package(dotted) ||
           (in_model_package(dotted) && (ends_model(last) || in_model_file(dotted)));
}

bool class_is_nn_module(ClassInfo *cls) {
    if (cls->module_state >= 0)
        return cls->module_state;
    class_mro(cls);
    bool found = false;
    for (uint32_t i = 0; i < cls->mro_len && !found; i++)
        for (uint32_t k = 0; k < cls->mro[i]->bases.len && !found; k++)
            found = cls->mro[i]->bases.items[k].kind == REF_EXTERNAL &&
                    external_is_nn_module(cls->mro[i]->bases.items[k].name);
    if (!cls->mro_running)
        cls->module_state = found;
    return found;
}

bool class_is_exception(ClassInfo *cls) {
    class_mro(cls);
    for (uint32_t i = 0; i < cls->mro_len; i++)
        for (uint32_t k = 0; k < cls->mro[i]->bases.len; k++) {
            const Ref *base = &cls->mro[i]->bases.items[k];
            Str last =
                base->name && base->kind == REF_EXTERNAL ? name_str(name_last(base->name)) : (Str){"", 0};
            if (base->kind == REF_BUILTIN && name_is_builtin_exception(base->name))
                return true;
            if (str_ends(last, STR("Error")) || str_ends(last, STR("Exception")) ||
                str_ends(last, STR("Warning")))
                return true;
        }
    return false;
}

bool class_is_autograd_function(ClassInfo *cls) {
    class_mro(cls);
    for (uint32_t i = 0; i < cls->mro_len; i++)
        for (uint32_t k = 0; k < cls->mro[i]->bases.len; k++) {
            const Ref *base = &cls->mro[i]->bases.items[k];
            if (base->kind == REF_EXTERNAL && (base->name == NAME_OF("torch.autograd.Function") ||
                                               base->name == NAME_OF("torch.autograd.function.Function")))
                return true;
        }
    return false;
}

// ---------------------------------------------------------------- decorators

bool func_is_property(FuncInfo *func) {
    return func_flags(func) & FUNC_PROPERTY;
}

bool func_is_opaque(FuncInfo *func) {
    return func_flags(func) & FUNC_OPAQUE;
}

// cached_property and kin of the project: classes that derive from property, or have __get__.
static bool is_property_class(ClassInfo *cls) {
    class_mro(cls);
    for (uint32_t i = 0; i < cls->mro_len; i++)
        for (uint32_t k = 0; k < cls->mro[i]->bases.len; k++)
            if (cls->mro[i]->bases.items[k].name == NAME_OF("property"))
                return true;
    return class_find_method(cls, NAME_OF("__get__")) != NULL;
}

static uint32_t named_decorator(Name name, bool builtin) {
    if (name == NAME_OF("property") || name == NAME_OF("functools.cached_property") ||
        name == NAME_OF("abc.abstractproperty"))
        return FUNC_PROPERTY;
    if (name == NAME_OF("staticmethod"))
        return FUNC_STATIC;
    if (name == NAME_OF("classmethod"))
        return FUNC_CLASS;
    if (builtin)
        return 0;
    if (name == NAME_OF("contextlib.contextmanager") || name == NAME_OF("contextlib.asynccontextmanager"))
        return FUNC_CONTEXT_MANAGER;
    if (is_opaque_decorator(name))
        return FUNC_BOUNDARY | FUNC_OPAQUE;
    if (name == NAME_OF("functools.lru_cache") || name == NAME_OF("functools.cache"))
        return FUNC_CACHED;
    return (is_region_boundary(name) ? FUNC_BOUNDARY : 0) | (is_compile_function(name) ? FUNC_COMPILED : 0);
}

static uint32_t decorator_flags(const Ref *ref) {
    switch (ref->kind) {
    case REF_BUILTIN:
        return named_decorator(ref->name, true);
    case REF_EXTERNAL:
    case REF_EXTERNAL_INSTANCE: // with arguments
        return named_decorator(ref->name, false);
    case REF_CLASS:
        return is_property_class(ref->cls) ? FUNC_PROPERTY : FUNC_WRAPPED;
    case REF_FUNCTION:
    case REF_METHOD:
    case REF_INSTANCE:
        return FUNC_WRAPPED;
    default:
        return 0;
    }
}

// Only what the decorator itself says; entries.c finds the compile sites.
uint32_t func_flags(FuncInfo *func) {
    if (func->flags & FUNC_FLAGS_KNOWN)
        return func->flags;
    func->flags |= FUNC_FLAGS_KNOWN; // a decorator that needs the function itself finds it plain
    Node *node = func->function->node;
    if (!node_is(node, NODE_FUNCTION_DEF))
        return func->flags;
    Name name = node->u.function.name;
    if (func->cls && (name == NAME_OF("__new__") || name == NAME_OF("__init_subclass__") ||
                      name == NAME_OF("__class_getitem__")))
        func->flags |= FUNC_CLASS;
    for (uint32_t i = 0; i < node->u.function.decorators.len; i++) {
        Node *decorator = node->u.function.decorators.items[i];
        const RefList *refs = resolve_values(func->module, decorator);
        for (uint32_t k = 0; k < refs->len; k++)
            func->flags |= decorator_flags(&refs->items[k]);
        if (node_is(decorator, NODE_CALL)) { // a factory of the project: what it returns is the decorator
            refs = resolve_values(func->module, decorator->u.call.func);
            for (uint32_t k = 0; k < refs->len; k++)
                if (refs->items[k].kind == REF_FUNCTION || refs->items[k].kind == REF_METHOD)
                    func->flags |= FUNC_WRAPPED;
        }
    }
    return func->flags;
}
