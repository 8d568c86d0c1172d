// Facts about names: the union over the assignments that reach a use.
//
// A name with one binding has that binding's fact. With several, those that reach the use by the function's def-use chains
// count; names of other scopes take all bindings. What a binding gives is read off the statement around it, through the
// position inside an unpacked target. Parameters: annotation, default, callers, use, conventional name, in this order.
#include "analysis/facts_internal.h"

enum { MAX_BINDINGS = 64 };

// ---------------------------------------------------------------- parameters

static bool is_first_parameter(const Node *param) {
    const Node *params = param->parent;
    return node_is(params, NODE_PARAMS) && params->u.items.items.len && params->u.items.items.items[0] == param;
}

static bool has_decorator(const Node *def, const char *name) {
    for (uint32_t i = 0; node_is(def, NODE_FUNCTION_DEF) && i < def->u.function.decorators.len; i++) {
        const Node *decorator = def->u.function.decorators.items[i];
        if (node_is(decorator, NODE_NAME) && decorator->u.name.name == intern(str_of(name)))
            return true;
    }
    return false;
}

static Fact receiver_fact(FuncInfo *func) {
    if (has_decorator(func->function->node, "classmethod"))
        return fact_ref(KIND_CALLABLE, (Ref){.kind = REF_CLASS, .cls = func->cls, .subtypes = true}, 3);
    uint32_t kind = class_is_nn_module(func->cls) ? KIND_MODULE : KIND_OBJECT;
    return fact_ref(kind, (Ref){.kind = REF_INSTANCE, .cls = func->cls, .subtypes = true}, 3);
}

static Fact default_fact(Module *module, Node *param) {
    Fact fact = fact_value(module, param->u.param.default_value);
    if (fact.confidence > 2)
        fact.confidence = 2;
    return fact;
}

static Fact collected_fact(Module *module, Node *param) {
    Fact item = param->u.param.annotation ? fact_annotation(module, param->u.param.annotation, (Path){0}) : fact_any();
    Fact fact = fact_make(param->u.param.kind == PARAM_KWARGS ? KIND_DICT : KIND_SEQUENCE, 3);
    fact.element = item.kinds;
    return fact;
}

// What is known when annotation and default say nothing.
static Fact guessed_parameter(Module *module, FuncInfo *func, Node *param) {
    Fact passed = fact_by_callers(module, func, param);
    if (is_known(passed) && !(passed.confidence < 2 && passed.kinds & KIND_TENSOR))
        return passed;
    Symbol *symbol = scope_own(func->function->scope, param->u.param.name);
    Fact used = symbol ? fact_by_use(module, symbol, true) : fact_any();
    if (is_known(used))
        return used;
    uint32_t kinds = kinds_of_parameter_name(param->u.param.name);
    if (kinds && (func->is_entry || !is_generic_name(param->u.param.name)))
        return fact_make(kinds, 1);
    if (is_config_name(param->u.param.name))
        return fact_make(KIND_OBJECT | KIND_DICT, 1);
    return passed; // in a cycle: not known yet
}

static Fact compute_parameter(Module *module, Node *param) {
    FuncInfo *func = function_info(module, param->parent ? param->parent->parent : param);
    Node *owner = param->parent ? param->parent->parent : NULL;
    if (owner)
        func = module_function_at(module, owner);
    if (param->u.param.kind == PARAM_VARARGS || param->u.param.kind == PARAM_KWARGS)
        return collected_fact(module, param);
    if (!func)
        return fact_any();
    if (func->cls && is_first_parameter(param) && !has_decorator(owner, "staticmethod"))
        return receiver_fact(func);
    bool none_default = false;
    Fact fallback = fact_any();
    if (param->u.param.default_value) {
        fallback = default_fact(module, param);
        none_default = fallback.kinds == KIND_NONE;
    }
    if (param->u.param.annotation) {
        Fact annotated = fact_annotation(module, param->u.param.annotation, (Path){0});
        uint32_t usual = kinds_of_parameter_name(param->u.param.name);
        if (usual && !(usual & KIND_TENSOR) && annotated.kinds & KIND_TENSOR) // output_attentions: Optional[torch.Tensor]
            annotated = fact_make(usual | KIND_NONE, 1);
        if (is_known(annotated))
            return none_default ? fact_join(annotated, fact_make(KIND_NONE, 3)) : annotated;
    }
    if (kinds_only(fallback.kinds, KIND_NUMBER | KIND_STR))
        return fallback;
    Fact guess = guessed_parameter(module, func, param);
    if (!none_default)
        return is_known(guess) || !guess.kinds ? guess : fallback;
    // Called without it, or with None, everywhere that is known: it is None, though others may pass something.
    if (guess.kinds == KIND_NONE || !is_known(guess))
        return fact_any();
    return fact_join(guess, fact_make(KIND_NONE, 3));
}

