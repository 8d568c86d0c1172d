// Facts about calls: torch's functions and methods, builtins, other external calls, functions and classes of the project.
//
// The callee is what resolve_expr proves it to be. A method of a value whose kind is known goes by that kind. A method that
// only tensors have makes its unknown receiver a tensor, with confidence 2. What a project function returns is the union
// over its return statements, unless its annotation says it.
#include "analysis/facts_internal.h"

// A function with more returns, or with one nested deeper (in a chain of elif), may return anything.
enum { MAX_RETURNS = 40, MAX_SUITES = 100 };

// ---------------------------------------------------------------- arguments

Node *fact_call_keyword(Node *call, const char *keyword) {
    Name name = intern(str_of(keyword));
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        Node *arg = call->u.call.args.items[i];
        if (node_is(arg, NODE_KEYWORD) && arg->u.keyword.name == name)
            return arg->u.keyword.value;
    }
    return NULL;
}

Node *fact_call_arg(Node *call, uint32_t index, const char *keyword) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        Node *arg = call->u.call.args.items[i];
        if (node_is(arg, NODE_STARRED))
            break;
        if (!node_is(arg, NODE_KEYWORD) && at++ == index)
            return arg;
    }
    return keyword ? fact_call_keyword(call, keyword) : NULL;
}

static uint32_t positional_count(const Node *call) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < call->u.call.args.len; i++)
        count += !node_is(call->u.call.args.items[i], NODE_KEYWORD);
    return count;
}

static Fact along(Fact fact, Path path) {
    for (uint32_t i = 0; i < path.len; i++)
        fact = fact_items_of(fact);
    return fact;
}

// ---------------------------------------------------------------- torch

static bool returns_pair(Node *call, Module *module, bool is_method) {
    uint32_t operands = positional_count(call);
    if (fact_call_keyword(call, "dim") || fact_call_keyword(call, "keepdim") ||
        fact_call_keyword(call, "return_inverse") || fact_call_keyword(call, "return_counts"))
        return true;
    Node *second = fact_call_arg(call, is_method ? 0 : 1, NULL);
    return second && operands && !is_tensor(fact_value(module, second));
}

static uint8_t dtype_of(uint32_t flags, Name method) {
    if (flags & OP_RETURNS_BOOL_TENSOR)
        return DTYPE_BOOL;
    static const char *const real[] = {"float",   "half", "double", "bfloat16", "softmax", "log_softmax",
                                       "sigmoid", "exp",  "log",    "sqrt",     "mean",    "std",
                                       "var",     "norm", "rsqrt",  "tanh"};
    static const char *const whole[] = {"long",    "int",     "short",         "argmax",  "argmin",
                                        "argsort", "nonzero", "count_nonzero", "bincount"};
    Str text = name_str(method);
    for (size_t i = 0; i < sizeof real / sizeof *real; i++)
        if (str_eq(text, str_of(real[i])))
            return DTYPE_FLOAT;
    for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
        if (str_eq(text, str_of(whole[i])))
            return DTYPE_INT;
    return DTYPE_UNKNOWN;
}

static Fact flags_fact(uint32_t flags, Node *call, Module *module, bool is_method, Name last,
                       int confidence) {
    if (flags & OP_RETURNS_SCALAR)
        return last == NAME_OF("tolist") ? fact_seq(KIND_SCALAR_READ | KIND_SEQUENCE, confidence)
                                         : fact_make(KIND_SCALAR_READ, confidence);
    if (last == NAME_OF("numpy"))
        return fact_make(KIND_NDARRAY, confidence);
    if (flags & OP_RETURNS_BOOL)
        return fact_make(flags & OP_DATA_DEPENDENT ? KIND_SCALAR_READ : KIND_BOOL, confidence);
    if (flags & OP_RETURNS_STATIC) {
        if (last == NAME_OF("size") || last == NAME_OF("stride"))
            return positional_count(call) || fact_call_keyword(call, "dim") ? fact_make(KIND_INT, confidence)
                                                                            : fact_seq(KIND_INT, confidence);
        static const char *const whole[] = {"dim",          "numel",          "ndimension", "nelement",
                                            "element_size", "storage_offset", "get_device"};
        for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
            if (str_eq(name_str(last), str_of(whole[i])))
                return fact_make(KIND_INT, confidence);
        if (last == NAME_OF("type") && positional_count(call))
            return fact_tensor(confidence);
        return fact_make(KIND_STATIC, confidence);
    }
    bool many = flags & OP_RETURNS_TENSORS, one = flags & OP_RETURNS_TENSOR;
    if (many && one) {
        if (last == NAME_OF("where"))
            many = positional_count(call) + (is_method ? 1u : 0u) < 2;
        else
            many = returns_pair(call, module, is_method);
    }
    if (many)
        return fact_seq(KIND_TENSOR, confidence);
    if (one) {
        Fact fact = fact_tensor(confidence);
        fact.dtype = dtype_of(flags, last);
        if (flags & OP_REDUCES_TO_SCALAR && positional_count(call) == (is_method ? 0 : 1) &&
            !fact_call_keyword(call, "dim"))
            fact.rank = 0;
        return fact;
    }
    return flags & OP_RETURNS_NONE ? fact_make(KIND_NONE, confidence) : fact_any();
}

