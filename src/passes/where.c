// [Where]: a branch on tensor values becomes a selection (GraphMend, arXiv 2509.16248).
//     scale = a * 2 if peak > 1 else b      ->  scale = _graphmend.select(peak > 1, lambda: a * 2, lambda: b)
//     if t.any():                           ->  def _if_true(h):
//         top = torch.finfo(h.dtype).max            top = torch.finfo(h.dtype).max
//         h = h.clamp(-top, top)                    h = h.clamp(-top, top)
//                                                   return h
//                                               h = _graphmend.select(t.any(), _if_true, lambda h: h, h)
//     if t.all(): return a                  ->  the rest of the function becomes the second arm
//     rest; return b
// In eager mode select() calls the arm that the test picks: nothing changes. Under the compiler it computes both and
// selects with torch.where, if what they give is alike; else the original branch runs (and breaks the graph).
// where_plan.c and where_check.c say what is declined.
#include "passes/where.h"

#include <stdlib.h>

#include "rules/rules.h"

// ---------------------------------------------------------------- building

Node *where_params(PassContext *context, const NameVec *names) {
    Arena *arena = context->module->unit->arena;
    if (names->len == 0)
        return NULL;
    Node **items = ARENA_ARRAY(arena, Node *, names->len);
    for (uint32_t i = 0; i < names->len; i++) {
        items[i] = ast_new(arena, NODE_PARAM);
        items[i]->u.param.name = names->items[i];
        items[i]->u.param.kind = PARAM_NORMAL;
    }
    Node *params = ast_new(arena, NODE_PARAMS);
    params->u.items.items = ast_list(arena, names->len, items);
    return params;
}

Node *where_names_tuple(PassContext *context, const NameVec *names) {
    Arena *arena = context->module->unit->arena;
    if (names->len == 1)
        return ast_name(arena, name_str(names->items[0]));
    Node **items = ARENA_ARRAY(arena, Node *, names->len);
    for (uint32_t i = 0; i < names->len; i++)
        items[i] = ast_name(arena, name_str(names->items[i]));
    Node *tuple = ast_new(arena, NODE_TUPLE);
    tuple->u.items.items = ast_list(arena, names->len, items);
    return tuple;
}

static Node *return_of(PassContext *context, Node *value) {
    Node *statement = ast_new(context->module->unit->arena, NODE_RETURN);
    statement->u.value.value = value;
    return statement;
}

// def NAME(ins): suite; return outs
static Node *arm_function(PassContext *context, const WherePlan *plan, Name name, NodeList suite) {
    Arena *arena = context->module->unit->arena;
    Node *def = ast_new(arena, NODE_FUNCTION_DEF);
    VEC(Node *) body = {0};
    for (uint32_t i = 0; i < suite.len; i++)
        vec_push(&body, suite.items[i]);
    if (!plan->returns && plan->outs.len)
        vec_push(&body, return_of(context, where_names_tuple(context, &plan->outs)));
    def->u.function.name = name;
    def->u.function.params = where_params(context, &plan->ins);
    def->u.function.body = ast_list(arena, body.len, body.items);
    vec_free(&body);
    return def;
}

// The arm as an expression, when it is one assignment to the one name that matters, or nothing at all.
static Node *arm_expression(const WherePlan *plan, NodeList suite) {
    if (plan->returns)
        return suite.len == 1 && node_is(suite.items[0], NODE_RETURN) ? suite.items[0]->u.value.value : NULL;
    if (suite.len != 1 || plan->outs.len != 1 || !node_is(suite.items[0], NODE_ASSIGN))
        return NULL;
    Node *assign = suite.items[0];
    if (assign->u.assign.targets.len != 1 || !node_is(assign->u.assign.targets.items[0], NODE_NAME) ||
        assign->u.assign.targets.items[0]->u.name.name != plan->outs.items[0])
        return NULL;
    return assign->u.assign.value;
}

// The functions made of a branch's arms, and where select() is given them: named when all are made, in source order.
typedef struct Arms {
    const Node *branch;
    Node *defs[2], *uses[2]; // true, false; NULL: written in place
} Arms;

typedef struct Arm {
    Node *def;   // NULL: written in place
    Node *value; // what select() gets
    bool takes_params;
} Arm;

static Arm make_arm(PassContext *context, const WherePlan *plan, NodeList suite, bool inline_if_possible) {
    Arena *arena = context->module->unit->arena;
    Node *expression = arm_expression(plan, suite);
    if (expression) {
        Node *lambda = thunk(context, expression);
        if (!inline_if_possible)
            lambda->u.lambda.params = where_params(context, &plan->ins);
        return (Arm){.value = lambda};
    }
    if (suite.len == 0 && !plan->returns) {
        Node *lambda = thunk(context, plan->outs.len ? where_names_tuple(context, &plan->outs)
                                                     : ast_text(arena, STR("None")));
        if (!inline_if_possible)
            lambda->u.lambda.params = where_params(context, &plan->ins);
        return (Arm){.value = lambda};
    }
    Str unnamed = STR("_if");
    return (Arm){.def = arm_function(context, plan, intern(unnamed), suite),
                 .value = ast_name(arena, unnamed)};
}

