// See rewrite.h.
#include "passes/rewrite.h"

#include <stdlib.h>

#include "rules/rules.h"

void decline_at(Finding *finding, const char *reason, Node *at, Module *module) {
    const Reason *found = reason_find(str_of(reason));
    if (!found)
        PANIC("no such reason: %s", reason);
    finding->status = STATUS_LEFT;
    finding->reason = found;
    finding->reason_at = at ? at : finding->node;
    finding->reason_module = module ? module : finding->module;
}

// In the body of a higher-order operator the runtime breaks the graph, as the original did.
void finding_accept(Finding *finding, FindingStatus status) {
    const FuncInfo *func = function_info(finding->module, finding->node);
    finding->status = func && func->higher_order && status == STATUS_FIXABLE ? STATUS_GUARDED : status;
    finding->reason = NULL;
    finding->reason_at = NULL;
}

// torch.jit.script(f) compiles the source of f and of what it calls, and cannot compile calls of the runtime. (The decorated
// function itself is not compiled code to us.)
static Node *find_scripting(Module *module, Node *node, int depth) {
    if (node->flags & NODE_NEW)
        return NULL;
    if (depth > NODE_DEPTH_MAX ||
        (node_is(node, NODE_CALL) &&
         ref_is_external(resolve_expr(module, node->u.call.func), "torch.jit.script")))
        return node;
    for (ChildIter it = ast_children(node); ast_next(&it);) {
        Node *found = find_scripting(module, it.child, depth + 1);
        if (found)
            return found;
    }
    return NULL;
}

static Node *scripting_call(PassContext *context) {
    SyntaxTree *tree = context->module->unit->tree;
    if (!context->looked_for_scripting && str_find(tree->source.bytes, STR("script("), NULL))
        context->scripting = find_scripting(context->module, tree->module, 0);
    context->looked_for_scripting = true;
    return context->scripting;
}

bool may_defer_here(PassContext *context, Finding *finding) {
    Node *scripting = scripting_call(context);
    if (scripting) {
        decline(finding, "scripted-in-module", scripting);
        return false;
    }
    Function *function = unit_function_at(context->module->unit, finding->node);
    const FuncInfo *info = function_info(context->module, finding->node);
    if (info && info->cached_at) {
        decline_at(finding, "in-cached-function", info->cached_at->function->node, info->cached_at->module);
        return false;
    }
    for (; function; function = function->outer) {
        if (function->node->flags & NODE_ASYNC) {
            decline(finding, "in-async", function->node);
            return false;
        }
        if (function->scope->has_yield) {
            decline(finding, "in-generator", function->node);
            return false;
        }
        if (function->scope->is_dynamic) {
            decline(finding, "reads-its-frame", function->scope->dynamic_call);
            return false;
        }
    }
    return true;
}

// ---------------------------------------------------------------- calls of the runtime

Node *runtime_call(PassContext *context, const char *function, uint32_t len, Node *const *args) {
    Arena *arena = context->module->unit->arena;
    context->uses_runtime = true;
    return ast_call(arena,
                    ast_attribute(arena, ast_name(arena, name_str(context->runtime)), str_of(function)), len,
                    args);
}

Node *runtime_call_late(PassContext *context, const char *function, const Late *late, Node *body) {
    VEC(Node *) args = {0};
    vec_push(&args, late_lambda(late, body));
    for (uint32_t i = 0; i < late->values.len; i++)
        vec_push(&args, vec_at(&late->values, i));
    Node *call = runtime_call(context, function, args.len, args.items);
    vec_free(&args);
    return call;
}

Name runtime_function(const PassContext *context, const Node *call) {
    const Node *func = call->u.call.func;
    bool ours = node_is(func, NODE_ATTRIBUTE) && node_is(func->u.attribute.value, NODE_NAME) &&
                func->u.attribute.value->u.name.name == context->runtime;
    return ours ? func->u.attribute.attr : 0;
}

Node *thunk(PassContext *context, Node *body) {
    Node *lambda = ast_new(context->module->unit->arena, NODE_LAMBDA);
    lambda->u.lambda.body = body;
    return lambda;
}

void replace_with(PassContext *context, Node *old, uint32_t len, Node *const *statements) {
    if (len == 1) {
        ast_replace(old, statements[0]);
        return;
    }
    Arena *arena = context->module->unit->arena;
    Node *sequence = ast_new(arena, NODE_STMT_SEQ);
    sequence->u.items.items = ast_list(arena, len, statements);
    ast_replace(old, sequence);
}

