// May statements and expressions run although the original would not have? Under the compiler both arms of a selection do, so
// each must be harmless where it is not meant:
//   writes-in-branch        something other than a local name is written: attribute, item, global, in-place update of a
//                           tensor that another name, or somebody outside, may know
//   random-in-branch        random numbers are drawn, and torch.cond is no way out (where_cond.c)
//   may-raise-in-branch     an expression may raise (division, look-up, index, unknown call), and torch.cond is none
//   unknown-in-branch       a call that cannot be resolved
//   statement-in-branch     a statement that has no place in a selection (return in the middle, break, with, try, del ...)
//   nested-branch-left      a branch inside that could not be rewritten itself
//   captured-by-closure     a name that the branch binds is shared with another function
// Input: an arm. Output: the names that it binds, or the finding is declined. Reads the tree only.
#include "passes/where.h"

#include "detect/output.h"

enum { MAX_BRANCH_DEPTH = 200 };

bool where_refuse(WhereCheck *check, const char *reason, Node *at) {
    decline(check->finding, reason, at);
    return false;
}

WhereCheck where_check_of(PassContext *context, Finding *finding) {
    Function *function = unit_function_at(context->module->unit, finding->node);
    return (WhereCheck){.context = context, .finding = finding, .scope = function->scope};
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

static bool check_new_expr(WhereCheck *check, Node *expr);

static bool note_taken(Node **taken, Node *expr) {
    if (taken && !*taken)
        *taken = expr;
    return taken != NULL;
}

bool where_speculates(PassContext *context, Finding *finding, Node *expr, Node **taken) {
    if (expr->flags & NODE_NEW) {
        WhereCheck check = {.context = context, .finding = finding, .taken = taken};
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

static bool check_expr(WhereCheck *check, Node *expr);

// What an earlier pass put here: raise_if(test, lambda ...: ..., values...). The test and the values are evaluated at once,
// the lambda later. A test `static or data` would raise while tracing, in an arm that may not be taken.
static bool check_new_expr(WhereCheck *check, Node *expr) {
    if (node_is(expr, NODE_LAMBDA) || node_is(expr, NODE_NAME) || node_is(expr, NODE_TEXT))
        return true;
    if (node_is(expr, NODE_BOOL_OP) && expr->u.binary.op == OP_BOOL_OR)
        return where_refuse(check, "may-raise-in-branch", expr);
    if (node_is(expr,
                NODE_NAMED_EXPR)) // of the test of a nested branch: in an arm it would be a local of the arm
        return where_refuse(check, "binds-a-name", expr);
    if (node_is(expr, NODE_CALL) && where_is_cond(check->context, expr) && !note_taken(check->taken, expr))
        return where_refuse(check, "may-raise-in-branch", expr);
    for (ChildIter it = ast_children(expr); ast_next(&it);)
        if (!check_expr(check, it.child))
            return false;
    return true;
}

// parts.append(x), of a list that the arm has made: what remains is what it is given.
static bool check_own_change(WhereCheck *check, Node *call) {
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

static bool check_expr(WhereCheck *check, Node *expr) {
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
static bool check_output(WhereCheck *check, Node *call) {
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

// ---------------------------------------------------------------- stores

// Where something is stored: i, 1:, (..., mask).
static bool check_index(WhereCheck *check, Node *index) {
    if (!node_is(index, NODE_TUPLE) && !node_is(index, NODE_SLICE))
        return check_expr(check, index);
    for (ChildIter it = ast_children(index); ast_next(&it);)
        if (!check_index(check, it.child))
            return false;
    return true;
}

static bool is_writer(Name method) {
    static const char *const names[] = {"masked_fill_", "fill_",      "zero_",       "copy_",
                                        "clamp_",       "clamp_min_", "clamp_max_",  "clip_",
                                        "add_",         "sub_",       "nan_to_num_", "neg_"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_eq(name_str(method), str_of(names[i])))
            return true;
    return false;
}

Node *where_stored_in(Node *call) {
    Node *func = node_is(call, NODE_CALL) ? call->u.call.func : NULL;
    return node_is(func, NODE_ATTRIBUTE) && is_writer(func->u.attribute.attr) ? func->u.attribute.value
                                                                              : NULL;
}

// x[mask] = 0, x[1:] += 1, x *= 2, x.clamp_(0, 1): into a tensor that only this name knows, so that the runtime can give each arm
// a copy of it, and the selection to the name. `change`: the target, the statement or the call.
static bool check_store(WhereCheck *check, Node *place, Node *change) {
    const uint32_t allowed = EFFECT_INPLACE | EFFECT_INPLACE_SURE | EFFECT_WRITES_ITEM |
                             EFFECT_WRITES_ITEM_SURE | EFFECT_CHANGES_OWN | EFFECT_WRITES_LOCAL |
                             EFFECT_MAY_RAISE;
    Module *module = check->context->module;
    Node *name = place;
    for (; node_is(name, NODE_SUBSCRIPT); name = name->u.subscript.value)
        if (!check_index(check, name->u.subscript.index))
            return false;
    Symbol *symbol = node_is(name, NODE_NAME) ? name->u.name.symbol : NULL;
    if (!check->plan || change->flags & NODE_NEW || !symbol || name->flags & NODE_NEW ||
        !is_surely_bound(symbol, check->finding->node) ||
        !object_is_unshared(module, name, check->finding->node))
        return where_refuse(check, "writes-in-branch", place);
    uint32_t effects =
        node_is_expr(change) ? effects_of_expr(module, change) : effects_of_stmt(module, change);
    if (effects & ~allowed)
        return where_refuse(
            check, effects & EFFECT_RAISES_ON_DATA ? "may-raise-in-branch" : "writes-in-branch", place);
    check->plan->store = check->plan->store ? check->plan->store : place;
    names_add(&check->plan->stored, symbol->name);
    names_add(check->assigned, symbol->name);
    return true;
}

static bool check_call_that_stores(WhereCheck *check, Node *call) {
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        Node *arg = call->u.call.args.items[i];
        if (!check_expr(check, node_is(arg, NODE_KEYWORD) ? arg->u.keyword.value : arg))
            return false;
    }
    return check_store(check, where_stored_in(call), call);
}

// ---------------------------------------------------------------- statements

static bool check_suite(WhereCheck *check, NodeList suite, bool tail);

static bool check_target(WhereCheck *check, Node *target) {
    if (node_is(target, NODE_TUPLE) || node_is(target, NODE_LIST)) {
        for (uint32_t i = 0; i < target->u.items.items.len; i++)
            if (!check_target(check, target->u.items.items.items[i]))
                return false;
        return true;
    }
    if (node_is(target, NODE_SUBSCRIPT) &&
        changes_what_is_made_in(check->context->module, target, check->arm))
        return check_index(check, target->u.subscript.index);
    if (node_is(target, NODE_SUBSCRIPT))
        return check_store(check, target, target);
    if (!node_is(target, NODE_NAME))
        return where_refuse(check, "writes-in-branch", target);
    // Names in code that an earlier step wrote carry no symbol; its own ones are in no scope.
    const Symbol *symbol =
        target->u.name.symbol ? target->u.name.symbol : scope_own(check->scope, target->u.name.name);
    if (!symbol && target->flags & NODE_NEW)
        return true;
    if (!symbol || symbol->scope != check->scope || (symbol->flags & (SYM_GLOBAL | SYM_NONLOCAL)))
        return where_refuse(check, "writes-in-branch", target);
    if (symbol->flags & SYM_CELL)
        return where_refuse(check, "captured-by-closure", target);
    names_add(check->assigned, target->u.name.name);
    return true;
}

static bool check_assign(WhereCheck *check, Node *statement) {
    if (!check_expr(check, statement->u.assign.value))
        return false;
    for (uint32_t i = 0; i < statement->u.assign.targets.len; i++)
        if (!check_target(check, statement->u.assign.targets.items[i]))
            return false;
    return true;
}

// x += 1 changes a tensor in place: only for what cannot be one, or what the arm has made.
static bool check_aug_assign(WhereCheck *check, Node *statement) {
    Node *target = statement->u.aug.target;
    Module *module = check->context->module;
    uint16_t kinds = fact_of(module, target).kinds;
    bool replaces = kinds && !(kinds & ~(KIND_BOOL | KIND_INT | KIND_FLOAT | KIND_STR));
    if (!replaces && !changes_what_is_made_in(module, statement, check->arm))
        return check_expr(check, statement->u.aug.value) && check_store(check, target, statement);
    return check_expr(check, statement->u.aug.value) && check_target(check, target);
}

static bool check_if(WhereCheck *check, Node *statement, bool tail) {
    Predicate predicate = predicate_of(check->context->module, statement->u.branch.test);
    if (predicate == PRED_DATA)
        return where_refuse(check, "nested-branch-left", statement);
    if (!check_expr(check, statement->u.branch.test))
        return false;
    return check_suite(check, statement->u.branch.body, tail) &&
           check_suite(check, statement->u.branch.orelse, tail);
}

static bool check_for(WhereCheck *check, Node *statement) {
    if (statement->flags & NODE_ASYNC)
        return where_refuse(check, "statement-in-branch", statement);
    if (!check_expr(check, statement->u.loop.iter) || !check_target(check, statement->u.loop.target))
        return false;
    check->loops++;
    bool ok = check_suite(check, statement->u.loop.body, false) &&
              check_suite(check, statement->u.loop.orelse, false);
    check->loops--;
    return ok;
}

// with torch.no_grad(): a mode of autograd, which ends with the arm's statement.
static bool check_with(WhereCheck *check, Node *statement) {
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
            return where_refuse(check, "statement-in-branch", item);
    }
    return !(statement->flags & NODE_ASYNC) && check_suite(check, statement->u.with.body, false);
}

static bool check_statement(WhereCheck *check, Node *statement, bool tail) {
    bool is_new = (statement->flags & NODE_NEW) != 0;
    if (++check->depth > MAX_BRANCH_DEPTH)
        return where_refuse(check, "too-complex", statement);
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
                 : where_refuse(check, "statement-in-branch", statement);
        break;
    case NODE_EXPR_STMT: {
        Node *value = statement->u.value.value;
        if (!is_new && node_is(value, NODE_CALL) && output_kind(check->context->module, value) != OUTPUT_NONE)
            ok = check_output(check, value);
        else if (!is_new && where_stored_in(value) &&
                 !changes_what_is_made_in(check->context->module, value, check->arm))
            ok = check_call_that_stores(check, value);
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
        ok = is_new || where_refuse(check, "statement-in-branch", statement);
        break;
    case NODE_BREAK:
    case NODE_CONTINUE:
        ok = check->loops > 0 || where_refuse(check, "statement-in-branch", statement);
        break;
    case NODE_PASS:
        ok = true;
        break;
    case NODE_RETURN:
        if (!tail)
            ok = where_refuse(check, "statement-in-branch", statement);
        else
            ok = !statement->u.value.value || check_expr(check, statement->u.value.value);
        break;
    default:
        ok = where_refuse(check, "statement-in-branch", statement);
        break;
    }
    check->depth--;
    return ok;
}

// tail: a return may stand at the end.
static bool check_suite(WhereCheck *check, NodeList suite, bool tail) {
    for (uint32_t i = 0; i < suite.len; i++)
        if (!check_statement(check, suite.items[i], tail && i + 1 == suite.len))
            return false;
    return true;
}

// A whole arm. `assigned` gets the names that it binds.
bool where_check_arm(WhereCheck *check, NodeList suite, bool tail, NameVec *assigned) {
    check->assigned = assigned;
    check->arm = suite;
    for (uint32_t i = 0; i < suite.len; i++) {
        Node *unbound = unbound_read(suite.items[i]);
        if (unbound)
            return where_refuse(check, "may-be-unbound", unbound);
        if (!check_statement(check, suite.items[i], tail && i + 1 == suite.len))
            return false;
    }
    return true;
}

bool where_speculates_suite(PassContext *context, Finding *finding, NodeList suite, NameVec *assigned) {
    WhereCheck check = where_check_of(context, finding);
    return where_check_arm(&check, suite, false, assigned);
}
