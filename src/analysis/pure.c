// expr_is_pure: may the expression be evaluated early, or although the original would not have been?
//
// Strict: everything in it must be known to have no effect, not to break the graph and not to raise, given that what it
// reads has been evaluated before. Pure are names, attributes that certainly exist, torch's elementwise and reducing
// operators on values known to be tensors (what they object to is shapes and dtypes, seen while tracing), arithmetic on
// numbers without division by an unknown, tests known while tracing, and calls of project functions made of such parts.
// Not pure: look-ups by key or unknown index, division, calls of unknown things, anything random or in place.
#include "analysis/effects_internal.h"

enum { MAX_PURE_DEPTH = 60 };

// caught: Python's own exceptions are caught while tracing (select() in the runtime runs its arms so): a division of numbers,
// a look-up in a dict or list, an attribute of self may raise them. What torch raises ends the attempt too, and
// the branch then runs as it did.
typedef struct Look {
    int depth;
    bool caught;
} Look;
static Look deeper(Look look) {
    return (Look){look.depth + 1, look.caught};
}

static bool pure_at(Module *module, Node *expr, Look look);

static bool all_pure(Module *module, NodeList items, Look look) {
    for (uint32_t i = 0; i < items.len; i++)
        if (!pure_at(module, items.items[i], deeper(look)))
            return false;
    return true;
}

// ---------------------------------------------------------------- names and attributes

// A local name whose every binding comes later in the text is unbound here the first time round.
static bool name_is_bound(Module *module, Node *name) {
    Symbol *symbol = name->u.name.symbol;
    if (!symbol || !symbol->bindings.len || symbol->flags & (SYM_PARAM | SYM_IMPORT))
        return symbol != NULL || resolve_expr(module, name).kind == REF_BUILTIN;
    if (symbol->flags & SYM_DELETED || symbol->scope->is_dynamic)
        return false;
    Function *function = unit_function_at(module->unit, name);
    if (!function || symbol->scope != function->scope)
        return true;
    for (uint32_t i = 0; i < symbol->bindings.len; i++)
        if (symbol->bindings.items[i]->start < name->start)
            return true;
    return symbol->bindings.items[0]->kind == NODE_NAME &&
           node_is(symbol->bindings.items[0]->parent, NODE_COMPREHENSION);
}

static bool has_getattr(ClassInfo *cls) {
    return class_find_method(cls, NAME_OF("__getattr__")) ||
           class_find_method(cls, NAME_OF("__getattribute__"));
}

static bool instance_attribute(ClassInfo *cls, Name attr) {
    AttrInfo *info = class_find_attr(cls, attr);
    if (has_getattr(cls))
        return false;
    if (info)
        return info->in_init || info->is_buffer || info->is_parameter ||
               (info->writers.len && !info->writers.items[0]);
    return class_is_nn_module(cls) && attr == NAME_OF("training");
}

// x.sort().values: the operators that give a pair by these names whenever they give a pair.
static bool is_named_result(Module *module, const Node *value, Name attr) {
    static const char *const pairs[] = {"sort",      "topk", "max",      "min",    "median",
                                        "nanmedian", "mode", "kthvalue", "cummax", "cummin"};
    if ((attr != NAME_OF("values") && attr != NAME_OF("indices")) || !node_is(value, NODE_CALL) ||
        !node_is(value->u.call.func, NODE_ATTRIBUTE))
        return false;
    Node *func = value->u.call.func;
    Ref ref = resolve_expr(module, func);
    bool of_torch = is_tensor(fact_value(module, func->u.attribute.value)) ||
                    (ref.kind == REF_EXTERNAL && str_starts(name_str(ref.name), STR("torch.")));
    for (size_t i = 0; of_torch && i < sizeof pairs / sizeof *pairs; i++)
        if (str_eq(name_str(func->u.attribute.attr), str_of(pairs[i])))
            return true;
    return false;
}

