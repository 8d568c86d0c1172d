// Calls that change something by other ways than an operator in place: torch's settings, what a module or a container holds,
// the statistics of a batch norm, what the functions of `operator` do.
//
//     torch.set_default_dtype(d)      queue.popleft()      next(batches)      add = seen.append; add(x)
//
// Input: a call, and what it calls where that is known. Output: its effects beside those that effects_call.c knows.
#include "analysis/effects_internal.h"

enum { MAX_BOUND = 6 };

static bool is_false(const Node *node) {
    return node_is(node, NODE_CONSTANT) && node->u.constant.kind == CONST_FALSE;
}

Name constant_name(Module *module, const Node *node) {
    Str text;
    bool known = node_is(node, NODE_CONSTANT) &&
                 node_string_value(module->unit->tree, node, module->unit->arena, &text);
    return known ? intern(text) : 0;
}

// type(x), x.__class__: whoever x is, its class outlives the call.
static bool is_class_of(Module *module, Node *object) {
    if (node_is(object, NODE_ATTRIBUTE))
        return object->u.attribute.attr == NAME_OF("__class__");
    return node_is(object, NODE_CALL) && !(object->flags & NODE_NEW) &&
           is_named(resolve_expr(module, object->u.call.func), REF_BUILTIN, "type");
}

Summary writes_to(Module *module, Node *object, uint32_t effect) {
    bool own = object && !is_class_of(module, object);
    return summary_write(effect, own ? origin_of(module, object, LEVEL_SELF) : ORIGIN_OTHER);
}

// ---------------------------------------------------------------- torch

// F.dropout(x, 0.5, True, True), F.relu(x, inplace=flag), F.relu(*args): what may be true, or NULL.
Node *inplace_argument(Node *call, Name function) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        Node *arg = call->u.call.args.items[i];
        bool unpacks = node_is(arg, NODE_STARRED) || (node_is(arg, NODE_KEYWORD) && !arg->u.keyword.name);
        if (unpacks) {
            if (torch_takes(ARGUMENT_INPLACE, function, 0, NAME_OF("inplace")))
                return arg;
        } else if (node_is(arg, NODE_KEYWORD)) {
            if (arg->u.keyword.name == NAME_OF("inplace") && !is_false(arg->u.keyword.value))
                return arg->u.keyword.value;
        } else if (torch_takes(ARGUMENT_INPLACE, function, at++, 0) && !is_false(arg)) {
            return arg;
        }
    }
    return NULL;
}

// Of several operands einsum() gives a product.
uint32_t flags_as_called(const Node *call, Name function) {
    uint32_t flags = torch_function_flags(function);
    NodeList args = call->u.call.args;
    if (function != NAME_OF("torch.einsum") || args.len < 3 || !node_is(args.items[0], NODE_CONSTANT))
        return flags;
    for (uint32_t i = 0; i < args.len; i++)
        if (node_is(args.items[i], NODE_STARRED) || node_is(args.items[i], NODE_KEYWORD))
            return flags;
    return flags & ~(uint32_t)OP_VIEW;
}

// Whether it trains: of all that have statistics the argument in this place says so.
static bool trains(Node *call, Name function) {
    static const char *const keywords[] = {"training", "use_input_stats", "train"};
    Node *flag = fact_call_arg(call, 5, NULL);
    for (size_t i = 0; !flag && i < sizeof keywords / sizeof *keywords; i++)
        flag = fact_call_keyword(call, keywords[i]);
    return flag ? !is_false(flag) : function != NAME_OF("torch.nn.functional.batch_norm");
}

uint32_t changed_statistics(Node *call, Name function, Node **into) {
    uint32_t at = 0, count = 0;
    if (!torch_takes(ARGUMENT_STATISTICS, function, 0, NAME_OF("running_mean")) || !trains(call, function))
        return 0;
    for (uint32_t i = 0; i < call->u.call.args.len && count < MAX_STATISTICS; i++) {
        Node *arg = call->u.call.args.items[i];
        bool named = node_is(arg, NODE_KEYWORD);
        if (named ? torch_takes(ARGUMENT_STATISTICS, function, 0, arg->u.keyword.name)
                  : torch_takes(ARGUMENT_STATISTICS, function, at++, 0))
            into[count++] = named ? arg->u.keyword.value : arg;
    }
    return count;
}

