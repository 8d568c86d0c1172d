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
// A decorator without such a call hands its function back, as far as is known.

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
