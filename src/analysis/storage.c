// May a function give a tensor the storage of another one?
//
//     h.set_(x)      h.data = x      torch.utils.swap_tensors(h, x)      take(h, x)
//
// From then on what changes h changes x too, whatever h was made of and by whichever name either is called: following names
// tells nothing any more. Input: a node. Output: yes, where the function around it, one in that or around it, or one that these
// call, does so. What unknown code does the runtime sees while tracing.
#include "analysis/roots.h"

static bool is_taker(Name name) {
    static const char *const names[] = {"set_", "swap_tensors", "vector_to_parameters"};
    return AMONG(name_str(name), names);
}

static bool may_be_plain_tensor(Module *module, Node *object) {
    Fact fact = fact_value(module, object);
    return fact.kinds & KIND_TENSOR && fact.ref.kind == REF_NONE;
}

// setattr(h, "data", x), h.__setattr__(name, x): by a computed name only what is known to be a tensor
static bool sets_data(Module *module, Node *call, const Ref *callee) {
    const Node *func = call->u.call.func;
    bool method = node_is(func, NODE_ATTRIBUTE) && func->u.attribute.attr == NAME_OF("__setattr__");
    if (!method && !is_named(*callee, REF_BUILTIN, "setattr"))
        return false;
    Node *object = method ? func->u.attribute.value : fact_call_arg(call, 0, NULL);
    Name name = constant_name(module, fact_call_arg(call, method ? 0 : 1, NULL));
    if (!name)
        return object && is_tensor(fact_value(module, object));
    return name == NAME_OF("data") && object && may_be_plain_tensor(module, object);
}

// torch.utils.swap_tensors(h, x), getattr(h, "set_")(x)
static bool call_takes(Module *module, Node *call) {
    Ref callee = resolve_expr(module, call->u.call.func);
    if ((callee.kind == REF_EXTERNAL && is_taker(last_part(callee.name))) || sets_data(module, call, &callee))
        return true;
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        Name text = constant_name(module, call->u.call.args.items[i]);
        if (text && is_taker(text))
            return true;
    }
    return false;
}

static bool node_takes(Module *module, Node *node) {
    switch ((NodeKind)node->kind) {
    case NODE_ATTRIBUTE: // h.data *= 2 keeps its storage
        if (node->u.attribute.attr == NAME_OF("data"))
            return node->flags & NODE_STORE && !node_is(node->parent, NODE_AUG_ASSIGN) &&
                   may_be_plain_tensor(module, node->u.attribute.value);
        return is_taker(node->u.attribute.attr);
    case NODE_CALL:
        return !(node->flags & NODE_NEW) && call_takes(module, node);
    default:
        return false;
    }
}

static Node *outermost_function(Node *node) {
    Node *outermost = NULL;
    for (Node *at = node; at; at = at->parent)
        if (at->kind == NODE_FUNCTION_DEF || at->kind == NODE_LAMBDA)
            outermost = at;
    return outermost;
}

// ---------------------------------------------------------------- and what it calls

// `seen`: functions that no other one is around, and their modules.
static void add_callees(Map *seen, const FuncInfo *func) {
    for (uint32_t i = 0; i < func->calls.len; i++) {
        const CallEdge *edge = &func->calls.items[i];
        Node *function = outermost_function(edge->callee->function->node);
        if (!map_get(seen, map_key_ptr(function), NULL) && edge_is_followed(func, edge->callee, edge))
            map_put(seen, map_key_ptr(function), (uintptr_t)edge->callee->module);
    }
}

static bool search(Map *seen, Module *module, Node *node) {
    if (node_takes(module, node))
        return true;
    bool is_function = node->kind == NODE_FUNCTION_DEF || node->kind == NODE_LAMBDA;
    FuncInfo *func = is_function ? module_function_at(module, node) : NULL;
    if (func)
        add_callees(seen, func);
    for (ChildIter it = ast_children(node); ast_next(&it);)
        if (search(seen, module, it.child))
            return true;
    return false;
}

static bool search_all(Map *seen) {
    for (uint32_t i = 0; i < seen->len; i++) {
        Module *module = (Module *)seen->entries[i].value;
        Node *function = (Node *)(uintptr_t)seen->entries[i].key;
        MemoValue known;
        bool is_known = memo_get(module, function, ASPECT_STORAGE, &known);
        if (is_known ? known.bits : search(seen, module, function))
            return true;
    }
    return false;
}

bool takes_storage(Module *module, Node *node) {
    Node *function = outermost_function(node);
    MemoValue value = {0};
    if (!function || memo_get(module, function, ASPECT_STORAGE, &value))
        return value.bits;
    Map seen = {0};
    map_put(&seen, map_key_ptr(function), (uintptr_t)module);
    value.bits = search_all(&seen);
    for (uint32_t i = 0; i < seen.len; i++)
        if (i == 0 || !value.bits) // of one that does not, none that it calls does
            memo_put((Module *)seen.entries[i].value, (Node *)(uintptr_t)seen.entries[i].key, ASPECT_STORAGE,
                     value);
    map_free(&seen);
    return value.bits;
}
