// Evidence about names from around them: how a name is used, what callers pass for a parameter, and isinstance tests.
//
// x.unsqueeze(0), x.shape[0], torch.matmul(x, w): only tensors are used so. Such a fact has confidence 2. For a parameter
// methods count that other objects could have too (x.sum()), as long as no container has them. Callers count when every
// known one passes something known; an entry point is also called from outside, so its callers never count as all.
#include "analysis/facts_internal.h"

enum { MAX_USES = 200, MAX_CALLERS = 48, MAX_NARROWING = 60 };

// ---------------------------------------------------------------- by use

static bool takes_tensor_first(Name dotted) {
    uint32_t flags = torch_function_flags(dotted);
    if (!(flags & (OP_RETURNS_TENSOR | OP_RETURNS_TENSORS | OP_DATA_DEPENDENT)) || flags & OP_RETURNS_NONE)
        return false;
    static const char *const others[] = {"torch.tensor",
                                         "torch.as_tensor",
                                         "torch.asarray",
                                         "torch.from_numpy",
                                         "torch.arange",
                                         "torch.zeros",
                                         "torch.ones",
                                         "torch.empty",
                                         "torch.full",
                                         "torch.rand",
                                         "torch.randn",
                                         "torch.randint",
                                         "torch.randperm",
                                         "torch.linspace",
                                         "torch.logspace",
                                         "torch.eye",
                                         "torch.range",
                                         "torch.cat",
                                         "torch.stack",
                                         "torch.concat",
                                         "torch.concatenate",
                                         "torch.hstack",
                                         "torch.vstack",
                                         "torch.dstack",
                                         "torch.block_diag",
                                         "torch.meshgrid",
                                         "torch.einsum",
                                         "torch.broadcast_tensors",
                                         "torch.where",
                                         "torch.normal",
                                         "torch.hann_window",
                                         "torch.hamming_window",
                                         "torch.tril_indices",
                                         "torch.triu_indices",
                                         "torch.cartesian_prod",
                                         "torch.complex",
                                         "torch.scalar_tensor",
                                         "torch.split",
                                         "torch.chunk",
                                         "torch.frombuffer",
                                         "torch.from_dlpack",
                                         "torch.column_stack",
                                         "torch.row_stack",
                                         "torch.bartlett_window",
                                         "torch.blackman_window",
                                         "torch.kaiser_window",
                                         "torch.nested_tensor",
                                         "torch.chain_matmul",
                                         "torch.bernoulli",
                                         "torch.empty_strided",
                                         "torch.atleast_1d",
                                         "torch.atleast_2d",
                                         "torch.atleast_3d",
                                         "torch.unravel_index",
                                         "torch.sparse_coo_tensor",
                                         "torch.vander"};
    Str name = name_str(dotted);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (str_eq(name, str_of(others[i])))
            return false;
    return true;
}

static bool is_torch_call_on(Module *module, Node *use) {
    Node *call = use->parent;
    if (!node_is(call, NODE_CALL) || !call->u.call.args.len || call->u.call.args.items[0] != use)
        return false;
    Ref callee = resolve_expr(module, call->u.call.func);
    return callee.kind == REF_EXTERNAL && takes_tensor_first(callee.name);
}

// x[:, None], x[..., 0]: containers take one index.
static bool is_tensor_subscript(const Node *use) {
    const Node *parent = use->parent;
    if (!node_is(parent, NODE_SUBSCRIPT) || parent->u.subscript.value != use)
        return false;
    const Node *index = parent->u.subscript.index;
    if (node_is(index, NODE_CONSTANT))
        return index->u.constant.kind == CONST_ELLIPSIS;
    if (!node_is(index, NODE_TUPLE))
        return false;
    for (uint32_t i = 0; i < index->u.items.items.len; i++) {
        const Node *item = index->u.items.items.items[i];
        if (node_is(item, NODE_SLICE) ||
            (node_is(item, NODE_CONSTANT) &&
             (item->u.constant.kind == CONST_NONE || item->u.constant.kind == CONST_ELLIPSIS)))
            return true;
    }
    return false;
}

