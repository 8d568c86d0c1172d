// From a name to what its bindings give.
//
// Input: a NAME or a Symbol. Output: the union over the bindings that may be seen at the place. A use in the scope that
// binds it does not see bindings further down (unless a loop leads back), and an unconditional binding hides those before
// it; from other scopes a module's last unconditional binding hides the ones before. Arms that only stand in for something
// not installed (except ImportError, the else of `if is_x_available()` or of TYPE_CHECKING) do not count beside the real
// one. A binding by `global` or `nonlocal` in an inner function always counts, so such a name denotes nothing certain.

#include <stdlib.h>

#include "project/internal.h"
#include "rules/rules.h"

typedef struct Visible {
    Node *items[BINDINGS_MAX];
    uint32_t len;
    bool more;
} Visible;

// ---------------------------------------------------------------- where a binding takes effect

// The child of ancestor through which node is reached; NULL if it is not below it.
static const Node *arm_of(const Node *node, const Node *ancestor) {
    while (node && node->parent != ancestor)
        node = node->parent;
    return node;
}

static uint32_t takes_effect(Node *binding) {
    if (node_is(binding, NODE_PARAM))
        return 0;
    if (node_is(binding->parent, NODE_NAMED_EXPR))
        return binding->parent->end;
    const Node *statement = node_statement(binding);
    if (!statement || node_is(statement, NODE_FOR) || node_is(statement, NODE_WITH) ||
        node_is(statement, NODE_TRY) || node_is(statement, NODE_MATCH))
        return binding->end;
    return statement->end;
}

static bool is_unconditional(Node *binding, const Node *owner) {
    if (node_is(binding, NODE_PARAM))
        return true;
    if (node_is(binding->parent, NODE_NAMED_EXPR) || node_is(binding, NODE_EXCEPT_HANDLER) ||
        binding->flags & NODE_DEL)
        return false;
    const Node *statement = node_statement(binding);
    if (!statement || node_is(statement, NODE_FOR) || node_is(statement, NODE_MATCH))
        return false;
    const Node *above = node_is(statement, NODE_WITH) && statement != binding ? statement : statement->parent;
    while (node_is(above, NODE_WITH))
        above = above->parent;
    return above == owner;
}

// Bound by an inner function that declares the name global or nonlocal: it may run at any time.
static bool is_foreign(const Node *binding, const Node *owner) {
    for (const Node *at = binding->parent; at && at != owner; at = at->parent)
        if (node_is_scope(at))
            return true;
    return false;
}

// An unconditional binding hides what came before it in the same code.
static void hide_earlier(Visible *all, const Node *owner) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < all->len; i++)
        if (is_foreign(all->items[i], owner))
            all->items[kept++] = all->items[i];
    all->len = kept;
}

static bool in_loop(const Node *node, const Node *owner) {
    for (const Node *at = node->parent; at && at != owner; at = at->parent)
        if (node_is(at, NODE_FOR) || node_is(at, NODE_WHILE))
            return true;
    return false;
}

static Scope *running_scope(Module *module, const Node *use) {
    Scope *scope = unit_scope_at(module->unit, use);
    while (scope && scope->kind == SCOPE_COMPREHENSION)
        scope = scope->parent;
    return scope;
}

// ---------------------------------------------------------------- arms that stand in for something

static Name last_word(const Node *expr) {
    if (node_is(expr, NODE_CALL))
        expr = expr->u.call.func;
    if (node_is(expr, NODE_NAME))
        return expr->u.name.name;
    return node_is(expr, NODE_ATTRIBUTE) ? expr->u.attribute.attr : NAME_OF("");
}

// 1: true where the real thing is there; -1: true where it is not; 0: something else.
static int availability(const Node *test) {
    if (node_is(test, NODE_UNARY_OP) && test->u.unary.op == OP_NOT)
        return -availability(test->u.unary.operand);
    if (node_is(test, NODE_BOOL_OP) && test->u.binary.op == OP_BOOL_AND)
        return availability(test->u.binary.left) > 0 || availability(test->u.binary.right) > 0;
    Name word = last_word(test);
    return says_available(word) || starts_available(word) || ends_available(word);
}

static bool binds_in(const Visible *all, const Node *ancestor, NodeList arm) {
    for (uint32_t i = 0; i < all->len; i++) {
        const Node *child = arm_of(all->items[i], ancestor);
        if (child && list_spans(arm, child))
            return true;
    }
    return false;
}

