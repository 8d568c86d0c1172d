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
    return node_is(params, NODE_PARAMS) && params->u.items.items.len &&
           params->u.items.items.items[0] == param;
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
    Fact item = param->u.param.annotation ? fact_annotation(module, param->u.param.annotation, (Path){0})
                                          : fact_any();
    Fact fact = fact_make(param->u.param.kind == PARAM_KWARGS ? KIND_DICT : KIND_SEQUENCE, 3);
    fact.element = item.kinds;
    return fact;
}

static bool is_none_test(const Node *test, const Symbol *symbol) {
    return node_is(test, NODE_COMPARE) && test->u.compare.comparators.len == 1 &&
           test->u.compare.ops[0] == OP_IS && node_is(test->u.compare.left, NODE_NAME) &&
           test->u.compare.left->u.name.symbol == symbol &&
           node_is(test->u.compare.comparators.items[0], NODE_CONSTANT) &&
           test->u.compare.comparators.items[0]->u.constant.kind == CONST_NONE;
}

// if mask is None: mask = torch.ones(n)   What is put in its place tells what it is when it is given.
static Fact replaced_none(Module *module, const Symbol *symbol) {
    for (uint32_t i = 0; i < symbol->bindings.len && i < MAX_BINDINGS; i++) {
        const Node *binding = symbol->bindings.items[i], *statement = binding->parent;
        if (!node_is(binding, NODE_NAME) || !node_is(statement, NODE_ASSIGN) ||
            statement->u.assign.targets.items[0] != binding)
            continue;
        if (node_is(statement->parent, NODE_IF) && is_none_test(statement->parent->u.branch.test, symbol) &&
            is_tensor(fact_value(module, statement->u.assign.value)))
            return fact_tensor(2);
    }
    return fact_any();
}

// What is known when annotation and default say nothing.
static Fact guessed_parameter(Module *module, FuncInfo *func, Node *param) {
    Fact passed = fact_by_callers(func, param, CALLERS_ALL);
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
    Fact replaced = symbol ? replaced_none(module, symbol) : fact_any();
    if (is_known(replaced))
        return replaced;
    if (func->is_entry)
        return fact_by_callers(func, param, CALLERS_ENTRIES);
    return passed; // in a cycle: not known yet
}

// Annotations are not enforced, and Union says less than the calls do: where all calls are known, what they pass counts.
static Fact annotation_or_calls(FuncInfo *func, Node *param, Fact annotated) {
    const uint32_t data = KIND_TENSOR | KIND_SCALAR_READ | KIND_NDARRAY | KIND_NUMBER | KIND_SEQUENCE;
    uint32_t kinds = annotated.kinds & ~(uint32_t)KIND_NONE;
    if (!kinds_only(kinds, data | KIND_DICT | KIND_STR))
        return annotated;
    Fact passed = fact_by_callers(func, param, CALLERS_ALL);
    uint32_t given = passed.kinds & ~(uint32_t)KIND_NONE;
    if (passed.kinds == KIND_ANY && kinds == KIND_TENSOR) {
        Fact some = fact_by_callers(func, param, CALLERS_KNOWN);
        uint32_t other = some.kinds & ~(uint32_t)KIND_NONE;
        return is_known(some) && other == KIND_SEQUENCE ? fact_join(annotated, some) : annotated;
    }
    if (!is_known(passed) || passed.confidence < 2 || !kinds_only(given, data))
        return annotated;
    bool other_items = given == KIND_SEQUENCE && kinds == KIND_SEQUENCE && annotated.element &&
                       passed.element && passed.element != KIND_ANY && !(annotated.element & passed.element);
    bool narrower = given != kinds && !(given & ~kinds);
    return !(given & kinds) || other_items || narrower ? passed : annotated;
}

static Fact compute_parameter(Module *module, Node *param) {
    Node *owner = param->parent->parent;
    FuncInfo *func = module_function_at(module, owner);
    if (param->u.param.kind == PARAM_VARARGS || param->u.param.kind == PARAM_KWARGS)
        return collected_fact(module, param);
    if (!func)
        return fact_any();
    Node *selected = fact_selected_value(module, param);
    if (selected)
        return fact_value(module, selected);
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
        if (usual && !(usual & KIND_TENSOR) &&
            annotated.kinds & KIND_TENSOR) // output_attentions: Optional[torch.Tensor]
            annotated = fact_make(usual | KIND_NONE, 1);
        if (is_known(annotated))
            annotated = annotation_or_calls(func, param, annotated);
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
            before = fact_join(before, fact_binding(module, other));
    }
    return fact_binary(before, fact_value(module, statement->u.aug.value), statement->u.aug.op);
}