static bool attribute_is_pure(Module *module, Node *attribute, Look look) {
    Node *value = attribute->u.attribute.value;
    Name attr = attribute->u.attribute.attr;
    Fact base = fact_value(module, value);
    if (base.ref.kind == REF_MODULE || base.ref.kind == REF_EXTERNAL)
        return true; // a member of an imported module
    if (!pure_at(module, value, deeper(look)))
        return false;
    if (kinds_only(base.kinds, KIND_SEQUENCE))
        return is_named_result(module, value, attr);
    if (kinds_only(base.kinds, KIND_TENSOR))
        return kinds_of_tensor_attribute(attr) && attr != NAME_OF("grad") && attr != NAME_OF("mT") &&
               attr != NAME_OF("mH") && attr != NAME_OF("H");
    if (base.ref.kind == REF_INSTANCE && base.ref.cls)
        return instance_attribute(base.ref.cls, attr) ||
               (look.caught && !has_getattr(base.ref.cls) && !class_find_method(base.ref.cls, attr));
    if (base.ref.kind == REF_EXTERNAL_INSTANCE && base.ref.name) {
        Str name = name_str(base.ref.name);
        if (str_eq(name, STR("torch.finfo")) || str_eq(name, STR("torch.iinfo")))
            return true;
        static const char *const own[] = {
            "weight",       "bias", "training",    "num_embeddings", "embedding_dim",   "in_features",
            "out_features", "eps",  "padding_idx", "num_features",   "normalized_shape"};
        for (size_t i = 0; base.kinds & KIND_MODULE && i < sizeof own / sizeof *own; i++)
            if (str_eq(name_str(attr), str_of(own[i])))
                return true;
    }
    return kinds_only(base.kinds, KIND_DEVICE) ||
           (kinds_only(base.kinds, KIND_DTYPE) && attr == NAME_OF("is_floating_point"));
}

// ---------------------------------------------------------------- x[i]

static bool is_safe_index(Module *module, Node *index, Look look) {
    if (node_is(index, NODE_TUPLE)) {
        for (uint32_t i = 0; i < index->u.items.items.len; i++)
            if (!is_safe_index(module, index->u.items.items.items[i], look))
                return false;
        return true;
    }
    if (node_is(index, NODE_SLICE)) {
        Node *parts[3] = {index->u.slice.lower, index->u.slice.upper, index->u.slice.step};
        for (int i = 0; i < 3; i++)
            if (parts[i] && !(kinds_only(fact_value(module, parts[i]).kinds, KIND_INT | KIND_NONE) &&
                              pure_at(module, parts[i], deeper(look))))
                return false;
        return !parts[2] || node_is(parts[2], NODE_CONSTANT);
    }
    if (!node_is(index, NODE_CONSTANT) &&
        !(node_is(index, NODE_UNARY_OP) && node_is(index->u.unary.operand, NODE_CONSTANT)))
        return false;
    const Node *number = node_is(index, NODE_UNARY_OP) ? index->u.unary.operand : index;
    if (number->u.constant.kind == CONST_NONE || number->u.constant.kind == CONST_ELLIPSIS)
        return true;
    // The first and the last place exist unless the dimension is empty.
    Str text = node_text(module->unit->tree, number);
    return number->u.constant.kind == CONST_INT && text.len == 1 &&
           (text.ptr[0] == '0' || text.ptr[0] == '1') &&
           (text.ptr[0] == '1') == node_is(index, NODE_UNARY_OP);
}

static bool subscript_is_pure(Module *module, Node *subscript, Look look) {
    Node *value = subscript->u.subscript.value, *index = subscript->u.subscript.index;
    if (!pure_at(module, value, deeper(look)))
        return false;
    Fact base = fact_value(module, value);
    if (kinds_only(base.kinds, KIND_TENSOR))
        return is_safe_index(module, index, look);
    if (kinds_only(base.kinds, KIND_SEQUENCE) && node_is(index, NODE_SLICE))
        return is_safe_index(module, index, look);
    if (look.caught && kinds_only(base.kinds, KIND_SEQUENCE | KIND_DICT) &&
        !is_tensor(fact_value(module, index)))
        return pure_at(module, index, deeper(look));
    bool of_shape = node_is(value, NODE_ATTRIBUTE) && value->u.attribute.attr == NAME_OF("shape");
    const Node *number = node_is(index, NODE_UNARY_OP) ? index->u.unary.operand : index;
    return of_shape && node_is(number, NODE_CONSTANT);
}

// ---------------------------------------------------------------- operators