static Name last_name(Name dotted) {
    Str text = name_str(dotted);
    size_t at = text.len;
    while (at && text.ptr[at - 1] != '.')
        at--;
    return intern(str_slice(text, at, text.len));
}

// ---------------------------------------------------------------- builtins and other externals

static uint32_t argument_kinds(Module *module, Node *call) {
    uint32_t kinds = 0;
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        Node *arg = call->u.call.args.items[i];
        Fact fact = fact_value(module, node_is(arg, NODE_KEYWORD) ? arg->u.keyword.value : arg);
        kinds |= fact.kinds;
        if (fact.kinds & KIND_SEQUENCE && fact.kinds != KIND_ANY)
            kinds |= fact.element;
    }
    return kinds;
}

// int(x), float(x), math.sqrt(x): a number; read from a tensor when x is one.
static Fact converted(Fact arg, uint32_t kind) {
    if (!arg.kinds)
        return (Fact){0};
    if (is_tensor(arg) || kinds_only(arg.kinds, KIND_SCALAR_READ))
        return fact_make(KIND_SCALAR_READ, arg.confidence);
    if (arg.kinds & (KIND_TENSOR | KIND_SCALAR_READ | KIND_NDARRAY))
        return fact_make(kind | KIND_SCALAR_READ, 1);
    return fact_make(kind, 3);
}

// any(xs), all(xs): the truth of items.
static Fact any_all(Module *module, Node *call) {
    Node *arg = fact_call_arg(call, 0, NULL);
    if (!arg)
        return fact_any();
    Fact items = fact_item(module, arg, path_of(ANY_ITEM));
    switch (predicate_of_fact(items)) {
    case PRED_STATIC:
        return fact_make(KIND_BOOL, 3);
    case PRED_DATA:
        return fact_make(KIND_SCALAR_READ, items.confidence);
    default:
        return items.kinds ? fact_make(KIND_BOOL | KIND_SCALAR_READ, 0) : (Fact){0};
    }
}

// min(a, b), max(xs): one of them.
static Fact chosen(Module *module, Node *call) {
    NodeList args = call->u.call.args;
    Fact fact = {0};
    bool tensor = false;
    if (args.len && positional_count(call) == 1) {
        fact = fact_item(module, args.items[0], path_of(ANY_ITEM));
    } else {
        for (uint32_t i = 0; i < args.len; i++) {
            if (node_is(args.items[i], NODE_KEYWORD))
                continue;
            Fact one = node_is(args.items[i], NODE_STARRED)
                           ? fact_item(module, args.items[i]->u.value.value, path_of(ANY_ITEM))
                           : fact_value(module, args.items[i]);
            tensor = tensor || one.kinds == KIND_TENSOR;
            fact = fact_join(fact, one);
        }
    }
    // Dynamo makes torch.minimum and torch.maximum of it as soon as one of the two is a tensor.
    if (tensor)
        return fact_tensor(2);
    // Choosing between a number that is known and one that was read compares them, so the result is read too.
    if (fact.kinds & KIND_SCALAR_READ && kinds_only(fact.kinds, KIND_SCALAR_READ | KIND_NUMBER))
        fact.kinds = KIND_SCALAR_READ;
    return fact;
}

