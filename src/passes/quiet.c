// What at the start of a branch's body surely raises nothing and has no effect that outlives an exception which follows it:
//     if torch.any(ids == 5):                test: what is evaluated in it does so again
//         starts = torch.nonzero(ids == 5)   quiet
//         print(starts)                      not
//
// Input: an expression or statement of the body and the branch, which decides on a tensor. Output: no, where it is not known.
#include "passes/quiet.h"

#include "rules/rules.h"

enum { EFFECT_MAY_FAIL = EFFECT_MAY_RAISE | EFFECT_RAISES_ON_DATA | EFFECT_BREAKS };

// ---------------------------------------------------------------- what is evaluated in any case, in its order

// f(a=x, *y): Python evaluates y first.
static bool has_starred(NodeList items, uint32_t from) {
    for (uint32_t i = from; i < items.len; i++)
        if (node_is(items.items[i], NODE_STARRED))
            return true;
    return false;
}

uint32_t expr_parts(const Node *expr, Node *parts[MAX_PARTS]) {
    NodeList items = {0};
    uint32_t count = 0;
    switch ((NodeKind)expr->kind) {
    case NODE_ATTRIBUTE:
        parts[count++] = expr->u.attribute.value;
        break;
    case NODE_SUBSCRIPT:
        parts[count++] = expr->u.subscript.value;
        parts[count++] = expr->u.subscript.index;
        break;
    case NODE_BIN_OP:
        parts[count++] = expr->u.binary.left;
        parts[count++] = expr->u.binary.right;
        break;
    case NODE_BOOL_OP:
        parts[count++] = expr->u.binary.left;
        break;
    case NODE_UNARY_OP:
        parts[count++] = expr->u.unary.operand;
        break;
    case NODE_COMPARE:
        parts[count++] = expr->u.compare.left;
        parts[count++] = expr->u.compare.comparators.items[0];
        break;
    case NODE_IF_EXP:
        parts[count++] = expr->u.if_exp.test;
        break;
    case NODE_CALL:
        parts[count++] = expr->u.call.func;
        items = expr->u.call.args;
        break;
    case NODE_TUPLE:
    case NODE_LIST:
        items = expr->u.items.items;
        break;
    default:
        break;
    }
    for (uint32_t i = 0; i < items.len && count < MAX_PARTS; i++) {
        Node *item = items.items[i];
        if (node_is(item, NODE_STARRED) || (node_is(item, NODE_KEYWORD) && !item->u.keyword.name) ||
            (node_is(item, NODE_KEYWORD) && has_starred(items, i)))
            break;
        parts[count++] = node_is(item, NODE_KEYWORD) ? item->u.keyword.value : item;
    }
    return count;
}

static bool same_text(Module *module, Node *one, Node *other) {
    const SyntaxTree *tree = module->unit->tree;
    return str_eq(node_text(tree, one), node_text(tree, other));
}

typedef bool IsIt(Module *module, Node *part, Node *expr);

// Something that the test evaluates in any case where it holds (1), does not hold (-1), either (0).
static bool evaluates(Module *module, Node *test, int holds, Node *expr, IsIt *is_it, int depth) {
    Node *parts[MAX_PARTS];
    if (depth > MAX_DEPTH || is_it(module, test, expr))
        return depth <= MAX_DEPTH;
    if (node_is(test, NODE_UNARY_OP) && test->u.unary.op == OP_NOT)
        return evaluates(module, test->u.unary.operand, -holds, expr, is_it, depth + 1);
    uint32_t count = expr_parts(test, parts);
    bool joins = node_is(test, NODE_BOOL_OP);
    if (joins && holds == (test->u.binary.op == OP_BOOL_AND ? 1 : -1))
        parts[count++] = test->u.binary.right;
    else
        holds = 0;
    for (uint32_t i = 0; i < count; i++)
        if (evaluates(module, parts[i], holds, expr, is_it, depth + 1))
            return true;
    return false;
}

static bool was_evaluated(Module *module, const Node *branch, Node *expr) {
    return evaluates(module, branch->u.branch.test, 1, expr, same_text, 0);
}