static bool is_number(Fact fact) {
    return kinds_only(fact.kinds, KIND_NUMBER | KIND_SCALAR_READ);
}

// A parameter that must be given and that nothing compares with None: taken for a tensor or a number where it is added or
// multiplied. Were it something else, tracing would say so.
static bool is_plain_parameter(const Node *node) {
    const Symbol *symbol = node_is(node, NODE_NAME) ? node->u.name.symbol : NULL;
    if (!symbol || !(symbol->flags & SYM_PARAM) || symbol->bindings.len == 0)
        return false;
    const Node *param = symbol->bindings.items[0];
    if (!node_is(param, NODE_PARAM) || param->u.param.default_value || param->u.param.annotation ||
        param->u.param.kind == PARAM_VARARGS || param->u.param.kind == PARAM_KWARGS)
        return false;
    for (uint32_t i = 0; i < symbol->uses.len; i++) {
        const Node *compare = symbol->uses.items[i]->parent;
        if (node_is(compare, NODE_COMPARE) &&
            (compare->u.compare.ops[0] == OP_IS || compare->u.compare.ops[0] == OP_IS_NOT))
            return false;
    }
    return true;
}

static bool is_operand(Fact fact, const Node *node) {
    return is_number(fact) || kinds_only(fact.kinds, KIND_TENSOR | KIND_NUMBER) ||
           (fact.kinds == KIND_ANY && is_plain_parameter(node));
}
static bool is_nonzero_constant(Module *module, Node *node) {
    if (node_is(node, NODE_UNARY_OP))
        node = node->u.unary.operand;
    if (!node_is(node, NODE_CONSTANT) || node->u.constant.kind > CONST_FLOAT)
        return false;
    Str text = node_text(module->unit->tree, node);
    for (size_t i = 0; i < text.len && text.ptr[i] != 'e' && text.ptr[i] != 'E'; i++)
        if (text.ptr[i] >= '1' && text.ptr[i] <= '9')
            return true;
    return false;
}

static bool binary_is_pure(Module *module, Node *node, Look look) {
    Node *left = node->u.binary.left, *right = node->u.binary.right;
    if (!pure_at(module, left, deeper(look)) || !pure_at(module, right, deeper(look)))
        return false;
    Fact a = fact_value(module, left), b = fact_value(module, right);
    Op op = node->u.binary.op;
    bool tensor_a = kinds_only(a.kinds, KIND_TENSOR), tensor_b = kinds_only(b.kinds, KIND_TENSOR);
    if (tensor_a || tensor_b) {
        if (!is_operand(a, left) || !is_operand(b, right))
            return false;
        if (op != OP_FLOORDIV && op != OP_MOD)
            return true;
        return a.dtype == DTYPE_FLOAT || b.dtype == DTYPE_FLOAT || is_nonzero_constant(module, right);
    }
    if (is_number(a) && is_number(b)) {
        if (op == OP_DIV || op == OP_FLOORDIV || op == OP_MOD)
            return look.caught || is_nonzero_constant(module, right);
        if (op == OP_POW || op == OP_LSHIFT || op == OP_RSHIFT) // 0 ** -1, 1 << -1
            return is_nonzero_constant(module, right) && node_is(right, NODE_CONSTANT);
        return op != OP_MATMUL;
    }
    if (op == OP_ADD || op == OP_SUB || op == OP_MUL) {
        if (is_operand(a, left) && is_operand(b, right))
            return true;
        if (look.caught && (is_number(a) || is_number(b)))
            return true; // a tensor takes a number, and what else objects is Python
    }
    bool text = kinds_only(a.kinds, KIND_STR) && kinds_only(b.kinds, KIND_STR);
    return op == OP_ADD && text;
}

