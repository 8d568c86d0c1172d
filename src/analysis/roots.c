// Which object a value may be, or share storage with.
//
//     y = x.view(-1)          the roots of y: y, x
//     h, cache = self.f(x)    of h: h, and what the first item of the tuple that f returns may be
//     z = x + 1               z alone: an operator makes something new
//
// Input: an expression, and of a tuple the items in question. Output: its roots (see roots.h). Names take all of their
// bindings together, in any order. What a function of the project returns is looked up in its return statements, its
// parameters taken back to the arguments; what its own names stand for stays apart from one call to the other. A call
// that is not known is taken to make its result from its arguments. Recursion, and what goes too deep, shares with everything.
#include "analysis/roots.h"

enum {
    MAX_ROOTS_DEPTH = 100,
    PLAIN_KINDS = KIND_NUMBER | KIND_STR | KIND_NONE | KIND_DTYPE | KIND_DEVICE | KIND_SCALAR_READ,
};
#define KEY_OF_CALL (1ull << 63)
#define KEY_OF_ATTRIBUTE (1ull << 62)

// ---------------------------------------------------------------- sets

static bool is_attribute_key(uint64_t key) {
    return !(key & KEY_OF_CALL) && key & KEY_OF_ATTRIBUTE;
}

static bool roots_put(Roots *roots, uint64_t key, uint32_t items) {
    uintptr_t known = 0;
    map_get(&roots->keys, key, &known);
    if ((known | items) == known)
        return false;
    map_put(&roots->keys, key, known | items);
    return true;
}

// What is the called function's own: another thing at each call.
static uint64_t key_of_call(const Node *call) {
    return map_key_ptr(call) | KEY_OF_CALL;
}

void roots_free(Roots *roots) {
    map_free(&roots->keys);
}

bool roots_meet(const Roots *a, const Roots *b) {
    if (a->anything || b->anything)
        return true;
    if (a->keys.len > b->keys.len)
        return roots_meet(b, a);
    for (uint32_t i = 0; i < a->keys.len; i++) {
        uintptr_t items = 0;
        if (map_get(&b->keys, a->keys.entries[i].key, &items) && items & a->keys.entries[i].value)
            return true;
    }
    return false;
}

bool roots_have_attribute(const Roots *roots, ClassInfo *cls) {
    for (uint32_t i = 0; i < roots->keys.len; i++) {
        uint64_t key = roots->keys.entries[i].key;
        if (is_attribute_key(key) && class_find_attr(cls, (Name)(key & ~KEY_OF_ATTRIBUTE)))
            return true;
    }
    return roots->anything;
}

static const Symbol *symbol_of_key(uint64_t key);

bool roots_have_shared_name(const Roots *roots) {
    for (uint32_t i = 0; i < roots->keys.len; i++) {
        const Symbol *symbol = symbol_of_key(roots->keys.entries[i].key);
        if (symbol && (symbol->flags & SYM_CELL || symbol->scope->kind == SCOPE_MODULE))
            return true;
    }
    return roots->anything;
}

static void add(Module *module, Roots *roots, Node *expr, uint32_t items, int depth);

static void add_all(Module *module, Roots *roots, NodeList list, int depth) {
    for (uint32_t i = 0; i < list.len; i++)
        add(module, roots, list.items[i], ALL_ITEMS, depth);
}

// A rate, a flag, a function that is called back: no part of a result.
static bool is_setting(Module *module, Node *arg) {
    Node *value = node_is(arg, NODE_KEYWORD) ? arg->u.keyword.value : arg;
    Fact fact = fact_value(module, value);
    Ref ref = resolve_expr(module, value);
    return kinds_only(fact.kinds, PLAIN_KINDS | KIND_MODULE | KIND_CALLABLE) || fact.kinds == KIND_STATIC ||
           ref.kind == REF_FUNCTION || ref.kind == REF_METHOD || ref.kind == REF_CLASS ||
           (node_is(value, NODE_ATTRIBUTE) && value->u.attribute.attr == NAME_OF("__call__"));
}

static void add_arguments(Module *module, Roots *roots, Node *call, int depth) {
    for (uint32_t i = 0; i < call->u.call.args.len; i++)
        if (!is_setting(module, call->u.call.args.items[i]))
            add(module, roots, call->u.call.args.items[i], ALL_ITEMS, depth);
}

// ---------------------------------------------------------------- names