static bool reads_bound_in(const Node *expr, const Node *branch) {
    const Symbol *symbol = node_is(expr, NODE_NAME) ? expr->u.name.symbol : NULL;
    for (uint32_t i = 0; symbol && i < symbol->bindings.len; i++)
        if (node_contains(branch, symbol->bindings.items[i]))
            return true;
    for (ChildIter it = ast_children((Node *)(uintptr_t)expr); ast_next(&it);)
        if (reads_bound_in(it.child, branch))
            return true;
    return false;
}

// ---------------------------------------------------------------- what surely raises nothing and does nothing

// torch.any(x), x.any(): it asks torch something about what has the same text, which is a tensor.
static bool asks_about(Module *module, Node *call, Node *expr) {
    Node *func = node_is(call, NODE_CALL) ? call->u.call.func : NULL;
    NodeList args = func ? call->u.call.args : (NodeList){0};
    Ref callee = func ? resolve_expr(module, func) : (Ref){0};
    if (callee.kind == REF_EXTERNAL)
        return torch_function_flags(callee.name) && args.len && same_text(module, args.items[0], expr);
    return callee.kind == REF_NONE && node_is(func, NODE_ATTRIBUTE) &&
           torch_method_flags(func->u.attribute.attr) && fact_of(module, expr).kinds == KIND_TENSOR &&
           same_text(module, func->u.attribute.value, expr);
}

// torch.nonzero(x), x.nonzero(), torch.where(x): how many places there are nobody asks before the exception.
static bool finds_places(Module *module, const Node *branch, Node *call) {
    Node *func = call->u.call.func;
    Ref callee = resolve_expr(module, func);
    bool method = callee.kind == REF_NONE && node_is(func, NODE_ATTRIBUTE);
    bool named = ref_is_external(callee, "torch.nonzero") || ref_is_external(callee, "torch.argwhere") ||
                 ref_is_external(callee, "torch.where");
    named = named || (method && (func->u.attribute.attr == NAME_OF("nonzero") ||
                                 func->u.attribute.attr == NAME_OF("argwhere")));
    uint32_t args = call->u.call.args.len;
    Node *tensor = method ? func->u.attribute.value : args ? call->u.call.args.items[0] : NULL;
    return named && args == (method ? 0 : 1) && node_is_expr(tensor) && !node_is(tensor, NODE_STARRED) &&
           is_quiet_in(module, branch, tensor) &&
           evaluates(module, branch->u.branch.test, 1, tensor, asks_about, 0);
}

static bool contains(const Node *node, bool (*is_it)(const Node *node, Name name), Name name) {
    if (is_it(node, name))
        return true;
    for (ChildIter it = ast_children((Node *)(uintptr_t)node); ast_next(&it);)
        if (contains(it.child, is_it, name))
            return true;
    return false;
}

static bool is_return(const Node *node, Name name) {
    return !name && node_is(node, NODE_RETURN);
}

static bool deletes(const Node *node, Name attr) {
    return node_is(node, NODE_ATTRIBUTE) && node->flags & NODE_DEL && node->u.attribute.attr == attr;
}

static bool stores_in(const Node *target, Name self, Name attr) {
    for (uint32_t i = 0; node_is(target, NODE_TUPLE) && i < target->u.items.items.len; i++)
        if (stores_in(target->u.items.items.items[i], self, attr))
            return true;
    return node_is(target, NODE_ATTRIBUTE) && target->u.attribute.attr == attr &&
           node_is(target->u.attribute.value, NODE_NAME) && target->u.attribute.value->u.name.name == self;
}

// Its __init__ has `self.attr = ...` among its own statements.
static bool init_sets(const FuncInfo *init, Name attr) {
    const Node *def = init->function->node;
    NodeList params = def->u.function.params->u.items.items, body = def->u.function.body;
    Name self = params.len ? params.items[0]->u.param.name : 0;
    for (uint32_t i = 0; self && i < body.len && !contains(body.items[i], is_return, 0); i++)
        for (uint32_t k = 0; node_is(body.items[i], NODE_ASSIGN) && k < body.items[i]->u.assign.targets.len;
             k++)
            if (stores_in(body.items[i]->u.assign.targets.items[k], self, attr))
                return true;
    return false;
}

