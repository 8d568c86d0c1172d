// Is a value new, and known by no other name? Then no selection of it can be noticed: there is nobody else to notice.
//
//     h = residual + h                  a new tensor, which only h knows
//     if torch.isinf(h).any():
//         h = torch.clamp(h, -top, top)
//
//     out = self.attention(x)           every return statement of its forward: return (x + y,) + rest
//     h, cache = out[:2]                new as well, and out is read for its other items only; h = out[0] too
//
// Input: a symbol, and a branch that reads it in its test and binds it. Output: yes, where all that it may be bound to before
// the branch and in it is made there: by an operator, by an operation of torch's that gives no view, or by a function of the
// project that returns such a thing and keeps no other name for it. What is read between there and the branch must be read for
// its value alone (seen.c). When in doubt, no.
#include "analysis/roots.h"

enum { MAX_UNSHARED_DEPTH = 12, WHOLE = -1 };

// What is asked of a value: of the item of a tuple, or of itself. `tensor`: it is used as no tuple could be.
typedef struct Part {
    int item;
    bool tensor;
} Part;

static bool is_new(Module *module, Node *expr, Part part, int depth);

// ---------------------------------------------------------------- names

static const Node *loop_around(const Node *node) {
    for (node = node->parent; node && node->kind != NODE_FUNCTION_DEF; node = node->parent)
        if (node->kind == NODE_FOR || node->kind == NODE_WHILE || node->kind >= NODE_LIST_COMP)
            return node;
    return NULL;
}

// Whenever the use runs, the binding has run since it last did.
static bool is_bound_anew(const Node *binding, const Node *use) {
    const Node *loop = loop_around(use), *statement = node_statement((Node *)binding);
    return !loop || (loop_around(statement) == loop && node_contains(statement->parent, use));
}

// By one of the bindings; both lists are in source order.
static bool is_reached(Module *module, Node *use, Node *const *bindings) {
    Node *const *reaching = defuse_reaching(module->unit, use);
    while (*reaching && *bindings && *reaching != *bindings) {
        if ((*reaching)->start < (*bindings)->start)
            reaching++;
        else
            bindings++;
    }
    return *reaching && *bindings;
}

static bool takes_other_items(Module *module, const Node *use, int item) {
    const Node *subscript = use->parent;
    return node_is(subscript, NODE_SUBSCRIPT) && subscript->u.subscript.value == use &&
           !(subscript->flags & (NODE_STORE | NODE_DEL)) &&
           !(items_of_index(module, subscript->u.subscript.index, ALL_ITEMS) & item_at((uint32_t)item));
}

static bool is_target(const Node *target, const Symbol *symbol) {
    if (!node_is(target, NODE_TUPLE))
        return node_is(target, NODE_NAME) && target->u.name.symbol == symbol;
    for (uint32_t i = 0; i < target->u.items.items.len; i++)
        if (is_target(target->u.items.items.items[i], symbol))
            return true;
    return false;
}

// outputs = outputs + (weights,), h, cache = h, h += 1: under the same name as before.
static bool is_renewed(const Node *use) {
    const Node *statement = use->parent;
    if (node_is(statement, NODE_AUG_ASSIGN))
        return statement->u.aug.target == use;
    while (node_is(statement, NODE_BIN_OP) || node_is(statement, NODE_TUPLE))
        statement = statement->parent;
    return node_is(statement, NODE_ASSIGN) && statement->u.assign.targets.len == 1 &&
           is_target(statement->u.assign.targets.items[0], use->u.name.symbol);
}

// Beside `use`, may another name come of it there, or what is done to it by another name be seen? What is read for its value
// must be read before. Of two return statements only one runs.
static bool shares(Module *module, Node *use, Node *other, Part part, bool is_before) {
    const Node *statement = node_statement(other), *own = node_statement(use);
    bool other_way = node_is(statement, NODE_RETURN) && node_is(own, NODE_RETURN);
    if (statement != own && (other_way || (is_before && is_renewed(other))))
        return false;
    return !(part.item != WHOLE && takes_other_items(module, other, part.item)) &&
           !(is_before && is_read_for_value(module, other));
}