// Both arms are single expressions, or one is and the other empty: no parameters are needed, the lambdas read the names
// themselves.
static bool both_inline(const WherePlan *plan, NodeList first, NodeList second) {
    bool keeps = !plan->returns && plan->outs.len == 1;
    bool one = arm_expression(plan, first), two = arm_expression(plan, second);
    return (one || two) && (one || (keeps && !first.len)) && (two || (keeps && !second.len));
}

static Node *select_call(PassContext *context, const WherePlan *plan, Node *test, bool negated, Arm first,
                         Arm second, bool with_ins) {
    VEC(Node *) args = {0};
    vec_push(&args, test);
    vec_push(&args, negated ? second.value : first.value);
    vec_push(&args, negated ? first.value : second.value);
    for (uint32_t i = 0; with_ins && i < plan->ins.len; i++)
        vec_push(&args, ast_name(context->module->unit->arena, name_str(plan->ins.items[i])));
    Node *call = where_selection(context, plan->arms, plan->smooth, args.len, args.items);
    vec_free(&args);
    return call;
}

static Node *result_statement(PassContext *context, const WherePlan *plan, Node *call) {
    Arena *arena = context->module->unit->arena;
    if (plan->returns)
        return return_of(context, call);
    if (plan->outs.len == 0)
        return ast_expr_stmt(arena, call);
    Node *target = where_names_tuple(context, &plan->outs);
    Node *assign = ast_new(arena, NODE_ASSIGN);
    assign->u.assign.targets = ast_list(arena, 1, &target);
    assign->u.assign.value = call;
    return assign;
}

// ---------------------------------------------------------------- rewriting

// An arm of nothing but `pass` is an empty one.
static NodeList without_pass(NodeList suite) {
    return suite.len == 1 && node_is(suite.items[0], NODE_PASS) ? (NodeList){0} : suite;
}

void where_rewrite(PassContext *context, WherePlan *plan, Node *test, bool negated) {
    Node *branch = plan->branch, *last = plan->last;
    NodeList first = plan->first, second = plan->second;
    first = without_pass(first);
    second = without_pass(second);
    bool in_place = both_inline(plan, first, second);
    Arm one = make_arm(context, plan, first, in_place), two = make_arm(context, plan, second, in_place);
    if (one.def || two.def)
        vec_push(plan->made, ((Arms){branch, {one.def, two.def}, {one.value, two.value}}));
    Node *call = select_call(context, plan, test, negated, one, two, !in_place);
    VEC(Node *) statements = {0};
    if (one.def)
        vec_push(&statements, one.def);
    if (two.def)
        vec_push(&statements, two.def);
    vec_push(&statements, result_statement(context, plan, call));
    Node *fresh = statements.items[0];
    if (statements.len > 1) {
        fresh = ast_new(context->module->unit->arena, NODE_STMT_SEQ);
        fresh->u.items.items = ast_list(context->module->unit->arena, statements.len, statements.items);
    }
    ast_replace_run(branch, last, fresh);
    vec_free(&statements);
}

static void where_if(PassContext *context, Finding *finding, ArmsVec *made) {
    WherePlan plan;
    const char *reason = NULL;
    Node *at = NULL;
    bool negated;
    if (!where_plan(context, finding, &plan))
        return;
    plan.made = made;
    Node *test = lower_test(context, finding->node->u.branch.test, false, &negated, &reason, &at);
    if (test) {
        where_rewrite(context, &plan, test, negated);
        finding_accept(finding, STATUS_GUARDED);
    } else {
        decline(finding, reason, at);
    }
    where_plan_free(&plan);
}

// An operator makes something new of the value at once.
static bool is_consumed(const Node *choice) {
    for (const Node *up = choice->parent; up && node_is_expr(up); up = up->parent)
        if (node_is(up, NODE_BIN_OP) || node_is(up, NODE_UNARY_OP) || node_is(up, NODE_COMPARE))
            return true;
    return false;
}

// assert a if test else b: of a tensor Dynamo makes a check of its own, which raises another exception.
static bool decides_assert(const Node *choice) {
    const Node *up = choice->parent;
    for (; node_is(up, NODE_BOOL_OP) || node_is(up, NODE_IF_EXP) || node_is(up, NODE_UNARY_OP);
         up = up->parent)
        choice = up;
    return node_is(up, NODE_ASSERT) && up->u.assert_.test == choice;
}

