// [Trap] for branches that cannot run without an argument:
//     def forward(self, ids, info=None):
//         if torch.any(ids == 3):                ->  if _graphmend.needs(torch.any(ids == 3), lambda info: info["rows"], info):
//             rows = self.encode(info["rows"])           rows = self.encode(info["rows"])
// Called without `info` the branch raises, as None has no items: it is a guard, whose exception the lambda raises. With one
// the branch is what it was. That is known while tracing.
//
// Such a branch begins with statements that surely raise nothing and have no effect, up to the first thing that is done with
// a parameter whose default is None and which the function binds nowhere else: x.attribute, x["constant"]. Nothing may decide
// whether that is evaluated. Declined as in trap.c, and silently, as [Where] gives the reason, where the branch is of another
// form, its test binds or reads the parameter, or the function looks into the parameter before: then it is hardly ever None.
//
// [Where] comes first: what it selects needs no check. But what a check asks for is asked of the module as it was, so
// candidates are found before it.
#include "passes/quiet.h"
#include "passes/trap.h"

#include "rules/rules.h"

typedef struct Need {
    struct Need *next;
    Node *branch, *raising; // info["rows"]
    Form form;
    const struct Reason *reason; // of a declined one
    Node *reason_at;
    Module *reason_module;
} Need;

// ---------------------------------------------------------------- what raises

static bool is_looked_into(const Node *use) {
    const Node *up = use->parent;
    return node_is(up, NODE_ATTRIBUTE) || (node_is(up, NODE_SUBSCRIPT) && up->u.subscript.value == use);
}

// One of which the branch is not: where that is run, the branch need not be.
static bool is_in_other_arm(const Node *use, const Node *branch) {
    for (const Node *up = use->parent; up; up = up->parent)
        if (node_is(up, NODE_IF) && !node_contains(up->u.branch.test, use) &&
            !(node_contains(up, branch) &&
              list_spans(up->u.branch.body, use) == list_spans(up->u.branch.body, branch)))
            return true;
    return false;
}

// Where the function goes on after that, it is hardly ever None.
static bool tells_of_none(const Node *use, const Node *branch) {
    bool handed_on = node_is(use->parent, NODE_KEYWORD) ||
                     (node_is(use->parent, NODE_CALL) && use->parent->u.call.func != use);
    return !handed_on && !(is_looked_into(use) && is_in_other_arm(use, branch));
}

// A parameter that nothing says is not None: x=None, bound by nothing else, and not looked into before the branch but in an
// arm of another, not in its test, and in the branch not before `raising`.
static bool may_be_none(const Symbol *symbol, const Node *branch, const Node *raising) {
    const Node *param = symbol && symbol->bindings.len == 1 ? symbol->bindings.items[0] : NULL;
    if (!node_is(param, NODE_PARAM) || !param->u.param.default_value ||
        !node_const(param->u.param.default_value, CONST_NONE) ||
        symbol->flags & (SYM_CELL | SYM_DELETED | SYM_GLOBAL | SYM_NONLOCAL) ||
        symbol->scope->kind != SCOPE_FUNCTION)
        return false;
    for (uint32_t i = 0; i < symbol->uses.len; i++) {
        const Node *use = symbol->uses.items[i];
        bool inside = node_contains(branch, use) && !node_contains(raising, use);
        if (use->start < raising->start && (inside || tells_of_none(use, branch)))
            return false;
    }
    return true;
}

static bool raises_on_none(const Node *expr, const Node *branch) {
    const Node *value = node_is(expr, NODE_ATTRIBUTE)   ? expr->u.attribute.value
                        : node_is(expr, NODE_SUBSCRIPT) ? expr->u.subscript.value
                                                        : NULL;
    if (!node_is(value, NODE_NAME) || !may_be_none(value->u.name.symbol, branch, expr))
        return false;
    return node_is(expr, NODE_ATTRIBUTE) ? !str_starts(name_str(expr->u.attribute.attr), STR("__"))
                                         : is_literal(expr->u.subscript.index);
}

