// Decorators of the project: which functions they put around what they decorate.
//
// Input: a decorated function. Output: the calls, inside the decorators' inner functions (or, in the __call__ of a decorator
// class, of an attribute of the instance), of a parameter of the decorator, which is where the decorated function runs:
//
//     def logged(fn):                  # the decorator, or a factory of decorators
//         @functools.wraps(fn)
//         def wrapper(*args):
//             return fn(*args)         # this call
//         return wrapper
//
// A decorator without such a call hands its function back, as far as is known. And whether what is put around a function gives
// just what that gives: the decorator returns the wrapper above, and all that this returns are such calls.

#include <stdlib.h>

#include "project/internal.h"

typedef VEC(WrapCall) WrapVec;

// The function that stands in for what is decorated, if this is a call of a parameter of one around it; else NULL.
static FuncInfo *inside_of_param(FuncInfo *inner, const Node *called) {
    if (!node_is(called, NODE_NAME) || !called->u.name.symbol)
        return NULL;
    const Symbol *symbol = called->u.name.symbol;
    if (!(symbol->flags & SYM_PARAM) || symbol->scope == inner->function->scope)
        return NULL;
    const Function *at = inner->function;
    while (at->outer && at->outer->scope != symbol->scope)
        at = at->outer;
    return at->outer ? module_function_at(inner->module, at->node) : NULL;
}

// self.fn(...) in the __call__ of a decorator class, where no method of it has that name.
static bool is_kept_function(FuncInfo *call, const Node *called) {
    if (!node_is(called, NODE_ATTRIBUTE) || !node_is(called->u.attribute.value, NODE_NAME))
        return false;
    const Symbol *symbol = called->u.attribute.value->u.name.symbol;
    return symbol && symbol->scope == call->function->scope &&
           symbol->name == node_first_param(call->function->node) &&
           !class_find_method(call->cls, called->u.attribute.attr);
}

// call: the __call__ of the decorator's class, or NULL.
static void find_calls(FuncInfo *inner, FuncInfo *call, WrapVec *out) {
    Walk walk = {0};
    walk_body(&walk, inner->function->node);
    for (Node *at; (at = walk_next(&walk));) {
        if (node_is_scope(at))
            continue;
        if (node_is(at, NODE_CALL)) {
            const Node *called = at->u.call.func;
            FuncInfo *entered =
                call && is_kept_function(call, called) ? call : inside_of_param(inner, called);
            if (entered && out->len < WRAPS_MAX)
                vec_push(out, ((WrapCall){inner, entered, at}));
        }
        walk_children(&walk, at);
    }
    walk_free(&walk);
}

static bool is_inside(const Function *inner, const Function *outer) {
    while (inner && inner != outer)
        inner = inner->outer;
    return inner != NULL;
}

static const WrapList *list_for(FuncInfo *decorator) {
    Project *project = decorator->module->project;
    WrapList *list = map_ptr(&project->wrappers, map_key_ptr(decorator));
    if (list)
        return list;
    WrapVec calls = {0};
    Module *module = decorator->module;
    FuncInfo *call = NULL;
    if (decorator->cls && decorator->function->node->u.function.name == NAME_OF("__call__"))
        find_calls(decorator, call = decorator, &calls);
    for (uint32_t i = 0; i < module->functions.len; i++) {
        FuncInfo *inner = module->functions.items[i];
        if (inner != decorator && is_inside(inner->function, decorator->function))
            find_calls(inner, call, &calls);
    }
    list = ARENA_NEW(project->arena, WrapList);
    list->len = calls.len;
    if (calls.len)
        list->items = arena_dup(project->arena, calls.items, calls.len * sizeof *calls.items);
    vec_free(&calls);
    map_put(&project->wrappers, map_key_ptr(decorator), (uintptr_t)list);
    return list;
}

static void from_decorator(FuncInfo *decorator, WrapCall *into, uint32_t max, uint32_t *count) {
    const WrapList *list = list_for(decorator);
    for (uint32_t i = 0; i < list->len && *count < max; i++)
        into[(*count)++] = list->items[i];
}