Fact fact_parameter(Module *module, Node *param) { return compute_parameter(module, param); }

// ---------------------------------------------------------------- bindings

// The node that gives the target its value, and the position in it: for i in `for k, (i, j) in pairs` the FOR and (1, 0).
static Node *binding_source(Node *target, Path *path) {
    int8_t reversed[MAX_PATH];
    uint32_t len = 0;
    Node *node = target;
    *path = (Path){0};
    for (;; node = node->parent) {
        Node *parent = node->parent;
        if (node_is(parent, NODE_STARRED)) // *rest: a list
            return NULL;
        if (!node_is(parent, NODE_TUPLE) && !node_is(parent, NODE_LIST))
            break;
        uint32_t at = 0;
        bool after_star = false;
        for (; at < parent->u.items.items.len && parent->u.items.items.items[at] != node; at++)
            after_star |= node_is(parent->u.items.items.items[at], NODE_STARRED);
        if (len == MAX_PATH)
            return NULL;
        reversed[len++] = (int8_t)(after_star || at > 100 ? ANY_ITEM : (int)at);
    }
    for (uint32_t i = 0; i < len; i++)
        path->at[i] = reversed[len - 1 - i];
    path->len = (uint8_t)len;
    return node->parent;
}

static bool prepend(Path *path, int index) {
    if (path->len == MAX_PATH)
        return false;
    memmove(path->at + 1, path->at, path->len);
    path->at[0] = (int8_t)index;
    path->len++;
    return true;
}

static Fact value_or_item(Module *module, Node *value, Path path) {
    return path.len ? fact_item(module, value, path) : fact_value(module, value);
}

// x += y: what the other assignments give x, and y.
static Fact augmented_fact(Module *module, Symbol *symbol, Node *statement) {
    Fact before = {0};
    for (uint32_t i = 0; i < symbol->bindings.len && i < MAX_BINDINGS; i++) {
        Node *other = symbol->bindings.items[i];
        if (!node_is(other->parent, NODE_AUG_ASSIGN))
            before = fact_join(before, fact_binding(module, symbol, other));
    }
    return fact_binary(before, fact_value(module, statement->u.aug.value), statement->u.aug.op);
}

static Fact annotated_fact(Module *module, Node *statement) {
    Fact annotated = fact_annotation(module, statement->u.ann.annotation, (Path){0});
    if (is_known(annotated) || !statement->u.ann.value)
        return annotated;
    return fact_value(module, statement->u.ann.value);
}

static Fact target_fact(Module *module, Symbol *symbol, Node *target) {
    Path path;
    Node *source = binding_source(target, &path);
    if (!source)
        return fact_make(KIND_ANY, 0);
    switch ((NodeKind)source->kind) {
    case NODE_ASSIGN: return value_or_item(module, source->u.assign.value, path);
    case NODE_AUG_ASSIGN: return augmented_fact(module, symbol, source);
    case NODE_ANN_ASSIGN: return annotated_fact(module, source);
    case NODE_NAMED_EXPR: return fact_value(module, source->u.named.value);
    case NODE_FOR: return prepend(&path, ANY_ITEM) ? fact_item(module, source->u.loop.iter, path) : fact_any();
    case NODE_COMPREHENSION:
        return prepend(&path, ANY_ITEM) ? fact_item(module, source->u.comprehension.iter, path) : fact_any();
    default: return fact_any();
    }
}

typedef struct BindingSubject {
    Symbol *symbol;
    Node *binding;
} BindingSubject;

static Fact compute_binding(Module *module, void *subject, Path unused) {
    Node *binding = ((BindingSubject *)subject)->binding;
    Symbol *symbol = ((BindingSubject *)subject)->symbol;
    (void)unused;
    switch ((NodeKind)binding->kind) {
    case NODE_PARAM: return compute_parameter(module, binding);
    case NODE_FUNCTION_DEF:
    case NODE_CLASS_DEF: return fact_make(KIND_CALLABLE, 3);
    case NODE_EXCEPT_HANDLER: return fact_make(KIND_OBJECT, 3);
    case NODE_NAME: return binding->flags & NODE_DEL ? (Fact){0} : target_fact(module, symbol, binding);
    default: return fact_any();
    }
}

static Fact compute_binding_node(Module *module, void *subject, Path path) {
    Node *binding = subject;
    BindingSubject both = {.binding = binding};
    if (node_is(binding, NODE_NAME))
        both.symbol = binding->u.name.symbol;
    return compute_binding(module, &both, path);
}

Fact fact_binding(Module *module, Symbol *symbol, Node *binding) {
    (void)symbol;
    return facts_memo(module, binding, ASPECT_BINDING, compute_binding_node, (Path){0});
}

// ---------------------------------------------------------------- uses