static bool is_stand_in(const Visible *all, const Node *binding, const Node *owner) {
    for (const Node *at = binding, *above = at->parent; above && at != owner;
         at = above, above = at->parent) {
        if (node_is(above, NODE_TRY) && list_spans(above->u.try_.handlers, at) &&
            (binds_in(all, above, above->u.try_.body) || binds_in(all, above, above->u.try_.orelse)))
            return true;
        if (!node_is(above, NODE_IF))
            continue;
        int kind = availability(above->u.branch.test);
        if (kind > 0 && list_spans(above->u.branch.orelse, at) && binds_in(all, above, above->u.branch.body))
            return true;
        if (kind < 0 && list_spans(above->u.branch.body, at) && binds_in(all, above, above->u.branch.orelse))
            return true;
    }
    return false;
}

static void drop_stand_ins(Visible *all, const Node *owner) {
    Visible kept = {.more = all->more};
    for (uint32_t i = 0; i < all->len; i++)
        if (!is_stand_in(all, all->items[i], owner))
            kept.items[kept.len++] = all->items[i];
    *all = kept;
}

// ---------------------------------------------------------------- what a use can see

static void visible_bindings(Module *module, Symbol *symbol, Node *use, Visible *out) {
    const Node *owner = symbol->scope->owner;
    if (symbol->bindings.len > BINDINGS_SCAN_MAX) {
        out->more = true;
        return;
    }
    bool same = false, loop = false, alone = symbol->bindings.len == 1;
    if (use && !alone) {
        same = running_scope(module, use) == symbol->scope;
        loop = same && in_loop(use, owner);
    }
    bool hides = same || symbol->scope->kind == SCOPE_MODULE;
    for (uint32_t i = 0; i < symbol->bindings.len; i++) {
        Node *binding = symbol->bindings.items[i];
        if (binding->flags & NODE_DEL)
            continue;
        if (same && !loop && takes_effect(binding) > use->start)
            continue;
        // In a loop a later binding is seen too, but what stands behind the use cannot hide what stands before.
        if (hides && !alone && is_unconditional(binding, owner) &&
            (!same || takes_effect(binding) <= use->start))
            hide_earlier(out, owner);
        if (out->len == BINDINGS_MAX)
            out->more = true;
        else
            out->items[out->len++] = binding;
    }
    if (out->len > 1)
        drop_stand_ins(out, owner);
}

// ---------------------------------------------------------------- what one binding gives

static Ref function_ref(Module *module, const Node *node) {
    FuncInfo *func = module_function_at(module, node);
    return func ? (Ref){.kind = REF_FUNCTION, .func = func} : (Ref){0};
}

static void class_ref(Module *module, const Node *node, RefSet *set) {
    ClassInfo *cls = module_class_at(module, node);
    refs_add(set, cls ? (Ref){.kind = REF_CLASS, .cls = cls} : (Ref){0});
}

static bool is_first_param(const Node *param, const Node *function) {
    const Node *params = node_is(function, NODE_FUNCTION_DEF) ? function->u.function.params : NULL;
    return params && params->u.items.items.len && params->u.items.items.items[0] == param &&
           (param->u.param.kind == PARAM_NORMAL || param->u.param.kind == PARAM_POSITIONAL_ONLY);
}

static void param_values(Module *module, Node *param, RefSet *set) {
    const Node *function = param->parent ? param->parent->parent : NULL;
    FuncInfo *func = function ? module_function_at(module, function) : NULL;
    if (func && func->cls && is_first_param(param, function) && !(func_flags(func) & FUNC_STATIC)) {
        Ref self = ref_instance(func->cls, true);
        if (func_flags(func) & FUNC_CLASS)
            self.kind = REF_CLASS;
        refs_add(set, self);
        return;
    }
    if (param->u.param.kind == PARAM_VARARGS || param->u.param.kind == PARAM_KWARGS) {
        bool positional = param->u.param.kind == PARAM_VARARGS;
        refs_add(set, ref_external_instance(positional ? NAME_OF("tuple") : NAME_OF("dict")));
        return;
    }
    if (!param->u.param.annotation) {
        set->unknown = true;
        return;
    }
    annotation_values(module, param->u.param.annotation, set);
    if (node_const(param->u.param.default_value, CONST_NONE))
        set->none = true;
}

static void handler_values(Module *module, const Node *handler, RefSet *set) {
    Node *type = handler->u.handler.type;
    if (!type || node_is(type, NODE_TUPLE)) {
        set->unknown = true;
        return;
    }
    const RefList *types = resolve_values(module, type);
    set->unknown |= types->unknown;
    for (uint32_t i = 0; i < types->len; i++) {
        const Ref *ref = &types->items[i];
        if (ref->kind == REF_CLASS)
            refs_add(set, ref_instance(ref->cls, true));
        else
            refs_add(set, ref->kind == REF_EXTERNAL || ref->kind == REF_BUILTIN
                              ? ref_external_instance(ref->name)
                              : (Ref){0});
    }
}

