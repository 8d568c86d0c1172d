// Decides whether an `if` on tensor values can become a selection. Under the compiler both arms run, so every statement
// in them must be harmless where it is not meant:
//   writes-in-branch        something other than a local name is written: attribute, item, global, in-place update
//   random-in-branch        random numbers are drawn, and torch.cond is no way out (where_cond.c)
//   may-raise-in-branch     an expression may raise (division, look-up, index, unknown call), and torch.cond is none
//   records-in-branch       torch.cond would be, but an arm records output or a check
//   unknown-in-branch       a call that cannot be resolved
//   statement-in-branch     a statement that has no place in a selection (return in the middle, break, with, try, del ...)
//   nested-branch-left      a branch inside that could not be rewritten itself
//   unbound-after-branch    a name gets its value in one arm only and is read afterwards
//   changed-in-place-later  a selected value is changed in place afterwards: it must stay the very same tensor
//   seen-outside            a selected value is, in one arm, an object that the caller has too, and is handed back to it
//   captured-by-closure     a name that the branch binds is shared with another function
//   unlike-values           the arms give values of different kinds, or different numbers
// What the arms give (same type, shape, dtype, device; gradients) is checked by the runtime while tracing.
#include "passes/where.h"

#include <stdlib.h>

#include "detect/output.h"
#include "detect/runtime_calls.h"
#include "rules/rules.h"

enum { MAX_BRANCH_DEPTH = 200 };

typedef struct Check {
    PassContext *context;
    Finding *finding;
    Scope *scope;      // the function's
    NodeList arm;      // that is looked at
    NameVec *assigned; // in it
    int loops;         // loops of the arm around the statement: break and continue belong to them
    int depth;
    Node **taken; // gets what may run only if its arm is taken; NULL: nothing may be so
} Check;

static bool refuse(Check *check, const char *reason, Node *at) {
    decline(check->finding, reason, at);
    return false;
}

bool names_has(const NameVec *names, Name name) {
    for (uint32_t i = 0; i < names->len; i++)
        if (names->items[i] == name)
            return true;
    return false;
}

void names_add(NameVec *names, Name name) {
    if (!names_has(names, name))
        vec_push(names, name);
}

// ---------------------------------------------------------------- expressions

static bool reads_frame(Node *expr) {
    if (node_is(expr, NODE_NAME)) {
        Str name = name_str(expr->u.name.name);
        return str_eq(name, STR("super")) || str_eq(name, STR("locals")) || str_eq(name, STR("vars")) ||
               str_eq(name, STR("__class__"));
    }
    for (ChildIter it = ast_children(expr); ast_next(&it);)
        if (reads_frame(it.child))
            return true;
    return false;
}

static bool check_new_expr(Check *check, Node *expr);

static bool note_taken(Node **taken, Node *expr) {
    if (taken && !*taken)
        *taken = expr;
    return taken != NULL;
}

bool where_speculates(PassContext *context, Finding *finding, Node *expr, Node **taken) {
    if (expr->flags & NODE_NEW) {
        Check check = {.context = context, .finding = finding, .taken = taken};
        return check_new_expr(&check, expr);
    }
    if (reads_frame(expr)) {
        decline(finding, "reads-its-frame", expr);
        return false;
    }
    if (expr_is_pure_if_caught(context->module, expr))
        return true;
    if (where_may_run_taken(context, expr) && note_taken(taken, expr))
        return true;
    uint32_t effects = effects_of_expr(context->module, expr);
    const char *reason = "may-raise-in-branch";
    if (effects & (EFFECT_WRITES_ATTR | EFFECT_WRITES_GLOBAL | EFFECT_WRITES_ITEM | EFFECT_WRITES_CLOSURE |
                   EFFECT_INPLACE | EFFECT_CHANGES_OWN))
        reason = "writes-in-branch";
    else if (effects & EFFECT_RNG)
        reason = "random-in-branch";
    else if (effects & EFFECT_UNKNOWN)
        reason = "unknown-in-branch";
    decline(finding, reason, expr);
    return false;
}

static bool check_expr(Check *check, Node *expr);

