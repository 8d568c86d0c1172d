// One module as UniiR: its scopes, its functions with their qualified names, and where in them a node stands.
//
// Input: a SyntaxTree. Output: a Unit whose parts lie in the tree's arena, but for the arrays and maps that
// unit_free releases. The whole is built in two passes: scope_resolve over the tree, then one over the
// scopes.
#include "ir/ir.h"

// ---------------------------------------------------------------- functions

static Name own_name(const Scope *scope) {
    switch (scope->owner->kind) {
    case NODE_FUNCTION_DEF:
        return scope->owner->u.function.name;
    case NODE_CLASS_DEF:
        return scope->owner->u.cls.name;
    default:
        return NAME_OF("<lambda>");
    }
}

// As Python's __qualname__. The prefix is taken from the scope around, which has been named before.
static Name qualified_name(const Map *names, const Scope *scope) {
    const Scope *outer = scope->parent;
    while (outer->kind == SCOPE_COMPREHENSION || outer->kind == SCOPE_TYPE_PARAMS)
        outer = outer->parent;
    uintptr_t prefix = 0;
    if (!map_get(names, map_key_ptr(outer), &prefix))
        return own_name(scope);
    Buf text = {0};
    buf_str(&text, name_str((Name)prefix));
    buf_cstr(&text, outer->kind == SCOPE_CLASS ? "." : ".<locals>.");
    buf_str(&text, name_str(own_name(scope)));
    Name name = intern(buf_view(&text));
    buf_free(&text);
    return name;
}

static Function *function_around(const Scope *scope) {
    while (scope && !scope_is_function(scope))
        scope = scope->parent;
    return scope ? scope->function : NULL;
}

static Node *class_around(const Scope *scope) {
    const Scope *outer = scope->parent;
    while (outer->kind == SCOPE_TYPE_PARAMS)
        outer = outer->parent;
    return outer->kind == SCOPE_CLASS && scope->kind == SCOPE_FUNCTION ? outer->owner : NULL;
}

static void add_function(Unit *unit, Scope *scope, Name qualname) {
    Function *function = ARENA_NEW(unit->arena, Function);
    function->unit = unit;
    function->node = scope->owner;
    function->scope = scope;
    function->outer = function_around(scope->parent);
    function->cls = class_around(scope);
    function->qualname = qualname;
    scope->function = function;
    vec_push(&unit->functions, function);
    map_put(&unit->function_of, map_key_ptr(scope->owner), (uintptr_t)function);
}

static void collect_functions(Unit *unit) {
    Map names = {0};
    for (uint32_t i = 0; i < unit->scopes.len; i++) {
        Scope *scope = unit->scopes.items[i];
        if (!scope_is_function(scope) && scope->kind != SCOPE_CLASS)
            continue;
        Name name = qualified_name(&names, scope);
        map_put(&names, map_key_ptr(scope), name);
        if (scope_is_function(scope))
            add_function(unit, scope, name);
    }
    map_free(&names);
}

Unit *unit_new(SyntaxTree *tree) {
    Unit *unit = ARENA_NEW(tree->arena, Unit);
    unit->tree = tree;
    unit->arena = tree->arena;
    scope_resolve(unit);
    collect_functions(unit);
    return unit;
}

void unit_free(Unit *unit) {
    if (!unit)
        return;
    for (uint32_t i = 0; i < unit->functions.len; i++)
        function_changed(unit->functions.items[i]);
    for (uint32_t i = 0; i < unit->scopes.len; i++) {
        vec_free(&unit->scopes.items[i]->children);
        map_free(&unit->scopes.items[i]->symbols);
    }
    vec_free(&unit->scopes);
    vec_free(&unit->functions);
    map_free(&unit->scope_of);
    map_free(&unit->function_of);
    map_free(&unit->taken);
}

// ---------------------------------------------------------------- where a node stands

