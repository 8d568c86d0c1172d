// May an exception that leaves a place be caught before it leaves the compiled region?
//
// Input: a node. Output: likely, with the try, with or call responsible, when around it in its function, or around a call
// through which the function is reached, stands a try with handlers, a finally body that could tell the difference, or a with
// statement whose manager is not known to let exceptions pass. One pass over the call graph marks every function some caller of
// which may catch; a wrapper's call of what it wraps says nothing about the wrapper's other callers. Perhaps, when all that
// leads there is an unresolved call under a try: it may land in any method of its name, or in any module or function that is
// handed around as a value. What Python itself catches around a function (swallow.c) is handed on in the same way.

#include <stdlib.h>

#include "project/internal.h"
#include "rules/rules.h"

// ---------------------------------------------------------------- managers

static bool lets_pass(Name name) {
    Str text = name_str(name);
    if (str_starts(text, STR("torch.")))
        return !str_starts(text, STR("torch.testing."));
    return is_passing_manager(name);
}

static Node *caught_locally(Module *module, Node *node);

// A generator under contextlib.contextmanager sees the exception at its yield; it lets it pass where nothing around the yield
// catches it.
static bool generator_lets_pass(const FuncInfo *func) {
    Walk walk = {0};
    bool passes = true;
    walk_body(&walk, func->function->node);
    for (Node *at; passes && (at = walk_next(&walk));) {
        if (node_is_scope(at))
            continue;
        if (node_is(at, NODE_YIELD) || node_is(at, NODE_YIELD_FROM))
            passes = !caught_locally(func->module, at);
        walk_children(&walk, at);
    }
    walk_free(&walk);
    return passes;
}

// __exit__ that returns nothing, or a constant that is not true.
static bool exit_lets_pass(const FuncInfo *func) {
    Walk walk = {0};
    bool passes = true;
    walk_body(&walk, func->function->node);
    for (Node *at; (at = walk_next(&walk));) {
        if (node_is(at, NODE_RETURN))
            passes &= !at->u.value.value || node_const(at->u.value.value, CONST_NONE) ||
                      node_const(at->u.value.value, CONST_FALSE);
        else if (!node_is_scope(at) && !node_is_expr(at))
            walk_children(&walk, at);
    }
    walk_free(&walk);
    return passes;
}

static bool reference_lets_pass(const Ref *ref) {
    if (ref->kind == REF_EXTERNAL_INSTANCE)
        return lets_pass(ref->name);
    if (ref->kind != REF_INSTANCE || ref->subtypes)
        return false;
    const FuncInfo *leave = class_find_method(ref->cls, NAME_OF("__exit__"));
    return leave && exit_lets_pass(leave);
}

static bool is_generator_manager(Module *module, Node *context) {
    if (!node_is(context, NODE_CALL))
        return false;
    const RefList *funcs = resolve_values(module, context->u.call.func);
    for (uint32_t i = 0; i < funcs->len; i++) {
        const Ref *ref = &funcs->items[i];
        bool function = ref->kind == REF_FUNCTION || (ref->kind == REF_METHOD && !ref->subtypes);
        if (!function || !(func_flags(ref->func) & FUNC_CONTEXT_MANAGER) || !generator_lets_pass(ref->func))
            return false;
    }
    return funcs->len > 0 && !funcs->unknown;
}

static bool manager_lets_pass(Module *module, Node *context) {
    if (is_generator_manager(module, context))
        return true;
    const RefList *refs = resolve_values(module, context);
    for (uint32_t i = 0; i < refs->len; i++)
        if (!reference_lets_pass(&refs->items[i]))
            return false;
    return refs->len > 0 && !refs->unknown;
}

static bool with_may_catch(Module *module, const Node *with) {
    for (uint32_t i = 0; i < with->u.with.items.len; i++) {
        const Node *item = with->u.with.items.items[i];
        if (!node_is(item, NODE_WITH_ITEM) || !manager_lets_pass(module, item->u.with_item.context))
            return true;
    }
    return false;
}

// ---------------------------------------------------------------- inside one function

