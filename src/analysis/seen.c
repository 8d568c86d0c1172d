// May code outside of the compiled region hold the object that a value is, and tell whether it is still that one?
//
//     y = self.state               whoever changes self.state later changes self.last: a selection would give a copy
//     if x.sum() > 3:
//         y = x * 2
//     self.last = y
//
// Input: a name or an expression that a selection would give. Output: yes, where what it may be surely outlives the region (a
// parameter of an entry point, an attribute, a view of one; not what a call may hand back), and it is used as the object
// that it is: stored, compared by `is`, given to a function that is not torch's. What operators and torch's functions make
// of it is new. Of what is returned only attributes count: an argument, as above, is left to the README's limits, since
// nearly no caller looks, and it is the commonest selection of all.
#include "analysis/roots.h"

enum { MAX_CALLERS_UP = 12, MAX_NAMES = 4 };

typedef enum Use {
    USE_OF_VALUE,
    USE_RETURNED,
    USE_OF_OBJECT,
    USE_OF_IDENTITY, // shows which object it is, or where its elements are, whoever else holds it
} Use;

static bool is_outside(const FuncInfo *func, uint32_t origin, int depth);

static bool argument_is_outside(const FuncInfo *caller, const FuncInfo *func, uint32_t index, int depth) {
    for (uint32_t i = 0; i < caller->calls.len; i++) {
        const CallEdge *edge = &caller->calls.items[i];
        Node *arg =
            edge->callee == func ? argument_of(caller->module, edge->call, edge->callee, index) : NULL;
        if (arg && is_outside(caller, origin_of(caller->module, arg, LEVEL_SELF), depth + 1))
            return true;
    }
    return false;
}

// The receiver of a method, and what it holds, outlives the region.
static bool is_receiver(const FuncInfo *func, uint32_t index) {
    return index == 0 && func->cls;
}

static bool parameter_is_outside(const FuncInfo *func, uint32_t index, int depth) {
    if (func->is_entry || is_receiver(func, index) || depth > MAX_CALLERS_UP)
        return true;
    for (uint32_t i = 0; i < func->callers.len; i++)
        if (func->callers.items[i]->reachable &&
            argument_is_outside(func->callers.items[i], func, index, depth))
            return true;
    return false;
}

static bool is_outside(const FuncInfo *func, uint32_t origin, int depth) {
    if (origin & ORIGIN_HANDED)
        return false;
    if (origin & ORIGIN_OTHER)
        return true;
    for (uint32_t i = 0; func && i < ORIGIN_PARAMS; i++)
        if (origin & (1u << i) && parameter_is_outside(func, i, depth))
            return true;
    return false;
}

static bool is_seen_by(Use use, const FuncInfo *func, uint32_t origin) {
    if (use == USE_RETURNED) // not of an argument
        return !(origin & ORIGIN_HANDED) &&
               (origin & ORIGIN_OTHER || (func && is_receiver(func, 0) && origin & 1));
    return use == USE_OF_IDENTITY || (use == USE_OF_OBJECT && is_outside(func, origin, 0));
}

static bool may_be_object(Fact fact) {
    const uint32_t plain = KIND_NUMBER | KIND_STR | KIND_NONE | KIND_DTYPE | KIND_DEVICE | KIND_SCALAR_READ;
    return !kinds_only(fact.kinds, plain);
}

// ---------------------------------------------------------------- how it is used

// What torch's operators are known to do; 0: nothing is known.
static uint32_t flags_of_call(Module *module, const Node *call) {
    Node *func = call->u.call.func;
    Ref ref = resolve_expr(module, func);
    if (ref.kind == REF_BUILTIN)
        return builtin_hands_on(ref.name) ? OP_VIEW : ref.name == NAME_OF("setattr") ? 0 : OP_RETURNS_STATIC;
    if (ref.inplace || inplace_argument((Node *)call, ref.kind == REF_EXTERNAL ? ref.name : 0))
        return 0;
    if (ref.kind == REF_EXTERNAL)
        return flags_as_called(call, ref.name);
    if (ref.kind == REF_EXTERNAL_INSTANCE)
        return torch_module_flags(ref.name);
    return node_is(func, NODE_ATTRIBUTE) ? torch_method_flags(func->u.attribute.attr) : 0;
}

