// Decides whether an `if` on tensor values can become a selection: what its arms do must be harmless where it is not meant
// (where_check.c), and so must what they give be:
//   records-in-branch       only the taken arm may run (where_cond.c), but one records output or a check
//   statement-in-branch     a return in one arm, where the other goes on
//   unbound-after-branch    a name gets its value in one arm only and is read afterwards
//   changed-in-place-later  a selected value is changed in place afterwards: it must stay the very same tensor
//   seen-outside            a selected value is, in one arm, an object that the caller has too, and is handed back to it
//   unlike-values           the arms give values of different kinds, or different numbers
// What the arms give (same type, shape, dtype, device; gradients) is checked by the runtime while tracing.
#include "passes/where.h"

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

// What the statements give the name last, as far as one assignment says so; NULL: not known.
static Node *value_given(NodeList suite, const Symbol *symbol, bool *binds) {
    Node *value = NULL;
    *binds = false;
    for (uint32_t i = 0; i < suite.len; i++) {
        Node *statement = suite.items[i];
        for (uint32_t k = symbol_binding_from(symbol, statement->start),
                      end = symbol_binding_from(symbol, statement->end);
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

static bool values_are_unlike(WhereCheck *check, const WherePlan *plan, const Symbol *symbol) {
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
static void add_ins(WhereCheck *check, WherePlan *plan, const NameVec *assigned) {
    for (uint32_t i = 0; i < assigned->len; i++) {
        Symbol *symbol = scope_own(check->scope, assigned->items[i]);
        if (bound_before(symbol, plan->branch))
            names_add(&plan->ins, assigned->items[i]);
    }
}

// Else Python would look for a global where the function reads a name that has no value.
static bool names_stay_local(WhereCheck *check, const Moved *moved, const NameVec *assigned,
                             const NameVec *outs) {
    for (uint32_t i = 0; i < assigned->len; i++) {
        Symbol *symbol = scope_own(check->scope, assigned->items[i]);
        bool bound = !symbol || names_has(outs, assigned->items[i]);
        for (uint32_t k = 0; !bound && k < symbol->bindings.len; k++)
            bound = !is_moved(moved, symbol->bindings.items[k]);
        for (uint32_t k = 0; !bound && k < symbol->uses.len; k++)
            if (!is_moved(moved, symbol->uses.items[k]))
                return where_refuse(check, "may-be-unbound", symbol->uses.items[k]);
    }
    return true;
}

static Node *returned(NodeList suite) {
    const Node *last = suite.items[suite.len - 1];
    return node_is(last, NODE_RETURN) ? last->u.value.value : NULL;
}

// if C: return a  /  rest  /  return b. Both ways give a value, and everything on both ways can be speculated.
static bool plan_returns(WhereCheck *check, WherePlan *plan) {
    Node *branch = plan->branch;
    NameVec assigned = {0};
    plan->returns = true;
    if (always_returns(plan->first) && plan->second.len == 0)
        take_rest(plan);
    if (!always_returns(plan->first) || !always_returns(plan->second))
        return where_refuse(check, "statement-in-branch", branch);
    if (where_unlike(check->context->module, returned(plan->first), returned(plan->second)))
        return where_refuse(check, "unlike-values", returned(plan->second));
    bool ok = where_check_arm(check, plan->first, true, &assigned) &&
              where_check_arm(check, plan->second, true, &assigned);
    if (ok && result_may_change(check->context->module, branch))
        ok = where_refuse(check, "changed-in-place-later", branch);
    Node *values[] = {returned(plan->first), returned(plan->second)};
    for (int i = 0; i < 2 && ok; i++)
        if (values[i] && value_is_seen(check->context->module, values[i]))
            ok = where_refuse(check, "seen-outside", values[i]);
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
    for (uint32_t i = symbol_binding_from(symbol, moved->start); i < symbol->bindings.len; i++)
        if (is_moved(moved, symbol->bindings.items[i]))
            return symbol->bindings.items[i];
    return NULL;
}

static bool plan_names(WhereCheck *check, WherePlan *plan) {
    NameVec names[2] = {{0}};
    bool ok = where_check_arm(check, plan->first, false, &names[0]) &&
              where_check_arm(check, plan->second, false, &names[1]);
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
                ok = where_refuse(check, "unbound-after-branch", binding_in(&plan->moved, symbol));
            if (ok && symbol && values_are_unlike(check, plan, symbol))
                ok = where_refuse(check, "unlike-values", binding_in(&plan->moved, symbol));
            names_add(&plan->outs, name);
        }
    }
    for (int arm = 0; arm < 2; arm++) {
        ok = ok && names_stay_local(check, &plan->moved, &names[arm], &plan->outs);
        vec_free(&names[arm]);
    }
    return ok;
}

static bool stays_unchanged(WhereCheck *check, Node *node, const Moved *moved, Name name) {
    Symbol *symbol = scope_own(check->scope, name);
    Node *binding = symbol ? binding_in(moved, symbol) : NULL;
    if (check->plan && names_has(&check->plan->stored, name) &&
        (!binding || node_is(binding->parent, NODE_AUG_ASSIGN)))
        return true;
    bool changed = !node_is(binding, NODE_NAME) || may_change_after(check->context->module, node, binding);
    Node *seen = changed ? NULL : name_is_seen(check->context->module, symbol, node);
    if (!changed && !seen)
        return true;
    if (check->plan && binding && node_is(node, NODE_IF) &&
        name_is_unshared(check->context->module, symbol, node)) {
        names_add(&check->plan->alone, name);
        return true;
    }
    return changed ? where_refuse(check, "changed-in-place-later", binding ? binding : node)
                   : where_refuse(check, "seen-outside", seen);
}

static bool outs_stay_unchanged(WhereCheck *check, const WherePlan *plan) {
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

Symbol *where_symbol(PassContext *context, const Finding *finding, Name name) {
    return scope_own(unit_function_at(context->module->unit, finding->node)->scope, name);
}

bool where_names_stay(PassContext *context, Finding *finding, Moved moved, const NameVec *assigned,
                      const NameVec *outs) {
    WhereCheck check = where_check_of(context, finding);
    return names_stay_local(&check, &moved, assigned, outs);
}

bool where_stays_unchanged(PassContext *context, Finding *finding, Node *node, Moved moved, Name name) {
    WhereCheck check = where_check_of(context, finding);
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
    WhereCheck check = where_check_of(context, finding);
    check.taken = &plan->taken;
    check.plan = plan;
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
        plan->arms.stores = plan->store != NULL;
        plan->arms.alone = &plan->alone;
        if (plan->store && plan->taken)
            ok = where_refuse(&check, "writes-in-branch", plan->store);
        else if (plan->taken && plan->arms.recorder)
            ok = where_refuse(&check, "records-in-branch", plan->arms.recorder);
        else if (plan->arms.too_deep)
            ok = where_refuse(&check, "too-complex", branch);
    }
    if (!ok)
        where_plan_free(plan);
    return ok;
}

void where_plan_free(WherePlan *plan) {
    vec_free(&plan->outs);
    vec_free(&plan->ins);
    vec_free(&plan->stored);
    vec_free(&plan->alone);
}