static bool compare_is_pure(Module *module, Node *node, Look look) {
    const uint32_t plain = KIND_NUMBER | KIND_STR | KIND_NONE | KIND_DTYPE | KIND_DEVICE | KIND_SCALAR_READ;
    if (!pure_at(module, node->u.compare.left, deeper(look)) ||
        !all_pure(module, node->u.compare.comparators, look))
        return false;
    Fact left = fact_value(module, node->u.compare.left);
    const Node *left_node = node->u.compare.left;
    for (uint32_t i = 0; i < node->u.compare.comparators.len; i++) {
        Op op = node->u.compare.ops[i];
        Fact right = fact_value(module, node->u.compare.comparators.items[i]);
        bool tensor = is_tensor(left) || is_tensor(right), equality = op == OP_EQ || op == OP_NE;
        if (tensor && node->u.compare.comparators.len > 1 && op != OP_IS && op != OP_IS_NOT)
            return false;
        if (op == OP_IN || op == OP_NOT_IN) {
            if (tensor || !kinds_only(left.kinds, plain) ||
                !kinds_only(right.kinds, KIND_SEQUENCE | KIND_DICT | KIND_STR))
                return false;
        } else if (op != OP_IS && op != OP_IS_NOT) {
            bool numbers =
                is_operand(left, left_node) && is_operand(right, node->u.compare.comparators.items[i]);
            bool sizes = kinds_only(left.kinds, KIND_SEQUENCE) && kinds_only(right.kinds, KIND_SEQUENCE);
            bool same = kinds_only(left.kinds, plain) && kinds_only(right.kinds, plain) && equality;
            if (!numbers && !(sizes && equality) && !same)
                return false;
        }
        left = right;
        left_node = node->u.compare.comparators.items[i];
    }
    return true;
}

// ---------------------------------------------------------------- calls

static bool is_harmless(uint32_t flags) {
    const uint32_t gives = OP_RETURNS_TENSOR | OP_RETURNS_TENSORS | OP_RETURNS_STATIC | OP_RETURNS_BOOL;
    const uint32_t forbidden = OP_INPLACE | OP_RANDOM | OP_RAISES_ON_DATA | OP_DYNAMIC_SHAPE |
                               OP_DATA_DEPENDENT | OP_RETURNS_SCALAR | OP_RETURNS_NONE;
    return flags & gives && !(flags & forbidden);
}

static bool arguments_are_pure(Module *module, Node *call, Look look) {
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        Node *arg = call->u.call.args.items[i];
        Node *value = node_is(arg, NODE_KEYWORD) ? arg->u.keyword.value : arg;
        if (node_is(arg, NODE_STARRED) || (node_is(arg, NODE_KEYWORD) && !arg->u.keyword.name))
            return false;
        if (!pure_at(module, value, deeper(look)) || fact_value(module, value).kinds == KIND_ANY)
            return false;
    }
    return !fact_call_keyword(call, "out") && !fact_call_keyword(call, "inplace");
}

// float("-inf")
static bool is_infinity(Module *module, Node *call) {
    static const char *const names[] = {"inf", "-inf", "nan", "infinity", "-infinity"};
    Str text;
    return call->u.call.args.len == 1 && node_is(call->u.call.args.items[0], NODE_CONSTANT) &&
           node_string_value(module->unit->tree, call->u.call.args.items[0], module->unit->arena, &text) &&
           AMONG(text, names);
}

static bool builtin_is_pure(Module *module, Node *call, Name name, Look look) {
    Str text = name_str(name);
    if (str_eq(text, STR("float")) && is_infinity(module, call))
        return true;
    if (!is_pure_builtin(name) || str_eq(text, STR("sorted")) || str_eq(text, STR("hash")))
        return false;
    bool any_object = str_eq(text, STR("isinstance")) || str_eq(text, STR("hasattr")) ||
                      str_eq(text, STR("type")) || str_eq(text, STR("callable")) || str_eq(text, STR("id")) ||
                      str_eq(text, STR("issubclass"));
    NodeList args = call->u.call.args;
    for (uint32_t i = 0; i < args.len; i++) {
        if (!pure_at(module, args.items[i], deeper(look)) || node_is(args.items[i], NODE_KEYWORD))
            return false;
        if (any_object)
            continue;
        Fact fact = fact_value(module, args.items[i]);
        bool sized = kinds_only(fact.kinds, KIND_SEQUENCE | KIND_DICT | KIND_STR);
        if (str_eq(text, STR("len")) ? !sized && !kinds_only(fact.kinds, KIND_TENSOR)
                                     : !kinds_only(fact.kinds, KIND_NUMBER | KIND_SEQUENCE))
            return false;
        if (fact.kinds & KIND_SEQUENCE && !str_eq(text, STR("len")) && !str_eq(text, STR("list")) &&
            !str_eq(text, STR("tuple")))
            return false;
    }
    return true;
}

