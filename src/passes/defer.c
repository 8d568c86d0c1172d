// [Defer]: output is recorded where it stood and appears after the region (GraphMend, arXiv 2509.16248).
//     print("h", h, sep="=")                  ->  _graphmend.defer(print, "h", h, sep="=")
//     print(f"mean {h.mean():.3f}")           ->  _graphmend.defer(lambda h_mean: print(f"mean {h_mean:.3f}"), h.mean())
//     logger.warning("%s rows", x.shape[0])   ->  _graphmend.defer(lambda shape: logger.warning("%s rows", shape), x.shape[0])
// A log record and a warning find their caller by its frame: the lambda is one, in the user's file at the user's line.
//
// Declined, with a reason on the finding:
//   value-used             the call's value is used, or the call is part of an expression
//   shows-an-object        an argument is an object that may change before its text is made
//   tells-exception        the record holds the exception being handled, or the stack
//   stacklevel-leaves-function  it names a caller that is not there after the region
//   output-changed-in-region  sys.stdout, a logger's settings or torch's print options are set in the region
//   in-redirecting-with    a with statement around may redirect, capture or filter output
//   caught-in-region       a warning that a filter turns into an error could be caught in the region
//   in-generator, in-async, reads-its-frame, too-complex, binds-a-name
#include "passes/rewrite.h"

#include <stdlib.h>

#include "detect/output.h"
#include "rules/rules.h"

// ---------------------------------------------------------------- legality

static bool with_may_redirect(Module *module, Node *with) {
    for (uint32_t i = 0; i < with->u.with.items.len; i++) {
        Node *context = with->u.with.items.items[i]->u.with_item.context;
        Node *callee = node_is(context, NODE_CALL) ? context->u.call.func : context;
        Ref ref = resolve_expr(module, callee);
        if ((ref.kind != REF_EXTERNAL && ref.kind != REF_EXTERNAL_INSTANCE) ||
            !str_starts(name_str(ref.name), STR("torch.")))
            return true;
    }
    return false;
}

static Node *redirecting_with(Module *module, Node *node) {
    for (Node *up = node->parent; up && up->kind != NODE_FUNCTION_DEF; up = up->parent)
        if (up->kind == NODE_WITH && with_may_redirect(module, up))
            return up;
    return NULL;
}

// logger.exception(...), exc_info=True: the record holds the exception that is being handled at the call.
static bool tells_exception(const Node *call) {
    const Node *func = call->u.call.func;
    if (node_is(func, NODE_ATTRIBUTE) && str_eq(name_str(func->u.attribute.attr), STR("exception")))
        return true;
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        const Node *arg = call->u.call.args.items[i];
        if (!node_is(arg, NODE_KEYWORD))
            continue;
        if (!arg->u.keyword.name || str_eq(name_str(arg->u.keyword.name), STR("exc_info")) ||
            str_eq(name_str(arg->u.keyword.name), STR("stack_info")))
            return true;
    }
    return false;
}

// class Pair(NamedTuple): the runtime copies it as the tuple that it is.
static bool is_named_tuple(const ClassInfo *cls) {
    for (uint32_t i = 0; i < cls->bases.len; i++)
        if (ref_is_external(cls->bases.items[i], "typing.NamedTuple"))
            return true;
    return false;
}

// An object of a class of the user's, or a container that the runtime does not copy: after the region it may have changed,
// and one that was made in the region may not be complete when its text is made.
static bool is_changing_object(Module *module, Node *expr) {
    static const char *const containers[] = {"collections.Counter", "collections.deque",
                                             "collections.defaultdict"};
    Fact fact = fact_of(module, expr);
    if (fact.ref.kind == REF_INSTANCE)
        return fact.ref.cls && !class_is_nn_module(fact.ref.cls) && !class_is_exception(fact.ref.cls) &&
               !is_named_tuple(fact.ref.cls);
    for (size_t i = 0; fact.ref.kind == REF_EXTERNAL_INSTANCE && i < sizeof containers / sizeof *containers;
         i++)
        if (str_eq(name_str(fact.ref.name), str_of(containers[i])))
            return true;
    return false;
}

