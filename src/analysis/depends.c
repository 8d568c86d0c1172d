// Which values a value was computed from, and which operand makes an operation raise.
//
//     index = ids[:, 0].long(); n = ids.shape[1]      index depends on ids; n does not: a shape needs no values
//
// Keys are symbols and the names of attributes of self (which stay the same from method to method). Local assignments are
// followed transitively and without regard to order.
#include "analysis/effects_internal.h"

enum { MAX_DEPS_DEPTH = 120, SELF_ATTRIBUTE = 1u << 30 };

static void add_node(Module *module, Deps *deps, Node *node, int depth);

static bool is_shape_method(Name method) {
    uint32_t flags = torch_method_flags(method);
    static const char *const others[] = {"new_zeros", "new_ones", "new_empty", "new_full"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (method == intern(str_of(others[i])))
            return true;
    return flags & OP_RETURNS_STATIC && !(flags & OP_DATA_DEPENDENT);
}

static bool is_shape_function(Ref callee) {
    if (is_named(callee, REF_BUILTIN, "len") || is_named(callee, REF_BUILTIN, "isinstance") || is_named(callee, REF_BUILTIN, "hasattr"))
        return true;
    if (callee.kind != REF_EXTERNAL)
        return false;
    Str name = name_str(callee.name);
    return str_ends(name, STR("_like")) || torch_function_flags(callee.name) & OP_RETURNS_STATIC;
}

static void add_binding(Module *module, Deps *deps, Node *binding, int depth) {
    Node *node = binding->parent;
    for (; node_is(node, NODE_TUPLE) || node_is(node, NODE_LIST) || node_is(node, NODE_STARRED); node = node->parent) {
    }
    if (!node_is(binding, NODE_NAME) || !node)
        return;
    switch ((NodeKind)node->kind) {
    case NODE_ASSIGN: add_node(module, deps, node->u.assign.value, depth); break;
    case NODE_AUG_ASSIGN: add_node(module, deps, node->u.aug.value, depth); break;
    case NODE_ANN_ASSIGN: add_node(module, deps, node->u.ann.value, depth); break;
    case NODE_NAMED_EXPR: add_node(module, deps, node->u.named.value, depth); break;
    case NODE_FOR: add_node(module, deps, node->u.loop.iter, depth); break;
    case NODE_COMPREHENSION: add_node(module, deps, node->u.comprehension.iter, depth); break;
    case NODE_WITH_ITEM: add_node(module, deps, node->u.with_item.context, depth); break;
    default: break;
    }
}

static void add_symbol(Module *module, Deps *deps, Symbol *symbol, int depth) {
    if (map_get(&deps->keys, map_key_ptr(symbol), NULL) || symbol->flags & SYM_IMPORT)
        return;
    map_put(&deps->keys, map_key_ptr(symbol), 1);
    for (uint32_t i = 0; i < symbol->bindings.len; i++)
        add_binding(module, deps, symbol->bindings.items[i], depth + 1);
}

void deps_add_symbol(Module *module, Deps *deps, Symbol *symbol) { add_symbol(module, deps, symbol, 0); }

static void add_call(Module *module, Deps *deps, Node *call, int depth) {
    Node *func = call->u.call.func;
    if (node_is(func, NODE_ATTRIBUTE)) {
        if (is_shape_method(func->u.attribute.attr))
            return;
        Fact base = fact_value(module, func->u.attribute.value);
        if (!(base.kinds & (KIND_MODULE | KIND_CALLABLE)) || base.kinds == KIND_ANY)
            add_node(module, deps, func->u.attribute.value, depth + 1);
    }
    if (is_shape_function(resolve_expr(module, func)))
        return;
    for (uint32_t i = 0; i < call->u.call.args.len; i++)
        add_node(module, deps, call->u.call.args.items[i], depth + 1);
}

static void add_attribute(Module *module, Deps *deps, Node *attribute, int depth) {
    Name attr = attribute->u.attribute.attr;
    Node *value = attribute->u.attribute.value;
    Fact base = fact_value(module, value);
    if (base.ref.kind == REF_INSTANCE && node_is(value, NODE_NAME)) {
        // Numbers, flags and modules that self holds carry no data of a tensor.
        if (fact_value(module, attribute).kinds & KIND_TENSOR && fact_value(module, attribute).kinds != KIND_ANY)
            map_put(&deps->keys, SELF_ATTRIBUTE | attr, 1);
        return;
    }
    uint32_t kinds = kinds_of_tensor_attribute(attr);
    if (kinds && !(kinds & KIND_TENSOR))
        return;
    add_node(module, deps, value, depth + 1);
}

static void add_node(Module *module, Deps *deps, Node *node, int depth) {
    if (!node || depth > MAX_DEPS_DEPTH)
        return;
    switch ((NodeKind)node->kind) {
    case NODE_NAME:
        if (node->u.name.symbol && node->u.name.symbol->scope->kind != SCOPE_MODULE)
            add_symbol(module, deps, node->u.name.symbol, depth);
        return;
    case NODE_CALL: add_call(module, deps, node, depth); return;
    case NODE_ATTRIBUTE: add_attribute(module, deps, node, depth); return;
    case NODE_LAMBDA:
    case NODE_CONSTANT: return;
    case NODE_COMPARE:
        if (node->u.compare.comparators.len == 1 && (node->u.compare.ops[0] == OP_IS || node->u.compare.ops[0] == OP_IS_NOT))
            return;
        break;
    default: break;
    }
    for (ChildIter it = ast_children(node); ast_next(&it);)
        add_node(module, deps, it.child, depth + 1);
}

void deps_add(Module *module, Deps *deps, Node *expr) { add_node(module, deps, expr, 0); }

bool deps_meet(const Deps *a, const Deps *b) {
    if (a->keys.len > b->keys.len)
        return deps_meet(b, a);
    for (uint32_t i = 0; i < a->keys.len; i++)
        if (map_get(&b->keys, a->keys.entries[i].key, NULL))
            return true;
    return false;
}

void deps_free(Deps *deps) { map_free(&deps->keys); }

// ---------------------------------------------------------------- what makes an operation raise

static bool name_in(Str text, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (str_eq(text, str_of(words[i])))
            return true;
    return false;
}

static uint32_t operands_of_call(Module *module, Node *call, Node **into, uint32_t max) {
    static const char *const by_index[] = {"gather", "scatter", "scatter_", "scatter_add", "scatter_add_", "scatter_reduce",
                                           "scatter_reduce_", "index_select", "index_add", "index_add_", "index_copy", "index_copy_",
                                           "index_fill", "index_fill_", "index_put", "index_put_", "take", "take_along_dim",
                                           "put", "put_", "repeat_interleave", "tensor_split", "floor_divide", "remainder", "fmod",
                                           "cross_entropy", "nll_loss", "CrossEntropyLoss", "NLLLoss", "ctc_loss", "CTCLoss",
                                           "floor_divide_", "remainder_", "fmod_", "multi_margin_loss", "MultiMarginLoss"};
    Node *func = call->u.call.func;
    Ref callee = resolve_expr(module, func);
    bool named = callee.kind == REF_EXTERNAL || callee.kind == REF_EXTERNAL_INSTANCE;
    Str text = named ? name_str(callee.name) : node_is(func, NODE_ATTRIBUTE) ? name_str(func->u.attribute.attr) : STR("");
    size_t at = text.len;
    while (at && text.ptr[at - 1] != '.')
        at--;
    Str last = str_slice(text, at, text.len);
    bool embedding = str_eq(last, STR("embedding")) || str_eq(last, STR("embedding_bag"));
    bool skip_first = name_in(last, by_index, sizeof by_index / sizeof *by_index);
    bool is_method = !named;
    if (str_eq(text, STR("torch.embedding")))
        skip_first = true;
    uint32_t count = 0, place = 0;
    if (is_method && !skip_first && node_is(func, NODE_ATTRIBUTE) && max)
        into[count++] = func->u.attribute.value;
    for (uint32_t i = 0; i < call->u.call.args.len && count < max; i++) {
        Node *arg = call->u.call.args.items[i];
        Node *value = node_is(arg, NODE_KEYWORD) ? arg->u.keyword.value : arg;
        bool is_input = node_is(arg, NODE_KEYWORD) ? arg->u.keyword.name == NAME_OF("input") : place++ == 0;
        if (skip_first && !is_method && is_input)
            continue;
        if (embedding && !is_input && !str_eq(text, STR("torch.embedding")))
            continue;
        into[count++] = value;
    }
    return count;
}

uint32_t raise_operands(Module *module, Node *node, Node **into, uint32_t max) {
    switch ((NodeKind)node->kind) {
    case NODE_CALL: return operands_of_call(module, node, into, max);
    case NODE_SUBSCRIPT: into[0] = node->u.subscript.index; return 1;
    case NODE_BIN_OP: into[0] = node->u.binary.right; return 1;
    case NODE_AUG_ASSIGN: into[0] = node->u.aug.value; return 1;
    case NODE_ASSERT: into[0] = node->u.assert_.test; return 1;
    default: into[0] = node; return 1;
    }
}