static bool shows_identity(Name attribute) {
    static const char *const names[] = {"data_ptr",
                                        "storage",
                                        "untyped_storage",
                                        "typed_storage",
                                        "is_set_to",
                                        "storage_offset",
                                        "is_shared",
                                        "_base",
                                        "_version",
                                        "_cdata",
                                        "_is_view",
                                        "is_leaf",
                                        "grad",
                                        "grad_fn",
                                        "retains_grad",
                                        "__dict__",
                                        "__array_interface__",
                                        "__cuda_array_interface__"};
    return AMONG(name_str(attribute), names);
}

// id(y), hash(y), operator.is_(x, y), getattr(y, "_base"), torch.Tensor.data_ptr(y)
static bool call_shows_identity(Module *module, const Node *call) {
    Ref ref = resolve_expr(module, call->u.call.func);
    Node *name = fact_call_arg((Node *)call, 1, NULL);
    Str text;
    if (is_named(ref, REF_BUILTIN, "getattr"))
        return !node_is(name, NODE_CONSTANT) ||
               !node_string_value(module->unit->tree, name, module->unit->arena, &text) ||
               shows_identity(intern(text));
    if (ref.kind == REF_EXTERNAL)
        return str_eq(operator_name(ref.name), STR("is")) || str_eq(operator_name(ref.name), STR("is_not")) ||
               (str_starts(name_str(ref.name), STR("torch.Tensor.")) && shows_identity(last_part(ref.name)));
    if (node_is(call->u.call.func, NODE_ATTRIBUTE) && shows_identity(call->u.call.func->u.attribute.attr))
        return true;
    return is_named(ref, REF_BUILTIN, "id") || is_named(ref, REF_BUILTIN, "hash") ||
           is_named(ref, REF_BUILTIN, "vars");
}

// x.shape, x.T
static Use use_of_attribute(Module *module, Node *attribute) {
    if (shows_identity(attribute->u.attribute.attr))
        return USE_OF_IDENTITY;
    const uint32_t known = KIND_SEQUENCE | KIND_NUMBER | KIND_DTYPE | KIND_DEVICE;
    return kinds_only(fact_value(module, attribute).kinds, known) ? USE_OF_VALUE : USE_OF_OBJECT;
}

static Use use_in_compare(const Node *compare) {
    bool identity = compare->u.compare.ops[0] == OP_IS || compare->u.compare.ops[0] == OP_IS_NOT;
    return identity && !node_is(compare->u.compare.comparators.items[0], NODE_CONSTANT) &&
                   !node_is(compare->u.compare.left, NODE_CONSTANT)
               ? USE_OF_IDENTITY
               : USE_OF_VALUE;
}

// The names through which a value was followed, the last one first.
typedef struct Names {
    const struct Names *before;
    const Symbol *symbol;
    int count;
} Names;

static bool is_followed(const Names *names, const Symbol *symbol) {
    for (; names; names = names->before)
        if (names->symbol == symbol)
            return true;
    return false;
}

static Use use_of(Module *module, const Node *expr, const Names *names);

// Names in code that an earlier rewrite wrote carry no symbol; they are those of the function around.
static const Symbol *symbol_of_target(Module *module, const Node *target) {
    if (!node_is(target, NODE_NAME) || target->u.name.symbol)
        return node_is(target, NODE_NAME) ? target->u.name.symbol : NULL;
    for (const Node *up = target; up; up = up->parent)
        if (node_is(up, NODE_FUNCTION_DEF) && !(up->flags & NODE_NEW))
            return scope_own(module_function_at(module, up)->function->scope, target->u.name.name);
    return NULL;
}