static Node *changing_object(Module *module, Node *expr) {
    if (node_is(expr, NODE_LAMBDA) || expr->flags & NODE_NEW)
        return NULL;
    if (node_is(expr, NODE_NAME) || node_is(expr, NODE_ATTRIBUTE) || node_is(expr, NODE_CALL))
        if (is_changing_object(module, expr))
            return expr;
    if (node_is(expr, NODE_ATTRIBUTE))
        return NULL; // what an attribute is taken of is not shown itself
    for (ChildIter it = ast_children(expr); ast_next(&it);) {
        Node *found = changing_object(module, it.child);
        if (found)
            return found;
    }
    return NULL;
}

static Node *changing_argument(Module *module, Node *call) {
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        Node *found = changing_object(module, call->u.call.args.items[i]);
        if (found)
            return found;
    }
    return NULL;
}

// A try with handlers whose body holds the call: what formatting raises would not be caught.
static Node *handled_around(Node *call) {
    for (Node *child = call, *up = call->parent; up && up->kind != NODE_FUNCTION_DEF;
         child = up, up = up->parent) {
        if (!node_is(up, NODE_TRY) || up->u.try_.handlers.len == 0)
            continue;
        for (uint32_t i = 0; i < up->u.try_.body.len; i++)
            if (up->u.try_.body.items[i] == child)
                return up;
    }
    return NULL;
}

static Node *stacklevel_argument(Node *call, OutputKind kind);

// Level 1 is the function itself.
static bool is_own_level(Module *module, const Node *level) {
    return node_is(level, NODE_CONSTANT) && str_eq(node_text(module->unit->tree, level), STR("1"));
}

// stacklevel=2 and more names a caller. In a function that is inlined into another, that frame does not exist after the
// region.
static bool leaves_function(Module *module, Node *level) {
    if (is_own_level(module, level))
        return false;
    const FuncInfo *function = function_info(module, level);
    for (uint32_t i = 0; i < function->callers.len; i++)
        if (function->callers.items[i]->reachable)
            return true;
    return false;
}

static bool is_legal(PassContext *context, Finding *finding, OutputKind kind) {
    Node *call = finding->node;
    Node *where = NULL;
    Module *where_module = NULL;
    if (!node_is(call->parent, NODE_EXPR_STMT)) {
        decline(finding, "value-used", call->parent);
        return false;
    }
    if (!may_defer_here(context, finding))
        return false;
    Node *object = changing_argument(context->module, call);
    if (object) {
        decline(finding, "shows-an-object", object);
        return false;
    }
    Node *handled = handled_around(call);
    if (handled) {
        decline(finding, "caught-in-region", handled);
        return false;
    }
    if (kind == OUTPUT_LOG && tells_exception(call)) {
        decline(finding, "tells-exception", call);
        return false;
    }
    Node *level = kind == OUTPUT_PRINT ? NULL : stacklevel_argument(call, kind);
    if (level && leaves_function(context->module, level)) {
        decline(finding, "stacklevel-leaves-function", level);
        return false;
    }
    Node *with = redirecting_with(context->module, call);
    if (with) {
        decline(finding, "in-redirecting-with", with);
        return false;
    }
    After changed = effects_in_region(context->module, call, EFFECT_REDIRECTS);
    if (changed.effects) {
        decline_at(finding, "output-changed-in-region", changed.culprit, changed.culprit_module);
        return false;
    }
    if (kind == OUTPUT_WARN &&
        node_may_be_caught(context->module, call, NULL, &where, &where_module) == CATCH_LIKELY) {
        decline_at(finding, "caught-in-region", where, where_module);
        return false;
    }
    return true;
}

// ---------------------------------------------------------------- stacklevel

// warnings.warn(message, category, stacklevel) and every logger method's stacklevel=: counted from the lambda's frame, which
// the runtime turns into the frame that was meant.
static Node *stacklevel_argument(Node *call, OutputKind kind) {
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        Node *arg = call->u.call.args.items[i];
        if (node_is(arg, NODE_KEYWORD) && str_eq(name_str(arg->u.keyword.name), STR("stacklevel")))
            return arg->u.keyword.value;
        if (kind == OUTPUT_WARN && i == 2 && !node_is(arg, NODE_KEYWORD) && !node_is(arg, NODE_STARRED))
            return arg;
    }
    return NULL;
}

