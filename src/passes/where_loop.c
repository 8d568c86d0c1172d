// [Where], a break on tensor values out of a loop whose turns are known while tracing:
//     for _ in range(4):                     _loop = None
//         nxt = step(x)                      for _ in range(4):
//         if near(nxt, x):                       def _turn(x):
//             break                                  nxt = step(x)
//         x = nxt                      ->            _ends = near(nxt, x)
//                                                    x = _graphmend.select(_ends, lambda: x, lambda: nxt)
//                                                    return _ends, x
//                                                _loop, x = _graphmend.turn(_loop, lambda: (x,), _turn, x)
//                                                if _graphmend.ended(_loop):
//                                                    break
// In eager mode the loop ends where it did. Under the compiler all turns are traced; from the turn on whose test held,
// the names keep their values, and what a turn records is not heard. So all of a turn must be harmless where it is not
// meant to run, as an arm must (where_check.c), its test included. Declined besides:
//   loop-turns-unknown    a while loop, or one over something that may never end
//   loop-has-else         what would run only if no turn broke off
//   loop-left-elsewhere   a second break, a continue, a return; or a break below another statement
//   loop-variable-after   the loop's own variable is read after the loop, or is bound in it: it would go on
// Input: a finding whose IF stands in the suite of the loop and has one arm that ends in break.
#include "passes/where.h"

#include <stdlib.h>

typedef struct Turns {
    PassContext *context;
    Finding *finding;
    Node *branch, *loop;
    bool in_else;             // the break stands in the else arm
    NodeList before;          // the statements of the suite before the branch
    NodeList broken, goes_on; // what runs with the break (without it), and without
    Moved moved;
    NameVec assigned; // in a turn
    NameVec outs;     // of these, those read in the next turn or after the loop
    NameVec ins;      // and those that have a value before the loop
} Turns;

static bool refuse(Turns *turns, const char *reason, Node *at) {
    decline(turns->finding, reason, at);
    return false;
}

// ---------------------------------------------------------------- the shape

static Node *last_of(NodeList suite) {
    return suite.len ? suite.items[suite.len - 1] : NULL;
}

static Node *loop_around(Node *node) {
    for (node = node->parent; node && !node_is(node, NODE_FUNCTION_DEF); node = node->parent)
        if (node_is(node, NODE_FOR) || node_is(node, NODE_WHILE))
            return node;
    return NULL;
}

// A statement that leaves this loop's turn or the function, at or below the node.
static Node *jump_in(Node *node, int loops) {
    bool jumps =
        node_is(node, NODE_RETURN) || (!loops && (node_is(node, NODE_BREAK) || node_is(node, NODE_CONTINUE)));
    if (jumps || node_is(node, NODE_FUNCTION_DEF) || node_is(node, NODE_CLASS_DEF) || node_is_expr(node))
        return jumps ? node : NULL;
    loops += node_is(node, NODE_FOR) || node_is(node, NODE_WHILE);
    for (ChildIter it = ast_children(node); ast_next(&it);) {
        Node *found = jump_in(it.child, loops);
        if (found)
            return found;
    }
    return NULL;
}

static Node *jump_in_suite(NodeList suite) {
    for (uint32_t i = 0; i < suite.len; i++) {
        Node *found = jump_in(suite.items[i], 0);
        if (found)
            return found;
    }
    return NULL;
}

static NodeList joined(Arena *arena, NodeList one, NodeList two) {
    VEC(Node *) both = {0};
    for (uint32_t i = 0; i < one.len; i++)
        vec_push(&both, one.items[i]);
    for (uint32_t i = 0; i < two.len; i++)
        vec_push(&both, two.items[i]);
    NodeList list = ast_list(arena, both.len, both.items);
    vec_free(&both);
    return list;
}

static void split_turn(Turns *turns) {
    NodeList suite = turns->loop->u.loop.body,
             arms[2] = {turns->branch->u.branch.body, turns->branch->u.branch.orelse};
    uint32_t at = 0;
    while (suite.items[at] != turns->branch)
        at++;
    turns->before = (NodeList){suite.items, at};
    turns->broken = arms[turns->in_else];
    turns->broken.len--;
    turns->goes_on = joined(turns->context->module->unit->arena, arms[!turns->in_else],
                            (NodeList){suite.items + at + 1, suite.len - at - 1});
}

