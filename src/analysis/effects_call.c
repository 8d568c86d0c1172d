// What a call does: torch's functions and methods by their flags, its modules (effects_module.c), builtins, other external
// calls by name, project functions by their summary with each written parameter taken back to the argument.
#include "analysis/effects_internal.h"

enum { MAX_TARGETS = 6 };

// ---------------------------------------------------------------- project functions

// Of what only some of a great many functions do, nothing is sure.
static Summary unsure(Summary summary) {
    const uint32_t sure =
        EFFECT_INPLACE_SURE | EFFECT_WRITES_ITEM_SURE | EFFECT_GIVES_AWAY | EFFECT_WRITES_ATTR;
    summary.effects &= ~sure;
    summary.sure_inplace = summary.sure_items = summary.given = summary.attrs = 0;
    return summary;
}

static uint32_t origin_of_arguments(Module *module, Node *call) {
    uint32_t origin = 0;
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        Node *arg = call->u.call.args.items[i];
        Node *value = node_is(arg, NODE_KEYWORD) ? arg->u.keyword.value : arg;
        origin |= origin_of(module, value, LEVEL_SELF) | origin_of(module, value, LEVEL_CONTENTS);
    }
    return origin;
}

// Left out, a parameter is its default, which the next call gets too: def f(x, seen=[])
uint32_t origin_of_default(FuncInfo *func, uint32_t index) {
    const Node *def = func->function->node;
    const Node *params = def->kind == NODE_LAMBDA ? def->u.lambda.params : def->u.function.params;
    const Node *value =
        index < params->u.items.items.len ? params->u.items.items.items[index]->u.param.default_value : NULL;
    return value && !node_is(value, NODE_CONSTANT) ? ORIGIN_OTHER : 0;
}

Summary summary_passed(Summary callee, uint32_t bit, uint32_t origin) {
    Summary here = {0};
    if (callee.inplace & bit)
        summary_add(&here, summary_write(EFFECT_INPLACE, origin));
    if (callee.items & bit)
        summary_add(&here, summary_write(EFFECT_WRITES_ITEM, origin));
    if (!((callee.sure_inplace | callee.sure_items) & bit))
        here = unsure(here);
    if (callee.given & bit)
        summary_add(&here, summary_write(EFFECT_GIVES_AWAY, origin));
    if (callee.attrs & bit)
        summary_add(&here, summary_write(EFFECT_WRITES_ATTR, origin));
    return here;
}

static Summary translated(Module *module, Node *call, FuncInfo *func, bool constructs) {
    Summary callee = summary_of_function(func), here = summary_of(callee.effects);
    uint32_t touched = callee.inplace | callee.attrs | callee.items | callee.given;
    for (uint32_t i = constructs ? 1 : 0; i < ORIGIN_PARAMS; i++) {
        uint32_t bit = 1u << i;
        if (!(touched & bit))
            continue;
        Node *arg = argument_of(module, call, func, i);
        uint32_t origin = arg ? origin_of(module, arg, LEVEL_SELF) | origin_of(module, arg, LEVEL_CONTENTS)
                              : origin_of_default(func, i);
        if (takes_many(func, i))
            origin |= origin_of_arguments(module, call) & ~(uint32_t)(ORIGIN_HANDED | ORIGIN_GUESSED);
        summary_add(&here, summary_passed(callee, bit, origin));
    }
    return here;
}

static Summary constructor_effects(Module *module, Node *call, ClassInfo *cls) {
    Summary summary = {0};
    static const char *const methods[] = {"__init__", "__post_init__", "__new__"};
    for (size_t i = 0; i < 3; i++) {
        FuncInfo *method = class_find_method(cls, intern(str_of(methods[i])));
        if (method)
            summary_add(&summary, translated(module, call, method, true));
    }
    if (!class_bases_known(cls) && !class_is_exception(cls))
        summary.effects |= EFFECT_UNKNOWN;
    if (cls->node->flags & NODE_OPAQUE) // a constructor may be lost
        summary.effects |= EFFECT_UNKNOWN | EFFECT_WRITES_GLOBAL;
    return summary;
}