// What an earlier pass put here: raise_if(test, lambda ...: ..., values...). The test and the values are evaluated at once,
// the lambda later. A test `static or data` would raise while tracing, in an arm that may not be taken.
static bool check_new_expr(Check *check, Node *expr) {
    if (node_is(expr, NODE_LAMBDA) || node_is(expr, NODE_NAME) || node_is(expr, NODE_TEXT))
        return true;
    if (node_is(expr, NODE_BOOL_OP) && expr->u.binary.op == OP_BOOL_OR)
        return refuse(check, "may-raise-in-branch", expr);
    if (node_is(expr,
                NODE_NAMED_EXPR)) // of the test of a nested branch: in an arm it would be a local of the arm
        return refuse(check, "binds-a-name", expr);
    if (node_is(expr, NODE_CALL) && where_is_cond(check->context, expr) && !note_taken(check->taken, expr))
        return refuse(check, "may-raise-in-branch", expr);
    for (ChildIter it = ast_children(expr); ast_next(&it);)
        if (!check_expr(check, it.child))
            return false;
    return true;
}

// parts.append(x), of a list that the arm has made: what remains is what it is given.
static bool check_own_change(Check *check, Node *call) {
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        Node *arg = call->u.call.args.items[i];
        if (!check_expr(check, node_is(arg, NODE_KEYWORD)   ? arg->u.keyword.value
                               : node_is(arg, NODE_STARRED) ? arg->u.value.value
                                                            : arg))
            return false;
    }
    Node *receiver = call->u.call.func->u.attribute.value;
    return !node_is(receiver, NODE_CALL) || check_expr(check, receiver);
}

static bool check_expr(Check *check, Node *expr) {
    if (expr->flags & NODE_NEW)
        return check_new_expr(check, expr);
    if (node_is(expr, NODE_BOOL_OP) && expr->flags & NODE_DIRTY)
        return check_new_expr(check, expr);
    if (node_is(expr, NODE_CALL) && changes_what_is_made_in(check->context->module, expr, check->arm))
        return check_own_change(check, expr);
    return where_speculates(check->context, check->finding, expr, check->taken);
}