static bool has_other_init(const ClassInfo *cls) {
    uintptr_t init;
    for (uint32_t i = 0; i < cls->subclasses.len; i++)
        if (map_get(&cls->subclasses.items[i]->methods, NAME_OF("__init__"), &init) ||
            has_other_init(cls->subclasses.items[i]))
            return true;
    return false;
}

// It has a value whatever way has led here: a function of a module, a method, what __init__ always sets.
static bool attribute_exists(Module *module, Node *expr) {
    Name attr = expr->u.attribute.attr;
    Node *value = expr->u.attribute.value;
    Ref owner = resolve_expr(module, value), ref = resolve_expr(module, expr);
    if (owner.kind == REF_MODULE)
        return ref.kind == REF_FUNCTION || ref.kind == REF_CLASS;
    if (owner.kind == REF_EXTERNAL)
        return ref.kind == REF_EXTERNAL && torch_function_flags(ref.name);
    if (owner.kind != REF_INSTANCE || effects_of_expr(module, expr))
        return false;
    if (class_find_method(owner.cls, attr))
        return ref.kind == REF_METHOD;
    const FuncInfo *init = class_find_method(owner.cls, NAME_OF("__init__"));
    return expr_is_pure(module, expr) && init && init_sets(init, attr) && !has_other_init(owner.cls) &&
           !contains(module->unit->tree->module, deletes, attr);
}

static bool name_exists(Module *module, Node *expr) {
    const Symbol *symbol = expr->u.name.symbol;
    const Function *function = unit_function_at(module->unit, expr);
    bool local = symbol && function && symbol->scope == function->scope;
    return !unbound_read(expr) && (local || resolve_expr(module, expr).kind != REF_NONE);
}

// -1, but -"x" raises.
bool is_literal(const Node *expr) {
    const Node *number = node_is(expr, NODE_UNARY_OP) ? expr->u.unary.operand : NULL;
    return node_is(expr, NODE_CONSTANT) ||
           (node_is(number, NODE_CONSTANT) && number->u.constant.kind <= CONST_FLOAT &&
            expr->u.unary.op == OP_UMINUS);
}

bool is_quiet_in(Module *module, const Node *branch, Node *expr) {
    if (expr->flags & NODE_NEW || unbound_read(expr))
        return false;
    if (was_evaluated(module, branch, expr) && !reads_bound_in(expr, branch) &&
        !(effects_of_expr(module, expr) & ~(uint32_t)EFFECT_MAY_FAIL))
        return true;
    switch ((NodeKind)expr->kind) {
    case NODE_CONSTANT:
    case NODE_UNARY_OP:
        return is_literal(expr);
    case NODE_NAME:
        return name_exists(module, expr);
    case NODE_ATTRIBUTE:
        return is_quiet_in(module, branch, expr->u.attribute.value) && attribute_exists(module, expr);
    case NODE_CALL:
        return finds_places(module, branch, expr);
    default:
        return false;
    }
}

// What it binds can be seen after the exception.
static bool outlives(const Node *target, const Node *branch) {
    const Symbol *symbol = node_is(target, NODE_NAME) ? target->u.name.symbol : NULL;
    if (!symbol || symbol->flags & (SYM_CELL | SYM_GLOBAL | SYM_NONLOCAL) ||
        symbol->scope->kind != SCOPE_FUNCTION)
        return true;
    for (const Node *up = branch->parent; up && !node_is(up, NODE_FUNCTION_DEF); up = up->parent)
        if (node_is(up, NODE_TRY))
            return true;
    return false;
}

bool statement_is_quiet_in(Module *module, const Node *branch, const Node *statement) {
    if (statement->flags & NODE_NEW)
        return false;
    if (node_is(statement, NODE_PASS))
        return true;
    if (node_is(statement, NODE_EXPR_STMT))
        return is_quiet_in(module, branch, statement->u.value.value);
    if (!node_is(statement, NODE_ASSIGN))
        return false;
    for (uint32_t i = 0; i < statement->u.assign.targets.len; i++)
        if (outlives(statement->u.assign.targets.items[i], branch))
            return false;
    return is_quiet_in(module, branch, statement->u.assign.value);
}