static uint32_t place_in_display(const Node *display, const Node *item, bool *after_star) {
    *after_star = false;
    uint32_t i = 0;
    for (; i < display->u.items.items.len && display->u.items.items.items[i] != item; i++)
        *after_star |= node_is(display->u.items.items.items[i], NODE_STARRED);
    return i;
}

// Of the value that is unpacked into the display, the items that `item` gets.
static uint32_t items_unpacked(const Node *display, const Node *item) {
    bool after_star;
    uint32_t place = place_in_display(display, item, &after_star);
    return after_star || node_is(item, NODE_STARRED) ? ~items_below(place) : item_at(place);
}

// The one part of a node that it gives its target, or that it is or holds itself; of it the items. NULL: it has no such part.
static Node *handed_on(const Node *node, uint32_t *items) {
    switch ((NodeKind)node->kind) {
    case NODE_ASSIGN:
        return node->u.assign.value;
    case NODE_ANN_ASSIGN:
        return node->u.ann.value;
    case NODE_NAMED_EXPR:
        return node->u.named.value;
    default:
        break;
    }
    *items = ALL_ITEMS;
    switch ((NodeKind)node->kind) {
    case NODE_FOR:
        return node->u.loop.iter;
    case NODE_COMPREHENSION:
        return node->u.comprehension.iter;
    case NODE_WITH_ITEM:
        return node->u.with_item.context;
    case NODE_LIST_COMP:
    case NODE_SET_COMP:
    case NODE_GENERATOR_EXP:
        return node->u.comp.element;
    case NODE_DICT_COMP:
        return node->u.comp.value;
    case NODE_DICT_ITEM:
        return node->u.dict_item.value;
    case NODE_KEYWORD:
        return node->u.keyword.value;
    case NODE_STARRED:
        return node->u.value.value;
    case NODE_UNARY_OP: // +x is x
        return node->u.unary.op == OP_UPLUS ? node->u.unary.operand : NULL;
    default:
        return NULL;
    }
}

static void add_bound(Module *module, Roots *roots, Node *binding, uint32_t items, int depth) {
    Node *node = binding->parent, *child = binding;
    for (; node_is(node, NODE_TUPLE) || node_is(node, NODE_LIST) || node_is(node, NODE_STARRED);
         child = node, node = node->parent)
        if (node->kind != NODE_STARRED)
            items = items_unpacked(node, child);
    if (!node_is(node, NODE_AUG_ASSIGN))
        add(module, roots, handed_on(node, &items), items, depth);
    else if (kinds_only(fact_value(module, node->u.aug.value).kinds, KIND_SEQUENCE | KIND_DICT))
        add(module, roots, node->u.aug.value, ALL_ITEMS,
            depth); // else the same object as before, or a new one
}

static void add_arguments(Module *module, Roots *roots, Node *call, int depth);

// keep(x, name): what the function is given, and its own, may then be held there.
static void add_kept(Module *module, Roots *roots, Node *use, int depth) {
    FuncInfo *targets[MAX_RESULT_TARGETS];
    Ref callee;
    Node *call = node_is(use->parent, NODE_KEYWORD) ? use->parent->parent : use->parent;
    if (!node_is(call, NODE_CALL) || call->flags & NODE_NEW || call->u.call.func == use)
        return;
    uint32_t count = call_targets(module, call, targets, MAX_RESULT_TARGETS, &callee);
    for (uint32_t i = 0; i < count; i++) {
        Summary summary = summary_of_function(targets[i]);
        for (uint32_t p = 0; p < ORIGIN_PARAMS; p++) {
            if (!((summary.items | summary.attrs) & (1u << p)) ||
                argument_of(module, call, targets[i], p) != use)
                continue;
            if (roots_put(roots, key_of_call(call), ALL_ITEMS))
                add_arguments(module, roots, call, depth);
        }
    }
}

// What is put into the container that a name holds: name.append(x), name[k] = x.
static void add_stored(Module *module, Roots *roots, const Symbol *symbol, int depth) {
    static const char *const growing[] = {"append", "extend", "insert", "add", "update", "setdefault"};
    for (uint32_t i = 0; i < symbol->uses.len; i++) {
        Node *use = symbol->uses.items[i], *parent = use->parent;
        add_kept(module, roots, use, depth);
        if (node_is(parent, NODE_SUBSCRIPT) && parent->u.subscript.value == use &&
            node_is(parent->parent, NODE_ASSIGN) && parent->flags & NODE_STORE)
            add(module, roots, parent->parent->u.assign.value, ALL_ITEMS, depth);
        if (!node_is(parent, NODE_ATTRIBUTE) || !node_is(parent->parent, NODE_CALL) ||
            parent->parent->u.call.func != parent)
            continue;
        for (size_t k = 0; k < sizeof growing / sizeof *growing; k++)
            if (str_eq(name_str(parent->u.attribute.attr), str_of(growing[k])))
                add_all(module, roots, parent->parent->u.call.args, depth);
    }
}