// *goes_on: the whole expression may have been evaluated.
static Node *raising_in(Module *module, const Node *branch, Node *expr, int depth, bool *goes_on) {
    Node *parts[MAX_PARTS];
    uint32_t count = depth > MAX_DEPTH || expr->flags & NODE_NEW ? 0 : expr_parts(expr, parts);
    for (uint32_t i = 0; i < count && *goes_on; i++) {
        Node *found = raising_in(module, branch, parts[i], depth + 1, goes_on);
        if (found)
            return found;
        *goes_on = *goes_on && is_quiet_in(module, branch, parts[i]);
    }
    return *goes_on && depth <= MAX_DEPTH && raises_on_none(expr, branch) ? expr : NULL;
}

// What a statement evaluates first.
static Node *first_evaluated(const Node *statement) {
    switch ((NodeKind)statement->kind) {
    case NODE_EXPR_STMT:
    case NODE_RETURN:
        return statement->u.value.value;
    case NODE_ASSIGN:
        return statement->u.assign.value;
    case NODE_ANN_ASSIGN:
        return statement->u.ann.value;
    case NODE_FOR:
        return statement->u.loop.iter;
    case NODE_IF:
        return statement->u.branch.test;
    default:
        return NULL;
    }
}

static Node *raising_part(Module *module, const Node *branch) {
    NodeList body = branch->u.branch.body;
    for (uint32_t i = 0; i < body.len; i++) {
        Node *statement = body.items[i], *expr = first_evaluated(statement);
        bool goes_on = !(statement->flags & NODE_NEW);
        Node *found = expr && goes_on ? raising_in(module, branch, expr, 0, &goes_on) : NULL;
        if (found)
            return found;
        if (!goes_on || !statement_is_quiet_in(module, branch, statement))
            return NULL;
    }
    return NULL;
}

// ---------------------------------------------------------------- before and after [Where]

static bool is_branch(const Finding *finding) {
    return finding->status == STATUS_LEFT && finding->rule->code == NAME_OF("GM101") &&
           node_is(finding->node, NODE_IF);
}

void need_find(PassContext *context) {
    for (uint32_t i = 0; i < context->findings->len; i++) {
        Finding *finding = &context->findings->items[i], before = *finding;
        Node *test = is_branch(finding) ? finding->node->u.branch.test : NULL;
        Node *raising =
            test && !binds_or_suspends(test) ? raising_part(context->module, finding->node) : NULL;
        if (!raising)
            continue;
        Need *need = ARENA_NEW(context->module->unit->arena, Need);
        *need = (Need){.next = context->needs, .branch = finding->node, .raising = raising};
        if (!trap_is_legal(context, finding, test, finding->node, finding->node, &need->form)) {
            need->reason = finding->reason;
            need->reason_at = finding->reason_at;
            need->reason_module = finding->reason_module;
        }
        context->needs = need;
        *finding = before;
    }
}

static void rewrite(PassContext *context, Finding *finding, const Need *need) {
    Arena *arena = context->module->unit->arena;
    Node *test = finding->node->u.branch.test, *at = NULL;
    const char *reason = NULL;
    bool negated;
    const Node *value = node_is(need->raising, NODE_ATTRIBUTE) ? need->raising->u.attribute.value
                                                               : need->raising->u.subscript.value;
    Str name = name_str(value->u.name.name);
    Node *low = lower_test(context, test, false, &negated, &reason, &at);
    if (!low) {
        decline(finding, reason, at);
        return;
    }
    if (negated)
        low = runtime_call(context, "negate", 1, &low);
    Late late = {.module = context->module};
    vec_push(&late.params, value->u.name.name);
    Node *raising = ast_text(arena, node_text(context->module->unit->tree, need->raising));
    NodeVec args = {0};
    vec_push(&args, low);
    vec_push(&args, late_lambda(&late, raising));
    vec_push(&args, ast_name(arena, name));
    trap_add_options(context, need->form, &args);
    ast_replace(test, runtime_call(context, "needs", args.len, args.items));
    finding_accept(finding, need->form.status == STATUS_UNSAFE ? STATUS_UNSAFE : STATUS_GUARDED);
    vec_free(&args);
    late_free(&late);
}

void pass_need(PassContext *context) {
    for (const Need *need = context->needs; need; need = need->next)
        for (uint32_t i = 0; i < context->findings->len; i++) {
            Finding *finding = &context->findings->items[i];
            if (finding->node != need->branch || !is_branch(finding))
                continue;
            if (need->reason) {
                finding->reason = need->reason;
                finding->reason_at = need->reason_at;
                finding->reason_module = need->reason_module;
            } else {
                rewrite(context, finding, need);
            }
        }
}
