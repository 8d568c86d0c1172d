// Attributes: of modules, classes, instances, super() and external things; and what a function returns.
//
// Input: a reference and a name. Output: what the attribute may denote. An instance that may be of a subclass (self, an
// annotation) also has what the subclasses assign to the attribute; overriding methods are left to the call graph, which
// must list them all. What is not found is unknown, but for nn.Module's own methods.

#include <stdlib.h>

#include "project/internal.h"
#include "rules/rules.h"

// ---------------------------------------------------------------- instances

static void add_method(FuncInfo *func, ClassInfo *cls, bool subtypes, RefSet *set) {
    uint32_t flags = func_flags(func);
    if (flags & FUNC_PROPERTY)
        func_result(func, set);
    else if (flags & FUNC_STATIC)
        refs_add(set, (Ref){.kind = REF_FUNCTION, .func = func});
    else
        refs_add(set, (Ref){.kind = REF_METHOD, .func = func, .cls = cls, .subtypes = subtypes});
}

// What the subclasses assign, or define as a method when the base has none. Returns whether there was anything.
static bool descendant_members(ClassInfo *cls, Name attr, bool methods, RefSet *set) {
    ClassList below = {0};
    class_descendants(cls, &below);
    bool any = false;
    for (uint32_t i = 0; i < below.len && !(set->unknown && set->len == REFS_MAX); i++) {
        ClassInfo *sub = below.items[i];
        FuncInfo *func = methods ? map_ptr(&sub->methods, attr) : NULL;
        if (func)
            add_method(func, sub, true, set);
        class_attrs(sub);
        AttrInfo *own = map_ptr(&sub->attributes, attr);
        if (own)
            attr_values(sub, own, set);
        any |= func || own;
    }
    vec_free(&below);
    return any;
}

static bool attributes_of(ClassInfo *cls, Name attr, RefSet *set) {
    bool any = false;
    class_mro(cls);
    for (uint32_t i = 0; i < cls->mro_len; i++) {
        class_attrs(cls->mro[i]);
        AttrInfo *own = map_ptr(&cls->mro[i]->attributes, attr);
        if (own)
            attr_values(cls->mro[i], own, set);
        any |= own != NULL;
    }
    return any;
}

static void instance_member(const Ref *ref, Name attr, RefSet *set) {
    ClassInfo *cls = ref->cls;
    if (attr == NAME_OF("__class__")) {
        refs_add(set, (Ref){.kind = REF_CLASS, .cls = cls, .subtypes = ref->subtypes});
        return;
    }
    FuncInfo *method = attr == NAME_OF("__call__") ? callgraph_dispatch(cls) : class_find_method(cls, attr);
    if (method)
        add_method(method, cls, ref->subtypes, set);
    bool found = attributes_of(cls, attr, set) || method;
    if (ref->subtypes)
        found |= descendant_members(cls, attr, !method, set);
    if (found)
        return;
    if (class_is_nn_module(cls) && is_module_api(attr))
        refs_add(set, ref_external(name_join(NAME_OF("torch.nn.Module"), attr)));
    else
        set->unknown = true;
}

// ---------------------------------------------------------------- classes

static ClassInfo *nested_class(ClassInfo *cls, Name attr) {
    const Node *body = cls->node;
    for (uint32_t i = 0; i < body->u.cls.body.len; i++) {
        const Node *item = body->u.cls.body.items[i];
        if (node_is(item, NODE_CLASS_DEF) && item->u.cls.name == attr)
            return module_class_at(cls->module, item);
    }
    return NULL;
}

static void class_member(const Ref *ref, Name attr, RefSet *set) {
    ClassInfo *cls = ref->cls;
    FuncInfo *method = class_find_method(cls, attr);
    if (!method && attr == NAME_OF("apply") && class_is_autograd_function(cls))
        method = class_find_method(cls, NAME_OF("forward"));
    ClassInfo *nested = method ? NULL : nested_class(cls, attr);
    if (method && func_flags(method) & FUNC_CLASS)
        refs_add(set, (Ref){.kind = REF_METHOD, .func = method, .cls = cls, .subtypes = ref->subtypes});
    else if (method)
        refs_add(set, (Ref){.kind = REF_FUNCTION, .func = method});
    else if (nested)
        refs_add(set, (Ref){.kind = REF_CLASS, .cls = nested});
    else if (!attributes_of(cls, attr, set))
        set->unknown = true;
}

// ---------------------------------------------------------------- any reference

static void external_member(Project *project, Name dotted, RefSet *set) {
    Module *module = map_ptr(&project->by_name, dotted); // below a namespace package
    refs_add(set,
             module ? (Ref){.kind = REF_MODULE, .module = module, .name = dotted} : ref_external(dotted));
}