Summary statistics_effects(Module *module, Node *call, Name function) {
    Node *statistics[MAX_STATISTICS];
    Summary summary = {0};
    uint32_t count = changed_statistics(call, function, statistics);
    for (uint32_t i = 0; i < count; i++)
        summary_add(&summary, writes_to(module, statistics[i], EFFECT_INPLACE));
    return summary;
}

Node *renormed_weight(Node *call, Name function) {
    if (function != NAME_OF("torch.nn.functional.embedding") &&
        function != NAME_OF("torch.nn.functional.embedding_bag"))
        return NULL;
    Node *norm = fact_call_arg(call, 3, "max_norm");
    bool none = !norm || (node_is(norm, NODE_CONSTANT) && norm->u.constant.kind == CONST_NONE);
    return none ? NULL : fact_call_arg(call, 1, "weight");
}

static bool may_be_whole(Module *module, const Node *operand) {
    return !operand || fact_value(module, (Node *)operand).dtype != DTYPE_FLOAT;
}

// torch.div(x, y, rounding_mode="floor") of whole numbers raises where y is 0; without a mode it gives inf.
static bool divides_whole_numbers(Module *module, Node *call, Str name, Node *receiver) {
    Node *mode = fact_call_keyword(call, "rounding_mode");
    static const char *const dividing[] = {"div", "div_", "divide", "divide_"};
    if (!AMONG(name, dividing) || !mode ||
        (node_is(mode, NODE_CONSTANT) && mode->u.constant.kind == CONST_NONE))
        return false;
    Node *left = receiver ? receiver : fact_call_arg(call, 0, "input");
    return may_be_whole(module, left) && may_be_whole(module, fact_call_arg(call, receiver ? 0 : 1, "other"));
}

static bool has_starred(const Node *call) {
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        const Node *arg = call->u.call.args.items[i];
        if (node_is(arg, NODE_STARRED) || (node_is(arg, NODE_KEYWORD) && !arg->u.keyword.name))
            return true;
    }
    return false;
}

static bool is_number(const Node *node) {
    if (node_is(node, NODE_UNARY_OP))
        node = node->u.unary.operand;
    return node_is(node, NODE_CONSTANT) && node->u.constant.kind == CONST_INT;
}

// Norms that are computed by a decomposition, which does not converge for NaN: those of matrices, which linalg.norm takes where
// the order is given without a dimension, or two dimensions. Measured: not the orders 1, -1, the infinite ones and "fro".
static bool decomposes(Module *module, Node *call, Name function, Node *receiver) {
    Node *order = fact_call_arg(call, receiver ? 0 : 1, NULL), *dim = fact_call_arg(call, 2, "dim");
    order = order                            ? order
            : fact_call_keyword(call, "ord") ? fact_call_keyword(call, "ord")
                                             : fact_call_keyword(call, "p");
    Name text = constant_name(module, order);
    if (function != NAME_OF("torch.linalg.norm"))
        return text == NAME_OF("nuc");
    if (text || !order)
        return text == NAME_OF("nuc");
    Str number = node_text(module->unit->tree, order);
    return !is_number(dim) && !str_eq(number, STR("1")) && !str_eq(number, STR("-1"));
}

// Of cov() the weights must not be negative, of searchsorted() the sorter must lie in range, and a value must fit the dtype that
// it is put into.
static bool checks_operand(Module *module, Node *call, Str name, Node *receiver) {
    static const char *const filling[] = {"fill_", "masked_fill", "masked_fill_", "index_fill",
                                          "index_fill_"};
    if (str_eq(name, STR("cov")))
        return fact_call_arg(call, receiver ? 1 : 2, "fweights") ||
               fact_call_arg(call, receiver ? 2 : 3, "aweights");
    if (str_eq(name, STR("searchsorted")))
        return fact_call_keyword(call, "sorter") != NULL;
    Node *value = fact_call_arg(call, str_eq(name, STR("fill_")) ? 0 : receiver ? 1 : 2, "value");
    return AMONG(name, filling) && value && is_tensor(fact_value(module, value));
}