static bool list_has(NodeList list, const Node *node) {
    for (uint32_t i = 0; i < list.len; i++)
        if (list.items[i] == node)
            return true;
    return false;
}

// Whether `child`, a child of the scope's owner, lies in the scope itself. `below` is the child's child that
// we come from.
static bool is_inside(const Node *owner, const Node *child, const Node *below) {
    switch (owner->kind) {
    case NODE_FUNCTION_DEF:
        // The parameters themselves are inside, their annotations and defaults are not.
        if (child == owner->u.function.params)
            return true;
        return child != owner->u.function.returns && !list_has(owner->u.function.decorators, child) &&
               !list_has(owner->u.function.type_params, child);
    case NODE_CLASS_DEF:
        return !list_has(owner->u.cls.decorators, child) && !list_has(owner->u.cls.args, child) &&
               !list_has(owner->u.cls.type_params, child);
    case NODE_TYPE_ALIAS:
        return child != owner->u.ann.target;
    case NODE_LIST_COMP:
    case NODE_SET_COMP:
    case NODE_DICT_COMP:
    case NODE_GENERATOR_EXP:
        return owner->u.comp.clauses.len == 0 || child != owner->u.comp.clauses.items[0] || !below ||
               below != child->u.comprehension.iter;
    default:
        return true;
    }
}

// The scope of type parameters, when the child of a def or class belongs to it.
static Scope *type_params_at(Scope *own, const Node *owner, const Node *child) {
    if (!own->parent || own->parent->kind != SCOPE_TYPE_PARAMS || own->parent->owner != owner)
        return NULL;
    bool decorator = owner->kind == NODE_CLASS_DEF ? list_has(owner->u.cls.decorators, child)
                                                   : list_has(owner->u.function.decorators, child);
    return decorator ? NULL : own->parent;
}

static Node *owner_of_params(Node *param) {
    bool inside = node_is(param, NODE_PARAM) && node_is(param->parent, NODE_PARAMS);
    Node *owner = inside ? param->parent->parent : NULL;
    return node_is(owner, NODE_FUNCTION_DEF) || node_is(owner, NODE_LAMBDA) ? owner : NULL;
}

Scope *unit_scope_at(Unit *unit, const Node *node) {
    const Node *below = NULL, *child = node;
    while (child->parent) {
        Node *parent = child->parent, *owner = owner_of_params(parent);
        if (owner) { // an annotation or default: evaluated around the function
            Scope *own = map_ptr(&unit->scope_of, map_key_ptr(owner));
            if (own && own->parent->kind == SCOPE_TYPE_PARAMS && child == parent->u.param.annotation)
                return own->parent;
            below = parent;
            child = owner;
            continue;
        }
        Scope *own = map_ptr(&unit->scope_of, map_key_ptr(parent));
        if (own && is_inside(parent, child, below))
            return own;
        Scope *type_params = own ? type_params_at(own, parent, child) : NULL;
        if (type_params)
            return type_params;
        below = child;
        child = parent;
    }
    return unit->scope;
}

Function *unit_function_at(Unit *unit, const Node *node) {
    return function_around(unit_scope_at(unit, node));
}

// ---------------------------------------------------------------- fresh names

static void collect_taken(Unit *unit) {
    for (uint32_t i = 0; i < unit->scopes.len; i++) {
        const Map *symbols = &unit->scopes.items[i]->symbols;
        for (uint32_t k = 0; k < symbols->len; k++)
            map_put(&unit->taken, symbols->entries[k].key, 1);
    }
}

Name unit_fresh_name(Unit *unit, Str stem) {
    if (unit->taken.len == 0)
        collect_taken(unit);
    Name name = intern(stem);
    for (uint32_t n = 2; map_get(&unit->taken, name, NULL); n++)
        name = intern(str_format(unit->arena, "%.*s_%u", STR_ARG(stem), n));
    map_put(&unit->taken, name, 1);
    return name;
}