// What is printed there comes before the exception: by a call, or by what an operator or an attribute runs.
static bool may_print(Module *module, NodeList statements) {
    bool (*prints)(Module *, Node *) = module->project->options.prints;
    bool found = !prints;
    for (uint32_t i = 0; i < statements.len && !found; i++)
        found = prints(module, statements.items[i]);
    return found;
}

// A finally body that runs to its end lets the exception go on. It sees a difference only if it jumps out, does something that
// may print, or reads a name that the try body assigns.
static bool finally_lets_pass(Module *module, const Node *try_node) {
    Walk walk = {0};
    Map read = {0};
    bool passes = !may_print(module, try_node->u.try_.finalbody);
    walk_list(&walk, try_node->u.try_.finalbody);
    for (Node *at; passes && (at = walk_next(&walk));) {
        passes = !node_is(at, NODE_RETURN) && !node_is(at, NODE_BREAK) && !node_is(at, NODE_CONTINUE) &&
                 !node_is(at, NODE_RAISE) && !node_is(at, NODE_YIELD) && !node_is(at, NODE_YIELD_FROM);
        if (node_is(at, NODE_NAME))
            map_put(&read, at->u.name.name, 1);
        walk_children(&walk, at);
    }
    vec_clear(&walk.stack);
    walk_list(&walk, try_node->u.try_.body);
    for (Node *at; passes && (at = walk_next(&walk));) {
        passes = !node_is(at, NODE_NAME) || !(at->flags & (NODE_STORE | NODE_DEL)) ||
                 !map_get(&read, at->u.name.name, NULL);
        walk_children(&walk, at);
    }
    map_free(&read);
    walk_free(&walk);
    return passes;
}

static bool try_may_catch(Module *module, const Node *try_node, const Node *child) {
    if (try_node->u.try_.handlers.len && list_spans(try_node->u.try_.body, child))
        return true;
    if (try_node->u.try_.finalbody.len == 0 || list_spans(try_node->u.try_.finalbody, child))
        return false;
    Map *cache = &module->project->withs;
    uintptr_t known = 0;
    if (!map_get(cache, map_key_ptr(try_node), &known)) {
        known = !finally_lets_pass(module, try_node);
        map_put(cache, map_key_ptr(try_node), known);
    }
    return known != 0;
}

// Whether the with can catch is asked once per statement. Until that is known it may: the generator behind a manager may
// enter the same statement again.
static bool with_cached(Module *module, const Node *with) {
    Map *cache = &module->project->withs;
    uintptr_t known = 0;
    if (!map_get(cache, map_key_ptr(with), &known)) {
        map_put(cache, map_key_ptr(with), true);
        known = with_may_catch(module, with);
        map_put(cache, map_key_ptr(with), known);
    }
    return known != 0;
}

static Node *caught_locally(Module *module, Node *node) {
    Node *child = node;
    for (Node *above = node->parent; above && !node_is_scope(above); child = above, above = above->parent) {
        if (node_is(above, NODE_TRY) && try_may_catch(module, above, child))
            return above;
        if (node_is(above, NODE_WITH) && list_spans(above->u.with.body, child) && with_cached(module, above))
            return above;
    }
    return NULL;
}

// ---------------------------------------------------------------- through the callers

// What may catch around a call.
typedef struct Mark {
    CatchLevel level;
    Node *by;
    Module *in;
    uint32_t swallowed; // SWALLOWS_*
    FuncInfo *swallowed_at;
} Mark;

static Mark mark_of(FuncInfo *caller) {
    return (Mark){caller->caught, caller->caught_by, caller->caught_module, caller->swallowed,
                  caller->swallowed_at};
}

static void mark_caught(FuncInfo *func, Mark mark, FuncList *work) {
    bool more = func->caught < mark.level, swallows = mark.swallowed & ~func->swallowed;
    if (more) {
        func->caught = mark.level;
        func->caught_by = mark.by;
        func->caught_module = mark.in;
    }
    if (swallows) {
        func->swallowed |= mark.swallowed;
        func->swallowed_at = mark.swallowed_at;
    }
    if (more || swallows)
        vec_push(work, func);
}