// linalg.cholesky_ex(x, check_errors=True) and its kin.
static bool checks_errors(Node *call) {
    const Node *checks = fact_call_keyword(call, "check_errors");
    return checks && !node_const(checks, CONST_FALSE);
}

// Whether it raises on data as it is called here, though its name alone does not say so.
bool raises_as_called(Module *module, Node *call, Name function, Node *receiver) {
    static const char *const optional[] = {"div",    "div_",     "divide",       "divide_",
                                           "norm",   "cov",      "searchsorted", "cholesky_ex",
                                           "inv_ex", "solve_ex", "lu_factor_ex", "ldl_factor_ex"};
    Str last = name_str(last_part(function));
    return divides_whole_numbers(module, call, last, receiver) || checks_errors(call) ||
           checks_operand(module, call, last, receiver) ||
           (str_eq(last, STR("norm")) && decomposes(module, call, function, receiver)) ||
           (AMONG(last, optional) && has_starred(call));
}

// ---------------------------------------------------------------- operator

Str operator_name(Name dotted) {
    Str text = name_str(dotted), prefix = STR("operator.");
    if (!str_starts(text, prefix))
        return (Str){0};
    size_t from = prefix.len, to = text.len;
    while (from < to && text.ptr[from] == '_')
        from++;
    while (to > from && text.ptr[to - 1] == '_')
        to--;
    return str_slice(text, from, to);
}

bool operator_writes(Name dotted) {
    static const char *const names[] = {"iadd",     "iand", "iconcat", "ifloordiv", "ilshift", "imatmul",
                                        "imod",     "imul", "ior",     "ipow",      "irshift", "isub",
                                        "itruediv", "ixor", "setitem", "delitem"};
    return AMONG(operator_name(dotted), names);
}

// operator.iadd(x, 1), operator.__floordiv__(x, y): as the operator, in place as in place.
Summary operator_effects(Module *module, Node *call, Name dotted) {
    static const char *const dividing[] = {"floordiv", "ifloordiv", "mod", "imod", "getitem", "setitem"};
    static const char *const reading[] = {"truth", "not", "index", "contains", "countOf", "indexOf"};
    Str name = operator_name(dotted);
    Node *first = fact_call_arg(call, 0, NULL), *second = fact_call_arg(call, 1, NULL);
    Summary summary = summary_of(EFFECT_MAY_RAISE);
    if (str_eq(name, STR("call")))
        return summary_of(EFFECT_UNKNOWN);
    if (operator_writes(dotted)) {
        summary_add(&summary, writes_to(module, first, EFFECT_INPLACE));
        summary_add(&summary, writes_to(module, first, EFFECT_WRITES_ITEM));
    }
    if (AMONG(name, dividing) && (!second || fact_value(module, second).kinds & KIND_TENSOR))
        summary.effects |= EFFECT_RAISES_ON_DATA;
    if (AMONG(name, reading) && (!first || fact_value(module, first).kinds & KIND_TENSOR))
        summary.effects |= EFFECT_BREAKS;
    return summary;
}

// ---------------------------------------------------------------- what a method changes

// list.sort() and kin take no positional argument, and no dim.
static bool is_like_container(const Node *call, Name method) {
    static const char *const bare[] = {"sort", "clear", "reverse"};
    bool takes = call->u.call.args.len && !node_is(call->u.call.args.items[0], NODE_KEYWORD);
    return is_container_setter(method) && !(AMONG(name_str(method), bare) && takes) &&
           !fact_call_keyword((Node *)call, "dim");
}

static bool may_be_module(Fact fact) {
    return fact.kinds == KIND_MODULE || (fact.ref.kind == REF_INSTANCE && class_is_nn_module(fact.ref.cls)) ||
           (fact.ref.kind == REF_EXTERNAL_INSTANCE && torch_module_flags(fact.ref.name));
}