static void add_name(Module *module, Roots *roots, Node *name, uint32_t items, int depth) {
    Symbol *symbol = name->u.name.symbol;
    if (!symbol)
        return;
    roots->anything |= takes_storage(module, name);
    if (items != ALL_ITEMS && !tuple_shape(module, name).is)
        items = ALL_ITEMS;
    if (!roots_put(roots, map_key_ptr(symbol), items))
        return;
    for (uint32_t i = 0; i < symbol->bindings.len; i++)
        if (node_is(symbol->bindings.items[i], NODE_NAME))
            add_bound(module, roots, symbol->bindings.items[i], items, depth);
    add_stored(module, roots, symbol, depth);
}

// ---------------------------------------------------------------- calls of project functions

typedef struct Returned {
    bool anything;
    uint32_t own; // the items that may share a thing of the function's own with those in question, and these
    uint32_t len;
    MapEntry *entries; // parameters, attributes, names of functions around it
} Returned;
static const Returned anything_returned = {.anything = true};

static bool is_known_decorator(FuncInfo *func, Node *decorator) {
    Ref ref = resolve_expr(func->module, node_is(decorator, NODE_CALL) ? decorator->u.call.func : decorator);
    if (ref.kind == REF_BUILTIN)
        return true; // staticmethod, classmethod, property
    return ref.kind == REF_EXTERNAL &&
           (str_starts(name_str(ref.name), STR("torch.")) || str_starts(name_str(ref.name), STR("abc.")));
}

static bool has_known_result(const FuncInfo *func, bool handed_on) {
    const Node *def = func->function->node;
    if (def->flags & (NODE_ASYNC | NODE_OPAQUE) || func->function->scope->has_yield)
        return false;
    for (uint32_t i = 0; def->kind == NODE_FUNCTION_DEF && i < def->u.function.decorators.len; i++) {
        Node *decorator = def->u.function.decorators.items[i];
        if (!is_known_decorator((FuncInfo *)func, decorator) &&
            !(handed_on && decorator_hands_on(func->module, decorator)))
            return false;
    }
    return true;
}

bool result_is_returned(const FuncInfo *func) {
    return has_known_result(func, false);
}

bool result_is_handed_on(const FuncInfo *func) {
    return has_known_result(func, true);
}

static void add_returns(Module *module, Roots *roots, Node *node, uint32_t items) {
    if (node->kind == NODE_FUNCTION_DEF || node->kind == NODE_CLASS_DEF || node_is_expr(node))
        return;
    if (node->kind == NODE_RETURN)
        add(module, roots, node->u.value.value, items, 0);
    for (ChildIter it = ast_children(node); ast_next(&it);)
        add_returns(module, roots, it.child, items);
}

// A symbol that is a root, or NULL.
static const Symbol *symbol_of_key(uint64_t key) {
    return key & (KEY_OF_CALL | KEY_OF_ATTRIBUTE) ? NULL : (const Symbol *)(uintptr_t)key;
}

// The parameter that a root is, or -1.
static int parameter_at(const FuncInfo *func, const Symbol *symbol) {
    const Node *def = func->function->node;
    const Node *params = def->kind == NODE_LAMBDA ? def->u.lambda.params : def->u.function.params;
    for (uint32_t i = 0; params && i < params->u.items.items.len; i++)
        if (scope_own(func->function->scope, params->u.items.items.items[i]->u.param.name) == symbol)
            return (int)i;
    return -1;
}

static bool is_own(const FuncInfo *func, uint64_t key) {
    const Symbol *symbol = symbol_of_key(key);
    const Scope *scope = symbol ? symbol->scope : NULL;
    while (scope && scope != func->function->scope)
        scope = scope->parent;
    return key & KEY_OF_CALL || (scope && parameter_at(func, symbol) < 0);
}