// ---------------------------------------------------------------- torch

Summary flags_effects(Module *module, Node *call, uint32_t flags, Node *operand) {
    Summary summary = {0};
    Node *out = fact_call_keyword(call, "out"), *inplace = fact_call_keyword(call, "inplace");
    if (flags & OP_INPLACE ||
        (inplace && !(node_is(inplace, NODE_CONSTANT) && inplace->u.constant.kind == CONST_FALSE)))
        summary_add(&summary, summary_write(EFFECT_INPLACE,
                                            operand ? origin_of(module, operand, LEVEL_SELF) : ORIGIN_OTHER));
    if (out) // one tensor, or a tuple of them
        summary_add(&summary, summary_write(EFFECT_INPLACE, origin_of(module, out, LEVEL_SELF) |
                                                                origin_of(module, out, LEVEL_CONTENTS)));
    if (flags & OP_RANDOM)
        summary.effects |= EFFECT_RNG;
    if (flags & OP_RAISES_ON_DATA || sizes_from_data(module, call))
        summary.effects |= EFFECT_RAISES_ON_DATA;
    if (flags & OP_DATA_DEPENDENT)
        summary.effects |= EFFECT_BREAKS;
    return summary;
}

// repeat_interleave(x, 3) and one_hot(x, 5) have static shapes; where(c, a, b) always.
static bool gives_dynamic_shape(Module *module, Node *call, uint32_t flags, Name last) {
    Str text = name_str(last);
    bool is_method = node_is(call->u.call.func, NODE_ATTRIBUTE) &&
                     is_tensor(fact_value(module, call->u.call.func->u.attribute.value));
    if (str_eq(text, STR("where")))
        return fact_call_arg(call, is_method ? 0 : 1, "input") == NULL;
    if (!(flags & OP_DYNAMIC_SHAPE))
        return false;
    if (str_eq(text, STR("one_hot")))
        return !fact_call_arg(call, 1, "num_classes");
    if (str_eq(text, STR("repeat_interleave"))) {
        Node *repeats = fact_call_arg(call, is_method ? 0 : 1, "repeats");
        return !fact_call_keyword(call, "output_size") && repeats && is_tensor(fact_value(module, repeats));
    }
    return true;
}

Name last_part(Name dotted) {
    Str text = name_str(dotted);
    size_t at = text.len;
    while (at && text.ptr[at - 1] != '.')
        at--;
    return intern(str_slice(text, at, text.len));
}

// Dropout with training=False or p=0 draws nothing.
static uint32_t without_rng(Node *call, uint32_t effects) {
    Node *training = fact_call_keyword(call, "training");
    if (node_is(training, NODE_CONSTANT) && training->u.constant.kind == CONST_FALSE)
        return effects & ~(uint32_t)EFFECT_RNG;
    return effects;
}

Summary changes_first(Module *module, Node *call) {
    return writes_to(module, fact_call_arg(call, 0, "input"), EFFECT_INPLACE);
}

static Summary changes_first_item(Module *module, Node *call) {
    return writes_to(module, fact_call_arg(call, 0, NULL), EFFECT_WRITES_ITEM);
}

static Summary torch_call(Module *module, Node *call, Name dotted, uint32_t flags) {
    Summary summary = flags_effects(module, call, flags, fact_call_arg(call, 0, "input"));
    if (gives_dynamic_shape(module, call, flags, last_part(dotted)))
        summary.effects |= EFFECT_BREAKS;
    summary.effects = without_rng(call, summary.effects);
    if (inplace_argument(call, dotted))
        summary_add(&summary, changes_first(module, call));
    if (raises_as_called(module, call, dotted, NULL))
        summary.effects |= EFFECT_RAISES_ON_DATA;
    summary_add(&summary, statistics_effects(module, call, dotted));
    if (renormed_weight(call, dotted))
        summary_add(&summary, writes_to(module, renormed_weight(call, dotted), EFFECT_INPLACE));
    if (last_part(dotted) == NAME_OF("scaled_dot_product_attention")) {
        Node *rate = fact_call_keyword(call, "dropout_p");
        if (!rate || (node_is(rate, NODE_CONSTANT)))
            summary.effects &= ~(uint32_t)EFFECT_RNG;
    }
    return summary;
}