static Fact builtin_getattr(Module *module, Node *call) {
    Node *object = fact_call_arg(call, 0, NULL), *name = fact_call_arg(call, 1, NULL),
         *otherwise = fact_call_arg(call, 2, NULL);
    Str text;
    if (!object || !node_is(name, NODE_CONSTANT) ||
        !node_string_value(module->unit->tree, name, module->unit->arena, &text))
        return fact_any();
    Fact fact = fact_attr_of(module, fact_value(module, object), object, intern(text));
    return otherwise ? fact_join(fact, fact_value(module, otherwise)) : fact;
}

// Turns of range(n): numbers read from a tensor when a bound is.
static uint32_t range_item(Module *module, Node *call) {
    uint32_t item = KIND_INT;
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        Fact bound = fact_value(module, call->u.call.args.items[i]);
        if (is_tensor(bound) || bound.kinds == KIND_SCALAR_READ)
            return KIND_SCALAR_READ;
        if (bound.kinds != KIND_ANY && bound.kinds & (KIND_TENSOR | KIND_SCALAR_READ))
            item |= KIND_SCALAR_READ;
    }
    return item;
}

static Fact builtin_call(Module *module, Node *call, Name name, Path path) {
    Str text = name_str(name);
    Node *first = fact_call_arg(call, 0, NULL);
    Fact arg = first ? fact_value(module, first) : fact_make(KIND_NONE, 3);
    if (str_eq(text, STR("int")) || str_eq(text, STR("round")))
        return along(converted(arg, KIND_INT), path);
    if (str_eq(text, STR("float")))
        return converted(arg, KIND_FLOAT);
    if (str_eq(text, STR("bool")))
        return kinds_only(arg.kinds, KIND_STATIC) ? fact_make(KIND_BOOL, 3) : converted(arg, KIND_BOOL);
    if (str_eq(text, STR("any")) || str_eq(text, STR("all")))
        return any_all(module, call);
    if (str_eq(text, STR("min")) || str_eq(text, STR("max")))
        return along(chosen(module, call), path);
    if (str_eq(text, STR("abs")))
        return arg;
    if (str_eq(text, STR("sum"))) {
        Fact items = first ? fact_item(module, first, path_of(ANY_ITEM)) : fact_any();
        return items.kinds == KIND_BOOL ? fact_make(KIND_INT, 3) : items;
    }
    if (str_eq(text, STR("getattr")))
        return along(builtin_getattr(module, call), path);
    if (str_eq(text, STR("next")) && first)
        return along(fact_item(module, first, path_of(ANY_ITEM)), path);
    if (str_eq(text, STR("range"))) {
        return along(fact_seq(range_item(module, call), 3), path);
    }
    if (str_eq(text, STR("list")) || str_eq(text, STR("tuple")) || str_eq(text, STR("sorted")) ||
        str_eq(text, STR("reversed")) || str_eq(text, STR("set"))) {
        Fact fact = fact_seq(first ? fact_item(module, first, path_of(ANY_ITEM)).kinds : 0, 3);
        return path.len && first ? fact_item(module, first, path) : fact;
    }
    uint32_t kinds = kinds_of_external_call(name);
    return kinds ? along(fact_make(kinds, 3), path) : fact_any();
}

static bool in_package(Str dotted, const char *package) {
    size_t len = strlen(package);
    return dotted.len > len && memcmp(dotted.ptr, package, len) == 0 && dotted.ptr[len] == '.';
}