static void add_returned(FuncInfo *func, Roots *roots, uint32_t items) {
    Node *def = func->function->node;
    if (def->kind == NODE_LAMBDA)
        add(func->module, roots, def->u.lambda.body, items, 0);
    for (uint32_t i = 0; def->kind == NODE_FUNCTION_DEF && i < def->u.function.body.len; i++)
        add_returns(func->module, roots, def->u.function.body.items[i], items);
}

static uint32_t items_alike(FuncInfo *func, const Roots *roots, uint32_t items) {
    Roots own = {0};
    for (uint32_t i = 0; i < roots->keys.len; i++)
        if (is_own(func, roots->keys.entries[i].key))
            roots_put(&own, roots->keys.entries[i].key, (uint32_t)roots->keys.entries[i].value);
    uint32_t alike = items;
    for (uint32_t i = 0; own.keys.len && i <= ITEM_REST; i++) {
        Roots one = {0};
        if (!(items & item_at(i)))
            add_returned(func, &one, item_at(i));
        alike |= roots_meet(&one, &own) ? item_at(i) : 0;
        roots_free(&one);
    }
    roots_free(&own);
    return alike;
}

static MemoValue compute_returned(Module *module, void *subject, Path path, void *context) {
    FuncInfo *func = context;
    Returned *returned = ARENA_NEW(module->unit->arena, Returned);
    Roots roots = {0};
    uint32_t items;
    (void)subject;
    memcpy(&items, path.at, sizeof items);
    add_returned(func, &roots, items);
    returned->anything = roots.anything;
    returned->own = items == ALL_ITEMS ? ALL_ITEMS : items_alike(func, &roots, items);
    returned->entries = ARENA_ARRAY(module->unit->arena, MapEntry, roots.keys.len + 1);
    for (uint32_t i = 0; i < roots.keys.len; i++)
        if (!is_own(func, roots.keys.entries[i].key))
            returned->entries[returned->len++] = roots.keys.entries[i];
    roots_free(&roots);
    return (MemoValue){.pointer = returned};
}

static const Returned *returned_by(FuncInfo *func, uint32_t items) {
    Path path = {.len = sizeof items};
    memcpy(path.at, &items, sizeof items);
    const Returned *returned = memo(func->module, func->function->node, ASPECT_ROOTS, path, compute_returned,
                                    func, (MemoValue){.pointer = &anything_returned})
                                   .pointer;
    return returned; // NULL: a recursion
}

static void add_argument(Module *module, Roots *roots, Node *call, FuncInfo *func, uint32_t index,
                         int depth) {
    const Node *def = func->function->node;
    const Node *params = def->kind == NODE_LAMBDA ? def->u.lambda.params : def->u.function.params;
    ParamKind kind = params->u.items.items.items[index]->u.param.kind;
    if (kind == PARAM_VARARGS || kind == PARAM_KWARGS)
        add_arguments(module, roots, call, depth);
    else
        add(module, roots, argument_of(module, call, func, index), ALL_ITEMS, depth);
}

static void add_result(Module *module, Roots *roots, Node *call, FuncInfo *func, uint32_t items, int depth) {
    const Returned *returned = returned_by(func, items);
    if (!returned) { // what else it may return is looked at where the recursion starts
        add_arguments(module, roots, call, depth);
        if (node_is(call->u.call.func, NODE_ATTRIBUTE))
            add(module, roots, call->u.call.func->u.attribute.value, ALL_ITEMS, depth);
        roots_put(roots, key_of_call(call), ALL_ITEMS);
        return;
    }
    roots->anything |= returned->anything;
    roots_put(roots, key_of_call(call), returned->own);
    for (uint32_t i = 0; i < returned->len && !roots->anything; i++) {
        uint64_t key = returned->entries[i].key;
        const Symbol *symbol = symbol_of_key(key);
        int index = symbol ? parameter_at(func, symbol) : -1;
        if (index >= 0)
            add_argument(module, roots, call, func, (uint32_t)index, depth);
        else
            roots_put(roots, key, (uint32_t)returned->entries[i].value);
    }
}

// ---------------------------------------------------------------- other calls

bool makes_new_tensor(Module *module, Node *call, const Ref *callee) {
    uint32_t flags = callee->kind == REF_EXTERNAL_INSTANCE ? torch_module_flags(callee->name) : 0;
    return flags & OP_RETURNS_TENSOR && !(flags & (OP_VIEW | OP_INPLACE | OP_RANDOM)) &&
           module_is_plain(module, call->u.call.func);
}