// ---------------------------------------------------------------- builtins and other packages

static bool in_package(Str dotted, const char *package) {
    size_t len = strlen(package);
    return dotted.len > len && memcmp(dotted.ptr, package, len) == 0 && dotted.ptr[len] == '.';
}

// next(it) moves an iterator on, which may outlive the call; not what a call has just made: next(self.parameters()).
static Summary advances(Module *module, Node *iterator) {
    uint32_t origin = origin_of(module, iterator, LEVEL_SELF);
    Summary summary = origin & ORIGIN_HANDED ? (Summary){0} : summary_write(EFFECT_WRITES_ITEM, origin);
    summary.effects |= EFFECT_MAY_RAISE;
    return summary;
}

static Summary builtin_call(Module *module, Node *call, Name name) {
    Str text = name_str(name);
    static const char *const quiet[] = {
        "super",        "locals",      "globals",   "vars",           "property",
        "staticmethod", "classmethod", "iter",      "NotImplemented", "object",
        "memoryview",   "bytes",       "bytearray", "complex",        "chr",
        "ord",          "hex",         "bin",       "format",         "ascii",
        "hash",         "dir"};
    static const char *const raising[] = {"getattr", "next", "int", "float", "max", "min", "sum", "pow"};
    Node *first = fact_call_arg(call, 0, NULL);
    if (is_io_call(name))
        return summary_of(EFFECT_IO);
    if (str_eq(text, STR("map")) || str_eq(text, STR("filter")))
        return summary_of(EFFECT_MAY_RAISE);
    if (str_eq(text, STR("setattr")) || str_eq(text, STR("delattr")))
        return writes_to(module, first, EFFECT_WRITES_ATTR);
    if (str_eq(text, STR("next")) && first)
        return advances(module, first);
    if (str_eq(text, STR("exec")) || str_eq(text, STR("eval")) || str_eq(text, STR("compile")) ||
        str_eq(text, STR("__import__")))
        return summary_of(EFFECT_UNKNOWN);
    uint32_t effects = 0;
    if (kinds_only(fact_value(module, call).kinds, KIND_SCALAR_READ))
        effects |= EFFECT_BREAKS;
    bool known =
        first && kinds_only(fact_value(module, first).kinds, KIND_NUMBER | KIND_TENSOR | KIND_SCALAR_READ);
    if (AMONG(text, raising) && !(known && !str_eq(text, STR("getattr"))))
        effects |= str_eq(text, STR("getattr")) && fact_call_arg(call, 2, NULL) ? 0 : EFFECT_MAY_RAISE;
    bool exception = str_ends(text, STR("Error")) || str_ends(text, STR("Warning")) ||
                     str_ends(text, STR("Exception")) || str_eq(text, STR("StopIteration"));
    if (is_pure_builtin(name) || AMONG(text, quiet) || AMONG(text, raising) || exception ||
        kinds_of_external_call(name))
        return summary_of(effects);
    return summary_of(EFFECT_UNKNOWN);
}

static bool ref_changes_input(const Ref *ref, int nested) {
    bool function = ref && ref->kind == REF_EXTERNAL && torch_function_flags(ref->name) & OP_INPLACE;
    return ref && nested < MAX_NESTED &&
           (ref->inplace || function ||
            (ref->kind == REF_LIST && ref_changes_input(ref->element, nested + 1)));
}

// checkpoint(nn.ReLU(inplace=True), x)
static Summary changes_rest(Module *module, const Node *call, uint32_t from) {
    Summary summary = {0};
    for (uint32_t i = from; i < call->u.call.args.len; i++)
        if (!node_is(call->u.call.args.items[i], NODE_KEYWORD))
            summary_add(&summary, writes_to(module, call->u.call.args.items[i], EFFECT_INPLACE));
    return summary;
}

