// Who calls whom, from the entry points on.
//
// Input: functions marked reachable. Output: the calls and callers of everything that may run in a compiled region. A call
// lands in every candidate of its function expression: methods and the overrides below an open receiver, __init__, an
// nn.Module's forward, the items of a Sequential or of a table of classes. Functions, methods and modules passed as
// arguments or otherwise mentioned may be called too (uncertain edges), as may properties, __getitem__, __iter__, __enter__
// and __exit__. Code behind an is_compiling() boundary has no edges; a function with a boundary decorator is not entered.
//
// Only reachable functions are expanded, so the cost follows what is compiled, not what is in the tree.

#include <stdlib.h>

#include "project/internal.h"
#include "rules/rules.h"

// ---------------------------------------------------------------- edges

static Name method_name(const FuncInfo *func) {
    const Node *node = func->function->node;
    return node_is(node, NODE_FUNCTION_DEF) ? node->u.function.name : 0;
}

void callgraph_enter(FuncInfo *func) {
    if (func->reachable || func_flags(func) & FUNC_BOUNDARY)
        return;
    func->reachable = true;
    func->higher_order |=
        func->cls && method_name(func) == NAME_OF("forward") && class_is_autograd_function(func->cls);
    if (func_flags(func) & FUNC_CACHED)
        func->cached_at = func;
    vec_push(&func->module->project->worklist, func);
}

// Edges of one call lie together, the newest last.
static CallEdge *find_edge(FuncInfo *caller, const Node *call, const FuncInfo *callee) {
    for (uint32_t i = caller->calls.len; i > 0 && caller->calls.items[i - 1].call == call; i--)
        if (caller->calls.items[i - 1].callee == callee)
            return &caller->calls.items[i - 1];
    return NULL;
}

static void put_edge(FuncInfo *caller, CallEdge edge, bool listed) {
    CallEdge *known = find_edge(caller, edge.call, edge.callee);
    if (known) {
        known->around &= edge.around;
        return;
    }
    vec_push(&caller->calls, edge);
    if (func_flags(edge.callee) & FUNC_BOUNDARY)
        return;
    if (listed)
        vec_push(&edge.callee->callers, caller);
    callgraph_enter(edge.callee);
}

static void add_edge(FuncInfo *caller, Node *call, FuncInfo *callee, bool certain) {
    WrapCall wraps[WRAPS_MAX];
    uint32_t count = 0;
    wrappers_of(callee, wraps, WRAPS_MAX, &count);
    put_edge(caller, (CallEdge){.call = call, .callee = callee, .certain = certain && count == 0}, true);
    for (uint32_t i = 0; i < count; i++) {
        put_edge(caller, (CallEdge){.call = call, .callee = wraps[i].entered, .around = true}, false);
        put_edge(caller, (CallEdge){.call = call, .callee = wraps[i].wrapper, .around = true}, false);
    }
}

// The wrapper's own call of what it wraps, once per wrapped function.
static void add_wrapper_edges(FuncInfo *func) {
    WrapCall wraps[WRAPS_MAX];
    uint32_t count = 0;
    wrappers_of(func, wraps, WRAPS_MAX, &count);
    for (uint32_t i = 0; i < count; i++) {
        callgraph_enter(wraps[i].entered);
        callgraph_enter(wraps[i].wrapper);
        vec_push(&wraps[i].wrapper->calls,
                 ((CallEdge){.call = wraps[i].call, .callee = func, .by_wrapper = true}));
        vec_push(&func->callers, wraps[i].wrapper);
    }
}

// ---------------------------------------------------------------- callees of a reference

void callgraph_overrides(ClassInfo *cls, Name method, FuncList *into) {
    ClassList below = {0};
    class_descendants(cls, &below);
    for (uint32_t i = 0; i < below.len; i++) {
        FuncInfo *func = map_ptr(&below.items[i]->methods, method);
        if (func)
            vec_push(into, func);
    }
    vec_free(&below);
}

Name callgraph_dispatch_name(ClassInfo *cls) {
    bool own = class_find_method(cls, NAME_OF("__call__")) != NULL;
    return !own && class_is_nn_module(cls) ? NAME_OF("forward") : NAME_OF("__call__");
}

FuncInfo *callgraph_dispatch(ClassInfo *cls) {
    return class_find_method(cls, callgraph_dispatch_name(cls));
}

static void open_method(FuncInfo *caller, Node *call, ClassInfo *cls, Name method, FuncList *into) {
    Project *project = caller->module->project;
    vec_push(&project->open_calls, ((OpenCall){caller, call, cls, method}));
    callgraph_overrides(cls, method, into);
}