// (x < 0).any(): what comparing gives is a tensor. (x @ y): only tensors and arrays have the operator.
static bool is_tensor_operand(const Node *use) {
    const Node *parent = use->parent;
    if (node_is(parent, NODE_BIN_OP))
        return parent->u.binary.op == OP_MATMUL;
    if (!node_is(parent, NODE_COMPARE) || !node_is(parent->parent, NODE_ATTRIBUTE))
        return false;
    Name attr = parent->parent->u.attribute.attr;
    return attr == NAME_OF("any") || attr == NAME_OF("all") || attr == NAME_OF("sum");
}

static bool is_tensor_use(Module *module, Node *use, bool is_parameter) {
    Node *parent = use->parent;
    if (is_tensor_subscript(use) || is_tensor_operand(use))
        return true;
    if (!node_is(parent, NODE_ATTRIBUTE) || parent->u.attribute.value != use)
        return is_torch_call_on(module, use);
    Name attr = parent->u.attribute.attr;
    if (node_is(parent->parent, NODE_CALL) && parent->parent->u.call.func == parent)
        return torch_method_is_distinctive(attr) || (is_parameter && torch_method_is_likely(attr));
    return attr == NAME_OF("shape") || attr == NAME_OF("ndim") || attr == NAME_OF("is_cuda");
}

static Fact compute_by_use(Module *module, void *subject, Path path) {
    Symbol *symbol = subject;
    for (uint32_t i = 0; i < symbol->uses.len && i < MAX_USES; i++)
        if (is_tensor_use(module, symbol->uses.items[i], path.len != 0))
            return fact_tensor(2);
    return fact_any();
}

Fact fact_by_use(Module *module, Symbol *symbol, bool is_parameter) {
    return facts_memo(module, symbol, ASPECT_USE, compute_by_use, is_parameter ? path_of(0) : (Path){0});
}

// ---------------------------------------------------------------- what is put into a list

// The value that this use of a name stores in what it holds, and whether it is a list of such values; NULL: none.
static Node *stored_value(const Node *use, bool *many) {
    const Node *parent = use->parent;
    *many = false;
    if (node_is(parent, NODE_SUBSCRIPT) && parent->u.subscript.value == use && parent->flags & NODE_STORE) {
        *many = node_is(parent->u.subscript.index, NODE_SLICE);
        return node_is(parent->parent, NODE_ASSIGN) ? parent->parent->u.assign.value : NULL;
    }
    if (!node_is(parent, NODE_ATTRIBUTE) || !node_is(parent->parent, NODE_CALL) ||
        parent->parent->u.call.func != parent)
        return NULL;
    const Node *call = parent->parent;
    Name method = parent->u.attribute.attr;
    *many = method == NAME_OF("extend");
    if (method == NAME_OF("append") || method == NAME_OF("appendleft") || method == NAME_OF("extend") ||
        method == NAME_OF("add"))
        return call->u.call.args.len == 1 ? call->u.call.args.items[0] : NULL;
    return method == NAME_OF("insert") && call->u.call.args.len == 2 ? call->u.call.args.items[1] : NULL;
}

static Fact compute_stored(Module *module, void *subject, Path path) {
    Symbol *symbol = subject;
    Fact fact = {0};
    for (uint32_t i = 0; i < symbol->uses.len && i < MAX_USES; i++) {
        bool many;
        Node *value = stored_value(symbol->uses.items[i], &many);
        if (!value)
            continue;
        Path rest = {.len = (uint8_t)(path.len - !many)};
        memcpy(rest.at, path.at + !many, rest.len);
        fact = fact_join(fact, rest.len ? fact_item(module, value, rest) : fact_value(module, value));
        if (fact.kinds == KIND_ANY)
            break;
    }
    return fact;
}

Fact fact_stored(Module *module, Symbol *symbol, Path path) {
    return facts_memo(module, symbol, ASPECT_STORED, compute_stored, path);
}

// ---------------------------------------------------------------- by callers

static bool parameter_place(const Node *param, uint32_t *at) {
    const NodeList items = param->parent->u.items.items;
    for (uint32_t i = 0; i < items.len; i++)
        if (items.items[i] == param) {
            *at = i;
            return param->u.param.kind != PARAM_KEYWORD_ONLY;
        }
    return false;
}

static bool is_static(const Node *def) {
    for (uint32_t i = 0; node_is(def, NODE_FUNCTION_DEF) && i < def->u.function.decorators.len; i++) {
        const Node *decorator = def->u.function.decorators.items[i];
        if (node_is(decorator, NODE_NAME) && decorator->u.name.name == NAME_OF("staticmethod"))
            return true;
    }
    return false;
}

