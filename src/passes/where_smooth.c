// Gradients of a selection. The backward pass of torch.where runs both arms, the untaken one with a zero gradient. That
// equals the original only if the derivative of every step stays finite for any value (0 * inf is NaN), and if the
// untaken arm reads no tensor that the taken one does not (its .grad would become zeros instead of staying None).
// Accepted: one-armed updates of one name by steps whose derivative is 0 or a constant, such as the overflow clamp
//     clamp_value = torch.finfo(h.dtype).max - 1000
//     h = torch.clamp(h, min=-clamp_value, max=clamp_value)
// Anything else is differentiated only by the original branch: the runtime falls back to it when gradients are on.
#include "passes/where.h"

#include <stdlib.h>

#include "rules/rules.h"

static const uint16_t NUMBER_KINDS =
    KIND_BOOL | KIND_INT | KIND_FLOAT | KIND_DTYPE | KIND_DEVICE | KIND_NONE | KIND_STR;

static bool is_number(PassContext *context, Node *expr) {
    uint16_t kinds = fact_of(context->module, expr).kinds;
    return kinds && !(kinds & ~NUMBER_KINDS);
}

static bool is_smooth_operator(Str name) {
    static const char *const names[] = {"clamp", "clamp_min", "clamp_max", "nan_to_num", "neg"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_eq(name, str_of(names[i])))
            return true;
    return false;
}

// An expression over the one tensor `name` and numbers.
static bool is_smooth(PassContext *context, Node *expr, Name name) {
    if (node_is(expr, NODE_NAME) && expr->u.name.name == name)
        return true;
    if (is_number(context, expr))
        return true;
    switch ((NodeKind)expr->kind) {
    case NODE_UNARY_OP:
        return expr->u.unary.op == OP_UMINUS && is_smooth(context, expr->u.unary.operand, name);
    case NODE_BIN_OP:
        if (expr->u.binary.op == OP_ADD || expr->u.binary.op == OP_SUB)
            return is_smooth(context, expr->u.binary.left, name) &&
                   is_smooth(context, expr->u.binary.right, name);
        return (expr->u.binary.op == OP_MUL || expr->u.binary.op == OP_DIV) &&
               is_smooth(context, expr->u.binary.left, name) && node_is(expr->u.binary.right, NODE_CONSTANT);
    case NODE_CALL: {
        Node *func = expr->u.call.func;
        if (!node_is(func, NODE_ATTRIBUTE) || !is_smooth_operator(name_str(func->u.attribute.attr)))
            return false;
        Ref ref = resolve_expr(context->module, func);
        bool is_function = ref.kind == REF_EXTERNAL && str_starts(name_str(ref.name), STR("torch."));
        if (!is_function && !is_smooth(context, func->u.attribute.value, name))
            return false;
        for (uint32_t i = 0; i < expr->u.call.args.len; i++) {
            Node *arg = expr->u.call.args.items[i];
            if (node_is(arg, NODE_KEYWORD))
                arg = arg->u.keyword.value;
            bool is_operand = is_function && i == 0;
            if (is_operand ? !is_smooth(context, arg, name) : !is_number(context, arg))
                return false;
        }
        return true;
    }
    default:
        return false;
    }
}

bool where_is_smooth(PassContext *context, const WherePlan *plan) {
    if (plan->returns || plan->outs.len != 1 || plan->second.len)
        return false;
    Name out = plan->outs.items[0];
    for (uint32_t i = 0; i < plan->ins.len; i++)
        if (plan->ins.items[i] != out)
            return false;
    NodeList body = plan->first;
    for (uint32_t i = 0; i < body.len; i++) {
        Node *statement = body.items[i];
        if (!node_is(statement, NODE_ASSIGN) || statement->u.assign.targets.len != 1 ||
            !node_is(statement->u.assign.targets.items[0], NODE_NAME))
            return false;
        bool to_out = statement->u.assign.targets.items[0]->u.name.name == out;
        Node *value = statement->u.assign.value;
        if (to_out ? !is_smooth(context, value, out) : !is_number(context, value))
            return false;
    }
    return plan->ins.len == 1;
}