static void add_found(ClassInfo *cls, const char *name, FuncList *into) {
    FuncInfo *func = class_find_method(cls, intern(str_of(name)));
    if (func)
        vec_push(into, func);
}

static void instance_callees(FuncInfo *caller, Node *call, const Ref *ref, FuncList *into) {
    FuncInfo *func = callgraph_dispatch(ref->cls);
    if (func)
        vec_push(into, func);
    if (ref->subtypes)
        open_method(caller, call, ref->cls, callgraph_dispatch_name(ref->cls), into);
}

static void class_callees(FuncInfo *caller, Node *call, const Ref *ref, FuncList *into) {
    add_found(ref->cls, "__init__", into);
    add_found(ref->cls, "__new__", into);
    add_found(ref->cls, "__post_init__", into);
    if (ref->subtypes)
        open_method(caller, call, ref->cls, NAME_OF("__init__"), into);
}

// What calling the reference may run. False: nothing of the project, and it is not known to be external.
static bool reference_callees(FuncInfo *caller, Node *call, const Ref *ref, bool by_super, FuncList *into) {
    switch (ref->kind) {
    case REF_FUNCTION:
    case REF_METHOD:
        vec_push(into, ref->func);
        if (ref->kind == REF_METHOD && ref->subtypes && !by_super && method_name(ref->func))
            open_method(caller, call, ref->cls, method_name(ref->func), into);
        return true;
    case REF_CLASS:
        class_callees(caller, call, ref, into);
        return true;
    case REF_INSTANCE:
        instance_callees(caller, call, ref, into);
        return true;
    case REF_LIST: // a Sequential; calling another container is an error
        if (ref->element && ref->element->kind == REF_INSTANCE)
            instance_callees(caller, call, ref->element, into);
        return true;
    case REF_EXTERNAL:
    case REF_EXTERNAL_INSTANCE:
    case REF_BUILTIN:
        return true;
    default:
        return false;
    }
}

static void add_callees(FuncInfo *caller, Node *call, const FuncList *callees, bool certain) {
    certain = certain && callees->len == 1;
    for (uint32_t i = 0; i < callees->len; i++)
        add_edge(caller, call, callees->items[i], certain);
}

// ---------------------------------------------------------------- calls

// A method that the receiver's class does not have may be its subclasses'.
static void abstract_callees(FuncInfo *caller, Node *call, FuncList *into) {
    const Node *func = call->u.call.func;
    if (!node_is(func, NODE_ATTRIBUTE))
        return;
    const RefList *of = resolve_values(caller->module, func->u.attribute.value);
    for (uint32_t i = 0; i < of->len; i++)
        if (of->items[i].kind == REF_INSTANCE && of->items[i].subtypes &&
            !class_find_method(of->items[i].cls, func->u.attribute.attr))
            open_method(caller, call, of->items[i].cls, func->u.attribute.attr, into);
}

// A method of a list, dict, tensor or another thing that is not the project's: it runs nothing of the project.
static bool is_outside_method(Module *module, const Node *func) {
    if (!node_is(func, NODE_ATTRIBUTE))
        return false;
    const RefList *of = resolve_values(module, func->u.attribute.value);
    bool outside = of->len > 0 && !of->unknown;
    for (uint32_t i = 0; i < of->len; i++)
        outside &= of->items[i].kind == REF_LIST || of->items[i].kind == REF_EXTERNAL_INSTANCE;
    return outside || torch_method_flags(func->u.attribute.attr) != 0;
}

// In a class that others combine with further bases, super() may lead to one of those.
static void super_callees(FuncInfo *caller, Name method, FuncList *into) {
    ClassInfo *cls = caller->cls;
    ClassList below = {0};
    if (cls)
        class_descendants(cls, &below);
    for (uint32_t i = 0; i < below.len; i++) {
        ClassInfo *sub = below.items[i];
        if (sub->bases.len < 2)
            continue; // what follows cls is the same as in its base
        class_mro(sub);
        uint32_t at = 0;
        while (at < sub->mro_len && sub->mro[at] != cls)
            at++;
        FuncInfo *next = NULL;
        while (++at < sub->mro_len && !next)
            next = map_ptr(&sub->mro[at]->methods, method);
        bool known = !next;
        for (uint32_t k = 0; k < into->len && !known; k++)
            known = into->items[k] == next;
        if (!known)
            vec_push(into, next);
    }
    vec_free(&below);
}