static bool body_is_pure(Module *module, NodeList body, Look look);

static bool statement_is_pure(Module *module, Node *stmt, Look look) {
    switch ((NodeKind)stmt->kind) {
    case NODE_PASS:
        return true;
    case NODE_RETURN:
        return !stmt->u.value.value || pure_at(module, stmt->u.value.value, look);
    case NODE_EXPR_STMT:
        return pure_at(module, stmt->u.value.value, look);
    case NODE_ASSIGN:
        for (uint32_t i = 0; i < stmt->u.assign.targets.len; i++)
            if (!node_is(stmt->u.assign.targets.items[i], NODE_NAME) ||
                !stmt->u.assign.targets.items[i]->u.name.symbol ||
                stmt->u.assign.targets.items[i]->u.name.symbol->flags & (SYM_GLOBAL | SYM_NONLOCAL))
                return false;
        return pure_at(module, stmt->u.assign.value, look);
    case NODE_IF:
        return predicate_value(module, stmt->u.branch.test) == PRED_STATIC &&
               pure_at(module, stmt->u.branch.test, look) &&
               body_is_pure(module, stmt->u.branch.body, look) &&
               body_is_pure(module, stmt->u.branch.orelse, look);
    default:
        return false;
    }
}

static bool body_is_pure(Module *module, NodeList body, Look look) {
    for (uint32_t i = 0; i < body.len; i++)
        if (!statement_is_pure(module, body.items[i], deeper(look)))
            return false;
    return true;
}

// Bottom (0) in a cycle: a recursive function is not pure. 1: not pure, 2: pure.
static MemoValue compute_pure(Module *module, void *subject, Path path, void *context) {
    Node *def = subject;
    (void)path, (void)context;
    bool pure = def->kind == NODE_LAMBDA
                    ? pure_at(module, def->u.lambda.body, (Look){1, false})
                    : !def->u.function.decorators.len && !(def->flags & (NODE_ASYNC | NODE_OPAQUE)) &&
                          body_is_pure(module, def->u.function.body, (Look){1, false});
    return (MemoValue){.bits = pure ? 2 : 1};
}

static bool function_is_pure(FuncInfo *func) {
    return memo(func->module, func->function->node, ASPECT_PURE, (Path){0}, compute_pure, NULL,
                (MemoValue){.bits = 1})
               .bits == 2;
}

// As it is called here: F.relu(x, True) changes x, though x may be known to this function alone;
// torch.div(x, y, rounding_mode="floor") may raise; what a partial adds is not seen.
static bool only_computes(Module *module, Node *call, const Ref *callee) {
    return !callee->partial && !callee->inplace && !inplace_argument(call, callee->name) &&
           !summary_effects(effects_own(module, call));
}

static bool call_is_pure(Module *module, Node *call, Look look) {
    FuncInfo *targets[8];
    Ref callee;
    uint32_t count = call_targets(module, call, targets, 8, &callee);
    Node *func = call->u.call.func;
    if (callee.kind == REF_BUILTIN)
        return builtin_is_pure(module, call, callee.name, look);
    if (!arguments_are_pure(module, call, look))
        return false;
    if (count) {
        for (uint32_t i = 0; i < count; i++)
            if (!function_is_pure(targets[i]) || runs_hooks(module, call, targets[i]))
                return false;
        return node_is(func, NODE_NAME) || pure_at(module, func, deeper(look)) ||
               node_is(func, NODE_ATTRIBUTE);
    }
    if (callee.kind == REF_EXTERNAL) {
        Str name = name_str(callee.name);
        if (is_compiling_query(callee.name) || str_eq(name, STR("torch.finfo")) ||
            str_eq(name, STR("torch.iinfo")))
            return true;
        if (str_eq(name, STR("torch.where")))
            return call->u.call.args.len >= 3;
        return is_harmless(torch_function_flags(callee.name)) && only_computes(module, call, &callee);
    }
    if (callee.kind == REF_EXTERNAL_INSTANCE && torch_module_flags(callee.name))
        return is_harmless(torch_module_flags(callee.name)) && module_is_plain(module, func) &&
               pure_at(module, func, deeper(look)) && only_computes(module, call, &callee);
    if (!node_is(func, NODE_ATTRIBUTE) || !pure_at(module, func->u.attribute.value, deeper(look)))
        return false;
    Fact base = fact_value(module, func->u.attribute.value);
    return kinds_only(base.kinds, KIND_TENSOR) && is_harmless(torch_method_flags(func->u.attribute.attr)) &&
           only_computes(module, call, &callee);
}