// ---------------------------------------------------------------- calls of something unknown

// Functions in all of which a call may land, with what all of them are marked with already.
typedef struct Landing {
    FuncList functions;
    CatchLevel level;
    uint32_t swallowed; // SWALLOWS_*
} Landing;

// Where an unresolved call may land: in a method of the name called, or in whatever is handed around as a value: the
// modules, and the functions that are mentioned without being called.
typedef struct Escaped {
    bool ready;
    Map methods; // Name -> index + 1 into by_name
    VEC(Landing) by_name;
    Landing values;
    Map attributes; // names that some class assigns
} Escaped;

static void add_method_of_name(Escaped *escaped, FuncInfo *func) {
    Name name = func->function->node->u.function.name;
    uintptr_t at = 0;
    if (!map_get(&escaped->methods, name, &at)) {
        vec_push(&escaped->by_name, ((Landing){0}));
        at = escaped->by_name.len;
        map_put(&escaped->methods, name, at);
    }
    vec_push(&escaped->by_name.items[at - 1].functions, func);
}

static void collect_escaped(Project *project, Escaped *escaped) {
    escaped->ready = true;
    for (uint32_t i = 0; i < project->modules.len; i++) {
        Module *module = project->modules.items[i];
        for (uint32_t k = 0; k < module->classes.len; k++) {
            ClassInfo *cls = module->classes.items[k];
            class_attrs(cls);
            for (uint32_t a = 0; a < cls->attributes.len; a++)
                map_put(&escaped->attributes, cls->attributes.entries[a].key, 1);
            FuncInfo *func = class_is_nn_module(cls) ? callgraph_dispatch(cls) : NULL;
            if (func && func->reachable)
                vec_push(&escaped->values.functions, func);
        }
        for (uint32_t k = 0; k < module->functions.len; k++) {
            FuncInfo *func = module->functions.items[k];
            if (func->reachable && func->cls && node_is(func->function->node, NODE_FUNCTION_DEF))
                add_method_of_name(escaped, func);
            for (uint32_t e = 0; e < func->calls.len; e++)
                if (!node_is(func->calls.items[e].call, NODE_CALL))
                    vec_push(&escaped->values.functions, func->calls.items[e].callee);
        }
    }
}

static void free_escaped(Escaped *escaped) {
    for (uint32_t i = 0; i < escaped->by_name.len; i++)
        vec_free(&escaped->by_name.items[i].functions);
    vec_free(&escaped->by_name);
    vec_free(&escaped->values.functions);
    map_free(&escaped->methods);
    map_free(&escaped->attributes);
}

// Methods that strings, lists, dicts, tensors and plain objects have: what they are called on holds no code of the project.
static bool is_plain_method(Name name) {
    static const char *const names[] = {
        "append",  "clear",   "copy",       "count", "decode",  "encode",     "endswith", "extend", "format",
        "get",     "index",   "insert",     "items", "join",    "keys",       "lower",    "pop",    "remove",
        "replace", "reverse", "rstrip",     "sort",  "split",   "startswith", "strip",    "lstrip", "upper",
        "update",  "values",  "setdefault", "add",   "discard", "group"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_eq(name_str(name), str_of(names[i])))
            return true;
    return torch_method_flags(name) != 0;
}

// x.name(...) can only run code of the project if some class of it assigns x.name.
static bool may_hold_function(const Escaped *escaped, Name name) {
    return map_get(&escaped->attributes, name, NULL) && !is_plain_method(name);
}

static void mark_landing(Landing *landing, Mark mark, FuncList *work) {
    if (mark.level)
        mark.level = CATCH_PERHAPS;
    if (mark.level <= landing->level && !(mark.swallowed & ~landing->swallowed))
        return;
    landing->level = mark.level > landing->level ? mark.level : landing->level;
    landing->swallowed |= mark.swallowed;
    for (uint32_t i = 0; i < landing->functions.len; i++)
        mark_caught(landing->functions.items[i], mark, work);
}