Node *outer_stacklevel(Module *module, Node *node) {
    OutputKind kind = node_is(node, NODE_CALL) ? output_kind(module, node) : OUTPUT_NONE;
    Node *level = kind == OUTPUT_LOG || kind == OUTPUT_WARN ? stacklevel_argument(node, kind) : NULL;
    if (level && !is_own_level(module, level))
        return level;
    for (ChildIter it = ast_children(node); ast_next(&it);) {
        level = outer_stacklevel(module, it.child);
        if (level)
            return level;
    }
    return NULL;
}

static void adjust_stacklevel(PassContext *context, Node *call, OutputKind kind) {
    Node *level = stacklevel_argument(call, kind);
    if (level)
        ast_replace(level, runtime_call(context, "stacklevel", 1, &level));
}

// ---------------------------------------------------------------- rewriting

static bool needs_lambda(PassContext *context, Node *call, OutputKind kind) {
    if (kind != OUTPUT_PRINT || !node_is(call->u.call.func, NODE_NAME) ||
        !str_eq(name_str(call->u.call.func->u.name.name), STR("print")))
        return true; // Dynamo cannot hand over `builtins.print` as a value
    for (uint32_t i = 0; i < call->u.call.args.len; i++)
        if (late_needed(context->module, call->u.call.args.items[i]))
            return true;
    return false;
}

// A warning may be an exception, so the runtime looks for handlers around it.
static const char *recorder(OutputKind kind) {
    return kind == OUTPUT_WARN ? "defer_warning" : "defer";
}

// print(a, b) -> _graphmend.defer(print, a, b)
static Node *direct_call(PassContext *context, Node *call, OutputKind kind) {
    VEC(Node *) args = {0};
    vec_push(&args, call->u.call.func);
    for (uint32_t i = 0; i < call->u.call.args.len; i++)
        vec_push(&args, call->u.call.args.items[i]);
    Node *fresh = runtime_call(context, recorder(kind), args.len, args.items);
    vec_free(&args);
    return fresh;
}

static void defer_call(PassContext *context, Finding *finding) {
    Node *call = finding->node;
    OutputKind kind = output_kind(context->module, call);
    if (!is_legal(context, finding, kind))
        return;
    if (!needs_lambda(context, call, kind)) {
        ast_replace(call, direct_call(context, call, kind));
        finding_accept(finding, STATUS_FIXABLE);
        return;
    }
    Late late;
    if (late_convert(&late, context->module, LATE_ALWAYS, call, NULL)) {
        adjust_stacklevel(context, call, kind);
        Node *statement = call->parent;
        Node *fresh = ast_expr_stmt(context->module->unit->arena,
                                    runtime_call_late(context, recorder(kind), &late, call));
        ast_replace(statement, fresh);
        finding_accept(finding, STATUS_FIXABLE);
    } else {
        decline(finding, late.reason, late.reason_at);
    }
    late_free(&late);
}

// The user wants the output to stay as it is: a comment, or --fix-only.
static bool is_withheld(const PassContext *context, const Node *call) {
    for (; call; call = call->parent)
        if (map_get(context->withheld, map_key_ptr(call), NULL))
            return true;
    return false;
}

// The conditions for a call somewhere in the finding's node; the finding gets the reason.
static bool is_legal_inside(PassContext *context, Finding *finding, Node *call) {
    if (is_withheld(context, call)) {
        decline(finding, "holds-withheld", call);
        return false;
    }
    Finding scratch = {.node = call, .module = context->module};
    bool ok = is_legal(context, &scratch, output_kind(context->module, call));
    if (!ok) {
        finding->status = STATUS_LEFT;
        finding->reason = scratch.reason;
        finding->reason_at = scratch.reason_at;
        finding->reason_module = scratch.reason_module;
    }
    return ok;
}

bool defer_accepts(PassContext *context, Finding *finding, Node *call) {
    if (!context->options->defer) {
        decline(finding, "statement-in-branch", call);
        return false;
    }
    if (!is_legal_inside(context, finding, call))
        return false;
    if (!needs_lambda(context, call, output_kind(context->module, call)))
        return true;
    Late late;
    bool ok = late_possible(&late, context->module, LATE_ALWAYS, call, NULL);
    if (!ok)
        decline(finding, late.reason, late.reason_at);
    late_free(&late);
    return ok;
}

// ---------------------------------------------------------------- if logger.isEnabledFor(level): logger.debug(...)