// checkpoint(f, x), cond(p, f, g, xs): what the functions among the arguments do.
static Summary higher_order_call(Module *module, Node *call) {
    Summary summary = effects_of_applied(module, call);
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        Node *arg = call->u.call.args.items[i];
        summary_add(&summary, layer_effects(module, node_is(arg, NODE_KEYWORD)   ? arg->u.keyword.value
                                                    : node_is(arg, NODE_STARRED) ? arg->u.value.value
                                                                                 : arg));
        Ref ref =
            node_is(arg, NODE_KEYWORD) || node_is(arg, NODE_STARRED) ? (Ref){0} : resolve_expr(module, arg);
        if (ref_changes_input(&ref, 0))
            summary_add(&summary, changes_rest(module, call, i + 1));
    }
    return summary;
}

// sys.path.append(x), os.environ.update(x): of something that a module outside of the project holds.
static bool is_method_of_other(Name dotted) {
    Str text = name_str(dotted);
    size_t dots = 0;
    for (size_t i = 0; i < text.len; i++)
        dots += text.ptr[i] == '.';
    return dots >= 2 && is_container_setter(last_part(dotted));
}

// np.add(x, y, out=z), np.add(x, y, z), np.nan_to_num(z, copy=False): z; or NULL.
static Node *filled_by_numpy(Node *call, Name dotted) {
    Name name = last_part(dotted);
    if (name == NAME_OF("nan_to_num"))
        return fact_call_arg(call, 1, "copy") ? fact_call_arg(call, 0, "x") : NULL;
    uint32_t at = numpy_out_second(name)   ? 1
                  : numpy_out_third(name)  ? 2
                  : numpy_out_fourth(name) ? 3
                                           : UINT32_MAX;
    return at == UINT32_MAX ? fact_call_keyword(call, "out") : fact_call_arg(call, at, "out");
}

static Summary quiet_call(Module *module, Node *call, Name dotted) {
    Node *out = in_package(name_str(dotted), "numpy") ? filled_by_numpy(call, dotted) : NULL;
    Summary summary = summary_of(EFFECT_MAY_RAISE);
    if (out)
        summary_add(&summary, writes_to(module, out, EFFECT_WRITES_ITEM));
    return summary;
}

static Summary external_call(Module *module, Node *call, Name dotted) {
    static const char *const quiet[] = {"math",
                                        "typing",
                                        "itertools",
                                        "collections",
                                        "functools",
                                        "dataclasses",
                                        "enum",
                                        "einops",
                                        "copy",
                                        "contextlib",
                                        "inspect",
                                        "re",
                                        "numbers",
                                        "string",
                                        "abc",
                                        "warnings.catch_warnings",
                                        "numpy",
                                        "torch.compiler",
                                        "torch.backends",
                                        "torch.overrides",
                                        "torch.finfo",
                                        "torch.iinfo",
                                        "packaging",
                                        "importlib"};
    Str text = name_str(dotted);
    uint32_t flags = torch_function_flags(dotted);
    if (is_io_call(dotted) || is_logging_function(dotted))
        return summary_of(EFFECT_IO);
    if (is_random_call(dotted) && !sets_global_state(dotted)) {
        Summary summary = is_first_changed(dotted) ? changes_first_item(module, call) : (Summary){0};
        summary.effects |= EFFECT_RNG | EFFECT_RNG_OTHER;
        return summary;
    }
    if (is_first_changed(dotted))
        return changes_first_item(module, call);
    if (is_compiling_query(dotted))
        return summary_of(0);
    if (is_higher_order_call(dotted))
        return higher_order_call(module, call);
    if (operator_name(dotted).len)
        return operator_effects(module, call, dotted);
    if (sets_global_state(dotted) && !node_is(call->parent, NODE_WITH_ITEM))
        return summary_of(EFFECT_WRITES_GLOBAL | (flags & OP_RANDOM ? EFFECT_RNG | EFFECT_RNG_OTHER : 0u));
    if (torch_takes(ARGUMENT_STATISTICS, dotted, 0, NAME_OF("running_mean")) && !flags)
        return statistics_effects(module, call, dotted);
    if (str_ends(text, STR(".set_printoptions")))
        return summary_of(EFFECT_REDIRECTS | EFFECT_WRITES_GLOBAL);
    if (flags)
        return torch_call(module, call, dotted, flags);
    if (torch_module_flags(dotted))
        return summary_of(EFFECT_RNG); // its parameters are initialised
    if (str_starts(text, STR("torch._check")) || str_starts(text, STR("torch._assert")))
        return summary_of(EFFECT_MAY_RAISE);
    if (kinds_of_external_call(dotted) && !in_package(text, "numpy"))
        return summary_of(in_package(text, "math") ? EFFECT_MAY_RAISE : 0u);
    for (size_t i = 0; i < sizeof quiet / sizeof *quiet; i++)
        if (in_package(text, quiet[i]))
            return quiet_call(module, call, dotted);
    return summary_of(EFFECT_UNKNOWN | (is_method_of_other(dotted) ? (uint32_t)EFFECT_WRITES_GLOBAL : 0u));
}

