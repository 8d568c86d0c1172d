// Does a piece of code change nothing but an object that the statements around it have made themselves?
//
//     parts = []                 h = x.clone()              rows = {}
//     parts.append(x * 2)        h[:, 0] = 0                rows["a"] = x
//     y = torch.cat(parts)       h.add_(1)
//
// Input: a call of a method, the target of a store or an augmented assignment, and the suite (an arm of a branch). Output: yes,
// where the object is held by a local name that a statement before it in the suite binds, in every turn of a loop around
// the suite anew, and each value that the name may have there is made by an expression of the suite: a display, a list(), an
// operator's new tensor, whose storage nothing may exchange for another's (storage.c). A tensor is changed by operators in
// place that write its elements. Whether what is made leaves the suite is no matter here. When in doubt, no.
// The change may raise, though the original would not have come to it: parts.pop(3) of two. Tracing meets that, and the runtime's
// attempt at the branch then breaks the graph (_trace_attempt).
#include "analysis/roots.h"

enum { MAX_OWN_DEPTH = 8 };

static bool is_made_in(Module *module, Node *name, NodeList suite, int depth);

// ---------------------------------------------------------------- what is made

static bool makes_object(Module *module, Node *value) {
    static const char *const makers[] = {"list", "dict", "set"};
    switch ((NodeKind)value->kind) {
    case NODE_LIST:
    case NODE_DICT:
    case NODE_SET:
    case NODE_LIST_COMP:
    case NODE_DICT_COMP:
    case NODE_SET_COMP:
        return true;
    case NODE_CALL: {
        Ref callee = resolve_expr(module, value->u.call.func);
        if (callee.kind == REF_BUILTIN)
            return AMONG(name_str(callee.name), makers);
        return makes_new(module, value);
    }
    default:
        return makes_new(module, value);
    }
}

static bool lies_in(NodeList suite, const Node *node) {
    for (uint32_t i = 0; i < suite.len; i++)
        if (node_contains(suite.items[i], node))
            return true;
    return false;
}

// Of h += x the name keeps its object, or gets a new one.
static bool binding_makes(Module *module, Node *binding, NodeList suite, int depth) {
    Node *statement = binding->parent;
    if (!lies_in(suite, binding) || !node_is(binding, NODE_NAME))
        return false;
    if (node_is(statement, NODE_AUG_ASSIGN))
        return is_made_in(module, binding, suite, depth + 1);
    return node_is(statement, NODE_ASSIGN) && statement->u.assign.targets.len == 1 &&
           statement->u.assign.targets.items[0] == binding && makes_object(module, statement->u.assign.value);
}

// ---------------------------------------------------------------- in this run of the suite

static bool binds(const Node *statement, const Symbol *symbol) {
    if (!node_is(statement, NODE_ASSIGN) || statement->u.assign.targets.len != 1)
        return false;
    const Node *target = statement->u.assign.targets.items[0];
    return node_is(target, NODE_NAME) && target->u.name.symbol == symbol;
}

// The suite of a statement, in its turn a suite of this one's.
static NodeList suite_around(const Node *statement) {
    const Node *up = statement->parent;
    NodeList suites[2] = {{0}};
    switch ((NodeKind)up->kind) {
    case NODE_IF:
        suites[0] = up->u.branch.body, suites[1] = up->u.branch.orelse;
        break;
    case NODE_FOR:
        suites[0] = up->u.loop.body;
        break;
    case NODE_WITH:
        suites[0] = up->u.with.body;
        break;
    default:
        break;
    }
    for (int i = 0; i < 2; i++)
        for (uint32_t k = 0; k < suites[i].len; k++)
            if (suites[i].items[k] == statement)
                return suites[i];
    return (NodeList){0};
}

// A statement before the node, in a suite around it up to the given one, binds the name.
static bool is_bound_before(NodeList suite, const Node *node, const Symbol *symbol) {
    for (const Node *statement = node; statement; statement = statement->parent) {
        bool top = false;
        for (uint32_t i = 0; i < suite.len && !top; i++)
            top = suite.items[i] == statement;
        NodeList list = top ? suite : node_is_stmt(statement) ? suite_around(statement) : (NodeList){0};
        for (uint32_t i = 0; i < list.len && list.items[i] != statement; i++)
            if (binds(list.items[i], symbol))
                return true;
        if (top)
            return false;
    }
    return false;
}

static bool is_made_in(Module *module, Node *name, NodeList suite, int depth) {
    const Symbol *symbol = name->u.name.symbol;
    if (!symbol || depth > MAX_OWN_DEPTH || symbol->scope->kind != SCOPE_FUNCTION ||
        symbol->scope->is_dynamic || symbol->flags & (SYM_CELL | SYM_GLOBAL | SYM_NONLOCAL) ||
        !is_bound_before(suite, name, symbol))
        return false;
    Node **reaching = defuse_reaching(module->unit, name);
    for (uint32_t i = 0; reaching[i]; i++)
        if (!binding_makes(module, reaching[i], suite, depth))
            return false;
    return reaching[0] != NULL;
}

// ---------------------------------------------------------------- the public face

static bool is_tensor_in_place(Module *module, const Node *call) {
    return node_is(call, NODE_CALL) && node_is(call->u.call.func, NODE_ATTRIBUTE) &&
           is_tensor(fact_value(module, call->u.call.func->u.attribute.value)) &&
           is_element_writer(call->u.call.func->u.attribute.attr);
}

// The object that the node changes by itself, if it is known to be no part of another one: of h.add_(1).mul_(2) h.
static Node *object_changed(Module *module, Node *node) {
    if (node_is(node, NODE_SUBSCRIPT))
        return node->flags & NODE_STORE ? node->u.subscript.value : NULL;
    if (node_is(node, NODE_AUG_ASSIGN)) {
        Node *target = node->u.aug.target;
        bool item =
            node_is(target, NODE_SUBSCRIPT) && is_tensor(fact_value(module, target->u.subscript.value));
        return item ? target->u.subscript.value : target;
    }
    if (!node_is(node, NODE_CALL) || !node_is(node->u.call.func, NODE_ATTRIBUTE))
        return NULL;
    Node *receiver = node->u.call.func->u.attribute.value;
    if (is_tensor_in_place(module, node)) {
        while (is_tensor_in_place(module, receiver))
            receiver = receiver->u.call.func->u.attribute.value;
        return receiver;
    }
    bool container = kinds_only(fact_value(module, receiver).kinds, KIND_SEQUENCE | KIND_DICT);
    return container && is_container_setter(node->u.call.func->u.attribute.attr) ? receiver : NULL;
}

bool changes_what_is_made_in(Module *module, Node *node, NodeList suite) {
    const uint32_t allowed = EFFECT_CHANGES_OWN | EFFECT_WRITES_LOCAL | EFFECT_MAY_RAISE;
    memo_begin(module);
    Node *object = object_changed(module, node);
    return node_is(object, NODE_NAME) && !(summary_effects(effects_own(module, node)) & ~allowed) &&
           is_made_in(module, object, suite, 0);
}