static Fact external_call(Module *module, Node *call, Name dotted, Path path) {
    Str text = name_str(dotted);
    uint32_t kinds = kinds_of_external_call(dotted), flags = torch_function_flags(dotted);
    if (is_compiling_query(dotted))
        return fact_make(KIND_BOOL, 3);
    if (torch_module_flags(dotted))
        return fact_ref(KIND_MODULE, (Ref){.kind = REF_EXTERNAL_INSTANCE, .name = dotted}, 3);
    if (in_package(text, "math") && kinds) {
        Node *arg = fact_call_arg(call, 0, NULL);
        return converted(arg ? fact_value(module, arg) : fact_make(KIND_FLOAT, 3), kinds);
    }
    if (kinds && !(kinds & KIND_NDARRAY)) {
        Fact fact = fact_ref(kinds, (Ref){.kind = REF_EXTERNAL_INSTANCE, .name = dotted}, 3);
        return along(fact, path);
    }
    if (flags)
        return along(flags_fact(flags, call, module, false, last_name(dotted), 3), path);
    if (in_package(text, "numpy")) {
        uint32_t args = numpy_folds(intern(str_slice(text, sizeof "numpy." - 1, text.len)))
                            ? argument_kinds(module, call)
                            : KIND_ANY;
        bool plain = kinds_only(args, KIND_NUMBER | KIND_STR | KIND_NONE | KIND_SEQUENCE | KIND_DTYPE);
        return plain ? fact_make(KIND_STATIC, 1) : fact_make(KIND_NDARRAY, 2);
    }
    if (str_eq(text, STR("copy.copy")) || str_eq(text, STR("copy.deepcopy"))) {
        Node *copied = fact_call_arg(call, 0, NULL);
        return copied ? fact_item(module, copied, path) : fact_any();
    }
    if (str_eq(text, STR("typing.cast"))) {
        Node *type = fact_call_arg(call, 0, NULL);
        return type ? fact_annotation(module, type, path) : fact_any();
    }
    if (in_package(text, "torch.nn") && !in_package(text, "torch.nn.functional") &&
        !in_package(text, "torch.nn.utils"))
        return fact_ref(KIND_MODULE, (Ref){.kind = REF_EXTERNAL_INSTANCE, .name = dotted}, 2);
    if (is_logger_factory(dotted))
        return fact_ref(KIND_OBJECT, (Ref){.kind = REF_EXTERNAL_INSTANCE, .name = dotted}, 3);
    return fact_any();
}

// ---------------------------------------------------------------- project functions

typedef struct Returns {
    Module *module;
    Path path;
    Fact fact;
    uint32_t count;
    bool stop;
} Returns;

static void visit_returns(Node *node, Returns *returns, int depth) {
    if (returns->stop || node->kind == NODE_FUNCTION_DEF || node->kind == NODE_CLASS_DEF ||
        node_is_expr(node))
        return;
    if (depth > MAX_SUITES || returns->count > MAX_RETURNS) {
        returns->fact = fact_any();
        returns->stop = true;
        return;
    }
    if (node->kind == NODE_RETURN) {
        Fact one = fact_make(KIND_NONE, 3);
        if (node->u.value.value)
            one = returns->path.len ? fact_item(returns->module, node->u.value.value, returns->path)
                                    : fact_value(returns->module, node->u.value.value);
        // `return None` next to a tuple says nothing about the tuple's items.
        if (returns->path.len && node->u.value.value && node_is(node->u.value.value, NODE_CONSTANT))
            return;
        returns->fact = fact_join(returns->fact, one);
        returns->stop = returns->fact.kinds == KIND_ANY;
        returns->count++;
        return;
    }
    int truth = node->kind == NODE_IF ? query_truth(returns->module, node->u.branch.test) : 0;
    uint32_t body_end =
        truth && node->u.branch.body.len ? node->u.branch.body.items[node->u.branch.body.len - 1]->end : 0;
    for (ChildIter it = ast_children(node); ast_next(&it);)
        if (!truth || (it.child->end <= body_end) == (truth > 0))
            visit_returns(it.child, returns, depth + 1);
}

static Fact compute_return(Module *module, void *subject, Path path) {
    Node *def = subject;
    if (node_is(def, NODE_LAMBDA))
        return path.len ? fact_item(module, def->u.lambda.body, path)
                        : fact_value(module, def->u.lambda.body);
    if (def->u.function.returns) {
        Fact annotated = fact_annotation(module, def->u.function.returns, path);
        bool useful =
            is_known(annotated) && !(kinds_only(annotated.kinds, KIND_SEQUENCE) && !annotated.element);
        if (useful && kinds_only(annotated.kinds,
                                 KIND_TENSOR | KIND_NONE | KIND_NUMBER | KIND_STR | KIND_MODULE | KIND_DTYPE))
            return annotated;
    }
    if (def->flags & NODE_ASYNC)
        return fact_any();
    Returns returns = {.module = module, .path = path};
    Scope *scope = map_ptr(&module->unit->scope_of, map_key_ptr(def));
    if (scope && scope->has_yield)
        return path.len ? fact_any() : fact_make(KIND_SEQUENCE, 3);
    for (uint32_t i = 0; i < def->u.function.body.len; i++)
        visit_returns(def->u.function.body.items[i], &returns, 0);
    if (returns.fact.kinds || returns.count)
        return returns.fact;
    return returns.stop ? fact_any() : fact_make(KIND_NONE, 3);
}