static void expand_call(FuncInfo *caller, Node *call) {
    Module *module = caller->module;
    Node *func = call->u.call.func;
    if (is_super_call(module, call))
        return;
    Node *base = node_is(func, NODE_ATTRIBUTE) ? func->u.attribute.value : NULL;
    bool by_super = node_is(base, NODE_CALL) && is_super_call(module, base);
    const RefList *refs = resolve_values(module, func);
    FuncList callees = {0};
    bool known = !refs->unknown && refs->len > 0;
    for (uint32_t i = 0; i < refs->len; i++)
        known &= reference_callees(caller, call, &refs->items[i], by_super, &callees);
    if (by_super)
        super_callees(caller, func->u.attribute.attr, &callees);
    else
        abstract_callees(caller, call, &callees);
    add_callees(caller, call, &callees, known && refs->len == 1);
    if (!known && !(callees.len == 0 && is_outside_method(module, func))) {
        caller->has_unknown_calls = true;
        vec_push(&caller->unknown_calls, call);
    }
    vec_free(&callees);
}

// ---------------------------------------------------------------- mentions

static bool is_called(const Node *node) {
    return node_is(node->parent, NODE_CALL) && node->parent->u.call.func == node;
}

static bool is_argument(const Node *node) {
    const Node *parent = node->parent;
    return node_is(parent, NODE_CALL) ||
           (node_is(parent, NODE_KEYWORD) && node_is(parent->parent, NODE_CALL));
}

static bool given_to_higher_order(FuncInfo *caller, const Node *node) {
    const Node *call = node_is(node->parent, NODE_KEYWORD) ? node->parent->parent : node->parent;
    if (!node_is(call, NODE_CALL))
        return false;
    const RefList *refs = resolve_values(caller->module, call->u.call.func);
    for (uint32_t i = 0; i < refs->len; i++)
        if (refs->items[i].kind == REF_EXTERNAL && is_higher_order_call(refs->items[i].name))
            return true;
    return false;
}

// A function, method, or module given away, to be called by whoever has it.
static void expand_mention(FuncInfo *caller, Node *node) {
    const RefList *refs = resolve_values(caller->module, node);
    bool argument = is_argument(node);
    FuncList callees = {0};
    for (uint32_t i = 0; i < refs->len; i++) {
        const Ref *ref = &refs->items[i];
        bool function = ref->kind == REF_FUNCTION || ref->kind == REF_METHOD;
        bool instance = ref->kind == REF_INSTANCE && argument && class_is_nn_module(ref->cls);
        if (function || instance)
            reference_callees(caller, node, ref, false, &callees);
    }
    bool higher_order = callees.len && argument && given_to_higher_order(caller, node);
    for (uint32_t i = 0; i < callees.len; i++)
        callees.items[i]->higher_order |= higher_order;
    add_callees(caller, node, &callees, false);
    vec_free(&callees);
}

static void expand_special(FuncInfo *caller, Node *at, Node *receiver, Name method) {
    const RefList *of = resolve_values(caller->module, receiver);
    FuncList callees = {0};
    for (uint32_t i = 0; i < of->len; i++) {
        if (of->items[i].kind != REF_INSTANCE)
            continue;
        FuncInfo *func = class_find_method(of->items[i].cls, method);
        if (func)
            vec_push(&callees, func);
        if (func && of->items[i].subtypes)
            open_method(caller, at, of->items[i].cls, method, &callees);
    }
    add_callees(caller, at, &callees, of->len == 1 && !of->unknown);
    vec_free(&callees);
}

static void expand_len(FuncInfo *caller, Node *call) {
    const RefList *func = resolve_values(caller->module, call->u.call.func);
    Node *arg = call_arg(call, 0, NULL);
    if (arg && func->len == 1 && func->items[0].kind == REF_BUILTIN && func->items[0].name == NAME_OF("len"))
        expand_special(caller, call, arg, NAME_OF("__len__"));
}

static void expand_attribute(FuncInfo *caller, Node *node) {
    Project *project = caller->module->project;
    Name attr = node->u.attribute.attr;
    if (map_get(&project->property_names, attr, NULL)) {
        expand_special(caller, node, node->u.attribute.value, attr);
        return; // a method of that name elsewhere is not worth a second look
    }
    if (!is_called(node) &&
        (attr == NAME_OF("__call__") || is_argument(node) || map_get(&project->method_names, attr, NULL)))
        expand_mention(caller, node);
}