// ---------------------------------------------------------------- methods of values

static Summary container_method(Module *module, Node *receiver, Name method) {
    static const char *const quiet[] = {"get",   "keys",  "values", "items",        "copy",      "count",
                                        "index", "numel", "union",  "intersection", "difference"};
    Str text = name_str(method);
    if (is_container_setter(method) || str_starts(text, STR("__")))
        return writes_to(module, receiver, EFFECT_WRITES_ITEM);
    return AMONG(text, quiet) ? summary_of(str_eq(text, STR("index")) ? EFFECT_MAY_RAISE : 0u)
                              : summary_of(EFFECT_UNKNOWN);
}

static bool is_logger(Fact base) {
    return base.ref.kind == REF_EXTERNAL_INSTANCE && base.ref.name && is_logger_factory(base.ref.name);
}

static bool is_logger_setter(Name method) {
    static const char *const names[] = {"setLevel", "addHandler", "removeHandler", "addFilter",
                                        "removeFilter"};
    return AMONG(name_str(method), names);
}

// Of a contextvars.ContextVar: they run no other code.
static bool is_variable_method(Fact base, Name method) {
    static const char *const names[] = {"get", "set", "reset"};
    return is_named(base.ref, REF_EXTERNAL_INSTANCE, "contextvars.ContextVar") &&
           AMONG(name_str(method), names);
}

// torch.no_grad().__enter__()
static bool enters(Name method) {
    return method == NAME_OF("__enter__") || method == NAME_OF("__exit__");
}

// Of a NumPy array: they give another array, or a number.
static bool is_array_method(Name method) {
    static const char *const names[] = {"all",     "any",      "argmax",  "argmin", "argsort",   "astype",
                                        "clip",    "copy",     "cumprod", "cumsum", "diagonal",  "dot",
                                        "flatten", "max",      "mean",    "min",    "nonzero",   "prod",
                                        "ravel",   "repeat",   "reshape", "round",  "squeeze",   "std",
                                        "sum",     "swapaxes", "take",    "trace",  "transpose", "var"};
    return AMONG(name_str(method), names);
}

// In the forward of a torch.autograd.Function: its context keeps it for the backward pass.
static bool keeps_for_backward(Module *module, Node *call, Name method) {
    static const char *const names[] = {"save_for_backward", "save_for_forward", "mark_dirty",
                                        "mark_non_differentiable", "set_materialize_grads"};
    const FuncInfo *func = function_info(module, call);
    return AMONG(name_str(method), names) && func && func->cls && class_is_autograd_function(func->cls);
}