static void from_reference(const Ref *ref, WrapCall *into, uint32_t max, uint32_t *count) {
    FuncInfo *decorator = ref->kind == REF_FUNCTION || ref->kind == REF_METHOD ? ref->func : NULL;
    if ((ref->kind == REF_CLASS || ref->kind == REF_INSTANCE) && ref->cls)
        decorator = class_find_method(ref->cls, NAME_OF("__call__"));
    if (decorator)
        from_decorator(decorator, into, max, count);
}

void wrappers_of(FuncInfo *func, WrapCall *into, uint32_t max, uint32_t *count) {
    const Node *node = func->function->node;
    if (!(func_flags(func) & FUNC_WRAPPED) || !node_is(node, NODE_FUNCTION_DEF))
        return;
    for (uint32_t i = 0; i < node->u.function.decorators.len; i++) {
        Node *decorator = node->u.function.decorators.items[i];
        Node *named = node_is(decorator, NODE_CALL) ? decorator->u.call.func : decorator;
        const RefList *refs = resolve_values(func->module, named);
        for (uint32_t k = 0; k < refs->len; k++)
            from_reference(&refs->items[k], into, max, count);
    }
}

// ---------------------------------------------------------------- results

static bool runs_at_once(const FuncInfo *func) {
    return !(func->function->node->flags & (NODE_ASYNC | NODE_OPAQUE)) && !func->function->scope->has_yield;
}

// What each return statement gives is a call, or the name, of one thing: that NAME, or NULL.
static Node *always_returned(const FuncInfo *func, bool called) {
    Node *found = NULL;
    bool same = true;
    Walk walk = {0};
    walk_body(&walk, func->function->node);
    for (Node *at; same && (at = walk_next(&walk));) {
        if (!node_is(at, NODE_RETURN)) {
            if (!node_is_scope(at) && !node_is_expr(at))
                walk_children(&walk, at);
            continue;
        }
        Node *value = at->u.value.value;
        if (called)
            value = node_is(value, NODE_CALL) ? value->u.call.func : NULL;
        same = node_is(value, NODE_NAME) && value->u.name.symbol && value->u.name.symbol->bindings.len == 1 &&
               (!found || found->u.name.symbol == value->u.name.symbol);
        found = value;
    }
    walk_free(&walk);
    return same ? found : NULL;
}

// The function defined inside that every return statement names.
static FuncInfo *returned_inside(const FuncInfo *func) {
    Node *name = runs_at_once(func) ? always_returned(func, false) : NULL;
    const Node *def = name ? name->u.name.symbol->bindings.items[0] : NULL;
    bool inside = node_is(def, NODE_FUNCTION_DEF) && name->u.name.symbol->scope == func->function->scope;
    return inside ? module_function_at(func->module, def) : NULL;
}

// Nothing is put around it; functools.wraps only sets its attributes.
static bool is_bare(const FuncInfo *func) {
    NodeList decorators = func->function->node->u.function.decorators;
    for (uint32_t i = 0; i < decorators.len; i++) {
        const Node *at = decorators.items[i];
        Ref ref = resolve_expr(func->module, node_is(at, NODE_CALL) ? at->u.call.func : decorators.items[i]);
        if (ref.kind != REF_EXTERNAL || ref.name != NAME_OF("functools.wraps"))
            return false;
    }
    return true;
}

bool decorator_hands_on(Module *module, Node *decorator) {
    bool factory = node_is(decorator, NODE_CALL);
    const RefList *refs = resolve_values(module, factory ? decorator->u.call.func : decorator);
    if (refs->len != 1 || refs->unknown || refs->items[0].kind != REF_FUNCTION)
        return false;
    FuncInfo *outer = refs->items[0].func;
    if (factory && is_bare(outer) && node_is(outer->function->node, NODE_FUNCTION_DEF))
        outer = returned_inside(outer);
    else if (factory)
        return false;
    FuncInfo *wrapper = outer && node_is(outer->function->node, NODE_FUNCTION_DEF) && is_bare(outer)
                            ? returned_inside(outer)
                            : NULL;
    if (!wrapper || !is_bare(wrapper) || !runs_at_once(wrapper))
        return false;
    const Node *called = always_returned(wrapper, true);
    const Symbol *symbol = called ? called->u.name.symbol : NULL;
    return symbol && symbol->flags & SYM_PARAM && symbol->scope == outer->function->scope &&
           symbol->name == node_first_param(outer->function->node);
}