// ---------------------------------------------------------------- expressions

static bool formatted_is_pure(Module *module, Node *node, Look look) {
    Fact fact = fact_value(module, node->u.formatted.value);
    const uint32_t plain = KIND_NUMBER | KIND_STR | KIND_NONE | KIND_DTYPE | KIND_DEVICE;
    bool sizes = kinds_only(fact.kinds, KIND_SEQUENCE) && kinds_only(fact.element, plain);
    return (kinds_only(fact.kinds, plain) || sizes) && !node->u.formatted.spec.len &&
           pure_at(module, node->u.formatted.value, deeper(look));
}

static bool dict_is_pure(Module *module, Node *dict, Look look) {
    for (uint32_t i = 0; i < dict->u.items.items.len; i++) {
        Node *item = dict->u.items.items.items[i];
        if (!node_is(item, NODE_DICT_ITEM) || !item->u.dict_item.key ||
            !node_is(item->u.dict_item.key, NODE_CONSTANT) ||
            !pure_at(module, item->u.dict_item.value, deeper(look)))
            return false;
    }
    return true;
}

static bool pure_at(Module *module, Node *expr, Look look) {
    if (!expr || look.depth > MAX_PURE_DEPTH || expr->flags & NODE_NEW)
        return false;
    if (summary_effects(implicit_effects(module, expr)) & ~(look.caught ? (uint32_t)EFFECT_MAY_RAISE : 0u))
        return false;
    switch ((NodeKind)expr->kind) {
    case NODE_CONSTANT:
    case NODE_LAMBDA:
        return true;
    case NODE_NAME:
        return name_is_bound(module, expr);
    case NODE_ATTRIBUTE:
        return attribute_is_pure(module, expr, look);
    case NODE_SUBSCRIPT:
        return subscript_is_pure(module, expr, look);
    case NODE_CALL:
        return call_is_pure(module, expr, look);
    case NODE_BIN_OP:
        return binary_is_pure(module, expr, look);
    case NODE_COMPARE:
        return compare_is_pure(module, expr, look);
    case NODE_UNARY_OP: {
        Fact fact = fact_value(module, expr->u.unary.operand);
        if (!pure_at(module, expr->u.unary.operand, deeper(look)))
            return false;
        if (expr->u.unary.op == OP_NOT)
            return predicate_value(module, expr->u.unary.operand) == PRED_STATIC;
        return kinds_only(fact.kinds, KIND_TENSOR) || is_number(fact);
    }
    case NODE_BOOL_OP:
        return pure_at(module, expr->u.binary.left, deeper(look)) &&
               pure_at(module, expr->u.binary.right, deeper(look)) &&
               predicate_value(module, expr->u.binary.left) == PRED_STATIC;
    case NODE_IF_EXP:
        return predicate_value(module, expr->u.if_exp.test) == PRED_STATIC &&
               pure_at(module, expr->u.if_exp.test, deeper(look)) &&
               pure_at(module, expr->u.if_exp.body, deeper(look)) &&
               pure_at(module, expr->u.if_exp.orelse, deeper(look));
    case NODE_TUPLE:
    case NODE_LIST:
        return all_pure(module, expr->u.items.items, look);
    case NODE_DICT:
        return dict_is_pure(module, expr, look);
    case NODE_STR_CONCAT:
    case NODE_FSTRING:
        return all_pure(module, expr->u.items.items, look);
    case NODE_FORMATTED_VALUE:
        return formatted_is_pure(module, expr, look);
    default:
        return false;
    }
}

bool expr_is_pure_if_caught(Module *module, Node *expr) {
    memo_begin(module);
    return pure_at(module, expr, (Look){0, true});
}

bool expr_is_pure(Module *module, Node *expr) {
    memo_begin(module);
    return pure_at(module, expr, (Look){0});
}