static Summary method_call(Module *module, Node *call) {
    Node *receiver = call->u.call.func->u.attribute.value;
    Name method = call->u.call.func->u.attribute.attr;
    Fact base = fact_value(module, receiver);
    uint32_t flags = torch_method_flags(method);
    if (enters(method) ||
        (method == NAME_OF("backward") && base.kinds & KIND_TENSOR)) // gradients of anything
        return summary_of(EFFECT_WRITES_GLOBAL | EFFECT_MAY_RAISE);
    if (keeps_for_backward(module, call, method))
        return summary_of(EFFECT_MAY_RAISE);
    if (is_logger(base) && (is_logger_method(method, NULL) || method == NAME_OF("isEnabledFor")))
        return summary_of(method == NAME_OF("isEnabledFor") ? 0u : (uint32_t)EFFECT_IO);
    if (is_logger(base) && is_logger_setter(method))
        return summary_of(EFFECT_REDIRECTS | EFFECT_WRITES_GLOBAL);
    if (is_variable_method(base, method))
        return summary_of(EFFECT_MAY_RAISE |
                          (method == NAME_OF("get") ? 0u : (uint32_t)EFFECT_WRITES_GLOBAL));
    bool tensor = is_tensor(base) || (base.kinds & KIND_TENSOR && torch_method_is_distinctive(method) &&
                                      base.ref.kind == REF_NONE);
    if (flags && tensor) {
        Summary summary = flags_effects(module, call, flags, receiver);
        if (gives_dynamic_shape(module, call, flags, method))
            summary.effects |= EFFECT_BREAKS;
        if (raises_as_called(module, call, method, receiver))
            summary.effects |= EFFECT_RAISES_ON_DATA;
        changes_object(module, call, receiver, method, &summary);
        return summary;
    }
    if (kinds_only(base.kinds, KIND_NDARRAY) && is_array_method(method) && !fact_call_keyword(call, "out"))
        return summary_of(EFFECT_MAY_RAISE);
    if (kinds_only(base.kinds, KIND_STR | KIND_NUMBER | KIND_DTYPE | KIND_DEVICE | KIND_SCALAR_READ))
        return summary_of(method == NAME_OF("format") || method == NAME_OF("index") ? EFFECT_MAY_RAISE : 0u);
    if (kinds_only(base.kinds, KIND_SEQUENCE | KIND_DICT | KIND_NONE))
        return container_method(module, receiver, method);
    static const char *const quiet[] = {"parameters", "named_parameters",
                                        "buffers",    "children",
                                        "modules",    "named_modules",
                                        "size",       "dim",
                                        "get",        "keys",
                                        "values",     "items"};
    if (AMONG(name_str(method), quiet))
        return summary_of(EFFECT_MAY_RAISE);
    Summary summary = {0}; // what has no known kind is a container here, as a rule
    if (!changes_object(module, call, receiver, method, &summary))
        summary.effects = EFFECT_UNKNOWN;
    return summary;
}

// Calls that leave what they are given as it is: of a class (by convention, a capital), whose instance may hold it; of a
// higher-order operator, which refuses such a change, or runs the function again for the gradient.
static bool leaves_arguments(const Ref *callee) {
    if (callee->kind != REF_EXTERNAL || str_starts(name_str(callee->name), STR("torch.ops.")))
        return false; // torch.ops.aten.add_.Tensor: a capital as well
    Str last = name_str(last_part(callee->name));
    return is_higher_order_call(callee->name) || (last.len && last.ptr[0] >= 'A' && last.ptr[0] <= 'Z');
}

static bool may_be_changed(Module *module, Node *arg) {
    const uint32_t fixed = KIND_NUMBER | KIND_STR | KIND_NONE | KIND_DTYPE | KIND_DEVICE | KIND_SCALAR_READ;
    return !kinds_only(fact_value(module, arg).kinds, fixed);
}

// What code that is not known gets to see of what outlives this call.
static Summary given_away(Module *module, Node *call) {
    Summary summary = {0};
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        Node *arg = call->u.call.args.items[i];
        Node *value = node_is(arg, NODE_KEYWORD)   ? arg->u.keyword.value
                      : node_is(arg, NODE_STARRED) ? arg->u.value.value
                                                   : arg;
        if (!may_be_changed(module, value))
            continue;
        summary_add(&summary, summary_write(EFFECT_GIVES_AWAY, origin_of(module, value, LEVEL_SELF)));
        summary_add(&summary, summary_write(EFFECT_GIVES_AWAY, origin_of(module, value, LEVEL_CONTENTS)));
    }
    return summary;
}

// functools.partial(f, x): f gets x at some time. What it gets by name is as a rule an option.
static Summary given_to_partial(Module *module, Node *call) {
    Summary summary = {0};
    for (uint32_t i = 1; i < call->u.call.args.len; i++)
        if (!node_is(call->u.call.args.items[i], NODE_KEYWORD))
            summary_add(&summary, writes_to(module, call->u.call.args.items[i], EFFECT_GIVES_AWAY));
    return summary;
}