// ---------------------------------------------------------------- tests

typedef struct Lowering {
    PassContext *context;
    const char *reason;
    Node *at;
} Lowering;

static Node *fail(Lowering *lowering, const char *reason, Node *at) {
    lowering->reason = reason;
    lowering->at = at;
    return NULL;
}

bool binds_or_suspends(Node *expr) {
    if (node_is(expr, NODE_NAMED_EXPR) || node_is(expr, NODE_AWAIT) || node_is(expr, NODE_YIELD) ||
        node_is(expr, NODE_YIELD_FROM))
        return true;
    for (ChildIter it = ast_children(expr); ast_next(&it);)
        if (binds_or_suspends(it.child))
            return true;
    return false;
}

static Node *lower(Lowering *lowering, Node *test, int depth);

Node *truth_asked(Module *module, Node *test) {
    bool takes_one = node_is(test, NODE_CALL) && test->u.call.args.len == 1 &&
                     !node_is(test->u.call.args.items[0], NODE_STARRED) &&
                     !node_is(test->u.call.args.items[0], NODE_KEYWORD);
    Ref ref = takes_one ? resolve_expr(module, test->u.call.func) : (Ref){0};
    return ref.kind == REF_BUILTIN && ref.name == NAME_OF("bool") ? test->u.call.args.items[0] : test;
}

// and, or, not make a bool of a tensor; lowered they do not. What they join must be pure.
// The test can be evaluated although the original would not have, once it is lowered.
static bool test_is_pure(Module *module, Node *test) {
    test = truth_asked(module, test);
    if (node_is(test, NODE_BOOL_OP))
        return test_is_pure(module, test->u.binary.left) && test_is_pure(module, test->u.binary.right);
    if (node_is(test, NODE_UNARY_OP) && test->u.unary.op == OP_NOT)
        return test_is_pure(module, test->u.unary.operand);
    return expr_is_pure(module, test);
}

// `left and right` / `left or right`. With a left side that is decided at trace time Python's own operator is right: it
// gives the right side, a tensor, or not. Otherwise both sides are computed, which the right one must bear.
static Node *lower_bool_op(Lowering *lowering, Node *test, int depth) {
    Module *module = lowering->context->module;
    Node *left = test->u.binary.left, *right = test->u.binary.right;
    bool left_is_data = predicate_of(module, left) == PRED_DATA;
    if (left_is_data && binds_or_suspends(right))
        return fail(lowering, "impure-test", right);
    if (left_is_data && !test_is_pure(module, right))
        return fail(lowering, "impure-test", right);
    if (left_is_data && unbound_read(right))
        return fail(lowering, "may-be-unbound", unbound_read(right));
    Node *low_left = left_is_data ? lower(lowering, left, depth + 1) : left;
    Node *low_right = predicate_of(module, right) == PRED_DATA ? lower(lowering, right, depth + 1) : right;
    if (!low_left || !low_right)
        return NULL;
    if (left_is_data) {
        Node *args[] = {low_left, thunk(lowering->context, low_right)};
        return runtime_call(lowering->context, test->u.binary.op == OP_BOOL_AND ? "both" : "either", 2, args);
    }
    if (low_right == right)
        return test;
    Node *fresh = ast_new(module->unit->arena, NODE_BOOL_OP);
    fresh->u.binary = test->u.binary;
    fresh->u.binary.right = low_right;
    return fresh;
}

// a < t < b asks for the truth of a < t: two comparisons, if the middle can be read twice.
static Node *lower_chain(Lowering *lowering, Node *test) {
    Arena *arena = lowering->context->module->unit->arena;
    Node *joined = NULL, *left = test->u.compare.left;
    for (uint32_t i = 0; i < test->u.compare.comparators.len; i++) {
        Node *right = test->u.compare.comparators.items[i];
        bool last = i + 1 == test->u.compare.comparators.len;
        if (!last && !node_is(right, NODE_NAME) && !node_is(right, NODE_CONSTANT))
            return fail(lowering, "impure-test", right);
        if (i > 0 && !expr_is_pure(lowering->context->module, right))
            return fail(lowering, "impure-test", right);
        if (unbound_read(right))
            return fail(lowering, "may-be-unbound", unbound_read(right));
        Node *pair = ast_new(arena, NODE_COMPARE);
        pair->u.compare.left = left;
        pair->u.compare.comparators = ast_list(arena, 1, &right);
        pair->u.compare.ops = arena_dup(arena, &test->u.compare.ops[i], sizeof(Op));
        Node *args[] = {joined, joined ? thunk(lowering->context, pair) : NULL};
        joined = joined ? runtime_call(lowering->context, "both", 2, args) : pair;
        if (!last)
            left = ast_text(arena, node_text(lowering->context->module->unit->tree, right));
    }
    return joined;
}