// ---------------------------------------------------------------- legality

// What can be gone through while tracing, and ends: range() of sizes, a list, a dict, the rows of a tensor.
static bool has_known_turns(Module *module, Node *iter) {
    Fact fact = fact_of(module, iter);
    Ref callee = node_is(iter, NODE_CALL) ? resolve_expr(module, iter->u.call.func) : (Ref){0};
    if (callee.kind != REF_BUILTIN)
        return resolve_expr(module, iter).kind == REF_LIST ||
               (fact.kinds && !(fact.kinds & ~(KIND_SEQUENCE | KIND_DICT | KIND_TENSOR)));
    Str name = name_str(callee.name);
    bool counts = str_eq(name, STR("range"));
    if (!counts && !str_eq(name, STR("enumerate")) && !str_eq(name, STR("zip")) &&
        !str_eq(name, STR("reversed")))
        return false;
    for (uint32_t i = 0; i < iter->u.call.args.len; i++) {
        Node *arg = iter->u.call.args.items[i];
        if (node_is(arg, NODE_STARRED))
            return false;
        if (node_is(arg, NODE_KEYWORD)) // enumerate(xs, start=1), zip(xs, ys, strict=True)
            continue;
        bool is_number = counts || (i > 0 && str_eq(name, STR("enumerate")));
        if (is_number ? fact_of(module, arg).kinds != KIND_INT : !has_known_turns(module, arg))
            return false;
    }
    return iter->u.call.args.len > 0;
}

static bool target_stays_inside(Turns *turns, Node *target) {
    if (node_is(target, NODE_TUPLE) || node_is(target, NODE_LIST)) {
        for (uint32_t i = 0; i < target->u.items.items.len; i++)
            if (!target_stays_inside(turns, target->u.items.items.items[i]))
                return false;
        return true;
    }
    if (!node_is(target, NODE_NAME))
        return refuse(turns, "writes-in-branch", target);
    Name name = target->u.name.name;
    if (where_is_live(turns->finding, name) || names_has(&turns->assigned, name) ||
        target->u.name.symbol->flags & (SYM_GLOBAL | SYM_NONLOCAL))
        return refuse(turns, "loop-variable-after", target);
    return true;
}

// The test runs in turns after the one that broke off, too.
static bool test_speculates(Turns *turns, Node *test) {
    test = truth_asked(turns->context->module, test);
    if (node_is(test, NODE_BOOL_OP))
        return test_speculates(turns, test->u.binary.left) && test_speculates(turns, test->u.binary.right);
    if (node_is(test, NODE_UNARY_OP) && test->u.unary.op == OP_NOT)
        return test_speculates(turns, test->u.unary.operand);
    Node *unbound = unbound_read(test);
    if (unbound)
        return refuse(turns, "may-be-unbound", unbound);
    return where_speculates(turns->context, turns->finding, test, NULL);
}

static bool plan_names(Turns *turns) {
    for (uint32_t i = 0; i < turns->assigned.len; i++) {
        Name name = turns->assigned.items[i];
        const Symbol *symbol = where_symbol(turns->context, turns->finding, name);
        bool before = symbol && is_surely_bound(symbol, turns->loop);
        if (before)
            names_add(&turns->ins, name);
        if (!where_is_live(turns->finding, name))
            continue;
        if (!before && !suite_binds_surely(turns->before, symbol) &&
            !(suite_binds_surely(turns->broken, symbol) && suite_binds_surely(turns->goes_on, symbol)))
            return refuse(turns, "unbound-after-branch", turns->branch);
        names_add(&turns->outs, name);
    }
    for (uint32_t i = 0; i < turns->outs.len; i++) {
        Node *number =
            where_plain_binding(turns->context, turns->finding, turns->moved, turns->outs.items[i]);
        if (number)
            return refuse(turns, "unlike-values", number);
    }
    return where_names_stay(turns->context, turns->finding, turns->moved, &turns->assigned, &turns->outs);
}