static bool changes_result(const Node *def) {
    for (uint32_t i = 0; node_is(def, NODE_FUNCTION_DEF) && i < def->u.function.decorators.len; i++) {
        Name name = node_dotted(def->u.function.decorators.items[i]);
        if (name == NAME_OF("contextmanager") || name == NAME_OF("contextlib.contextmanager"))
            return true;
    }
    return false;
}

Fact fact_return(FuncInfo *func, Path path) {
    if (changes_result(func->function->node))
        return fact_any();
    return facts_memo(func->module, func->function->node, ASPECT_RETURN, compute_return, path);
}

static Fact instance_call(ClassInfo *cls, Path path) {
    FuncInfo *func = class_is_nn_module(cls) ? class_find_method(cls, NAME_OF("forward")) : NULL;
    if (!func)
        func = class_find_method(cls, NAME_OF("__call__"));
    return func ? fact_return(func, path) : fact_any();
}

static Fact torch_module_call(Ref ref, Path path) {
    uint32_t flags = torch_module_flags(ref.name);
    if (flags & OP_RETURNS_TENSORS)
        return path.len == 1 && path.at[0] == 0 ? fact_tensor(3) : along(fact_make(KIND_SEQUENCE, 3), path);
    if (flags & OP_RETURNS_TENSOR)
        return fact_tensor(3);
    return str_starts(name_str(ref.name), STR("torch.nn.")) ? fact_make(KIND_ANY, 0) : fact_any();
}

// ---------------------------------------------------------------- methods of values

static Fact method_call(Module *module, Node *call, Fact base, Name method, Path path) {
    if (base.ref.kind == REF_EXTERNAL_INSTANCE && base.ref.name && is_logger_factory(base.ref.name))
        return method == NAME_OF("isEnabledFor") ? fact_make(KIND_BOOL, 3) : fact_make(KIND_STATIC, 2);
    uint32_t flags = torch_method_flags(method);
    if (is_tensor(base) && flags)
        return along(flags_fact(flags, call, module, true, method, base.confidence), path);
    if (!base.kinds) // in a cycle: only what every receiver of this name gives
        return flags && torch_method_is_distinctive(method)
                   ? along(flags_fact(flags, call, module, true, method, 2), path)
                   : base;
    if (kinds_only(base.kinds, KIND_STR))
        return method == NAME_OF("split") ? along(fact_seq(KIND_STR, 3), path) : fact_make(KIND_STATIC, 3);
    if (kinds_only(base.kinds, KIND_NUMBER | KIND_DTYPE | KIND_DEVICE))
        return fact_make(KIND_STATIC, 3);
    if (kinds_only(base.kinds, KIND_SCALAR_READ))
        return base;
    if (kinds_only(base.kinds, KIND_SEQUENCE)) {
        if (method == NAME_OF("index") || method == NAME_OF("count") || method == NAME_OF("numel"))
            return fact_make(KIND_INT, 3);
        if (method == NAME_OF("pop"))
            return along(fact_items_of(base), path);
        return method == NAME_OF("copy")     ? base
               : method == NAME_OF("append") ? fact_make(KIND_NONE, 3)
                                             : fact_any();
    }
    if (base.kinds & KIND_DICT && base.kinds != KIND_ANY) {
        bool known = base.element && base.element != KIND_ANY;
        Fact item = known ? fact_make(base.element, base.confidence) : fact_any();
        if (method == NAME_OF("values"))
            return along(fact_seq(known ? base.element : 0, 3), path);
        if (method == NAME_OF("keys"))
            return fact_seq(KIND_STATIC, 2);
        if (method == NAME_OF("get") || method == NAME_OF("pop")) {
            Node *otherwise = fact_call_arg(call, 1, NULL);
            return known
                       ? fact_join(item, otherwise ? fact_value(module, otherwise) : fact_make(KIND_NONE, 3))
                       : fact_any();
        }
    }
    if (kinds_only(base.kinds, KIND_MODULE) &&
        (method == NAME_OF("parameters") || method == NAME_OF("buffers")))
        return along(fact_seq(KIND_TENSOR, 3), path);
    if (base.kinds == KIND_STATIC)
        return fact_make(KIND_STATIC, 1);
    if (base.kinds & KIND_TENSOR && base.ref.kind == REF_NONE && flags && torch_method_is_distinctive(method))
        return along(flags_fact(flags, call, module, true, method, 2), path);
    if (base.kinds & KIND_TENSOR && base.ref.kind == REF_NONE &&
        (method == NAME_OF("item") || method == NAME_OF("tolist")))
        return along(flags_fact(flags, call, module, true, method, 1), path);
    if (base.kinds & KIND_TENSOR && base.kinds != KIND_ANY && flags)
        return along(flags_fact(flags, call, module, true, method, 1), path);
    bool counts = method == NAME_OF("size") || method == NAME_OF("dim") || method == NAME_OF("numel");
    if (counts && base.ref.kind == REF_NONE)
        return along(flags_fact(flags, call, module, true, method, 1), path);
    return fact_any();
}