static Fact annotated_fact(Module *module, Node *statement) {
    Fact annotated = fact_annotation(module, statement->u.ann.annotation, (Path){0});
    if (is_known(annotated) || !statement->u.ann.value)
        return annotated;
    return fact_value(module, statement->u.ann.value);
}

static Fact along(Fact fact, Path path) {
    for (uint32_t i = 0; i < path.len; i++)
        fact = fact_items_of(fact);
    return fact;
}

// What the target holds, or an item of it.
static Fact target_fact(Module *module, Symbol *symbol, Node *target, Path rest) {
    Path path;
    Node *source = binding_source(target, &path);
    if (!source || path.len + rest.len > MAX_PATH)
        return fact_make(KIND_ANY, 0);
    memcpy(path.at + path.len, rest.at, rest.len);
    path.len = (uint8_t)(path.len + rest.len);
    switch ((NodeKind)source->kind) {
    case NODE_ASSIGN:
        return value_or_item(module, source->u.assign.value, path);
    case NODE_AUG_ASSIGN:
        return along(augmented_fact(module, symbol, source), rest);
    case NODE_ANN_ASSIGN:
        if (rest.len && source->u.ann.value)
            return fact_item(module, source->u.ann.value, rest);
        return along(annotated_fact(module, source), rest);
    case NODE_NAMED_EXPR:
        return value_or_item(module, source->u.named.value, path);
    case NODE_FOR:
        return prepend(&path, ANY_ITEM) ? fact_item(module, source->u.loop.iter, path) : fact_any();
    case NODE_COMPREHENSION:
        return prepend(&path, ANY_ITEM) ? fact_item(module, source->u.comprehension.iter, path) : fact_any();
    default:
        return fact_any();
    }
}

static Fact compute_binding(Module *module, void *subject, Path path) {
    Node *binding = subject;
    (void)path;
    switch ((NodeKind)binding->kind) {
    case NODE_PARAM:
        return compute_parameter(module, binding);
    case NODE_FUNCTION_DEF:
    case NODE_CLASS_DEF:
        return fact_make(KIND_CALLABLE, 3);
    case NODE_EXCEPT_HANDLER:
        return fact_make(KIND_OBJECT, 3);
    case NODE_NAME:
        return binding->flags & NODE_DEL ? (Fact){0}
                                         : target_fact(module, binding->u.name.symbol, binding, (Path){0});
    default:
        return fact_any();
    }
}

Fact fact_binding(Module *module, Node *binding) {
    return facts_memo(module, binding, ASPECT_BINDING, compute_binding, (Path){0});
}

// ---------------------------------------------------------------- uses

// An external name that is no function: torch.float16, math.pi, a flag of another package.
static Fact external_fact(Ref ref) {
    static const char *const dtypes[] = {
        "float16", "float32", "float64", "bfloat16", "int8",  "int16",  "int32", "int64",     "uint8",
        "long",    "int",     "short",   "half",     "float", "double", "bool",  "complex64", "complex128"};
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
    return str_starts(name, STR("torch.nn.")) && !torch_function_flags(ref.name)
               ? fact_ref(KIND_MODULE, ref, 2)
               : fact_any();
}

Fact fact_of_ref(Ref ref) {
    switch (ref.kind) {
    case REF_MODULE:
        return fact_ref(KIND_OBJECT, ref, 3);
    case REF_CLASS:
    case REF_FUNCTION:
    case REF_METHOD:
        return fact_ref(KIND_CALLABLE, ref, 3);
    case REF_INSTANCE:
        return fact_ref(class_is_nn_module(ref.cls) ? KIND_MODULE : KIND_OBJECT, ref, 3);
    case REF_EXTERNAL:
        return external_fact(ref);
    case REF_BUILTIN:
        return fact_ref(KIND_CALLABLE, ref, 3);
    case REF_EXTERNAL_INSTANCE:
        return external_instance(ref);
    case REF_LIST:
        return fact_ref(KIND_SEQUENCE | KIND_MODULE | KIND_DICT, ref, 2);
    default:
        return fact_any();
    }
}