// Whether the call names the class: Base.forward(self, x) passes self itself.
static bool passes_self(Module *module, Node *call, FuncInfo *func) {
    if (!node_is(call->u.call.func, NODE_ATTRIBUTE))
        return false;
    Ref receiver = resolve_expr(module, call->u.call.func->u.attribute.value);
    return receiver.kind == REF_CLASS && func->cls;
}

// What one call passes for the parameter. KIND_ANY when that cannot be said.
static Fact argument_fact(Module *caller, Node *call, FuncInfo *func, Node *param) {
    if (!node_is(call, NODE_CALL))
        return fact_any();
    uint32_t place = 0;
    bool positional = parameter_place(param, &place);
    if (func->cls && !is_static(func->function->node) && !passes_self(caller, call, func)) {
        if (positional && place == 0)
            return fact_any();
        place--;
    }
    NodeList args = call->u.call.args;
    bool unpacks = false;
    uint32_t at = 0;
    for (uint32_t i = 0; i < args.len; i++) {
        Node *arg = args.items[i];
        if (node_is(arg, NODE_KEYWORD)) {
            if (arg->u.keyword.name == param->u.param.name)
                return fact_value(caller, arg->u.keyword.value);
            unpacks |= !arg->u.keyword.name;
        } else if (node_is(arg, NODE_STARRED)) {
            unpacks = true;
            positional = false;
        } else if (positional && at++ == place) {
            return fact_value(caller, arg);
        }
    }
    if (unpacks)
        return fact_any();
    return param->u.param.default_value ? fact_value(func->module, param->u.param.default_value) : fact_any();
}

Fact fact_by_callers(FuncInfo *func, Node *param, Callers which) {
    if ((func->is_entry && which != CALLERS_ENTRIES) || !func->callers.len || func->callers.len > MAX_CALLERS)
        return fact_any();
    Fact fact = {0};
    bool seen = false;
    for (uint32_t i = 0; i < func->callers.len; i++) {
        FuncInfo *caller = func->callers.items[i];
        bool repeated = false;
        for (uint32_t j = 0; j < i; j++)
            repeated |= func->callers.items[j] == caller;
        for (uint32_t j = 0; !repeated && j < caller->calls.len; j++) {
            CallEdge edge = caller->calls.items[j];
            if (edge.callee != func || (which == CALLERS_ENTRIES && !edge.certain))
                continue;
            seen = true;
            Fact one = edge.by_wrapper ? fact_any() : argument_fact(caller->module, edge.call, func, param);
            if (which == CALLERS_KNOWN && one.kinds == KIND_ANY)
                continue;
            fact = fact_join(fact, one);
            if (fact.kinds == KIND_ANY)
                return fact;
        }
    }
    if (!seen || (which == CALLERS_KNOWN && !fact.kinds))
        return fact_any();
    if (fact.confidence > 2)
        fact.confidence = 2;
    return fact;
}

// ---------------------------------------------------------------- isinstance

static uint32_t kinds_of_class(Module *module, Node *cls) {
    if (node_is(cls, NODE_TUPLE)) {
        uint32_t kinds = 0;
        for (uint32_t i = 0; i < cls->u.items.items.len; i++)
            kinds |= kinds_of_class(module, cls->u.items.items.items[i]);
        return kinds;
    }
    Ref ref = resolve_expr(module, cls);
    if (ref.kind == REF_CLASS)
        return class_is_nn_module(ref.cls) ? KIND_MODULE : KIND_OBJECT;
    uint32_t kinds = ref.kind == REF_EXTERNAL || ref.kind == REF_BUILTIN ? kinds_of_annotation(ref.name) : 0;
    return kinds ? kinds : KIND_OBJECT;
}

static bool same_symbol(const Node *a, const Node *b) {
    return node_is(a, NODE_NAME) && a->u.name.symbol && a->u.name.symbol == b->u.name.symbol;
}

// x is None, x is not None.
static bool compares_with_none(const Node *test, const Node *use, bool *is_none) {
    if (!node_is(test, NODE_COMPARE) || test->u.compare.comparators.len != 1 ||
        !same_symbol(test->u.compare.left, use))
        return false;
    const Node *right = test->u.compare.comparators.items[0];
    *is_none = test->u.compare.ops[0] == OP_IS;
    return (*is_none || test->u.compare.ops[0] == OP_IS_NOT) && node_is(right, NODE_CONSTANT) &&
           right->u.constant.kind == CONST_NONE;
}

