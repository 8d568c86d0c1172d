// What a class's methods assign to self, and what stands in its body.
//
// Input: a class. Output: an AttrInfo for each name: `self.x = v` in any method (by whatever name it calls its first
// parameter, closures included), class-level assignments, register_buffer("x", v), register_parameter, add_module,
// setattr(self, "x", v), and what self.x.append(v) and kin add. setattr with a computed name marks the class.
// Computed once for each class, on demand, in one walk.

#include <stdlib.h>

#include "project/internal.h"

typedef struct Scan {
    ClassInfo *cls;
    FuncInfo *method;
    Name self; // 0 at class level
    bool init;
} Scan;

static AttrInfo *attr_at(ClassInfo *cls, Name name) {
    AttrInfo *attr = map_ptr(&cls->attributes, name);
    if (attr)
        return attr;
    attr = ARENA_NEW(cls->module->project->arena, AttrInfo);
    attr->name = name;
    map_put(&cls->attributes, name, (uintptr_t)attr);
    return attr;
}

static AttrInfo *add_value(const Scan *scan, Name name, Node *value) {
    AttrInfo *attr = attr_at(scan->cls, name);
    vec_push(&attr->values, value);
    vec_push(&attr->writers, scan->method);
    attr->in_init |= scan->init;
    attr->outside_init |= scan->method && !scan->init;
    return attr;
}

static bool is_self(const Scan *scan, const Node *node) {
    return node_is(node, NODE_NAME) && scan->self && node->u.name.name == scan->self;
}

// The value for a target of an assignment; NULL where it is not a plain one.
static Node *assigned_value(const Node *target) {
    const Node *above = target->parent;
    if (node_is(above, NODE_ASSIGN))
        return above->u.assign.value;
    if (node_is(above, NODE_TUPLE) && node_is(above->parent, NODE_ASSIGN)) {
        Node *value = above->parent->u.assign.value;
        bool same = node_is(value, NODE_TUPLE) && value->u.items.items.len == above->u.items.items.len;
        for (uint32_t i = 0; same && i < above->u.items.items.len; i++)
            if (above->u.items.items.items[i] == target)
                return value->u.items.items.items[i];
    }
    return NULL;
}

static bool calls_parameter(Module *module, Node *value) {
    if (!node_is(value, NODE_CALL))
        return false;
    const RefList *func = resolve_values(module, value->u.call.func);
    return func->len == 1 && func->items[0].kind == REF_EXTERNAL &&
           (func->items[0].name == NAME_OF("torch.nn.Parameter") ||
            func->items[0].name == NAME_OF("torch.nn.parameter.Parameter"));
}

static void scan_store(Scan *scan, Node *target) {
    Name name = target->u.attribute.attr;
    const Node *above = target->parent;
    if (node_is(above, NODE_ANN_ASSIGN) && above->u.ann.target == target) {
        AttrInfo *attr = attr_at(scan->cls, name);
        if (above->u.ann.annotation)
            vec_push(&attr->annotations, above->u.ann.annotation);
        if (above->u.ann.value)
            add_value(scan, name, above->u.ann.value);
        return;
    }
    if (target->flags & NODE_DEL)
        return;
    Node *value = assigned_value(target);
    AttrInfo *attr = add_value(scan, name, value);
    attr->is_parameter |= value && calls_parameter(scan->cls->module, value);
}

static bool literal_name(const Scan *scan, Node *arg, Name *name) {
    Str text;
    Module *module = scan->cls->module;
    if (!arg || !node_string_value(module->unit->tree, arg, module->project->arena, &text))
        return false;
    *name = intern(text);
    return true;
}

static void scan_setattr(Scan *scan, const Node *call) {
    Name name = 0;
    if (!is_self(scan, call_arg(call, 0, NULL)))
        return;
    if (literal_name(scan, call_arg(call, 1, NULL), &name))
        add_value(scan, name, call_arg(call, 2, NULL));
    else
        scan->cls->dynamic_attrs = true;
}

static void scan_register(Scan *scan, const Node *call, Name method) {
    bool buffer = method == NAME_OF("register_buffer"), parameter = method == NAME_OF("register_parameter");
    bool child = method == NAME_OF("add_module") || method == NAME_OF("register_module");
    Name name = 0;
    if (!buffer && !parameter && !child)
        return;
    if (!literal_name(scan, call_arg(call, 0, "name"), &name)) {
        scan->cls->dynamic_attrs = true;
        return;
    }
    Node *value = call_arg(call, 1, buffer ? "tensor" : parameter ? "param" : "module");
    AttrInfo *attr = add_value(scan, name, value);
    attr->is_buffer |= buffer;
    attr->is_parameter |= parameter;
}

static Node *added_value(const Node *call, Name method) {
    bool first = method == NAME_OF("append") || method == NAME_OF("extend") || method == NAME_OF("add") ||
                 method == NAME_OF("update");
    bool second = method == NAME_OF("add_module") || method == NAME_OF("insert") ||
                  method == NAME_OF("register_module");
    return first ? call_arg(call, 0, NULL) : second ? call_arg(call, 1, "module") : NULL;
}