static void expand_name(FuncInfo *caller, Node *node) {
    if (node_is(node->parent, NODE_ATTRIBUTE) || is_called(node))
        return;
    const Symbol *symbol = node->u.name.symbol;
    if (is_argument(node) || (symbol && symbol->flags & SYM_NAMES_CODE))
        expand_mention(caller, node);
}

static void expand_node(FuncInfo *caller, Node *node) {
    bool load = !(node->flags & (NODE_STORE | NODE_DEL));
    switch (node->kind) {
    case NODE_CALL:
        expand_call(caller, node);
        expand_len(caller, node);
        break;
    case NODE_ATTRIBUTE:
        if (load)
            expand_attribute(caller, node);
        break;
    case NODE_NAME:
        if (load)
            expand_name(caller, node);
        break;
    case NODE_LAMBDA:
        expand_mention(caller, node);
        break;
    case NODE_SUBSCRIPT:
        expand_special(caller, node, node->u.subscript.value,
                       load ? NAME_OF("__getitem__") : NAME_OF("__setitem__"));
        break;
    case NODE_FOR:
        expand_special(caller, node, node->u.loop.iter, NAME_OF("__iter__"));
        break;
    case NODE_WITH_ITEM:
        expand_special(caller, node, node->u.with_item.context, NAME_OF("__enter__"));
        expand_special(caller, node->u.with_item.context, node->u.with_item.context, NAME_OF("__exit__"));
        break;
    default:
        break;
    }
}

// ---------------------------------------------------------------- functions

// The children that may run while compiling, in source order.
static void push_compiled(Module *module, Walk *walk, Node *node) {
    uint32_t from = walk->stack.len;
    for (ChildIter it = ast_children(node); ast_next(&it);)
        if (!child_is_eager(module, node, it.child))
            walk_push(walk, it.child);
    walk_reverse(walk, from);
}

static void expand(FuncInfo *func) {
    if (func->expanded)
        return;
    func->expanded = true;
    Module *module = func->module;
    Node *node = func->function->node;
    Walk walk = {0};
    if (node_is(node, NODE_LAMBDA)) {
        walk_push(&walk, node->u.lambda.body);
    } else {
        for (uint32_t i = node->u.function.body.len; i > 0; i--)
            if (!child_is_eager(module, node, node->u.function.body.items[i - 1]))
                walk_push(&walk, node->u.function.body.items[i - 1]);
    }
    for (Node *at; (at = walk_next(&walk));) {
        expand_node(func, at);
        if (!node_is_scope(at))
            push_compiled(module, &walk, at);
    }
    walk_free(&walk);
}

static void drain(Project *project) {
    while (project->worklist.len) {
        FuncInfo *func = vec_pop(&project->worklist);
        module_load(func->module);
        expand(func);
        add_wrapper_edges(func);
    }
}

// What runs in the body of a higher-order operator, or in a cached function, and all that is called from there.
static void spread_to_callees(Project *project) {
    FuncList work = {0};
    for (uint32_t i = 0; i < project->modules.len; i++)
        for (uint32_t k = 0; k < project->modules.items[i]->functions.len; k++) {
            FuncInfo *func = project->modules.items[i]->functions.items[k];
            if (func->higher_order || func->cached_at)
                vec_push(&work, func);
        }
    while (work.len) {
        const FuncInfo *func = vec_pop(&work);
        for (uint32_t i = 0; i < func->calls.len; i++) {
            FuncInfo *callee = func->calls.items[i].callee;
            bool in_operator = func->higher_order && !callee->higher_order;
            bool in_cached = func->cached_at && !callee->cached_at;
            callee->higher_order |= in_operator;
            if (in_cached)
                callee->cached_at = func->cached_at;
            if (in_operator || in_cached)
                vec_push(&work, callee);
        }
    }
    vec_free(&work);
}

// Files parsed meanwhile may hold overrides of methods that were called before.
void callgraph_reach(Project *project) {
    drain(project);
    for (uint32_t round = 0; round < DISPATCH_ROUNDS && project->unlinked.len; round++) {
        classes_link_pending(project);
        for (uint32_t i = 0; i < project->open_calls.len; i++) {
            OpenCall open = project->open_calls.items[i];
            FuncList overrides = {0};
            callgraph_overrides(open.cls, open.method, &overrides);
            for (uint32_t k = 0; k < overrides.len; k++)
                if (!overrides.items[k]->reachable)
                    add_edge(open.caller, open.call, overrides.items[k], false);
            vec_free(&overrides);
        }
        drain(project);
    }
    spread_to_callees(project);
}