// An external name that is no function: torch.float16, math.pi, a flag of another package.
static Fact external_fact(Ref ref) {
    static const char *const dtypes[] = {"float16", "float32", "float64", "bfloat16", "int8", "int16", "int32", "int64", "uint8",
                                         "long", "int", "short", "half", "float", "double", "bool", "complex64", "complex128"};
    Str name = name_str(ref.name), torch = STR("torch.");
    if (str_starts(name, torch)) {
        Str last = str_slice(name, torch.len, name.len);
        for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
            if (str_eq(last, str_of(dtypes[i])))
                return fact_ref(KIND_DTYPE, ref, 3);
        if (torch_function_flags(ref.name) || kinds_of_external_call(ref.name))
            return fact_ref(KIND_CALLABLE, ref, 3);
    }
    return fact_ref(KIND_STATIC, ref, 2);
}

// What a call of an external name gave: an instance when the name is a class, else its result, of which only the kinds count.
static Fact external_instance(Ref ref) {
    Str name = name_str(ref.name);
    if (torch_module_flags(ref.name))
        return fact_ref(KIND_MODULE, ref, 3);
    uint32_t kinds = kinds_of_external_call(ref.name);
    if (kinds)
        return fact_ref(kinds, ref, 3);
    return str_starts(name, STR("torch.nn.")) && !torch_function_flags(ref.name) ? fact_ref(KIND_MODULE, ref, 2) : fact_any();
}

Fact fact_of_ref(Ref ref) {
    switch (ref.kind) {
    case REF_MODULE: return fact_ref(KIND_OBJECT, ref, 3);
    case REF_CLASS:
    case REF_FUNCTION:
    case REF_METHOD: return fact_ref(KIND_CALLABLE, ref, 3);
    case REF_INSTANCE: return fact_ref(class_is_nn_module(ref.cls) ? KIND_MODULE : KIND_OBJECT, ref, 3);
    case REF_EXTERNAL: return external_fact(ref);
    case REF_BUILTIN: return fact_ref(KIND_CALLABLE, ref, 3);
    case REF_EXTERNAL_INSTANCE: return external_instance(ref);
    case REF_LIST: return fact_ref(KIND_SEQUENCE | KIND_MODULE | KIND_DICT, ref, 2);
    default: return fact_any();
    }
}

static bool is_import(const Node *binding) { return node_is(binding, NODE_ALIAS) || node_is(binding, NODE_STAR_IMPORT); }

static Fact imported_fact(Module *module, Node *name) {
    Fact fact = fact_of_ref(resolve_expr(module, name));
    // A name that some import binds and that could not be followed is hardly ever a tensor.
    return fact.kinds == KIND_ANY ? fact_make(KIND_STATIC, 1) : fact;
}

// For a symbol of this very function: the bindings that reach the use. Otherwise all of them.
static Fact bindings_fact(Module *module, Node *name, Symbol *symbol) {
    Node **reaching = NULL;
    Node *cell[2] = {NULL, NULL};
    Function *function = unit_function_at(module->unit, name);
    bool local = function && symbol->scope == function->scope;
    if (symbol->bindings.len == 1) {
        cell[0] = symbol->bindings.items[0];
        reaching = cell;
    } else if (local) {
        reaching = defuse_reaching(module->unit, name);
    }
    Fact fact = {0};
    if (reaching && reaching[0]) {
        for (uint32_t i = 0; reaching[i] && i < MAX_BINDINGS; i++)
            fact = fact_join(fact, is_import(reaching[i]) ? imported_fact(module, name) : fact_binding(module, symbol, reaching[i]));
        return fact;
    }
    if (symbol->bindings.len > MAX_BINDINGS)
        return fact_any();
    for (uint32_t i = 0; i < symbol->bindings.len; i++) {
        Node *binding = symbol->bindings.items[i];
        fact = fact_join(fact, is_import(binding) ? imported_fact(module, name) : fact_binding(module, symbol, binding));
    }
    return fact;
}

Fact fact_name(Module *module, Node *name) {
    Symbol *symbol = name->u.name.symbol;
    if (!symbol || !symbol->bindings.len) {
        Ref ref = resolve_expr(module, name);
        if (ref.kind == REF_BUILTIN)
            return fact_ref(KIND_CALLABLE, ref, 3);
        return fact_of_ref(ref);
    }
    Fact fact = bindings_fact(module, name, symbol);
    if (fact.kinds == KIND_ANY && !(symbol->flags & SYM_PARAM)) {
        Ref ref = resolve_expr(module, name);
        if (ref.kind != REF_NONE)
            fact = fact_of_ref(ref);
    }
    if (fact.kinds == KIND_ANY)
        fact = fact_by_use(module, symbol, false);
    return fact_narrow(module, name, fact);
}