static void add_from_function(Module *module, Roots *roots, Node *call, Name dotted, int depth) {
    uint32_t flags = flags_as_called(call, dotted);
    if (!flags || flags & (OP_VIEW | OP_INPLACE) || inplace_argument(call, dotted))
        add_arguments(module, roots, call, depth);
    else
        add(module, roots, fact_call_keyword(call, "out"), ALL_ITEMS, depth);
}

// self.act(x), torch.relu(x): called for what it makes of its arguments, and no part of what it is taken from.
static bool is_namespace(Module *module, Node *receiver) {
    Fact fact = fact_value(module, receiver);
    return fact.kinds == KIND_MODULE || (fact.ref.kind == REF_INSTANCE && class_is_nn_module(fact.ref.cls)) ||
           fact.ref.kind == REF_MODULE || fact.ref.kind == REF_CLASS || fact.ref.kind == REF_EXTERNAL;
}

static void add_from_method(Module *module, Roots *roots, Node *call, int depth) {
    Node *func = call->u.call.func;
    uint32_t flags = torch_method_flags(func->u.attribute.attr);
    bool on_receiver =
        flags ? flags & (OP_VIEW | OP_INPLACE) : !is_namespace(module, func->u.attribute.value);
    if (on_receiver)
        add(module, roots, func->u.attribute.value, ALL_ITEMS, depth);
    if (!flags)
        add_arguments(module, roots, call, depth);
}

// getattr(x, "view")(-1), flat = x.view; flat(-1)
static void add_bound_object(Module *module, Roots *roots, Node *call, const Ref *callee, int depth) {
    if (callee->kind != REF_NONE)
        return;
    BoundMethod bound = bound_method(module, call->u.call.func);
    uint32_t flags = bound.method ? torch_method_flags(bound.method) : 0;
    if (bound.object && (flags ? flags & (OP_VIEW | OP_INPLACE) : !is_namespace(module, bound.object)))
        add(module, roots, bound.object, ALL_ITEMS, depth);
}

static void add_unknown_call(Module *module, Roots *roots, Node *call, const Ref *callee, int depth) {
    if (makes_new_tensor(module, call, callee))
        return;
    bool is_module = callee->kind == REF_EXTERNAL_INSTANCE && torch_module_flags(callee->name);
    if (callee->kind == REF_EXTERNAL)
        add_from_function(module, roots, call, callee->name, depth);
    else if (node_is(call->u.call.func, NODE_ATTRIBUTE) && callee->kind != REF_CLASS && !is_module)
        add_from_method(module, roots, call, depth);
    else {
        add_arguments(module, roots, call, depth);
        add_bound_object(module, roots, call, callee, depth);
    }
}

static void add_call(Module *module, Roots *roots, Node *call, uint32_t items, int depth) {
    FuncInfo *targets[MAX_RESULT_TARGETS];
    Ref callee;
    if (call->flags & NODE_NEW) { // select(test, lambda: x, lambda: y)
        for (uint32_t i = 0; i < call->u.call.args.len; i++)
            if (node_is(call->u.call.args.items[i], NODE_LAMBDA))
                add(module, roots, call->u.call.args.items[i]->u.lambda.body, items, depth);
        return;
    }
    uint32_t count = call_targets(module, call, targets, MAX_RESULT_TARGETS, &callee);
    bool known = count != 0;
    if (items != ALL_ITEMS && !tuple_shape(module, call).is)
        items = ALL_ITEMS;
    for (uint32_t i = 0; i < count; i++) {
        add_result(module, roots, call, targets[i], items, depth);
        known &= result_is_returned(targets[i]);
    }
    if (!known)
        add_unknown_call(module, roots, call, &callee, depth);
}

// ---------------------------------------------------------------- other expressions

static void add_display(Module *module, Roots *roots, const Node *display, uint32_t items, int depth) {
    for (uint32_t i = 0; i < display->u.items.items.len; i++) {
        Node *item = display->u.items.items.items[i];
        if (display->kind != NODE_TUPLE || items_unpacked(display, item) & items)
            add(module, roots, item, ALL_ITEMS, depth);
    }
}