static Summary with_given(Module *module, Node *call, Summary summary) {
    if (summary.effects & EFFECT_UNKNOWN)
        summary_add(&summary, given_away(module, call));
    return summary;
}

static Summary candidate_effects(Module *module, Node *call, const Ref *ref) {
    FuncInfo *func = ref->func;
    if (ref->kind == REF_INSTANCE)
        func = class_find_method(ref->cls,
                                 class_is_nn_module(ref->cls) ? NAME_OF("forward") : NAME_OF("__call__"));
    if (func) {
        Summary summary = translated(module, call, func, false);
        summary.effects |= runs_hooks(module, call, func) ? EFFECT_UNKNOWN : 0u;
        return summary;
    }
    if (ref->kind == REF_EXTERNAL_INSTANCE && torch_module_flags(ref->name))
        return torch_module_effects(module, call, ref);
    if (ref->kind == REF_EXTERNAL && torch_function_flags(ref->name)) {
        Summary summary = torch_call(module, call, ref->name, torch_function_flags(ref->name));
        if (ref->inplace)
            summary_add(&summary, changes_first(module, call));
        return summary;
    }
    return summary_of(EFFECT_UNKNOWN);
}

static bool makes_new(const Ref *ref) {
    uint32_t flags = ref->kind == REF_EXTERNAL_INSTANCE ? torch_module_flags(ref->name) : 0;
    return flags & OP_RETURNS_TENSOR && !(flags & (OP_VIEW | OP_RANDOM)) && !ref->inplace;
}

// The elements of an nn.Sequential, in order, each a list with one element. What follows a layer that makes a new tensor
// changes that tensor only.
static Summary sequential_effects(Module *module, Node *call, const Ref *refs, uint32_t count, int nested) {
    Summary summary = {0};
    bool fresh = false;
    for (uint32_t i = 0; i < count; i++) {
        const Ref *element = refs[i].element;
        if (refs[i].kind != REF_LIST || !element || nested == MAX_NESTED) {
            summary_add(&summary, summary_of(EFFECT_UNKNOWN));
            continue;
        }
        Summary own = element->kind == REF_LIST ? sequential_effects(module, call, element, 1, nested + 1)
                                                : candidate_effects(module, call, element);
        summary_add(&summary,
                    fresh && element->kind == REF_EXTERNAL_INSTANCE ? summary_of(own.effects) : own);
        fresh |= makes_new(element);
    }
    return summary;
}

bool changes_input(Module *module, Node *call) {
    Ref refs[MAX_CANDIDATES];
    bool complete = false, sequential = false;
    uint32_t count = resolve_candidates(module, call->u.call.func, refs, MAX_CANDIDATES, &complete);
    for (uint32_t i = 0; i < count; i++) {
        if (ref_changes_input(&refs[i], 0))
            return true;
        sequential |= refs[i].kind == REF_LIST;
        if (sequential && refs[i].element && makes_new(refs[i].element))
            return false; // what follows changes that one
    }
    return false;
}

// nn.Sequential, or an item of a ModuleList whose class is known only as one of several.
static Summary by_candidates(Module *module, Node *call) {
    Ref refs[MAX_CANDIDATES];
    bool complete = false;
    uint32_t count = resolve_candidates(module, call->u.call.func, refs, MAX_CANDIDATES, &complete);
    Summary summary = summary_of(complete ? 0u : (uint32_t)EFFECT_UNKNOWN);
    if (!count)
        return with_given(module, call, bound_effects(module, call));
    if (refs[0].kind == REF_LIST) {
        summary_add(&summary, sequential_effects(module, call, refs, count, 0));
        return with_given(module, call, summary);
    }
    for (uint32_t i = 0; i < count; i++)
        summary_add(&summary, candidate_effects(module, call, &refs[i]));
    return count > MAX_TARGETS ? unsure(summary) : with_given(module, call, summary);
}