// The test is written once per statement, so it must read the same in each lambda.
static bool reads_the_same(const Node *test) {
    bool fixed = late_is_fixed(test->u.call.func);
    for (uint32_t i = 0; i < test->u.call.args.len; i++)
        fixed &= late_is_fixed(test->u.call.args.items[i]);
    return fixed;
}

// Every statement of the body is a log call: the test moves into each lambda, so the level is asked for when the record
// would be made. Arguments are evaluated early only where they are pure: the original did not evaluate them when off.
// NULL, or what does more.
static Node *more_than_logs(PassContext *context, Node *branch) {
    if (branch->u.branch.orelse.len)
        return branch->u.branch.orelse.items[0];
    if (branch->u.branch.body.len > 1 && !reads_the_same(branch->u.branch.test))
        return branch->u.branch.test;
    for (uint32_t i = 0; i < branch->u.branch.body.len; i++) {
        Node *statement = branch->u.branch.body.items[i];
        if (!node_is(statement, NODE_EXPR_STMT) || !node_is(statement->u.value.value, NODE_CALL) ||
            output_kind(context->module, statement->u.value.value) != OUTPUT_LOG)
            return statement;
    }
    return NULL;
}

// All of the body is asked before any of it is changed.
static bool can_ask_later(PassContext *context, Finding *finding) {
    Node *branch = finding->node;
    for (uint32_t i = 0; i < branch->u.branch.body.len; i++) {
        Node *call = branch->u.branch.body.items[i]->u.value.value;
        if (!is_legal_inside(context, finding, call))
            return false;
        Late late;
        bool ok = late_possible(&late, context->module, LATE_MAYBE, branch->u.branch.test, call);
        if (!ok)
            decline(finding, late.reason, late.reason_at);
        late_free(&late);
        if (!ok)
            return false;
    }
    return true;
}

// _graphmend.defer(lambda ...: <asked> and <call>, ...)
static Node *asked_later(PassContext *context, Node *test, Node *asked, Node *call) {
    Arena *arena = context->module->unit->arena;
    Late late;
    CHECK(late_convert(&late, context->module, LATE_MAYBE, test, call));
    adjust_stacklevel(context, call, OUTPUT_LOG);
    Node *both = ast_new(arena, NODE_BOOL_OP);
    both->u.binary.op = OP_BOOL_AND;
    both->u.binary.left = asked;
    both->u.binary.right = call;
    Node *fresh = ast_expr_stmt(arena, runtime_call_late(context, "defer", &late, both));
    late_free(&late);
    return fresh;
}

static void defer_enabled(PassContext *context, Finding *finding) {
    Node *branch = finding->node, *test = branch->u.branch.test;
    Module *module = context->module;
    if (!may_defer_here(context, finding))
        return;
    Node *more = more_than_logs(context, branch);
    if (more) {
        decline(finding, "not-only-logs", more);
        return;
    }
    if (!can_ask_later(context, finding))
        return;
    Str text = node_text(module->unit->tree, test);
    VEC(Node *) statements = {0};
    for (uint32_t i = 0; i < branch->u.branch.body.len; i++) {
        Node *asked = i == 0 ? test : ast_text(module->unit->arena, text);
        vec_push(&statements,
                 asked_later(context, test, asked, branch->u.branch.body.items[i]->u.value.value));
    }
    replace_with(context, branch, statements.len, statements.items);
    finding_accept(finding, STATUS_FIXABLE);
    vec_free(&statements);
}

static bool is_inside_new(const Node *node) {
    for (const Node *up = node->parent; up; up = up->parent)
        if (up->flags & NODE_NEW && up->kind == NODE_LAMBDA)
            return true;
    return false;
}

void pass_defer(PassContext *context) {
    for (uint32_t i = 0; i < context->findings->len; i++) {
        Finding *finding = &context->findings->items[i];
        if (!str_eq(finding->rule->category, STR("output")) || finding->status != STATUS_LEFT)
            continue;
        if (node_is(finding->node, NODE_IF))
            defer_enabled(context, finding);
        else if (node_is(finding->node, NODE_CALL) && is_inside_new(finding->node))
            finding_accept(finding, STATUS_FIXABLE); // in the lambda of the isEnabledFor test around it
        else if (node_is(finding->node, NODE_CALL))
            defer_call(context, finding);
    }
}