static bool binding_is_new(Module *module, Node *binding, Part part, int depth) {
    Node *statement = binding->parent, *child = binding;
    if (node_is(statement, NODE_AUG_ASSIGN) && part.item == WHOLE) // the same object, or a new one
        return is_new(module, binding, part, depth);
    if (node_is(statement, NODE_TUPLE) && part.item == WHOLE) {
        for (uint32_t i = 0; i < statement->u.items.items.len; i++) {
            if (node_is(statement->u.items.items.items[i], NODE_STARRED))
                return false;
            if (statement->u.items.items.items[i] == binding)
                part.item = (int)i;
        }
        child = statement;
        statement = statement->parent;
    }
    return node_is(binding, NODE_NAME) && node_is(statement, NODE_ASSIGN) &&
           statement->u.assign.targets.len == 1 && statement->u.assign.targets.items[0] == child &&
           is_new(module, statement->u.assign.value, part, depth);
}

static bool is_plain_local(const Symbol *symbol) {
    return symbol && symbol->scope->kind == SCOPE_FUNCTION && !symbol->scope->is_dynamic &&
           !(symbol->flags & (SYM_CELL | SYM_GLOBAL | SYM_NONLOCAL));
}

// A binding reaches no use before it, but for one in a loop around both.
static uint32_t place_reached_from(const Node *binding) {
    uint32_t place = binding->start;
    for (const Node *loop = loop_around(binding); loop; loop = loop_around(loop))
        place = loop->start;
    return place;
}

static bool is_between(Node *const *bindings, const Node *node, const Node *use) {
    bool before = node->start < use->start;
    for (; *bindings && before; bindings++)
        before = (*bindings)->start < node->start;
    return before;
}