static Use use_of_symbol(Module *module, const Symbol *symbol, const Names *names) {
    Names with = {names, symbol, names ? names->count + 1 : 1};
    Use use = USE_OF_VALUE;
    for (uint32_t i = 0; i < symbol->uses.len; i++) {
        Use next = use_of(module, symbol->uses.items[i], &with);
        use = next > use ? next : use;
    }
    return use;
}

// y = ...: as y is used. What is asked first of all is kept: the passes leave the uses what they are.
static Use use_through_name(Module *module, const Node *target, const Names *names) {
    const Symbol *symbol = symbol_of_target(module, target);
    MemoValue value = {0};
    if (!symbol || symbol->scope->kind != SCOPE_FUNCTION || (names && names->count == MAX_NAMES))
        return USE_OF_OBJECT;
    if (names)
        return is_followed(names, symbol) ? USE_OF_VALUE : use_of_symbol(module, symbol, names);
    if (!memo_get(module, symbol, ASPECT_USED, &value)) {
        value.bits = use_of_symbol(module, symbol, NULL);
        memo_put(module, symbol, ASPECT_USED, value);
    }
    return (Use)value.bits;
}

static Use use_through_names(Module *module, NodeList targets, const Names *names) {
    Use use = USE_OF_VALUE;
    for (uint32_t i = 0; i < targets.len; i++) {
        Use next = use_through_name(module, targets.items[i], names);
        use = next > use ? next : use;
    }
    return use;
}

static Use use_of(Module *module, const Node *expr, const Names *names) {
    for (Node *up = expr->parent; up; expr = up, up = up->parent) {
        switch ((NodeKind)up->kind) {
        case NODE_UNARY_OP:
            if (up->u.unary.op == OP_UPLUS)
                break; // +x is x
            return USE_OF_VALUE;
        case NODE_BIN_OP:
        case NODE_FORMATTED_VALUE:
        case NODE_EXPR_STMT:
        case NODE_IF:
        case NODE_WHILE:
        case NODE_ASSERT:
            return USE_OF_VALUE;
        case NODE_COMPARE:
            return use_in_compare(up);
        case NODE_ATTRIBUTE:
            if (node_is(up->parent, NODE_CALL) && up->parent->u.call.func == up)
                break; // below
            return use_of_attribute(module, up);
        case NODE_CALL: {
            if (!(up->flags & NODE_NEW) && call_shows_identity(module, up))
                return USE_OF_IDENTITY;
            uint32_t flags = up->flags & NODE_NEW ? OP_VIEW : flags_of_call(module, up);
            if (!flags || flags & OP_INPLACE ||
                (node_is(expr, NODE_KEYWORD) && expr->u.keyword.name == NAME_OF("out")))
                return USE_OF_OBJECT;
            if (!(flags & OP_VIEW))
                return USE_OF_VALUE;
            break; // a view, or the arm of a selection: as that is used
        }
        case NODE_SUBSCRIPT:
            if (expr != up->u.subscript.value || up->flags & (NODE_STORE | NODE_DEL))
                return USE_OF_VALUE;
            break;
        case NODE_IF_EXP:
            if (expr == up->u.if_exp.test)
                return USE_OF_VALUE;
            break;
        case NODE_AUG_ASSIGN:
            return expr == up->u.aug.target ? USE_OF_VALUE
                                            : use_through_name(module, up->u.aug.target, names);
        case NODE_NAMED_EXPR:
            return USE_OF_OBJECT;
        case NODE_ASSIGN:
            return use_through_names(module, up->u.assign.targets, names);
        case NODE_RETURN:
            return USE_RETURNED;
        default:
            if (node_is_stmt(up))
                return USE_OF_OBJECT;
        }
    }
    return USE_OF_OBJECT;
}

bool is_read_for_value(Module *module, Node *use) {
    const Names none = {.count = MAX_NAMES}; // a name that gets a view of it could show it later
    return use_of(module, use, &none) == USE_OF_VALUE;
}