void ref_attribute(Project *project, const Ref *ref, Name attr, RefSet *set) {
    bool transparent =
        attr == NAME_OF("__call__") || attr == NAME_OF("__func__") || attr == NAME_OF("__wrapped__");
    switch (ref->kind) {
    case REF_MODULE:
        if (!export_values(ref->module, attr, set))
            set->unknown = true;
        break;
    case REF_EXTERNAL:
        external_member(project, name_join(ref->name, attr), set);
        break;
    case REF_CLASS:
        class_member(ref, attr, set);
        break;
    case REF_INSTANCE:
        instance_member(ref, attr, set);
        break;
    case REF_FUNCTION:
    case REF_METHOD:
        refs_add(set, transparent ? *ref : (Ref){0});
        break;
    default:
        set->unknown = true;
    }
}

// ---------------------------------------------------------------- super()

bool is_super_call(Module *module, Node *call) {
    const Node *func = call->u.call.func;
    if (!node_is(func, NODE_NAME) || func->u.name.name != NAME_OF("super"))
        return false;
    const RefList *refs = resolve_values(module, call->u.call.func);
    return refs->len == 1 && refs->items[0].kind == REF_BUILTIN;
}

static ClassInfo *super_start(Module *module, Node *call) {
    if (call->u.call.args.len > 0) {
        const RefList *named = resolve_values(module, call->u.call.args.items[0]);
        return named->len == 1 && named->items[0].kind == REF_CLASS ? named->items[0].cls : NULL;
    }
    const Function *function = unit_function_at(module->unit, call);
    while (function && !function->cls)
        function = function->outer;
    return function ? module_class_at(module, function->cls) : NULL;
}

static Name external_base(ClassInfo *cls) {
    class_mro(cls);
    for (uint32_t i = 0; i < cls->mro_len; i++) {
        const ClassInfo *at = cls->mro[i];
        for (uint32_t k = 0; k < at->bases.len; k++)
            if (at->bases.items[k].kind == REF_EXTERNAL || at->bases.items[k].kind == REF_BUILTIN)
                return at->bases.items[k].name;
    }
    return 0;
}

bool super_values(Module *module, Node *call, Name attr, RefSet *set) {
    if (!is_super_call(module, call))
        return false;
    ClassInfo *cls = super_start(module, call);
    if (!cls) {
        set->unknown = true;
        return true;
    }
    FuncInfo *method = class_super_method(cls, attr);
    Name base = method ? 0 : external_base(cls);
    if (method)
        add_method(method, cls, true, set);
    else if (base)
        refs_add(set, ref_external(name_join(base, attr)));
    else
        set->unknown = true;
    return true;
}

// ---------------------------------------------------------------- results

// The union over the return statements; a function that can only fall off its end gives None.
static void returned_values(FuncInfo *func, RefSet *set) {
    Node *node = func->function->node;
    Walk walk = {0};
    uint32_t count = 0;
    walk_body(&walk, node);
    for (Node *at; (at = walk_next(&walk));) {
        if (node_is(at, NODE_RETURN)) {
            if (++count > RETURNS_MAX)
                set->unknown = true;
            else if (at->u.value.value)
                refs_merge(set, resolve_values(func->module, at->u.value.value));
            else
                set->none = true;
        } else if (!node_is_scope(at) && !node_is_expr(at)) {
            walk_children(&walk, at);
        }
    }
    walk_free(&walk);
    if (count == 0)
        set->none = true;
}

static bool all_external_instances(const RefSet *set) {
    for (uint32_t i = 0; i < set->len; i++)
        if (set->items[i].kind != REF_EXTERNAL_INSTANCE)
            return false;
    return set->len > 0;
}

static void find_result(FuncInfo *func, RefSet *set) {
    Node *node = func->function->node;
    if (node_is(node, NODE_LAMBDA)) {
        refs_merge(set, resolve_values(func->module, node->u.lambda.body));
        return;
    }
    if (func->function->scope->has_yield || node->flags & NODE_ASYNC ||
        func_flags(func) & FUNC_CONTEXT_MANAGER) {
        set->unknown = true;
        return;
    }
    RefSet declared = {.unknown = true};
    if (node->u.function.returns) {
        declared.unknown = false;
        annotation_values(func->module, node->u.function.returns, &declared);
    }
    RefSet actual = {0};
    if (declared.unknown || !all_external_instances(&declared))
        returned_values(func, &actual);
    // The classes that are really made say more than the annotated base, when all of them are known.
    Arena *arena = func->module->project->arena;
    bool use_actual = actual.len > 0 && (!actual.unknown || declared.unknown);
    refs_merge(set, refs_freeze(arena, use_actual || !node->u.function.returns ? &actual : &declared));
}

void func_result(FuncInfo *func, RefSet *set) {
    Project *project = func->module->project;
    uintptr_t cached = 0;
    if (!map_get(&project->results, map_key_ptr(func), &cached)) {
        if (project->depth >= RESOLVE_MAX_DEPTH) {
            set->unknown = true;
            return;
        }
        map_put(&project->results, map_key_ptr(func), 0);
        project->depth++;
        RefSet own = {0};
        find_result(func, &own);
        project->depth--;
        cached = (uintptr_t)refs_freeze(project->arena, &own);
        map_put(&project->results, map_key_ptr(func), cached);
    }
    if (cached)
        refs_merge(set, (const RefList *)cached);
    else
        set->unknown = true;
}