static void mark_unknown(Escaped *escaped, FuncInfo *caller, Node *call, Mark mark, FuncList *work) {
    if (!escaped->ready)
        collect_escaped(caller->module->project, escaped);
    const Node *func = call->u.call.func;
    uintptr_t at = 0;
    if (node_is(func, NODE_ATTRIBUTE) && map_get(&escaped->methods, func->u.attribute.attr, &at))
        mark_landing(&escaped->by_name.items[at - 1], mark, work);
    else if (!node_is(func, NODE_ATTRIBUTE) || may_hold_function(escaped, func->u.attribute.attr))
        mark_landing(&escaped->values, mark, work);
}

static const Function *outermost_of(const Function *function) {
    while (function->outer)
        function = function->outer;
    return function;
}

// Where a decorator's function runs what was decorated by way of other functions in it, what stands there around those.
static Node *caught_on_the_way(FuncInfo *inner, const Function *outermost, uint32_t depth) {
    Node *by = NULL;
    for (uint32_t i = 0; i < inner->callers.len && depth < WRAP_DEPTH_MAX && !by; i++) {
        FuncInfo *caller = inner->callers.items[i];
        if (outermost_of(caller->function) != outermost)
            continue;
        for (uint32_t e = 0; e < caller->calls.len && !by; e++)
            if (caller->calls.items[e].callee == inner)
                by = caught_locally(caller->module, caller->calls.items[e].call);
        if (!by)
            by = caught_on_the_way(caller, outermost, depth + 1);
    }
    return by;
}

static void mark_callees(Escaped *escaped, FuncInfo *caller, FuncList *work) {
    Mark outer = mark_of(caller);
    for (uint32_t i = 0; i < caller->calls.len; i++) {
        const CallEdge *edge = &caller->calls.items[i];
        Mark mark = edge->by_wrapper ? (Mark){0} : outer;
        if (edge->callee->caught < CATCH_LIKELY) {
            Node *by = caught_locally(caller->module, edge->call);
            if (!by && edge->by_wrapper)
                by = caught_on_the_way(caller, outermost_of(caller->function), 0);
            if (by)
                mark.level = CATCH_LIKELY, mark.by = by, mark.in = caller->module;
        }
        mark_caught(edge->callee, mark, work);
    }
    for (uint32_t i = 0; i < caller->unknown_calls.len; i++) {
        Node *call = caller->unknown_calls.items[i], *by = caught_locally(caller->module, call);
        Mark mark = outer;
        if (by)
            mark.level = CATCH_LIKELY, mark.by = by, mark.in = caller->module;
        if (mark.level || mark.swallowed)
            mark_unknown(escaped, caller, call, mark, work);
    }
}

void catch_propagate(Project *project) {
    FuncList work = {0};
    Escaped escaped = {0};
    for (uint32_t i = 0; i < project->modules.len; i++)
        for (uint32_t k = 0; k < project->modules.items[i]->functions.len; k++) {
            FuncInfo *func = project->modules.items[i]->functions.items[k];
            if (!func->reachable)
                continue;
            mark_caught(func, (Mark){.swallowed = func_swallows(func), .swallowed_at = func}, &work);
            mark_callees(&escaped, func, &work);
        }
    while (work.len)
        mark_callees(&escaped, vec_pop(&work), &work);
    vec_free(&work);
    free_escaped(&escaped);
}

CatchLevel node_may_be_caught(Module *module, Node *node, Node *raised, Node **where, Module **where_module) {
    const FuncInfo *func = function_info(module, node);
    Mark mark = {.level = CATCH_LIKELY, .by = caught_locally(module, node), .in = module};
    if (!mark.by)
        mark = func ? (Mark){func->caught, func->caught_by, func->caught_module, 0, NULL} : (Mark){0};
    if (mark.level < CATCH_LIKELY && func && raised &&
        func->swallowed & exception_swallowed_by(module, raised)) {
        mark.level = CATCH_LIKELY;
        mark.by = func->swallowed_at->function->node;
        mark.in = func->swallowed_at->module;
    }
    if (where)
        *where = mark.by;
    if (where_module)
        *where_module = mark.by ? mark.in : NULL;
    return mark.level;
}