// The kinds that the symbol has where `test` is true (or, with `truth` false, false); KIND_ANY: nothing said.
static uint32_t kinds_where(Module *module, Node *test, Node *use, bool truth, int depth) {
    if (depth > MAX_PATH)
        return KIND_ANY;
    if (node_is(test, NODE_UNARY_OP) && test->u.unary.op == OP_NOT)
        return kinds_where(module, test->u.unary.operand, use, !truth, depth + 1);
    if (node_is(test, NODE_BOOL_OP) && (test->u.binary.op == OP_BOOL_AND) == truth)
        return kinds_where(module, test->u.binary.left, use, truth, depth + 1) &
               kinds_where(module, test->u.binary.right, use, truth, depth + 1);
    bool is_none;
    if (compares_with_none(test, use, &is_none))
        return is_none == truth ? KIND_ANY : KIND_ANY & ~(uint32_t)KIND_NONE;
    if (!node_is(test, NODE_CALL) || !test->u.call.args.len || !same_symbol(test->u.call.args.items[0], use))
        return KIND_ANY;
    Ref callee = resolve_expr(module, test->u.call.func);
    uint32_t kinds = 0;
    if (is_named(callee, REF_EXTERNAL, "torch.is_tensor"))
        kinds = KIND_TENSOR;
    else if (is_named(callee, REF_BUILTIN, "isinstance") && test->u.call.args.len == 2)
        kinds = kinds_of_class(module, test->u.call.args.items[1]);
    if (!kinds)
        return KIND_ANY;
    // A float may come from .item(); what is not a `float` may still be any other kind.
    return truth ? kinds : KIND_ANY & ~kinds;
}

// Before the use in the text, or further on in a loop around it.
static bool is_reassigned_between(const Node *scope, const Node *use) {
    const Symbol *symbol = use->u.name.symbol;
    const Node *loop = NULL;
    for (const Node *up = use->parent; up && up != scope; up = up->parent)
        if (node_is(up, NODE_FOR) || node_is(up, NODE_WHILE))
            loop = up;
    for (uint32_t i = 0; i < symbol->bindings.len; i++) {
        const Node *binding = symbol->bindings.items[i];
        if (node_contains(scope, binding) &&
            (binding->start < use->start || (loop && node_contains(loop, binding))))
            return true;
    }
    return false;
}

static bool in_list(NodeList list, const Node *node) {
    for (uint32_t i = 0; i < list.len; i++)
        if (list.items[i] == node)
            return true;
    return false;
}

Fact fact_narrow(Module *module, Node *use, Fact fact) {
    if (!fact.kinds || kinds_only(fact.kinds, KIND_TENSOR))
        return fact;
    Node *child = use;
    int steps = 0;
    for (Node *node = use->parent; node && steps < MAX_NARROWING;
         child = node, node = node->parent, steps++) {
        uint32_t kinds = KIND_ANY;
        if (node->kind == NODE_FUNCTION_DEF || node->kind == NODE_CLASS_DEF || node->kind == NODE_LAMBDA)
            break;
        if (node->kind == NODE_IF && child != node->u.branch.test)
            kinds = kinds_where(module, node->u.branch.test, use, in_list(node->u.branch.body, child), 0);
        else if (node->kind == NODE_IF_EXP && child != node->u.if_exp.test)
            kinds = kinds_where(module, node->u.if_exp.test, use, child == node->u.if_exp.body, 0);
        else if (node->kind == NODE_BOOL_OP && child == node->u.binary.right)
            kinds = kinds_where(module, node->u.binary.left, use, node->u.binary.op == OP_BOOL_AND, 0);
        if (kinds == KIND_ANY || is_reassigned_between(node, use))
            continue;
        uint32_t left = fact.kinds & kinds;
        if (!left && fact.kinds == KIND_NONE) // the default, which is all that is known of it
            continue;
        if (!left && fact.confidence > 1) // never taken with what is known to reach it
            return (Fact){0};
        if (left && left != fact.kinds) {
            bool told = kinds_only(kinds, KIND_TENSOR | KIND_NUMBER | KIND_STR | KIND_SEQUENCE | KIND_DICT);
            fact.kinds = (uint16_t)left;
            fact.confidence = told ? 3 : fact.confidence;
        }
    }
    return fact;
}