static void scan_call(Scan *scan, const Node *call) {
    const Node *func = call->u.call.func;
    if (node_is(func, NODE_NAME) && func->u.name.name == NAME_OF("setattr"))
        scan_setattr(scan, call);
    if (!node_is(func, NODE_ATTRIBUTE))
        return;
    Node *receiver = func->u.attribute.value;
    Name method = func->u.attribute.attr;
    if (is_self(scan, receiver))
        scan_register(scan, call, method);
    else if (node_is(receiver, NODE_ATTRIBUTE) && is_self(scan, receiver->u.attribute.value) &&
             added_value(call, method))
        vec_push(&attr_at(scan->cls, receiver->u.attribute.attr)->added, receiver);
}

// self.x[k] = v
static void scan_item_store(Scan *scan, const Node *subscript) {
    const Node *receiver = subscript->u.subscript.value;
    if (node_is(receiver, NODE_ATTRIBUTE) && is_self(scan, receiver->u.attribute.value) &&
        node_is(subscript->parent, NODE_ASSIGN))
        vec_push(&attr_at(scan->cls, receiver->u.attribute.attr)->added, subscript->u.subscript.value);
}

static void scan_method(ClassInfo *cls, FuncInfo *method) {
    Node *node = method->function->node;
    Name name = node->u.function.name;
    Scan scan = {cls, method, node_first_param(node),
                 name == NAME_OF("__init__") || name == NAME_OF("__post_init__")};
    if (!scan.self || func_flags(method) & FUNC_STATIC)
        return;
    Walk walk = {0};
    walk_body(&walk, node);
    for (Node *at; (at = walk_next(&walk));) {
        if (node_is(at, NODE_CLASS_DEF))
            continue;
        if ((node_is(at, NODE_FUNCTION_DEF) || node_is(at, NODE_LAMBDA)) && node_first_param(at) == scan.self)
            continue;
        bool store = at->flags & (NODE_STORE | NODE_DEL) ||
                     (node_is(at->parent, NODE_AUG_ASSIGN) && at->parent->u.aug.target == at);
        if (node_is(at, NODE_ATTRIBUTE) && store && is_self(&scan, at->u.attribute.value))
            scan_store(&scan, at);
        else if (node_is(at, NODE_SUBSCRIPT) && store)
            scan_item_store(&scan, at);
        else if (node_is(at, NODE_CALL))
            scan_call(&scan, at);
        walk_children(&walk, at);
    }
    walk_free(&walk);
}

static void scan_class_statement(Scan *scan, Node *statement) {
    if (node_is(statement, NODE_ASSIGN)) {
        for (uint32_t i = 0; i < statement->u.assign.targets.len; i++) {
            const Node *target = statement->u.assign.targets.items[i];
            if (node_is(target, NODE_NAME))
                add_value(scan, target->u.name.name, statement->u.assign.value);
        }
    } else if (node_is(statement, NODE_ANN_ASSIGN) && node_is(statement->u.ann.target, NODE_NAME)) {
        Name name = statement->u.ann.target->u.name.name;
        if (statement->u.ann.annotation)
            vec_push(&attr_at(scan->cls, name)->annotations, statement->u.ann.annotation);
        if (statement->u.ann.value)
            add_value(scan, name, statement->u.ann.value);
    }
}

void class_attrs(ClassInfo *cls) {
    if (cls->attrs_done)
        return;
    cls->attrs_done = true;
    Scan scan = {.cls = cls};
    Walk walk = {0};
    walk_list(&walk, cls->node->u.cls.body);
    for (Node *at; (at = walk_next(&walk));) {
        if (node_is(at, NODE_IF) || node_is(at, NODE_TRY))
            walk_children(&walk, at);
        else
            scan_class_statement(&scan, at);
    }
    walk_free(&walk);
    for (uint32_t i = 0; i < cls->functions.len; i++)
        scan_method(cls, cls->functions.items[i]);
}

void attr_values(ClassInfo *cls, AttrInfo *attr, RefSet *set) {
    RefSet own = {0};
    for (uint32_t i = 0; i < attr->values.len; i++) {
        if (i == BINDINGS_MAX || !attr->values.items[i])
            own.unknown = true;
        else
            refs_merge(&own, resolve_values(cls->module, attr->values.items[i]));
        if (i == BINDINGS_MAX)
            break;
    }
    for (uint32_t i = 0; i < attr->added.len && i < BINDINGS_MAX; i++)
        append_values(cls->module, attr->added.items[i], &own);
    bool declared = attr->annotations.len > 0 && (own.unknown || attr->values.len == 0);
    if (declared && own.len == 0) {
        own.unknown = false;
        annotation_values(cls->module, attr->annotations.items[0], &own);
    } else if (attr->values.len == 0) {
        own.unknown = true;
    }
    refs_merge(set, refs_freeze(cls->module->project->arena, &own));
}