// object.method(...) where no function of the project is known to be called: whether it is known to change the object.
bool changes_object(Module *module, Node *call, Node *object, Name method, Summary *summary) {
    static const char *const dunder[] = {"__setattr__", "__delattr__", "__setitem__", "__delitem__",
                                         "__setstate__"};
    static const char *const on_tensor[] = {"requires_grad_", "retain_grad", "share_memory_",
                                            "register_hook"};
    Fact fact = fact_value(module, object);
    uint32_t effect = EFFECT_WRITES_ITEM;
    bool changes;
    if (AMONG(name_str(method), dunder) || is_tensor(fact) || may_be_module(fact)) {
        effect = EFFECT_WRITES_ATTR;
        changes = AMONG(name_str(method), dunder) ||
                  (is_tensor(fact) ? AMONG(name_str(method), on_tensor)
                                   : is_module_setter(method) || is_container_setter(method));
    } else {
        changes = is_like_container(call, method);
    }
    if (changes)
        summary_add(summary, writes_to(module, object, effect));
    return changes;
}

// ---------------------------------------------------------------- methods that are held in a name

static BoundMethod bound_method_at(Module *module, Node *func, int depth);

static BoundMethod bound_by_name(Module *module, const Node *name, int depth) {
    const Symbol *symbol = name->u.name.symbol;
    for (uint32_t i = 0; symbol && i < symbol->bindings.len; i++) {
        const Node *binding = symbol->bindings.items[i], *statement = binding->parent;
        if (!node_is(binding, NODE_NAME))
            continue;
        Node *value = node_is(statement, NODE_ASSIGN)       ? statement->u.assign.value
                      : node_is(statement, NODE_NAMED_EXPR) ? statement->u.named.value
                                                            : NULL;
        BoundMethod bound = bound_method_at(module, value, depth);
        if (bound.object)
            return bound;
    }
    return (BoundMethod){0};
}

static BoundMethod bound_by_call(Module *module, Node *call, int depth) {
    Ref callee = resolve_expr(module, call->u.call.func);
    Node *first = fact_call_arg(call, 0, NULL), *name = fact_call_arg(call, 1, NULL);
    if (is_named(callee, REF_BUILTIN, "getattr") && first)
        return (BoundMethod){first, constant_name(module, name)};
    if (is_named(callee, REF_EXTERNAL, "functools.partial") && first)
        return bound_method_at(module, first, depth);
    return (BoundMethod){0};
}

static BoundMethod bound_method_at(Module *module, Node *func, int depth) {
    if (!func || depth > MAX_BOUND || func->flags & NODE_NEW)
        return (BoundMethod){0};
    switch ((NodeKind)func->kind) {
    case NODE_ATTRIBUTE: {
        Fact base = fact_value(module, func->u.attribute.value);
        bool namespace =
            base.ref.kind == REF_MODULE || base.ref.kind == REF_CLASS || base.ref.kind == REF_EXTERNAL;
        return namespace ? (BoundMethod){0} : (BoundMethod){func->u.attribute.value, func->u.attribute.attr};
    }
    case NODE_NAME:
        return bound_by_name(module, func, depth + 1);
    case NODE_NAMED_EXPR:
        return bound_method_at(module, func->u.named.value, depth + 1);
    case NODE_CALL:
        return bound_by_call(module, func, depth + 1);
    default:
        return (BoundMethod){0};
    }
}

BoundMethod bound_method(Module *module, Node *func) {
    return bound_method_at(module, func, 0);
}

// Of a method that is not known, or held in a name: it may change its object. A module is taken to change only its own.
Summary bound_effects(Module *module, Node *call) {
    BoundMethod bound = bound_method(module, call->u.call.func);
    Summary summary = {0};
    if (bound.method && changes_object(module, call, bound.object, bound.method, &summary))
        return summary;
    summary.effects = EFFECT_UNKNOWN;
    if (!bound.object || (is_asking_method(bound.method) && !call->u.call.args.len))
        return summary;
    Fact fact = fact_value(module, bound.object);
    if (bound.method && str_ends(name_str(bound.method), STR("_")))
        summary_add(&summary, writes_to(module, bound.object, EFFECT_INPLACE));
    else if (!may_be_module(fact) && !(bound.method && torch_method_flags(bound.method)))
        summary_add(&summary, writes_to(module, bound.object, EFFECT_GIVES_AWAY));
    return summary;
}