// `branch`: in which the use stands, so that from its test on the name is that of the selection; or NULL.
static bool name_is_new(Module *module, Node *use, Part part, const Node *branch, int depth) {
    const Symbol *symbol = use->u.name.symbol;
    if (!is_plain_local(symbol))
        return false;
    bool same_name = branch || is_renewed(use) || node_is(node_statement(use), NODE_RETURN);
    uint32_t start = branch ? branch->start : node_statement(use)->start;
    uint32_t end = branch ? branch->u.branch.test->end : node_statement(use)->end;
    Node **bindings = defuse_reaching(module->unit, use);
    if (!*bindings)
        return false;
    uint32_t from = UINT32_MAX;
    for (Node **binding = bindings; *binding; binding++) {
        uint32_t place = place_reached_from(*binding);
        from = place < from ? place : from;
        if ((same_name && (*binding)->end > start) || !is_bound_anew(*binding, use) ||
            !binding_is_new(module, *binding, part, depth))
            return false;
    }
    NodeList others = {symbol->uses.items, symbol->uses.len};
    if (same_name) // nothing is shared by what is read for its value before
        others = uses_beside_value(module, symbol);
    for (uint32_t i = nodes_from(others.items, others.len, from); i < others.len; i++) {
        Node *other = others.items[i];
        if (other != use && !(same_name && other->start >= end) && is_reached(module, other, bindings) &&
            shares(module, use, other, part, same_name || is_between(bindings, other, use)))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------- calls

static bool returns_new(FuncInfo *func, Node *node, Part part, int depth) {
    Module *module = func->module;
    if (node->kind == NODE_FUNCTION_DEF || node->kind == NODE_CLASS_DEF || node_is_expr(node))
        return true;
    if (node->kind == NODE_RETURN) {
        Node *value = node->u.value.value;
        return value && is_new(module, value, part, depth);
    }
    for (ChildIter it = ast_children(node); ast_next(&it);)
        if (!returns_new(func, it.child, part, depth))
            return false;
    return true;
}

static bool function_returns_new(FuncInfo *func, Part part, int depth) {
    const Node *def = func->function->node;
    if (def->kind != NODE_FUNCTION_DEF || !result_is_handed_on(func))
        return false;
    for (uint32_t i = 0; i < def->u.function.body.len; i++)
        if (!returns_new(func, def->u.function.body.items[i], part, depth))
            return false;
    return true;
}

static bool gives_new_tensor(Module *module, Node *call, const Ref *callee) {
    Node *func = call->u.call.func;
    Name function = callee->kind == REF_EXTERNAL ? callee->name : 0;
    uint32_t flags = 0;
    if (function)
        flags = flags_as_called(call, function);
    else if (callee->kind == REF_EXTERNAL_INSTANCE)
        return makes_new_tensor(module, call, callee);
    else if (callee->kind == REF_NONE && node_is(func, NODE_ATTRIBUTE) &&
             is_tensor(fact_value(module, func->u.attribute.value)))
        flags = torch_method_flags(func->u.attribute.attr);
    return flags & OP_RETURNS_TENSOR && !(flags & (OP_VIEW | OP_INPLACE)) &&
           !fact_call_keyword(call, "out") && !inplace_argument(call, function);
}

static bool call_is_new(Module *module, Node *call, Part part, int depth) {
    FuncInfo *targets[MAX_RESULT_TARGETS];
    Ref callee;
    uint32_t count = result_targets(module, call, targets, MAX_RESULT_TARGETS, &callee);
    if (!count)
        return gives_new_tensor(module, call, &callee); // an item of it is a view
    for (uint32_t i = 0; i < count; i++)
        if (!function_returns_new(targets[i], part, depth))
            return false;
    return true;
}

// ---------------------------------------------------------------- expressions

static bool tuple_item_is_new(Module *module, Node *tuple, Part part, int depth) {
    NodeList items = tuple->u.items.items;
    for (uint32_t i = 0; i <= (uint32_t)part.item; i++)
        if (i >= items.len || node_is(items.items[i], NODE_STARRED))
            return false;
    return is_new(module, items.items[part.item], (Part){WHOLE, part.tensor}, depth);
}

static bool sum_item_is_new(Module *module, Node *sum, Part part, int depth) {
    TupleShape first = tuple_shape(module, sum->u.binary.left);
    if ((uint32_t)part.item < first.least)
        return is_new(module, sum->u.binary.left, part, depth);
    part.item -= (int)first.least;
    return first.exact && is_new(module, sum->u.binary.right, part, depth);
}

// Of v[0], which is an item of a tuple, or an item of v[1:].
static bool subscript_is_new(Module *module, Node *subscript, Part part, int depth) {
    Node *value = subscript->u.subscript.value, *index = subscript->u.subscript.index;
    bool whole = part.item == WHOLE;
    if (!tuple_shape(module, value).is || node_is(index, NODE_SLICE) == whole)
        return false;
    uint32_t from = items_of_index(module, index, whole ? ALL_ITEMS : item_at((uint32_t)part.item));
    for (part.item = 0; part.item < ITEM_REST && item_at((uint32_t)part.item) != from; part.item++) {}
    return part.item < ITEM_REST && is_new(module, value, part, depth);
}

static bool is_new(Module *module, Node *expr, Part part, int depth) {
    if (!expr || depth++ > MAX_UNSHARED_DEPTH || expr->flags & (NODE_NEW | NODE_DIRTY) ||
        takes_storage(module, expr))
        return false;
    bool whole = part.item == WHOLE;
    if (whole && part.tensor && tuple_shape(module, expr).is)
        return true; // it cannot be this one
    switch ((NodeKind)expr->kind) {
    case NODE_TUPLE:
        return !whole && tuple_item_is_new(module, expr, part, depth);
    case NODE_SUBSCRIPT:
        return subscript_is_new(module, expr, part, depth);
    case NODE_BIN_OP: // of lists it would hold what they hold
        if (!whole && tuple_shape(module, expr).is)
            return sum_item_is_new(module, expr, part, depth);
        return is_tensor(fact_value(module, expr));
    case NODE_IF_EXP:
        return is_new(module, expr->u.if_exp.body, part, depth) &&
               is_new(module, expr->u.if_exp.orelse, part, depth);
    case NODE_NAME:
        return name_is_new(module, expr, part, NULL, depth);
    case NODE_CALL:
        return call_is_new(module, expr, part, depth);
    default:
        return false;
    }
}

bool makes_new(Module *module, Node *expr) {
    bool makes = node_is(expr, NODE_BIN_OP) || node_is(expr, NODE_CALL);
    return makes && is_new(module, expr, (Part){WHOLE, true}, 0);
}

// ---------------------------------------------------------------- branches

static bool is_use(const Node *node, const Symbol *symbol) {
    return node_is(node, NODE_NAME) && node->u.name.symbol == symbol;
}

// The test starts with what only a tensor can do: h.dtype == d and ..., torch.isinf(h).any().
static bool needs_tensor(Module *module, const Node *test, const Symbol *symbol) {
    switch ((NodeKind)test->kind) {
    case NODE_BOOL_OP:
        return needs_tensor(module, test->u.binary.left, symbol);
    case NODE_COMPARE:
        return needs_tensor(module, test->u.compare.left, symbol);
    case NODE_UNARY_OP:
        return needs_tensor(module, test->u.unary.operand, symbol);
    case NODE_ATTRIBUTE:
        return is_use(test->u.attribute.value, symbol)
                   ? test->u.attribute.attr != NAME_OF("count") && test->u.attribute.attr != NAME_OF("index")
                   : needs_tensor(module, test->u.attribute.value, symbol);
    case NODE_CALL: {
        Ref callee = resolve_expr(module, test->u.call.func);
        if (callee.kind != REF_EXTERNAL)
            return needs_tensor(module, test->u.call.func, symbol);
        return torch_function_flags(callee.name) & OP_RETURNS_BOOL_TENSOR && test->u.call.args.len &&
               is_use(test->u.call.args.items[0], symbol);
    }
    default:
        return false;
    }
}

bool object_is_unshared(Module *module, Node *use, const Node *branch) {
    memo_begin(module);
    Node *const *bindings = defuse_reaching(module->unit, use);
    // After h *= 2 in the branch h is the tensor that it was.
    if (bindings[0] && !bindings[1] && node_is(bindings[0]->parent, NODE_AUG_ASSIGN) && bindings[0] != use &&
        node_contains(branch, bindings[0]))
        return object_is_unshared(module, bindings[0], branch);
    return name_is_new(module, use, (Part){WHOLE, false}, branch, 0);
}

bool name_is_unshared(Module *module, const Symbol *symbol, Node *branch) {
    memo_begin(module);
    Node *use = NULL, *test = branch->u.branch.test;
    for (uint32_t i = nodes_from(symbol->uses.items, symbol->uses.len, test->start);
         i < symbol->uses.len && symbol->uses.items[i]->start < test->end && !use; i++)
        if (node_contains(test, symbol->uses.items[i]))
            use = symbol->uses.items[i];
    Part part = {WHOLE, needs_tensor(module, test, symbol)};
    if (!use || !part.tensor || !is_read_for_value(module, use) || !name_is_new(module, use, part, branch, 0))
        return false;
    for (uint32_t i = symbol_binding_from(symbol, branch->start);
         i < symbol->bindings.len && symbol->bindings.items[i]->start < branch->end; i++)
        if (node_contains(branch, symbol->bindings.items[i]) &&
            !binding_is_new(module, symbol->bindings.items[i], part, 0))
            return false;
    return true;
}