static bool is_legal(Turns *turns) {
    PassContext *context = turns->context;
    Finding *finding = turns->finding;
    Node *loop = turns->loop, *test = turns->branch->u.branch.test;
    if (node_is(loop, NODE_WHILE) || loop->flags & NODE_ASYNC ||
        !has_known_turns(context->module, loop->u.loop.iter))
        return refuse(turns, "loop-turns-unknown",
                      node_is(loop, NODE_WHILE) ? loop->u.branch.test : loop->u.loop.iter);
    if (loop->u.loop.orelse.len)
        return refuse(turns, "loop-has-else", loop->u.loop.orelse.items[0]);
    if (turns->branch->parent != loop)
        return refuse(turns, "loop-left-elsewhere", turns->branch);
    split_turn(turns);
    turns->moved = (Moved){node_function(loop), loop->u.loop.body.items[0]->start, loop->end};
    const NodeList suites[3] = {turns->before, turns->broken, turns->goes_on};
    for (int i = 0; i < 3; i++) {
        Node *jump = jump_in_suite(suites[i]);
        if (jump)
            return refuse(turns, "loop-left-elsewhere", jump);
    }
    if (binds_or_suspends(test))
        return refuse(turns, "binds-a-name", test);
    if (!test_speculates(turns, test))
        return false;
    for (int i = 0; i < 3; i++)
        if (!where_speculates_suite(context, finding, suites[i], &turns->assigned))
            return false;
    if (!target_stays_inside(turns, loop->u.loop.target) || !plan_names(turns))
        return false;
    for (uint32_t i = 0; i < turns->outs.len; i++)
        if (!where_stays_unchanged(context, finding, loop, turns->moved, turns->outs.items[i]))
            return false;
    return true;
}

// ---------------------------------------------------------------- rewriting

static Node *assign(Arena *arena, Node *target, Node *value) {
    Node *statement = ast_new(arena, NODE_ASSIGN);
    statement->u.assign.targets = ast_list(arena, 1, &target);
    statement->u.assign.value = value;
    return statement;
}

// (first, names...)
static Node *tuple_with(Arena *arena, Node *first, const NameVec *names) {
    VEC(Node *) items = {0};
    if (first)
        vec_push(&items, first);
    for (uint32_t i = 0; i < names->len; i++)
        vec_push(&items, ast_name(arena, name_str(names->items[i])));
    Node *tuple = ast_new(arena, NODE_TUPLE);
    tuple->u.items.items = ast_list(arena, items.len, items.items);
    vec_free(&items);
    return tuple;
}

// x = _graphmend.select(_ends, ...) in the place of the branch and of what follows it in the suite; no statement where
// nothing runs on either way.
static void select_rest(Turns *turns, Name ends, ArmsVec *made) {
    NodeList suite = turns->loop->u.loop.body;
    NameVec changed = {0};
    WherePlan plan = {.finding = turns->finding,
                      .branch = turns->branch,
                      .first = turns->broken,
                      .second = turns->goes_on,
                      .last = suite.items[suite.len - 1],
                      .made = made};
    bool known = where_speculates_suite(turns->context, turns->finding, turns->broken, &changed) &&
                 where_speculates_suite(turns->context, turns->finding, turns->goes_on, &changed);
    CHECK(known); // as in is_legal
    for (uint32_t i = 0; i < changed.len; i++) {
        if (is_surely_bound(where_symbol(turns->context, turns->finding, changed.items[i]), turns->branch))
            names_add(&plan.ins, changed.items[i]);
        if (names_has(&turns->outs, changed.items[i]))
            names_add(&plan.outs, changed.items[i]);
    }
    where_rewrite(turns->context, &plan, ast_name(turns->context->module->unit->arena, name_str(ends)),
                  false);
    where_plan_free(&plan);
    vec_free(&changed);
}

// def _turn(names): what stood in the loop; return whether it ends, and the names
static Node *turn_function(Turns *turns, const WhereNames *names, Node *ends, ArmsVec *made) {
    Arena *arena = turns->context->module->unit->arena;
    VEC(Node *) body = {0};
    for (uint32_t i = 0; i < turns->before.len; i++)
        vec_push(&body, turns->before.items[i]);
    if (turns->broken.len || turns->goes_on.len) {
        select_rest(turns, names->ends, made);
        vec_push(&body, assign(arena, ast_name(arena, name_str(names->ends)), ends));
        vec_push(&body, turns->loop->u.loop.body.items[turns->before.len]);
        ends = ast_name(arena, name_str(names->ends));
    }
    Node *give = ast_new(arena, NODE_RETURN), *def = ast_new(arena, NODE_FUNCTION_DEF);
    give->u.value.value = tuple_with(arena, ends, &turns->outs);
    vec_push(&body, give);
    def->u.function.name = names->turn;
    def->u.function.params = where_params(turns->context, &turns->ins);
    def->u.function.body = ast_list(arena, body.len, body.items);
    vec_free(&body);
    return def;
}