// A print or log call stays where it is; [Defer] records it and the runtime lets only the taken arm's be heard.
// What late_needed() says of an argument is formatted or read later, from values that are taken apart.
static bool check_output(Check *check, Node *call) {
    const uint32_t writes = EFFECT_WRITES_ATTR | EFFECT_WRITES_GLOBAL | EFFECT_WRITES_ITEM |
                            EFFECT_WRITES_CLOSURE | EFFECT_INPLACE | EFFECT_RNG | EFFECT_UNKNOWN;
    if (!defer_accepts(check->context, check->finding, call))
        return false;
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        Node *arg = call->u.call.args.items[i];
        if (node_is(arg, NODE_KEYWORD) || node_is(arg, NODE_STARRED))
            arg = node_is(arg, NODE_KEYWORD) ? arg->u.keyword.value : arg->u.value.value;
        bool late = late_needed(check->context->module, arg) &&
                    !(effects_of_expr(check->context->module, arg) & writes);
        if (!late && !where_speculates(check->context, check->finding, arg, NULL))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------- statements

static bool check_suite(Check *check, NodeList suite, bool tail);

static bool check_target(Check *check, Node *target) {
    if (node_is(target, NODE_TUPLE) || node_is(target, NODE_LIST)) {
        for (uint32_t i = 0; i < target->u.items.items.len; i++)
            if (!check_target(check, target->u.items.items.items[i]))
                return false;
        return true;
    }
    if (node_is(target, NODE_SUBSCRIPT) &&
        changes_what_is_made_in(check->context->module, target, check->arm))
        return check_expr(check, target->u.subscript.index);
    if (!node_is(target, NODE_NAME))
        return refuse(check, "writes-in-branch", target);
    // Names in code that an earlier step wrote carry no symbol; its own ones are in no scope.
    const Symbol *symbol =
        target->u.name.symbol ? target->u.name.symbol : scope_own(check->scope, target->u.name.name);
    if (!symbol && target->flags & NODE_NEW)
        return true;
    if (!symbol || symbol->scope != check->scope || (symbol->flags & (SYM_GLOBAL | SYM_NONLOCAL)))
        return refuse(check, "writes-in-branch", target);
    if (symbol->flags & SYM_CELL)
        return refuse(check, "captured-by-closure", target);
    names_add(check->assigned, target->u.name.name);
    return true;
}

static bool check_assign(Check *check, Node *statement) {
    if (!check_expr(check, statement->u.assign.value))
        return false;
    for (uint32_t i = 0; i < statement->u.assign.targets.len; i++)
        if (!check_target(check, statement->u.assign.targets.items[i]))
            return false;
    return true;
}

// x += 1 changes a tensor in place: only for what cannot be one, or what the arm has made.
static bool check_aug_assign(Check *check, Node *statement) {
    Node *target = statement->u.aug.target;
    Module *module = check->context->module;
    uint16_t kinds = fact_of(module, target).kinds;
    bool replaces = kinds && !(kinds & ~(KIND_BOOL | KIND_INT | KIND_FLOAT | KIND_STR));
    if (!replaces && !changes_what_is_made_in(module, statement, check->arm))
        return refuse(check, "writes-in-branch", target);
    return check_expr(check, statement->u.aug.value) && check_target(check, target);
}

static bool check_if(Check *check, Node *statement, bool tail) {
    Predicate predicate = predicate_of(check->context->module, statement->u.branch.test);
    if (predicate == PRED_DATA)
        return refuse(check, "nested-branch-left", statement);
    if (!check_expr(check, statement->u.branch.test))
        return false;
    return check_suite(check, statement->u.branch.body, tail) &&
           check_suite(check, statement->u.branch.orelse, tail);
}

static bool check_for(Check *check, Node *statement) {
    if (statement->flags & NODE_ASYNC)
        return refuse(check, "statement-in-branch", statement);
    if (!check_expr(check, statement->u.loop.iter) || !check_target(check, statement->u.loop.target))
        return false;
    check->loops++;
    bool ok = check_suite(check, statement->u.loop.body, false) &&
              check_suite(check, statement->u.loop.orelse, false);
    check->loops--;
    return ok;
}

// with torch.no_grad(): a mode of autograd, which ends with the arm's statement.
static bool check_with(Check *check, Node *statement) {
    static const char *const modes[] = {"torch.no_grad", "torch.enable_grad", "contextlib.nullcontext"};
    for (uint32_t i = 0; i < statement->u.with.items.len; i++) {
        Node *item = statement->u.with.items.items[i], *context = item->u.with_item.context;
        bool known = false;
        Ref ref = node_is(context, NODE_CALL) && !context->u.call.args.len
                      ? resolve_expr(check->context->module, context->u.call.func)
                      : (Ref){0};
        for (size_t k = 0; k < sizeof modes / sizeof *modes; k++)
            known = known || ref_is_external(ref, modes[k]);
        if (!known || item->u.with_item.target)
            return refuse(check, "statement-in-branch", item);
    }
    return !(statement->flags & NODE_ASYNC) && check_suite(check, statement->u.with.body, false);
}

static bool check_statement(Check *check, Node *statement, bool tail) {
    bool is_new = (statement->flags & NODE_NEW) != 0;
    if (++check->depth > MAX_BRANCH_DEPTH)
        return refuse(check, "too-complex", statement);
    bool ok;
    switch ((NodeKind)statement->kind) {
    case NODE_STMT_SEQ:
        ok = check_suite(check, statement->u.items.items, tail);
        break;
    case NODE_ASSIGN:
        ok = check_assign(check, statement);
        break;
    case NODE_AUG_ASSIGN:
        ok = check_aug_assign(check, statement);
        break;
    case NODE_ANN_ASSIGN:
        ok = statement->u.ann.value
                 ? check_expr(check, statement->u.ann.value) && check_target(check, statement->u.ann.target)
                 : refuse(check, "statement-in-branch", statement);
        break;
    case NODE_EXPR_STMT: {
        Node *value = statement->u.value.value;
        if (!is_new && node_is(value, NODE_CALL) && output_kind(check->context->module, value) != OUTPUT_NONE)
            ok = check_output(check, value);
        else
            ok = check_expr(check, value);
        break;
    }
    case NODE_IF:
        ok = check_if(check, statement, tail);
        break;
    case NODE_FOR:
        ok = check_for(check, statement);
        break;
    case NODE_WITH:
        ok = check_with(check, statement);
        break;
    case NODE_FUNCTION_DEF:
        // Made for a nested branch: its statements were checked for that one, and the names it binds are its own.
        ok = is_new || refuse(check, "statement-in-branch", statement);
        break;
    case NODE_BREAK:
    case NODE_CONTINUE:
        ok = check->loops > 0 || refuse(check, "statement-in-branch", statement);
        break;
    case NODE_PASS:
        ok = true;
        break;
    case NODE_RETURN:
        if (!tail)
            ok = refuse(check, "statement-in-branch", statement);
        else
            ok = !statement->u.value.value || check_expr(check, statement->u.value.value);
        break;
    default:
        ok = refuse(check, "statement-in-branch", statement);
        break;
    }
    check->depth--;
    return ok;
}

// tail: a return may stand at the end.
static bool check_suite(Check *check, NodeList suite, bool tail) {
    for (uint32_t i = 0; i < suite.len; i++)
        if (!check_statement(check, suite.items[i], tail && i + 1 == suite.len))
            return false;
    return true;
}

// A whole arm. `assigned` gets the names that it binds.
static bool check_arm(Check *check, NodeList suite, bool tail, NameVec *assigned) {
    check->assigned = assigned;
    check->arm = suite;
    for (uint32_t i = 0; i < suite.len; i++) {
        Node *unbound = unbound_read(suite.items[i]);
        if (unbound)
            return refuse(check, "may-be-unbound", unbound);
        if (!check_statement(check, suite.items[i], tail && i + 1 == suite.len))
            return false;
    }
    return true;
}

// ---------------------------------------------------------------- values

static bool is_moved(const Moved *moved, const Node *node) {
    if (node->start >= moved->start && node->end <= moved->end && !(node->flags & NODE_NEW) &&
        node_contains(moved->function, node))
        return true;
    for (const Node *up = node; up; up = up->parent)
        if (node_is(up, NODE_FUNCTION_DEF))
            return (up->flags & NODE_NEW) != 0;
    return false;
}

static bool is_original(const Node *expr) {
    return !(expr->flags & (NODE_NEW | NODE_DIRTY));
}

static bool is_constant(const Node *expr) {
    return node_is(expr, NODE_CONSTANT) ||
           (node_is(expr, NODE_UNARY_OP) && node_is(expr->u.unary.operand, NODE_CONSTANT));
}

bool where_unlike(Module *module, Node *one, Node *two) {
    if (!one || !two || !is_original(one) || !is_original(two))
        return false;
    if (is_constant(one) && is_constant(two)) {
        const SyntaxTree *tree = module->unit->tree;
        return !str_eq(node_text(tree, one), node_text(tree, two));
    }
    uint32_t a = fact_of(module, one).kinds, b = fact_of(module, two).kinds;
    return a && b && !(a & b);
}

// a of `name = a`, and of `name, other = a, b`; else NULL.
static Node *value_assigned(const Node *statement, const Node *binding) {
    if (!node_is(statement, NODE_ASSIGN))
        return NULL;
    const Node *target = binding->parent;
    Node *value = statement->u.assign.value;
    if (target == statement)
        return value;
    if (!node_is(target, NODE_TUPLE) || target->parent != statement || !node_is(value, NODE_TUPLE) ||
        target->u.items.items.len != value->u.items.items.len)
        return NULL;
    Node *found = NULL;
    for (uint32_t i = 0; i < value->u.items.items.len; i++) {
        if (node_is(target->u.items.items.items[i], NODE_STARRED) ||
            node_is(value->u.items.items.items[i], NODE_STARRED))
            return NULL;
        if (target->u.items.items.items[i] == binding)
            found = value->u.items.items.items[i];
    }
    return found;
}

static uint32_t binding_from(const Symbol *symbol, uint32_t place) {
    return nodes_from(symbol->bindings.items, symbol->bindings.len, place);
}

// What the statements give the name last, as far as one assignment says so; NULL: not known.
static Node *value_given(NodeList suite, const Symbol *symbol, bool *binds) {
    Node *value = NULL;
    *binds = false;
    for (uint32_t i = 0; i < suite.len; i++) {
        Node *statement = suite.items[i];
        for (uint32_t k = binding_from(symbol, statement->start), end = binding_from(symbol, statement->end);
             k < end; k++) {
            if (!node_contains(statement, symbol->bindings.items[k]))
                continue;
            value = value_assigned(statement, symbol->bindings.items[k]);
            *binds = true;
        }
        if (statement->flags & (NODE_NEW | NODE_DIRTY)) {
            *binds = true;
            value = NULL;
        }
    }
    return value;
}

// The same of what it has before, if only one assignment outside of what moves gives it a value.
static Node *value_before(const Moved *moved, const Symbol *symbol) {
    Node *value = NULL;
    for (uint32_t i = 0; i < symbol->bindings.len; i++) {
        const Node *binding = symbol->bindings.items[i];
        if (is_moved(moved, binding))
            continue;
        if (value || !node_is(binding->parent, NODE_ASSIGN))
            return NULL;
        value = binding->parent->u.assign.value;
    }
    return value;
}

static bool values_are_unlike(Check *check, const WherePlan *plan, const Symbol *symbol) {
    const NodeList suites[2] = {plan->first, plan->second};
    Node *values[2];
    for (int i = 0; i < 2; i++) {
        bool binds;
        values[i] = value_given(suites[i], symbol, &binds);
        if (!binds)
            values[i] = value_before(&plan->moved, symbol);
    }
    return where_unlike(check->context->module, values[0], values[1]);
}

// ---------------------------------------------------------------- returns

static bool always_returns(NodeList suite) {
    if (suite.len == 0)
        return false;
    const Node *last = suite.items[suite.len - 1];
    if (node_is(last, NODE_RETURN))
        return last->u.value.value != NULL;
    if (node_is(last, NODE_STMT_SEQ))
        return always_returns(last->u.items.items);
    return node_is(last, NODE_IF) && always_returns(last->u.branch.body) &&
           always_returns(last->u.branch.orelse);
}

static bool has_return(Node *node) {
    if (node_is(node, NODE_RETURN))
        return true;
    if (node_is(node, NODE_FUNCTION_DEF) || node_is(node, NODE_CLASS_DEF) || node_is(node, NODE_LAMBDA))
        return false;
    for (ChildIter it = ast_children(node); ast_next(&it);)
        if (has_return(it.child))
            return true;
    return false;
}

static bool suite_has_return(NodeList suite) {
    for (uint32_t i = 0; i < suite.len; i++)
        if (has_return(suite.items[i]))
            return true;
    return false;
}

// What may leave its suite: in a try an exception is met where it stands.
static bool takes_from_suite(const Node *branch) {
    return node_is(branch->parent, NODE_FUNCTION_DEF) || node_is(branch->parent, NODE_IF) ||
           node_is(branch->parent, NODE_WHILE) || node_is(branch->parent, NODE_FOR) ||
           node_is(branch->parent, NODE_WITH);
}

// The statements behind the branch in its suite belong to its second arm.
static void take_rest(WherePlan *plan) {
    NodeList suite;
    uint32_t at;
    if (!takes_from_suite(plan->branch) || !node_in_suite(plan->branch, &suite, &at) || at + 1 >= suite.len)
        return;
    Arena *arena = plan->finding->module->unit->arena;
    NodeList rest = {suite.items + at + 1, suite.len - at - 1};
    plan->last = rest.items[rest.len - 1];
    plan->moved.end = plan->last->end;
    if (!plan->second.len) {
        plan->second = rest;
        return;
    }
    VEC(Node *) second = {0};
    for (uint32_t i = 0; i < plan->second.len; i++)
        vec_push(&second, plan->second.items[i]);
    for (uint32_t i = 0; i < rest.len; i++)
        vec_push(&second, rest.items[i]);
    plan->second = ast_list(arena, second.len, second.items);
    vec_free(&second);
}

// if C: ...; continue   in the suite of a loop: what follows is the second arm.
static bool skips_rest_of_turn(const WherePlan *plan) {
    const Node *loop = plan->branch->parent;
    NodeList suite;
    uint32_t at;
    if (!plan->first.len || !node_is(plan->first.items[plan->first.len - 1], NODE_CONTINUE) ||
        !node_in_suite(plan->branch, &suite, &at))
        return false;
    return (node_is(loop, NODE_FOR) && suite.items == loop->u.loop.body.items) ||
           (node_is(loop, NODE_WHILE) && suite.items == loop->u.branch.body.items);
}

static bool bound_before(const Symbol *symbol, const Node *branch) {
    return symbol && (is_surely_bound(symbol, branch) || test_binds_surely(branch->u.branch.test, symbol));
}

// The names that have a value before the branch and get another in an arm: there they would be locals of the arm's function,
// so it takes them as parameters.
static void add_ins(Check *check, WherePlan *plan, const NameVec *assigned) {
    for (uint32_t i = 0; i < assigned->len; i++) {
        Symbol *symbol = scope_own(check->scope, assigned->items[i]);
        if (bound_before(symbol, plan->branch))
            names_add(&plan->ins, assigned->items[i]);
    }
}

// Else Python would look for a global where the function reads a name that has no value.
static bool names_stay_local(Check *check, const Moved *moved, const NameVec *assigned, const NameVec *outs) {
    for (uint32_t i = 0; i < assigned->len; i++) {
        Symbol *symbol = scope_own(check->scope, assigned->items[i]);
        bool bound = !symbol || names_has(outs, assigned->items[i]);
        for (uint32_t k = 0; !bound && k < symbol->bindings.len; k++)
            bound = !is_moved(moved, symbol->bindings.items[k]);
        for (uint32_t k = 0; !bound && k < symbol->uses.len; k++)
            if (!is_moved(moved, symbol->uses.items[k]))
                return refuse(check, "may-be-unbound", symbol->uses.items[k]);
    }
    return true;
}

static Node *returned(NodeList suite) {
    const Node *last = suite.items[suite.len - 1];
    return node_is(last, NODE_RETURN) ? last->u.value.value : NULL;
}

// if C: return a  /  rest  /  return b. Both ways give a value, and everything on both ways can be speculated.
static bool plan_returns(Check *check, WherePlan *plan) {
    Node *branch = plan->branch;
    NameVec assigned = {0};
    plan->returns = true;
    if (always_returns(plan->first) && plan->second.len == 0)
        take_rest(plan);
    if (!always_returns(plan->first) || !always_returns(plan->second))
        return refuse(check, "statement-in-branch", branch);
    if (where_unlike(check->context->module, returned(plan->first), returned(plan->second)))
        return refuse(check, "unlike-values", returned(plan->second));
    bool ok =
        check_arm(check, plan->first, true, &assigned) && check_arm(check, plan->second, true, &assigned);
    if (ok && result_may_change(check->context->module, branch))
        ok = refuse(check, "changed-in-place-later", branch);
    Node *values[] = {returned(plan->first), returned(plan->second)};
    for (int i = 0; i < 2 && ok; i++)
        if (values[i] && value_is_seen(check->context->module, values[i]))
            ok = refuse(check, "seen-outside", values[i]);
    ok = ok && names_stay_local(check, &plan->moved, &assigned, &plan->outs);
    if (ok)
        add_ins(check, plan, &assigned);
    vec_free(&assigned);
    return ok;
}

// ---------------------------------------------------------------- names

bool where_is_live(const Finding *finding, Name name) {
    Symbol *const *live = finding->live_after;
    CHECK(live);
    for (; *live; live++)
        if ((*live)->name == name)
            return true;
    return false;
}

// Where the moved statements bind the name; NULL: nowhere.
static Node *binding_in(const Moved *moved, const Symbol *symbol) {
    for (uint32_t i = binding_from(symbol, moved->start); i < symbol->bindings.len; i++)
        if (is_moved(moved, symbol->bindings.items[i]))
            return symbol->bindings.items[i];
    return NULL;
}

static bool plan_names(Check *check, WherePlan *plan) {
    NameVec names[2] = {{0}};
    bool ok =
        check_arm(check, plan->first, false, &names[0]) && check_arm(check, plan->second, false, &names[1]);
    for (int arm = 0; arm < 2 && ok; arm++) {
        for (uint32_t i = 0; i < names[arm].len && ok; i++) {
            Name name = names[arm].items[i];
            Symbol *symbol = scope_own(check->scope, name);
            bool before = bound_before(symbol, plan->branch);
            if (before)
                names_add(&plan->ins, name);
            if (!where_is_live(plan->finding, name))
                continue;
            if (!before &&
                !(suite_binds_surely(plan->first, symbol) && suite_binds_surely(plan->second, symbol)))
                ok = refuse(check, "unbound-after-branch", binding_in(&plan->moved, symbol));
            if (ok && symbol && values_are_unlike(check, plan, symbol))
                ok = refuse(check, "unlike-values", binding_in(&plan->moved, symbol));
            names_add(&plan->outs, name);
        }
    }
    for (int arm = 0; arm < 2; arm++) {
        ok = ok && names_stay_local(check, &plan->moved, &names[arm], &plan->outs);
        vec_free(&names[arm]);
    }
    return ok;
}

static bool stays_unchanged(Check *check, Node *node, const Moved *moved, Name name) {
    Symbol *symbol = scope_own(check->scope, name);
    Node *binding = symbol ? binding_in(moved, symbol) : NULL;
    if (binding && node_is(node, NODE_IF) && name_is_unshared(check->context->module, symbol, node))
        return true;
    if (!node_is(binding, NODE_NAME) || may_change_after(check->context->module, node, binding))
        return refuse(check, "changed-in-place-later", binding ? binding : node);
    Node *seen = name_is_seen(check->context->module, symbol, node);
    return !seen || refuse(check, "seen-outside", seen);
}

static bool outs_stay_unchanged(Check *check, const WherePlan *plan) {
    for (uint32_t i = 0; i < plan->outs.len; i++)
        if (!stays_unchanged(check, plan->branch, &plan->moved, plan->outs.items[i]))
            return false;
    return true;
}

// ---------------------------------------------------------------- the whole

Node *where_plain_binding(PassContext *context, const Finding *finding, Moved moved, Name name) {
    const uint32_t plain =
        KIND_BOOL | KIND_INT | KIND_FLOAT | KIND_STR | KIND_NONE | KIND_DTYPE | KIND_DEVICE;
    const Symbol *symbol = where_symbol(context, finding, name);
    for (uint32_t i = 0; symbol && i < symbol->bindings.len; i++) {
        Node *binding = symbol->bindings.items[i], *statement = binding->parent, *value = NULL;
        if (node_is(statement, NODE_ASSIGN))
            value = statement->u.assign.value;
        else if (node_is(statement, NODE_AUG_ASSIGN))
            value = binding;
        uint32_t kinds = value && is_moved(&moved, binding) && !(value->flags & NODE_NEW)
                             ? fact_of(context->module, value).kinds
                             : 0;
        if (kinds && !(kinds & ~plain))
            return binding;
    }
    return NULL;
}

static Check check_of(PassContext *context, Finding *finding) {
    Function *function = unit_function_at(context->module->unit, finding->node);
    return (Check){.context = context, .finding = finding, .scope = function->scope};
}

Symbol *where_symbol(PassContext *context, const Finding *finding, Name name) {
    return scope_own(unit_function_at(context->module->unit, finding->node)->scope, name);
}

bool where_speculates_suite(PassContext *context, Finding *finding, NodeList suite, NameVec *assigned) {
    Check check = check_of(context, finding);
    return check_arm(&check, suite, false, assigned);
}

bool where_names_stay(PassContext *context, Finding *finding, Moved moved, const NameVec *assigned,
                      const NameVec *outs) {
    Check check = check_of(context, finding);
    return names_stay_local(&check, &moved, assigned, outs);
}

bool where_stays_unchanged(PassContext *context, Finding *finding, Node *node, Moved moved, Name name) {
    Check check = check_of(context, finding);
    return stays_unchanged(&check, node, &moved, name);
}

bool where_plan(PassContext *context, Finding *finding, WherePlan *plan) {
    Node *branch = finding->node;
    *plan = (WherePlan){.finding = finding,
                        .branch = branch,
                        .first = branch->u.branch.body,
                        .second = branch->u.branch.orelse,
                        .last = branch,
                        .moved = {node_function(branch), branch->u.branch.test->end, branch->end}};
    if (!may_defer_here(context, finding))
        return false;
    Check check = check_of(context, finding);
    check.taken = &plan->taken;
    if (node_is(plan->moved.function, NODE_LAMBDA)) {
        decline(finding, "statement-in-branch", branch);
        return false;
    }
    if (skips_rest_of_turn(plan)) {
        plan->first.len--;
        take_rest(plan);
    }
    bool ok;
    if (suite_has_return(plan->first) || suite_has_return(plan->second))
        ok = plan_returns(&check, plan);
    else
        ok = plan_names(&check, plan) && outs_stay_unchanged(&check, plan);
    if (ok) {
        plan->smooth = where_is_smooth(context, plan);
        plan->arms = where_arms(context, plan->first, plan->second, plan->taken != NULL);
        if (plan->taken && plan->arms.recorder)
            ok = refuse(&check, "records-in-branch", plan->arms.recorder);
        else if (plan->arms.too_deep)
            ok = refuse(&check, "too-complex", branch);
    }
    if (!ok)
        where_plan_free(plan);
    return ok;
}

void where_plan_free(WherePlan *plan) {
    vec_free(&plan->outs);
    vec_free(&plan->ins);
}