static bool is_import(const Node *binding) {
    return node_is(binding, NODE_ALIAS) || node_is(binding, NODE_STAR_IMPORT);
}

static Fact imported_fact(Module *module, Node *name) {
    Fact fact = fact_of_ref(resolve_expr(module, name));
    // A name that some import binds and that could not be followed is hardly ever a tensor.
    return fact.kinds == KIND_ANY ? fact_make(KIND_STATIC, 1) : fact;
}

// For a symbol of this very function: the bindings that reach the use. Otherwise NULL, unless there is only one, which is
// put into `cell`.
static Node **reaching_bindings(Module *module, Node *name, Symbol *symbol, Node *cell[2]) {
    Function *function = unit_function_at(module->unit, name);
    if (symbol->bindings.len == 1) {
        cell[0] = symbol->bindings.items[0];
        cell[1] = NULL;
        return cell;
    }
    return function && symbol->scope == function->scope ? defuse_reaching(module->unit, name) : NULL;
}

Fact fact_name_item(Module *module, Node *name, Path path) {
    Symbol *symbol = name->u.name.symbol;
    Node *cell[2];
    Node **reaching = symbol ? reaching_bindings(module, name, symbol, cell) : NULL;
    if (!reaching || !reaching[0])
        return fact_any();
    Fact fact = {0};
    bool holds = false;
    for (uint32_t i = 0; reaching[i]; i++) {
        if (i == MAX_BINDINGS || is_import(reaching[i]))
            return fact_any();
        holds = holds || fact_binding(module, reaching[i]).kinds & (KIND_SEQUENCE | KIND_DICT);
        bool target = node_is(reaching[i], NODE_NAME) && !(reaching[i]->flags & NODE_DEL);
        fact = fact_join(fact, target ? target_fact(module, symbol, reaching[i], path)
                                      : along(fact_binding(module, reaching[i]), path));
        if (fact.kinds == KIND_ANY)
            return fact;
    }
    return holds ? fact_join(fact, fact_stored(module, symbol, path)) : fact;
}

static Fact bindings_fact(Module *module, Node *name, Symbol *symbol) {
    Node *cell[2];
    Node **reaching = reaching_bindings(module, name, symbol, cell);
    Fact fact = {0};
    if (reaching && reaching[0]) {
        for (uint32_t i = 0; reaching[i] && i < MAX_BINDINGS; i++)
            fact = fact_join(fact, is_import(reaching[i]) ? imported_fact(module, name)
                                                          : fact_binding(module, reaching[i]));
        return fact;
    }
    if (symbol->bindings.len > MAX_BINDINGS)
        return fact_any();
    for (uint32_t i = 0; i < symbol->bindings.len; i++) {
        Node *binding = symbol->bindings.items[i];
        fact =
            fact_join(fact, is_import(binding) ? imported_fact(module, name) : fact_binding(module, binding));
    }
    return fact;
}

// xs = []: what is in it has been put there.
static bool is_empty_display(const Symbol *symbol) {
    for (uint32_t i = 0; i < symbol->bindings.len; i++) {
        const Node *binding = symbol->bindings.items[i];
        const Node *value = node_is(binding, NODE_NAME) && node_is(binding->parent, NODE_ASSIGN)
                                ? binding->parent->u.assign.value
                                : NULL;
        bool empty = (node_is(value, NODE_LIST) || node_is(value, NODE_DICT)) && !value->u.items.items.len;
        if (!empty)
            return false;
    }
    return true;
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
    if (fact.kinds & (KIND_SEQUENCE | KIND_DICT) && fact.kinds != KIND_ANY) {
        uint32_t stored = fact_stored(module, symbol, path_of(ANY_ITEM)).kinds;
        bool empty = !fact.element && is_empty_display(symbol);
        if (stored == KIND_ANY)
            fact.element = 0;
        else if (stored && (fact.element || empty))
            fact.element |= (uint16_t)stored;
    }
    return fact_narrow(module, name, fact);
}