// (a,) + rest, [a] * n, {"k": a} | rest; of numbers and tensors an operator makes something new.
static void add_operands(Module *module, Roots *roots, const Node *sum, uint32_t items, int depth) {
    const uint32_t holders = KIND_SEQUENCE | KIND_DICT;
    Node *left = sum->u.binary.left, *right = sum->u.binary.right;
    TupleShape first = tuple_shape(module, left), second = tuple_shape(module, right);
    if (sum->u.binary.op == OP_ADD && first.is && second.is) {
        uint32_t behind = first.exact                         ? items_earlier(items, first.least)
                          : items & ~items_below(first.least) ? ALL_ITEMS
                                                              : 0;
        add(module, roots, left, first.exact ? items & items_below(first.least) : items, depth);
        add(module, roots, right, behind, depth);
    } else if (kinds_only(fact_value(module, left).kinds, holders) ||
               kinds_only(fact_value(module, right).kinds, holders)) {
        add(module, roots, left, ALL_ITEMS, depth);
        add(module, roots, right, ALL_ITEMS, depth);
    }
}

// An attribute of the class, and what is assigned to it.
static void add_attribute(Module *module, Roots *roots, Node *attribute, int depth) {
    Node *value = attribute->u.attribute.value;
    Fact base = fact_value(module, value);
    if (!node_is(value, NODE_NAME) || base.ref.kind != REF_INSTANCE) {
        add(module, roots, value, ALL_ITEMS, depth);
        return;
    }
    if (!roots_put(roots, KEY_OF_ATTRIBUTE | attribute->u.attribute.attr, ALL_ITEMS))
        return;
    AttrInfo *attr = class_find_attr(base.ref.cls, attribute->u.attribute.attr);
    for (uint32_t i = 0; attr && i < attr->values.len; i++)
        if (attr->values.items[i] && i < attr->writers.len && attr->writers.items[i] &&
            attr->writers.items[i] == function_info(module, attribute))
            add(module, roots, attr->values.items[i], ALL_ITEMS, depth);
}

static void add(Module *module, Roots *roots, Node *expr, uint32_t items, int depth) {
    if (!expr || !items || roots->anything)
        return;
    if (depth++ > MAX_ROOTS_DEPTH) {
        roots->anything = true;
        return;
    }
    switch ((NodeKind)expr->kind) {
    case NODE_NAME:
        add_name(module, roots, expr, items, depth);
        return;
    case NODE_ATTRIBUTE: // x.dtype is no part of x
        if (!kinds_only(fact_value(module, expr).kinds, PLAIN_KINDS))
            add_attribute(module, roots, expr, depth);
        return;
    case NODE_SUBSCRIPT: {
        Node *value = expr->u.subscript.value;
        bool tuple = tuple_shape(module, value).is;
        add(module, roots, value, tuple ? items_of_index(module, expr->u.subscript.index, items) : ALL_ITEMS,
            depth);
        return;
    }
    case NODE_IF_EXP:
        add(module, roots, expr->u.if_exp.body, items, depth);
        add(module, roots, expr->u.if_exp.orelse, items, depth);
        return;
    case NODE_BOOL_OP:
        add(module, roots, expr->u.binary.left, items, depth);
        add(module, roots, expr->u.binary.right, items, depth);
        return;
    case NODE_BIN_OP:
        add_operands(module, roots, expr, items, depth);
        return;
    case NODE_TUPLE:
    case NODE_LIST:
    case NODE_SET:
    case NODE_DICT:
        add_display(module, roots, expr, items, depth);
        return;
    case NODE_CALL:
        if (!kinds_only(fact_value(module, expr).kinds, PLAIN_KINDS))
            add_call(module, roots, expr, items, depth);
        return;
    default:
        add(module, roots, handed_on(expr, &items), items, depth);
    }
}

// Of a name all of its bindings count, so they are gone through once.
static const Roots *roots_of_name(Module *module, Node *name) {
    MemoValue value;
    if (memo_get(module, name->u.name.symbol, ASPECT_ROOTS, &value))
        return value.pointer;
    Roots *roots = ARENA_NEW(module->unit->arena, Roots);
    add(module, roots, name, ALL_ITEMS, 0);
    memo_keep(module, &roots->keys);
    memo_put(module, name->u.name.symbol, ASPECT_ROOTS, (MemoValue){.pointer = roots});
    return roots;
}

const Roots *roots_of(Module *module, Node *expr, uint32_t items, Roots *own) {
    if (node_is(expr, NODE_NAME) && expr->u.name.symbol && items == ALL_ITEMS)
        return roots_of_name(module, expr);
    add(module, own, expr, items, 0);
    return own;
}

void roots_add(Module *module, Roots *roots, Node *expr) {
    add(module, roots, expr, ALL_ITEMS, 0);
}