// (a, b) = (x, y): the value for `wanted` somewhere in target.
static void destructured(Module *module, Node *value, Node *target, Node *wanted, RefSet *set) {
    for (;;) {
        if (target == wanted) {
            refs_merge(set, resolve_values(module, value));
            return;
        }
        bool shapes = (node_is(value, NODE_TUPLE) || node_is(value, NODE_LIST)) &&
                      value->u.items.items.len == target->u.items.items.len;
        uint32_t at = 0;
        while (shapes && at < target->u.items.items.len &&
               !node_contains(target->u.items.items.items[at], wanted)) {
            shapes = !node_is(value->u.items.items.items[at], NODE_STARRED);
            at++;
        }
        if (!shapes || at == target->u.items.items.len ||
            node_is(target->u.items.items.items[at], NODE_STARRED))
            break;
        value = value->u.items.items.items[at];
        target = target->u.items.items.items[at];
    }
    element_values(module, value, set);
}

static void annotated_values(Module *module, const Node *statement, RefSet *set) {
    const RefList *value =
        statement->u.ann.value ? resolve_values(module, statement->u.ann.value) : &REFS_UNKNOWN;
    if (value->unknown && statement->u.ann.annotation)
        annotation_values(module, statement->u.ann.annotation, set);
    else
        refs_merge(set, value);
}

static void stored_values(Module *module, Node *name, RefSet *set) {
    Node *target = name, *above = name->parent;
    while (node_is(above, NODE_TUPLE) || node_is(above, NODE_LIST) || node_is(above, NODE_STARRED)) {
        target = above;
        above = above->parent;
    }
    switch (above ? (NodeKind)above->kind : NODE_MODULE) {
    case NODE_ASSIGN:
        destructured(module, above->u.assign.value, target, name, set);
        break;
    case NODE_ANN_ASSIGN:
        annotated_values(module, above, set);
        break;
    case NODE_NAMED_EXPR:
        refs_merge(set, resolve_values(module, above->u.named.value));
        break;
    case NODE_FOR:
        target_values(module, above->u.loop.iter, above->u.loop.target, name, set);
        break;
    case NODE_COMPREHENSION:
        target_values(module, above->u.comprehension.iter, above->u.comprehension.target, name, set);
        break;
    default:
        set->unknown = true;
    }
}

static void binding_values(Module *module, Node *binding, RefSet *set) {
    switch (binding->kind) {
    case NODE_FUNCTION_DEF:
        refs_add(set, function_ref(module, binding));
        break;
    case NODE_CLASS_DEF:
        class_ref(module, binding, set);
        break;
    case NODE_ALIAS:
        import_values(module, binding, set);
        break;
    case NODE_PARAM:
        param_values(module, binding, set);
        break;
    case NODE_EXCEPT_HANDLER:
        handler_values(module, binding, set);
        break;
    case NODE_NAME:
        stored_values(module, binding, set);
        break;
    default:
        set->unknown = true;
    }
}

// What `x.append(y)` and `x[k] = y` put into a list or dict that the name holds.
static void added_values(Module *module, const Symbol *symbol, RefSet *set) {
    bool holds_list = false;
    for (uint32_t i = 0; i < set->len; i++)
        holds_list |= set->items[i].kind == REF_LIST;
    for (uint32_t i = 0; holds_list && i < symbol->uses.len && i < BINDINGS_MAX * 4; i++)
        append_values(module, symbol->uses.items[i], set);
}

void symbol_values(Module *module, Symbol *symbol, Node *use, RefSet *set) {
    Visible visible = {0};
    visible_bindings(module, symbol, use, &visible);
    set->unknown |= visible.more || visible.len == 0;
    for (uint32_t i = 0; i < visible.len; i++)
        binding_values(module, visible.items[i], set);
    added_values(module, symbol, set);
}

void name_values(Module *module, Node *name, RefSet *set) {
    Symbol *symbol = name->u.name.symbol;
    if (!symbol || name->flags & NODE_NEW) {
        set->unknown = true;
        return;
    }
    if (symbol->real)
        symbol = symbol->real;
    if (symbol->flags & SYM_IMPLICIT)
        implicit_values(module, symbol->name, set);
    else
        symbol_values(module, symbol, name, set);
}

Node *name_single_value(Module *module, Node *name) {
    Symbol *symbol = node_is(name, NODE_NAME) && !(name->flags & NODE_NEW) ? name->u.name.symbol : NULL;
    if (!symbol || symbol->flags & SYM_IMPLICIT)
        return NULL;
    Visible visible = {0};
    visible_bindings(module, symbol, name, &visible);
    if (visible.len != 1 || visible.more)
        return NULL;
    const Node *binding = visible.items[0], *above = binding->parent;
    return node_is(binding, NODE_NAME) && node_is(above, NODE_ASSIGN) ? above->u.assign.value : NULL;
}