// super().forward(x) in a class derived from nn.Embedding.
static Ref module_of_method(const Ref *callee) {
    Str name = name_str(callee->name);
    if (callee->kind != REF_EXTERNAL || !str_ends(name, STR(".forward")))
        return *callee;
    Name of = intern(str_slice(name, 0, name.len - strlen(".forward")));
    return torch_module_flags(of) ? (Ref){.kind = REF_EXTERNAL_INSTANCE, .name = of} : *callee;
}

// super().__getattribute__(key), object.__repr__(self): what Python's own classes and nn.Module do there only reads.
static bool reads_by_base(Module *module, const Node *func) {
    static const char *const reading[] = {"__getattribute__", "__getattr__", "__getitem__", "__contains__",
                                          "__iter__",         "__len__",     "__eq__",      "__ne__",
                                          "__hash__",         "__str__",     "__repr__",    "__format__"};
    if (!node_is(func, NODE_ATTRIBUTE) || !AMONG(name_str(func->u.attribute.attr), reading))
        return false;
    Node *base = func->u.attribute.value;
    Ref ref = resolve_expr(module, node_is(base, NODE_CALL) ? base->u.call.func : base);
    return is_named(ref, REF_BUILTIN, node_is(base, NODE_CALL) ? "super" : "object");
}

// torch.compiler.allow_in_graph(f)(x), torch.ops.mine.f(x): an operator that is not PyTorch's own.
static bool is_foreign_operator(const Ref *callee) {
    Str name = name_str(callee->name);
    if (callee->kind == REF_EXTERNAL_INSTANCE)
        return is_opaque_decorator(callee->name);
    return callee->kind == REF_EXTERNAL && str_starts(name, STR("torch.ops.")) &&
           !str_starts(name, STR("torch.ops.aten.")) && !str_starts(name, STR("torch.ops.prims."));
}

static Summary callee_effects(Module *module, Node *call, const Ref *callee) {
    if (reads_by_base(module, call->u.call.func))
        return summary_of(EFFECT_MAY_RAISE);
    if (callee->kind == REF_BUILTIN) {
        Summary summary = builtin_call(module, call, callee->name);
        summary_add(&summary, builtin_runs(module, call, callee->name));
        return with_given(module, call, summary);
    }
    if (callee->kind == REF_EXTERNAL) {
        Summary summary = external_call(module, call, callee->name);
        if (callee->name == NAME_OF("functools.partial"))
            summary_add(&summary, given_to_partial(module, call));
        if (callee->inplace)
            summary_add(&summary, changes_first(module, call));
        summary_add(&summary, inherited_effects(module, call));
        return leaves_arguments(callee) ? summary : with_given(module, call, summary);
    }
    if (callee->kind == REF_EXTERNAL_INSTANCE && torch_module_flags(callee->name))
        return with_given(module, call, torch_module_effects(module, call, callee));
    if (node_is(call->u.call.func, NODE_ATTRIBUTE)) {
        Summary summary = method_call(module, call);
        if (!(summary.effects & EFFECT_UNKNOWN))
            return summary;
    }
    return by_candidates(module, call);
}

Summary effects_of_call(Module *module, Node *call) {
    FuncInfo *targets[MAX_TARGETS];
    Ref callee;
    uint32_t count = call_targets(module, call, targets, MAX_TARGETS, &callee);
    if (callee.kind == REF_CLASS)
        return constructor_effects(module, call, callee.cls);
    Summary summary = {0};
    for (uint32_t i = 0; i < count; i++) {
        summary_add(&summary, translated(module, call, targets[i], false));
        if (runs_hooks(module, call, targets[i]))
            summary.effects |= EFFECT_UNKNOWN;
    }
    summary_add(&summary, own_buffer_effects(module, call->u.call.func));
    if (count)
        return summary;
    if (calls_checkpointing(call, &callee))
        return higher_order_call(module, call);
    callee = module_of_method(&callee);
    summary_add(&summary, callee_effects(module, call, &callee));
    summary_add(&summary, callback_effects(module, call, &callee));
    if (is_foreign_operator(&callee))
        summary.effects |= EFFECT_RAISES_ON_DATA;
    return summary;
}