// As the passes go on a use stays what it is, so it is looked at once.
NodeList uses_beside_value(Module *module, const Symbol *symbol) {
    MemoValue value;
    if (memo_get(module, symbol, ASPECT_SHOWN, &value))
        return *(const NodeList *)value.pointer;
    NodeList *shown = ARENA_NEW(module->unit->arena, NodeList);
    shown->items = ARENA_ARRAY(module->unit->arena, Node *, symbol->uses.len + 1);
    for (uint32_t i = 0; i < symbol->uses.len; i++)
        if (!is_read_for_value(module, symbol->uses.items[i]))
            shown->items[shown->len++] = symbol->uses.items[i];
    memo_put(module, symbol, ASPECT_SHOWN, (MemoValue){.pointer = shown});
    return *shown;
}

// ---------------------------------------------------------------- the public face

static bool is_seen_as(Module *module, Node *value, Use use) {
    return !(value->flags & NODE_NEW) && // a selection, which was looked at itself
           may_be_object(fact_value(module, value)) &&
           is_seen_by(use, function_info(module, value), origin_of(module, value, LEVEL_SELF));
}

bool value_is_seen(Module *module, Node *expr) {
    memo_begin(module);
    return is_seen_as(module, expr, use_of(module, expr, NULL));
}

bool choice_is_seen(Module *module, Node *choice) {
    memo_begin(module);
    Use use = use_of(module, choice, NULL);
    return is_seen_as(module, choice->u.if_exp.body, use) || is_seen_as(module, choice->u.if_exp.orelse, use);
}

// By their places in the source: both are original.
static bool lies_in(const Node *branch, const Node *node) {
    return node->start >= branch->start && node->end <= branch->end;
}

// Uses of a symbol at which an object from outside would be seen, each with the bindings that reach it.
typedef struct Telling {
    uint32_t len;
    Node **uses, ***reaching;
} Telling;

static bool tells(Module *module, Node *name, Node *const *reaching) {
    Use use = use_of(module, name, NULL);
    bool outside = false;
    if (use == USE_OF_VALUE || !may_be_object(fact_value(module, name)))
        return false;
    for (; *reaching && !outside; reaching++)
        outside = is_seen_by(use, function_info(module, name), origin_of_binding(module, *reaching));
    return outside;
}

static const Telling *telling_uses(Module *module, const Symbol *symbol) {
    MemoValue value;
    if (memo_get(module, symbol, ASPECT_TELLING, &value))
        return value.pointer;
    Arena *arena = module->unit->arena;
    NodeList shown = uses_beside_value(module, symbol);
    Telling *telling = ARENA_NEW(arena, Telling);
    telling->uses = ARENA_ARRAY(arena, Node *, shown.len + 1);
    telling->reaching = ARENA_ARRAY(arena, Node **, shown.len + 1);
    for (uint32_t i = 0; i < shown.len; i++) {
        Node **reaching = defuse_reaching(module->unit, shown.items[i]);
        if (!tells(module, shown.items[i], reaching))
            continue;
        telling->uses[telling->len] = shown.items[i];
        telling->reaching[telling->len++] = reaching;
    }
    memo_put(module, symbol, ASPECT_TELLING, (MemoValue){.pointer = telling});
    return telling;
}

static bool reaches_from(Node *const *reaching, const Node *branch) {
    uint32_t len = 0;
    while (reaching[len])
        len++;
    uint32_t at = nodes_from(reaching, len, branch->start);
    return at < len && lies_in(branch, reaching[at]);
}

Node *name_is_seen(Module *module, const Symbol *symbol, const Node *branch) {
    memo_begin(module);
    const Telling *telling = telling_uses(module, symbol);
    for (uint32_t i = 0; i < telling->len; i++)
        if (!lies_in(branch, telling->uses[i]) && reaches_from(telling->reaching[i], branch))
            return telling->uses[i];
    return NULL;
}
