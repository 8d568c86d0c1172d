// Which values a value was computed from, and which operand makes an operation raise.
//
//     index = ids[:, 0].long(); n = ids.shape[1]      index depends on ids; n does not: a shape needs no values
//
// Keys are symbols and the names of attributes of self (which stay the same from method to method). Local assignments are
// followed transitively, one after the other, and without regard to order.
#include "analysis/effects_internal.h"

enum { SELF_ATTRIBUTE = 1u << 30 };

static void add_node(Module *module, Deps *deps, Node *node);

static Str called_name(Ref callee, const Node *func, bool *is_method) {
    bool named = callee.kind == REF_EXTERNAL || callee.kind == REF_EXTERNAL_INSTANCE;
    Str text = named                           ? name_str(callee.name)
               : node_is(func, NODE_ATTRIBUTE) ? name_str(func->u.attribute.attr)
                                               : STR("");
    size_t at = text.len;
    while (at && text.ptr[at - 1] != '.')
        at--;
    *is_method = !named;
    return str_slice(text, at, text.len);
}

static bool is_shape_method(Name method) {
    uint32_t flags = torch_method_flags(method);
    static const char *const others[] = {"new_zeros", "new_ones", "new_empty", "new_full"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (method == intern(str_of(others[i])))
            return true;
    return flags & OP_RETURNS_STATIC && !(flags & OP_DATA_DEPENDENT);
}

static bool is_shape_function(Ref callee) {
    if (is_named(callee, REF_BUILTIN, "len") || is_named(callee, REF_BUILTIN, "isinstance") ||
        is_named(callee, REF_BUILTIN, "hasattr"))
        return true;
    if (callee.kind != REF_EXTERNAL)
        return false;
    Str name = name_str(callee.name);
    return str_ends(name, STR("_like")) || torch_function_flags(callee.name) & OP_RETURNS_STATIC;
}

static bool is_raise(NodeList suite) {
    return suite.len && node_is(suite.items[0], NODE_RAISE);
}

// Which arm of a branch binds the name follows from the test; of a guard it is always the arm that does not raise.
static void add_tests_around(Module *module, Deps *deps, const Node *binding) {
    for (const Node *up = binding->parent; up; up = up->parent) {
        if (node_is(up, NODE_FUNCTION_DEF) || node_is(up, NODE_LAMBDA))
            return;
        if (node_is(up, NODE_IF) && !is_raise(up->u.branch.body) && !is_raise(up->u.branch.orelse) &&
            predicate_value(module, up->u.branch.test) == PRED_DATA)
            add_node(module, deps, up->u.branch.test);
    }
}

static void add_binding(Module *module, Deps *deps, Node *binding) {
    Node *node = binding->parent;
    if (!node_is(binding, NODE_PARAM))
        add_tests_around(module, deps, binding);
    for (; node_is(node, NODE_TUPLE) || node_is(node, NODE_LIST) || node_is(node, NODE_STARRED);
         node = node->parent) {}
    if (!node_is(binding, NODE_NAME) || !node)
        return;
    switch ((NodeKind)node->kind) {
    case NODE_ASSIGN:
        add_node(module, deps, node->u.assign.value);
        break;
    case NODE_AUG_ASSIGN:
        add_node(module, deps, node->u.aug.value);
        break;
    case NODE_ANN_ASSIGN:
        add_node(module, deps, node->u.ann.value);
        break;
    case NODE_NAMED_EXPR:
        add_node(module, deps, node->u.named.value);
        break;
    case NODE_FOR:
        add_node(module, deps, node->u.loop.iter);
        break;
    case NODE_COMPREHENSION:
        add_node(module, deps, node->u.comprehension.iter);
        break;
    case NODE_WITH_ITEM:
        add_node(module, deps, node->u.with_item.context);
        break;
    default:
        break;
    }
}

// Its bindings are for deps_add to follow.
static void add_symbol(Deps *deps, Symbol *symbol) {
    if (!map_get(&deps->keys, map_key_ptr(symbol), NULL) && !(symbol->flags & SYM_IMPORT))
        map_put(&deps->keys, map_key_ptr(symbol), (uintptr_t)symbol);
}

static void add_call(Module *module, Deps *deps, Node *call) {
    Node *func = call->u.call.func;
    if (node_is(func, NODE_ATTRIBUTE)) {
        if (is_shape_method(func->u.attribute.attr))
            return;
        Fact base = fact_value(module, func->u.attribute.value);
        if (!(base.kinds & (KIND_MODULE | KIND_CALLABLE)) || base.kinds == KIND_ANY)
            add_node(module, deps, func->u.attribute.value);
    }
    if (is_shape_function(resolve_expr(module, func)))
        return;
    for (uint32_t i = 0; i < call->u.call.args.len; i++)
        add_node(module, deps, call->u.call.args.items[i]);
}

static void add_attribute(Module *module, Deps *deps, Node *attribute) {
    Name attr = attribute->u.attribute.attr;
    Node *value = attribute->u.attribute.value;
    Fact base = fact_value(module, value);
    if (base.ref.kind == REF_INSTANCE && node_is(value, NODE_NAME)) {
        // Numbers, flags and modules that self holds carry no data of a tensor.
        if (fact_value(module, attribute).kinds & KIND_TENSOR &&
            fact_value(module, attribute).kinds != KIND_ANY)
            map_put(&deps->keys, SELF_ATTRIBUTE | attr, 0);
        return;
    }
    uint32_t kinds = kinds_of_tensor_attribute(attr);
    if (kinds && !(kinds & KIND_TENSOR))
        return;
    add_node(module, deps, value);
}

static void add_node(Module *module, Deps *deps, Node *node) {
    if (!node)
        return;
    switch ((NodeKind)node->kind) {
    case NODE_NAME:
        // A number that is known while tracing carries no data of a tensor.
        if (node->u.name.symbol && node->u.name.symbol->scope->kind != SCOPE_MODULE &&
            !kinds_only(fact_value(module, node).kinds, KIND_NUMBER | KIND_NONE | KIND_STR))
            add_symbol(deps, node->u.name.symbol);
        return;
    case NODE_CALL:
        add_call(module, deps, node);
        return;
    case NODE_ATTRIBUTE:
        add_attribute(module, deps, node);
        return;
    case NODE_LAMBDA:
    case NODE_CONSTANT:
        return;
    case NODE_COMPARE:
        if (node->u.compare.comparators.len == 1 &&
            (node->u.compare.ops[0] == OP_IS || node->u.compare.ops[0] == OP_IS_NOT))
            return;
        break;
    default:
        break;
    }
    for (ChildIter it = ast_children(node); ast_next(&it);)
        add_node(module, deps, it.child);
}

void deps_add(Module *module, Deps *deps, Node *expr) {
    uint32_t next = deps->keys.len;
    add_node(module, deps, expr);
    for (; next < deps->keys.len; next++) {
        const Symbol *symbol = (const Symbol *)deps->keys.entries[next].value;
        for (uint32_t i = 0; symbol && i < symbol->bindings.len; i++)
            add_binding(module, deps, symbol->bindings.items[i]);
    }
}

bool deps_meet(const Deps *a, const Deps *b) {
    if (a->keys.len > b->keys.len)
        return deps_meet(b, a);
    for (uint32_t i = 0; i < a->keys.len; i++)
        if (map_get(&b->keys, a->keys.entries[i].key, NULL))
            return true;
    return false;
}

void deps_free(Deps *deps) {
    map_free(&deps->keys);
}

// ---------------------------------------------------------------- what makes an operation raise

// Where the operand that counts stands among a function's arguments; for a method one place earlier.
static const struct {
    const char *name, *keyword;
    int place;
    bool same_for_modules; // a module is called without itself: nn.CrossEntropyLoss()(input, target)
} index_operands[] = {
    {"gather", "index", 2, 0},
    {"scatter", "index", 2, 0},
    {"scatter_", "index", 2, 0},
    {"scatter_add", "index", 2, 0},
    {"scatter_add_", "index", 2, 0},
    {"scatter_reduce", "index", 2, 0},
    {"scatter_reduce_", "index", 2, 0},
    {"index_select", "index", 2, 0},
    {"index_add", "index", 2, 0},
    {"index_add_", "index", 2, 0},
    {"index_copy", "index", 2, 0},
    {"index_copy_", "index", 2, 0},
    {"index_fill", "index", 2, 0},
    {"index_fill_", "index", 2, 0},
    {"index_put", "indices", 1, 0},
    {"index_put_", "indices", 1, 0},
    {"take", "index", 1, 0},
    {"take_along_dim", "indices", 1, 0},
    {"put", "index", 1, 0},
    {"put_", "index", 1, 0},
    {"repeat_interleave", "repeats", 1, 0},
    {"tensor_split", "indices", 1, 0},
    {"floor_divide", "other", 1, 0},
    {"floor_divide_", "other", 1, 0},
    {"remainder", "other", 1, 0},
    {"remainder_", "other", 1, 0},
    {"fmod", "other", 1, 0},
    {"fmod_", "other", 1, 0},
    {"div", "other", 1, 0},
    {"div_", "other", 1, 0},
    {"divide", "other", 1, 0},
    {"divide_", "other", 1, 0},
    {"floordiv", "b", 1, 0}, // of `operator`
    {"ifloordiv", "b", 1, 0},
    {"mod", "b", 1, 0},
    {"imod", "b", 1, 0},
    {"getitem", "b", 1, 0},
    {"setitem", "b", 1, 0},
    {"index_reduce", "index", 2, 0},
    {"index_reduce_", "index", 2, 0},
    {"masked_scatter", "mask", 1, 0},
    {"masked_scatter_", "mask", 1, 0},
    {"embedding", "input", 0, 0},
    {"embedding_bag", "input", 0, 0},
    {"cross_entropy", "target", 1, 1},
    {"nll_loss", "target", 1, 1},
    {"CrossEntropyLoss", "target", 1, 1},
    {"NLLLoss", "target", 1, 1},
    {"multi_margin_loss", "target", 1, 1},
    {"MultiMarginLoss", "target", 1, 1},
};

static uint32_t operands_of_call(Module *module, Node *call, Node **into, uint32_t max) {
    Node *func = call->u.call.func;
    Ref callee = resolve_expr(module, func);
    bool is_method;
    Str last = called_name(callee, func, &is_method);
    for (size_t i = 0; i < sizeof index_operands / sizeof *index_operands; i++) {
        if (!str_eq(last, str_of(index_operands[i].name)))
            continue;
        int place = index_operands[i].place - (is_method && !index_operands[i].same_for_modules ? 1 : 0);
        if (is_named(callee, REF_EXTERNAL, "torch.embedding"))
            place = 1;
        Node *operand = place < 0 ? func->u.attribute.value
                                  : fact_call_arg(call, (uint32_t)place, index_operands[i].keyword);
        if (!operand)
            break;
        into[0] = operand;
        return 1;
    }
    uint32_t count = 0;
    if (is_method && node_is(func, NODE_ATTRIBUTE) && max)
        into[count++] = func->u.attribute.value;
    for (uint32_t i = 0; i < call->u.call.args.len && count < max; i++) {
        Node *arg = call->u.call.args.items[i];
        into[count++] = node_is(arg, NODE_KEYWORD) ? arg->u.keyword.value : arg;
    }
    return count;
}

uint32_t raise_operands(Module *module, Node *node, Node **into, uint32_t max) {
    switch ((NodeKind)node->kind) {
    case NODE_CALL:
        return operands_of_call(module, node, into, max);
    case NODE_SUBSCRIPT:
        into[0] = node->u.subscript.index;
        return 1;
    case NODE_BIN_OP:
        into[0] = node->u.binary.right;
        return 1;
    case NODE_AUG_ASSIGN:
        into[0] = node->u.aug.value;
        return 1;
    case NODE_ASSERT:
        into[0] = node->u.assert_.test;
        return 1;
    default:
        into[0] = node;
        return 1;
    }
}

// x.split(lengths.tolist()), x.view(n.item(), -1), torch.zeros(count.item()): fails for sizes that do not fit.
bool sizes_from_data(Module *module, Node *call) {
    static const char *const sized[] = {"split",     "split_with_sizes",
                                        "view",      "reshape",
                                        "expand",    "repeat",
                                        "narrow",    "chunk",
                                        "unflatten", "zeros",
                                        "ones",      "empty",
                                        "full",      "arange",
                                        "rand",      "randn",
                                        "randint",   "new_zeros",
                                        "new_ones",  "new_empty",
                                        "new_full",  "pad",
                                        "tile",      "linspace",
                                        "select"};
    bool is_method, listed = false;
    Str name = called_name(resolve_expr(module, call->u.call.func), call->u.call.func, &is_method);
    for (size_t i = 0; i < sizeof sized / sizeof *sized; i++)
        listed |= str_eq(name, str_of(sized[i]));
    for (uint32_t i = 0; listed && i < call->u.call.args.len; i++) {
        Node *arg = call->u.call.args.items[i];
        Fact fact = fact_value(module, node_is(arg, NODE_KEYWORD) ? arg->u.keyword.value : arg);
        bool read = kinds_only(fact.kinds, KIND_SCALAR_READ);
        if (read || (kinds_only(fact.kinds, KIND_SEQUENCE) && fact.element & KIND_SCALAR_READ &&
                     fact.element != KIND_ANY))
            return true;
    }
    return false;
}