static void where_expression(PassContext *context, Finding *finding) {
    Node *choice = finding->node;
    const char *reason = NULL;
    Node *at = NULL;
    bool negated;
    if (!may_defer_here(context, finding))
        return;
    if (binds_or_suspends(choice->u.if_exp.body) || binds_or_suspends(choice->u.if_exp.orelse)) {
        decline(finding, "binds-a-name", choice);
        return;
    }
    if (decides_assert(choice)) {
        decline(finding, "decides-assert", choice);
        return;
    }
    if (where_unlike(context->module, choice->u.if_exp.body, choice->u.if_exp.orelse)) {
        decline(finding, "unlike-values", choice);
        return;
    }
    Node *unbound = unbound_read(choice->u.if_exp.body);
    unbound = unbound ? unbound : unbound_read(choice->u.if_exp.orelse);
    if (unbound) {
        decline(finding, "may-be-unbound", unbound);
        return;
    }
    Node *taken = NULL;
    if (!where_speculates(context, finding, choice->u.if_exp.body, &taken) ||
        !where_speculates(context, finding, choice->u.if_exp.orelse, &taken))
        return;
    if (!is_consumed(choice) && value_may_change_after(context->module, choice)) {
        decline(finding, "changed-in-place-later", choice);
        return;
    }
    if (choice_is_seen(context->module, choice)) {
        decline(finding, "seen-outside", choice);
        return;
    }
    WhereArms arms = where_arms(context, (NodeList){&choice->u.if_exp.body, 1},
                                (NodeList){&choice->u.if_exp.orelse, 1}, taken != NULL);
    if (arms.too_deep) {
        decline(finding, "too-complex", choice);
        return;
    }
    Node *test = lower_test(context, choice->u.if_exp.test, false, &negated, &reason, &at);
    if (!test) {
        decline(finding, reason, at);
        return;
    }
    Node *first = thunk(context, choice->u.if_exp.body), *second = thunk(context, choice->u.if_exp.orelse);
    Node *args[] = {test, negated ? second : first, negated ? first : second};
    ast_replace(choice, where_selection(context, arms, false, 3, args));
    finding_accept(finding, STATUS_GUARDED);
}

// ---------------------------------------------------------------- names of the functions

static const Node *outermost_function(const Node *node) {
    const Node *found = NULL;
    for (; node; node = node->parent)
        if (node_is(node, NODE_FUNCTION_DEF))
            found = node;
    return found;
}

static bool try_name(PassContext *context, Map *ours, const char *stem, unsigned number, Name *name) {
    Arena *arena = context->module->unit->arena;
    *name = intern(number == 1 ? str_of(stem) : str_format(arena, "%s_%u", stem, number));
    if (map_get(ours, *name, NULL))
        return true;
    if (map_get(&context->module->unit->taken, *name, NULL))
        return false;
    map_put(&context->module->unit->taken, *name, 1);
    map_put(ours, *name, 1);
    return true;
}

static void set_name(const Arms *arms, int arm, Name name) {
    if (!arms->defs[arm])
        return;
    arms->defs[arm]->u.function.name = name;
    arms->uses[arm]->u.name.name = name;
}

// _if_true and _if_false, _if_true_2 and _if_false_2 ...: in each function anew, so that one branch more somewhere in a file
// changes little. The list is last to first.
static void name_arms(PassContext *context, const ArmsVec *made) {
    Map ours = {0};
    const Node *function = NULL;
    unsigned number = 0;
    for (uint32_t i = made->len; i-- > 0;) {
        const Arms *arms = &made->items[i];
        Name names[2];
        if (outermost_function(arms->branch) != function)
            number = 0;
        function = outermost_function(arms->branch);
        bool both = false;
        while (!both) {
            number++;
            both = try_name(context, &ours, "_if_true", number, &names[0]) &&
                   try_name(context, &ours, "_if_false", number, &names[1]);
        }
        set_name(arms, 0, names[0]);
        set_name(arms, 1, names[1]);
    }
    map_free(&ours);
}

// Innermost first: from the last in the source to the first. A loop that a branch leaves comes when all in it has been seen.
typedef struct Turn {
    uint32_t start;
    Finding *finding;
} Turn;

static int later_first(const void *a, const void *b) {
    const Turn *one = a, *two = b;
    if (one->start != two->start)
        return one->start < two->start ? 1 : -1;
    return one->finding->node->end < two->finding->node->end ? -1 : 1;
}

static void where_branch(PassContext *context, Finding *finding, WhereNames *names, ArmsVec *made) {
    if (node_is(finding->node, NODE_IF_EXP))
        where_expression(context, finding);
    else if (where_loop_left(finding))
        where_loop(context, finding, names, made);
    else if (!where_common_call(context, finding))
        where_if(context, finding, made);
    if (finding->status == STATUS_LEFT)
        where_draw(context, finding);
}

void pass_where(PassContext *context) {
    ArmsVec made = {0};
    WhereNames names = {0};
    VEC(Turn) order = {0};
    for (uint32_t i = 0; i < context->findings->len; i++) {
        Finding *finding = &context->findings->items[i];
        bool is_branch =
            node_is(finding->node, NODE_IF) && str_eq(name_str(finding->rule->code), STR("GM101"));
        if (finding->status != STATUS_LEFT || !(is_branch || node_is(finding->node, NODE_IF_EXP)))
            continue;
        const Node *loop = is_branch ? where_loop_left(finding) : NULL;
        vec_push(&order, ((Turn){loop ? loop->start : finding->node->start, finding}));
    }
    if (order.len)
        qsort(order.items, order.len, sizeof *order.items, later_first);
    for (uint32_t i = 0; i < order.len; i++)
        where_branch(context, order.items[i].finding, &names, &made);
    name_arms(context, &made);
    vec_free(&made);
    vec_free(&order);
}
