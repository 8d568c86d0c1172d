// [Trap]: guards that raise on tensor values (GraphMend, arXiv 2509.16248) become deferred checks.
//     if not torch.isfinite(x).all():                  _graphmend.raise_unless(torch.isfinite(x).all(),
//         raise ValueError(f"bad {x.shape}")    ->         lambda x_shape: ValueError(f"bad {x_shape}"), x.shape)
//     assert (w > 0).all(), f"flat: {w}"        ->     __debug__ and _graphmend.assert_that((w > 0).all(), lambda w: f"flat: {w}", w)
//
// The exception then surfaces where the region ends, in program order with deferred output. In between, code runs that
// the original would not have reached. Declined, with a reason on the finding, where that could be noticed (the second to
// the fourth not with PassOptions.unsafe, as they are noticed only in what is left behind when the check fails; of these the
// runtime sees while tracing what cannot be seen here):
//   caught-in-region             a handler in the region could see the exception earlier
//   state-written-in-region      attributes, items or globals are written earlier in the region
//   effects-after-guard          they, or a tensor that others see, are written later in the region
//   unknown-after-guard          code that cannot be resolved gets a tensor or object that others see
//   raises-on-data-after-guard   an operation on the guarded values could raise first (on other data: the runtime sees it)
//   impure-test                  the right side of and/or would be evaluated although the left decides
//   in-generator, in-async, reads-its-frame, scalar-read-in-test, may-be-unbound, binds-a-name, no-exception
#include "passes/async.h"
#include "passes/trap.h"
#include "passes/written.h"

#include <stdlib.h>

#include "rules/rules.h"

// ---------------------------------------------------------------- legality

// What stands in the way is shown where it is written, deep inside the calls.
static void decline_after(Finding *finding, const char *reason, After after, uint32_t wanted) {
    After at = effects_at_bottom(after, wanted);
    decline_at(finding, reason, at.culprit, at.culprit_module);
}

static bool writes_state(PassContext *context, Finding *finding) {
    Writer writer = written_before(context->writers, context->module, finding->node);
    if (!writer.node)
        return false;
    decline_after(finding, "state-written-in-region", (After){0, writer.node, writer.module, false},
                  STATE_WRITES);
    return true;
}

// The runtime looks for handlers around the code that is being traced, so that those which cannot be ruled out here cost
// nothing where there are none. The operator of --trap=assert-async does not.
static bool is_caught(PassContext *context, Finding *finding, Node *raised) {
    Node *where = NULL;
    Module *where_module = NULL;
    CatchLevel level = node_may_be_caught(context->module, finding->node, raised, &where, &where_module);
    bool looks = context->options->trap_form == TRAP_EXACT;
    if (level == CATCH_NEVER || (level == CATCH_PERHAPS && looks))
        return false;
    decline_at(finding, "caught-in-region", where, where_module);
    return true;
}

// Where the check fails, what the call has changed by then may be more or less than in the original.
static bool leaves_other_state(PassContext *context, Finding *finding, Node *untaken) {
    const uint32_t writes = STATE_WRITES | EFFECT_INPLACE_SURE;
    if (writes_state(context, finding))
        return true;
    After after = effects_after(context->module, finding->node, writes, NULL, untaken);
    if (after.effects & writes) {
        decline_after(finding, "effects-after-guard", after, writes);
        return true;
    }
    after = effects_after(context->module, finding->node, EFFECT_GIVES_AWAY, NULL, untaken);
    if (after.effects & EFFECT_GIVES_AWAY) {
        decline_after(finding, "unknown-after-guard", after, EFFECT_GIVES_AWAY);
        return true;
    }
    return false;
}

// That another exception comes first is no matter of choice: on a GPU it may end the process. raised: NULL for an assert.
bool trap_is_legal(PassContext *context, Finding *finding, Node *test, Node *raised, Node *untaken,
                   Form *form) {
    if (!may_defer_here(context, finding) || is_caught(context, finding, raised))
        return false;
    bool differs = leaves_other_state(context, finding, untaken);
    if (differs && !context->options->unsafe)
        return false;
    After after = effects_after(context->module, finding->node, EFFECT_RAISES_ON_DATA, test, untaken);
    if (after.effects & EFFECT_RAISES_ON_DATA) {
        decline_at(finding, "raises-on-data-after-guard", after.culprit, after.culprit_module);
        return false;
    }
    form->by_place = after.by_place;
    form->status = differs ? STATUS_UNSAFE : after.by_place ? STATUS_GUARDED : STATUS_FIXABLE;
    return true;
}

// ---------------------------------------------------------------- if ...: raise ...

// Nothing may be changed before every part is known to convert.
static bool can_keep(PassContext *context, Finding *finding, Node *exc, Node *cause) {
    Node *level = exc ? outer_stacklevel(context->module, exc) : NULL;
    if (!level && cause)
        level = outer_stacklevel(context->module, cause);
    if (level) {
        decline(finding, "stacklevel-leaves-function", level);
        return false;
    }
    if (!exc)
        return true;
    Late late;
    bool ok = late_possible(&late, context->module, LATE_MAYBE, exc, cause);
    if (!ok)
        decline(finding, late.reason, late.reason_at);
    late_free(&late);
    return ok;
}

static Node *exception_body(PassContext *context, Late *late, Node *raise) {
    Node *exc = raise->u.raise.exc, *cause = raise->u.raise.cause;
    CHECK(late_convert(late, context->module, LATE_MAYBE, exc, cause));
    // A captured name or value may have taken the place of the whole expression: read the slots again.
    exc = raise->u.raise.exc;
    cause = raise->u.raise.cause;
    if (!cause)
        return exc;
    Node *args[] = {exc, cause};
    return runtime_call(context, "caused", 2, args);
}