// _loop, names = _graphmend.turn(_loop, lambda: (names,), _turn, names)
static Node *turn_call(Turns *turns, const WhereNames *names) {
    Arena *arena = turns->context->module->unit->arena;
    Str loop = name_str(names->loop);
    VEC(Node *) args = {0};
    vec_push(&args, ast_name(arena, loop));
    vec_push(&args, thunk(turns->context, tuple_with(arena, NULL, &turns->outs)));
    vec_push(&args, ast_name(arena, name_str(names->turn)));
    for (uint32_t i = 0; i < turns->ins.len; i++)
        vec_push(&args, ast_name(arena, name_str(turns->ins.items[i])));
    Node *call = runtime_call(turns->context, "turn", args.len, args.items);
    vec_free(&args);
    return assign(arena, tuple_with(arena, ast_name(arena, loop), &turns->outs), call);
}

// if _graphmend.ended(_loop): break
static Node *leave_if_ended(Turns *turns, const WhereNames *names) {
    Arena *arena = turns->context->module->unit->arena;
    Node *loop = ast_name(arena, name_str(names->loop)), *leave = ast_new(arena, NODE_BREAK);
    Node *branch = ast_new(arena, NODE_IF);
    branch->u.branch.test = runtime_call(turns->context, "ended", 1, &loop);
    branch->u.branch.body = ast_list(arena, 1, &leave);
    return branch;
}

static void rewrite(Turns *turns, const WhereNames *names, Node *ends, ArmsVec *made) {
    Arena *arena = turns->context->module->unit->arena;
    Node *loop = turns->loop;
    Node *def = turn_function(turns, names, ends, made);
    NodeList suite = loop->u.loop.body;
    Node *turn[] = {def, turn_call(turns, names), leave_if_ended(turns, names)};
    Node *body = ast_new(arena, NODE_STMT_SEQ);
    body->u.items.items = ast_list(arena, 3, turn);
    ast_replace_run(suite.items[0], suite.items[suite.len - 1], body);
    Node *whole[] = {assign(arena, ast_name(arena, name_str(names->loop)), ast_text(arena, STR("None"))),
                     loop};
    replace_with(turns->context, loop, 2, whole);
}

static Node *ending_test(Turns *turns) {
    const char *reason = NULL;
    Node *at = NULL;
    bool negated;
    Node *test = lower_test(turns->context, turns->branch->u.branch.test, false, &negated, &reason, &at);
    if (!test)
        refuse(turns, reason, at);
    return test && negated != turns->in_else ? runtime_call(turns->context, "negate", 1, &test) : test;
}

Node *where_loop_left(const Finding *finding) {
    const Node *branch = finding->node;
    bool leaves = node_is(branch, NODE_IF) && (node_is(last_of(branch->u.branch.body), NODE_BREAK) ||
                                               node_is(last_of(branch->u.branch.orelse), NODE_BREAK));
    return leaves ? loop_around(finding->node) : NULL;
}

void where_loop(PassContext *context, Finding *finding, WhereNames *names, ArmsVec *made) {
    Node *branch = finding->node, *loop = where_loop_left(finding);
    Turns turns = {.context = context, .finding = finding, .branch = branch, .loop = loop};
    turns.in_else = !node_is(last_of(branch->u.branch.body), NODE_BREAK);
    Node *ends = NULL;
    if (may_defer_here(context, finding) && is_legal(&turns))
        ends = ending_test(&turns);
    if (ends) {
        if (!names->loop)
            *names = (WhereNames){unit_fresh_name(context->module->unit, STR("_turn")),
                                  unit_fresh_name(context->module->unit, STR("_loop")),
                                  unit_fresh_name(context->module->unit, STR("_ends"))};
        rewrite(&turns, names, ends, made);
        finding_accept(finding, STATUS_GUARDED);
    }
    vec_free(&turns.assigned);
    vec_free(&turns.outs);
    vec_free(&turns.ins);
}