// torch.equal and torch.allclose give a Python bool: the runtime has forms that stay tensors.
static Node *lower_call(Lowering *lowering, Node *test, int depth) {
    Module *module = lowering->context->module;
    Node *func = test->u.call.func;
    const char *form = NULL;
    if (truth_asked(module, test) != test)
        return lower(lowering, truth_asked(module, test), depth + 1);
    if (node_is(func, NODE_ATTRIBUTE) || node_is(func, NODE_NAME)) {
        Ref ref = resolve_expr(module, func);
        if (ref_is_external(ref, "torch.equal"))
            form = "equal";
        else if (ref_is_external(ref, "torch.allclose"))
            form = "allclose";
    }
    if (!form) {
        if (call_reads_tensor(module, test))
            return fail(lowering, "scalar-read-in-test", test);
        return test;
    }
    return runtime_call(lowering->context, form, test->u.call.args.len, test->u.call.args.items);
}

static bool reads_scalar(Module *module, Node *expr) {
    if (node_is(expr, NODE_CALL) && call_reads_tensor(module, expr))
        return true;
    for (ChildIter it = ast_children(expr); ast_next(&it);)
        if (reads_scalar(module, it.child))
            return true;
    return false;
}

static Node *lower(Lowering *lowering, Node *test, int depth) {
    enum { MAX_TEST_DEPTH = 100 };
    if (depth > MAX_TEST_DEPTH)
        return fail(lowering, "too-complex", test);
    switch ((NodeKind)test->kind) {
    case NODE_BOOL_OP:
        return lower_bool_op(lowering, test, depth);
    case NODE_UNARY_OP:
        if (test->u.unary.op == OP_NOT) {
            Node *operand = lower(lowering, test->u.unary.operand, depth + 1);
            return operand ? runtime_call(lowering->context, "negate", 1, &operand) : NULL;
        }
        break;
    case NODE_COMPARE:
        for (uint32_t i = 0; i < test->u.compare.comparators.len; i++)
            if (test->u.compare.ops[i] == OP_IN || test->u.compare.ops[i] == OP_NOT_IN)
                return fail(lowering, "membership-test", test);
        if (reads_scalar(lowering->context->module, test))
            return fail(lowering, "scalar-read-in-test", test);
        if (test->u.compare.comparators.len > 1)
            return lower_chain(lowering, test);
        break;
    case NODE_CALL:
        return lower_call(lowering, test, depth);
    default:
        break;
    }
    if (reads_scalar(lowering->context->module, test))
        return fail(lowering, "scalar-read-in-test", test);
    return test;
}

// int(x.max()) > n: the whole test is decided after the region, from the values it reads.
static Node *wait_for(Lowering *lowering, Node *test) {
    Late late;
    Node *call = NULL;
    if (late_convert(&late, lowering->context->module, LATE_ALWAYS, test, NULL))
        call = runtime_call_late(lowering->context, "later", &late, test);
    else
        fail(lowering, late.reason, late.reason_at);
    late_free(&late);
    return call;
}

Node *lower_test(PassContext *context, Node *test, bool may_wait, bool *negated, const char **reason,
                 Node **at) {
    Lowering lowering = {.context = context};
    bool used = context->uses_runtime;
    *negated = false;
    if (node_is(test, NODE_UNARY_OP) && test->u.unary.op == OP_NOT) {
        *negated = true;
        test = test->u.unary.operand;
    }
    bool waits = may_wait && (node_is(test, NODE_COMPARE) || node_is(test, NODE_CALL)) &&
                 reads_scalar(context->module, test);
    Node *low = waits ? wait_for(&lowering, test) : lower(&lowering, test, 0);
    if (!low) {
        context->uses_runtime = used;
        *reason = lowering.reason;
        *at = lowering.at;
    }
    return low;
}