// `unsafe` tells the runtime not to look at what the region writes.
void trap_add_options(PassContext *context, Form form, NodeVec *args) {
    Arena *arena = context->module->unit->arena;
    if (form.status == STATUS_UNSAFE)
        vec_push(args, ast_keyword(arena, STR("unsafe"), ast_text(arena, STR("True"))));
    if (form.by_place)
        vec_push(args, ast_keyword(arena, STR("places"), ast_text(arena, STR("True"))));
}

// FUNCTION(test, lambda ...: body, values...); body NULL: an assert without a message.
static Node *check_call(PassContext *context, const char *function, Form form, Node *test, const Late *late,
                        Node *body) {
    NodeVec args = {0};
    vec_push(&args, test);
    if (body)
        vec_push(&args, late_lambda(late, body));
    for (uint32_t i = 0; i < late->values.len; i++)
        vec_push(&args, vec_at(&late->values, i));
    trap_add_options(context, form, &args);
    Node *call = runtime_call(context, function, args.len, args.items);
    vec_free(&args);
    return call;
}

static void trap_if(PassContext *context, Finding *finding) {
    Node *guard = finding->node;
    NodeList body_of = guard->u.branch.body, other = guard->u.branch.orelse;
    bool in_else = !node_is(body_of.items[0], NODE_RAISE); // if C: other  else: raise ...
    if (in_else) {
        other = guard->u.branch.body;
        body_of = guard->u.branch.orelse;
    }
    Node *raise = body_of.items[0];
    const char *reason = NULL;
    Node *at = NULL;
    bool negated;
    if (!raise->u.raise.exc) {
        decline(finding, "no-exception", raise);
        return;
    }
    Form form;
    if (!trap_is_legal(context, finding, guard->u.branch.test, raise->u.raise.exc, NULL, &form) ||
        !can_keep(context, finding, raise->u.raise.exc, raise->u.raise.cause))
        return;
    Node *test = lower_test(context, guard->u.branch.test, true, &negated, &reason, &at);
    if (!test) {
        decline(finding, reason, at);
        return;
    }
    negated ^= in_else;
    Late late;
    Node *body = exception_body(context, &late, raise);
    Node *call = NULL;
    if (context->options->trap_form == TRAP_ASSERT_ASYNC && late.values.len == 0 && !form.by_place)
        call = async_check(context, negated ? test : runtime_call(context, "negate", 1, &test), guard, body);
    if (!call)
        call = check_call(context, negated ? "raise_unless" : "raise_if", form, test, &late, body);
    VEC(Node *) statements = {0};
    vec_push(&statements, ast_expr_stmt(context->module->unit->arena, call));
    for (uint32_t i = 0; i < other.len; i++)
        if (!node_is(other.items[i], NODE_PASS))
            vec_push(&statements, other.items[i]);
    replace_with(context, guard, statements.len, statements.items);
    finding_accept(finding, form.status);
    vec_free(&statements);
    late_free(&late);
}

// ---------------------------------------------------------------- assert ..., message

static void trap_assert(PassContext *context, Finding *finding) {
    Arena *arena = context->module->unit->arena;
    Node *check = finding->node, *message = check->u.assert_.msg;
    const char *reason = NULL;
    Node *at = NULL;
    bool negated, is_negation = node_is(check->u.assert_.test, NODE_UNARY_OP);
    Form form;
    if (!trap_is_legal(context, finding, check->u.assert_.test, NULL, NULL, &form) ||
        !can_keep(context, finding, message, NULL))
        return;
    Node *test = lower_test(context, check->u.assert_.test, !is_negation, &negated, &reason, &at);
    if (!test) {
        decline(finding, reason, at);
        return;
    }
    if (negated)
        test = runtime_call(context, "negate", 1, &test);
    Late late = {.module = context->module};
    if (message)
        CHECK(late_convert(&late, context->module, LATE_MAYBE, message, NULL));
    Node *debug = ast_new(arena, NODE_BOOL_OP); // as the assert, nothing under python -O
    debug->u.binary.op = OP_BOOL_AND;
    debug->u.binary.left = ast_text(arena, STR("__debug__"));
    debug->u.binary.right = check_call(context, "assert_that", form, test, &late, check->u.assert_.msg);
    ast_replace(check, ast_expr_stmt(arena, debug));
    finding_accept(finding, form.status);
    late_free(&late);
}

// Last to first, and again while something was taken: a check that is deferred itself no longer stands in the way of the
// guards before it.
static bool trap_round(PassContext *context) {
    bool taken = false;
    for (uint32_t i = context->findings->len; i-- > 0;) {
        Finding *finding = &context->findings->items[i];
        if (finding->status != STATUS_LEFT)
            continue;
        if (str_eq(name_str(finding->rule->code), STR("GM201")))
            trap_if(context, finding);
        else if (str_eq(name_str(finding->rule->code), STR("GM202")))
            trap_assert(context, finding);
        taken |= finding->status != STATUS_LEFT;
    }
    return taken;
}

void pass_trap(PassContext *context) {
    if (context->options->trap_form == TRAP_ASSERT_ASYNC)
        async_find_sites(context);
    while (trap_round(context)) {}
    need_find(context);
    if (context->registrations.len)
        async_wrap_sites(context);
}