// A module whose class is not known (ACT2FN[...]), given a tensor: gives one.
static Fact unknown_module_call(Module *module, Node *call, Fact callee) {
    Node *first = fact_call_arg(call, 0, NULL);
    if (!first || !kinds_only(callee.kinds, KIND_MODULE) || callee.ref.kind == REF_INSTANCE)
        return fact_any();
    return is_tensor(fact_value(module, first)) ? fact_tensor(2) : fact_any();
}

// checkpoint(f, x): what f gives.
static Fact forwarded_call(Module *module, Node *call, Ref callee, Path path) {
    static const char *const runners[] = {"torch.utils.checkpoint.checkpoint"};
    for (size_t i = 0; i < sizeof runners / sizeof *runners; i++) {
        Node *first = fact_call_arg(call, 0, NULL);
        if (!is_named(callee, REF_EXTERNAL, runners[i]) || !first)
            continue;
        Ref target = resolve_expr(module, first);
        if (target.kind == REF_FUNCTION || target.kind == REF_METHOD)
            return fact_return(target.func, path);
        if (target.kind == REF_INSTANCE)
            return instance_call(target.cls, path);
    }
    return fact_any();
}

Fact fact_call(Module *module, Node *call, Path path) {
    Node *func = call->u.call.func;
    Fact fact = fact_selection(module, call, path);
    if (fact.kinds != KIND_ANY)
        return fact;
    Ref callee = resolve_expr(module, func);
    switch (callee.kind) {
    case REF_BUILTIN:
        fact = builtin_call(module, call, callee.name, path);
        break;
    case REF_EXTERNAL:
        fact = forwarded_call(module, call, callee, path);
        if (fact.kinds == KIND_ANY)
            fact = external_call(module, call, callee.name, path);
        break;
    case REF_CLASS:
        if (path.len)
            return fact_any();
        return fact_ref(class_is_nn_module(callee.cls) ? KIND_MODULE : KIND_OBJECT,
                        (Ref){.kind = REF_INSTANCE, .cls = callee.cls, .module = callee.module}, 3);
    case REF_FUNCTION:
    case REF_METHOD:
        fact = callee.partial ? fact_any() : fact_return(callee.func, path);
        break;
    case REF_INSTANCE:
        fact = instance_call(callee.cls, path);
        break;
    case REF_EXTERNAL_INSTANCE:
        if (torch_module_flags(callee.name))
            return torch_module_call(callee, path);
        break;
    default:
        break;
    }
    if (fact.kinds != KIND_ANY || callee.kind == REF_FUNCTION || callee.kind == REF_METHOD ||
        callee.kind == REF_INSTANCE)
        return fact;
    if (node_is(func, NODE_ATTRIBUTE)) {
        fact = method_call(module, call, fact_value(module, func->u.attribute.value), func->u.attribute.attr,
                           path);
        if (fact.kinds != KIND_ANY)
            return fact;
    }
    if (callee.kind == REF_EXTERNAL || callee.kind == REF_BUILTIN)
        return fact;
    return path.len ? fact : unknown_module_call(module, call, fact_value(module, func));
}
