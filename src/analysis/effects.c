// What running code can do besides giving a value.
//
// Input: an expression, statement or function. Output: EFFECT_* bits, the union over everything in it that runs when it
// runs. Writes count only when what is written to outlives the call: the origin of the target decides. A function's summary
// keeps writes to its parameters apart, so that a caller that passes something of its own making sees no effect. Recursive
// functions start from "no effect". An unresolved callee is EFFECT_UNKNOWN; what a limit cuts off may do anything at all.
#include "analysis/effects_internal.h"

enum { MAX_EFFECT_DEPTH = 250 };
// Only that it redirects output is not assumed, as it is not of unknown code.
static const MemoValue anything = {.summary = {.effects = UINT32_MAX & ~(uint32_t)EFFECT_REDIRECTS}};

void summary_add(Summary *into, Summary more) {
    into->effects |= more.effects;
    into->inplace |= more.inplace;
    into->sure_inplace |= more.sure_inplace;
    into->sure_items |= more.sure_items;
    into->attrs |= more.attrs;
    into->items |= more.items;
    into->given |= more.given;
}

Summary summary_of(uint32_t effects) {
    return (Summary){.effects = effects};
}

Summary summary_write(uint32_t effect, uint32_t origin) {
    bool sure = !(origin & ORIGIN_GUESSED);
    uint32_t params = origin & ~(ORIGIN_OTHER | ORIGIN_HANDED | ORIGIN_GUESSED);
    if (effect == EFFECT_GIVES_AWAY && !sure)
        return (Summary){0};
    Summary summary = {.effects = origin & ORIGIN_OTHER ? effect : 0};
    if (effect != EFFECT_GIVES_AWAY && !(origin & ORIGIN_OTHER) && !params)
        summary.effects |= EFFECT_CHANGES_OWN;
    if (effect == EFFECT_GIVES_AWAY) {
        summary.given = params;
    } else if (effect == EFFECT_INPLACE) {
        summary.inplace = params;
        summary.sure_inplace = sure ? params : 0;
        summary.effects |= sure && origin & ORIGIN_OTHER ? EFFECT_INPLACE_SURE : 0;
    } else if (effect == EFFECT_WRITES_ATTR)
        summary.attrs = params;
    else {
        summary.items = params;
        summary.sure_items = sure ? params : 0;
        summary.effects |= sure && origin & ORIGIN_OTHER ? EFFECT_WRITES_ITEM_SURE : 0;
    }
    return summary;
}

uint32_t summary_effects(Summary summary) {
    return summary.effects | (summary.inplace ? EFFECT_INPLACE : 0u) |
           (summary.sure_inplace ? EFFECT_INPLACE_SURE : 0u) |
           (summary.sure_items ? EFFECT_WRITES_ITEM_SURE : 0u) | (summary.attrs ? EFFECT_WRITES_ATTR : 0u) |
           (summary.items ? EFFECT_WRITES_ITEM : 0u) | (summary.given ? EFFECT_GIVES_AWAY : 0u);
}

// ---------------------------------------------------------------- stores

static Summary store_name(Module *module, Node *name) {
    Symbol *symbol = name->u.name.symbol;
    Scope *scope = unit_scope_at(module->unit, name);
    for (; scope && scope->kind == SCOPE_COMPREHENSION; scope = scope->parent) {}
    if (symbol && symbol->flags & SYM_NONLOCAL)
        return summary_of(EFFECT_WRITES_CLOSURE);
    if (!symbol || !scope || symbol->flags & SYM_GLOBAL)
        return summary_of(symbol ? EFFECT_WRITES_GLOBAL : EFFECT_WRITES_LOCAL);
    if (symbol->scope->kind == SCOPE_COMPREHENSION)
        return summary_of(0);
    bool own = symbol->scope == scope && scope->kind != SCOPE_MODULE;
    if (!own && symbol->scope->kind != SCOPE_MODULE)
        return summary_of(EFFECT_WRITES_CLOSURE);
    return summary_of(own ? EFFECT_WRITES_LOCAL : EFFECT_WRITES_GLOBAL);
}

// sys.stdout = ..., warnings.showwarning = ..., logger.disabled = ...
static bool is_of_output(Module *module, Node *attribute) {
    static const char *const modules[] = {"sys.", "warnings.", "logging.", "builtins."};
    Fact base = fact_value(module, attribute->u.attribute.value);
    if (base.ref.kind == REF_EXTERNAL_INSTANCE && base.ref.name && is_logger_factory(base.ref.name))
        return true;
    Ref ref = resolve_expr(module, attribute);
    for (size_t i = 0; ref.kind == REF_EXTERNAL && i < sizeof modules / sizeof *modules; i++)
        if (str_starts(name_str(ref.name), str_of(modules[i])))
            return true;
    return false;
}

// v = x[:, None]; v.requires_grad = True: of an object that indexing has made, whose storage it is.
static bool sets_own_attribute(Module *module, Node *target) {
    Node *object = target->u.attribute.value;
    Name attr = target->u.attribute.attr;
    return attr != NAME_OF("real") && attr != NAME_OF("imag") && is_new_object(module, object);
}

static Summary store(Module *module, Node *target) {
    switch ((NodeKind)target->kind) {
    case NODE_NAME:
        return store_name(module, target);
    case NODE_ATTRIBUTE: {
        Node *object = target->u.attribute.value;
        uint32_t effect = is_tensor(fact_value(module, object)) ? EFFECT_INPLACE : EFFECT_WRITES_ATTR;
        Summary summary =
            sets_own_attribute(module, target) ? summary_write(effect, 0) : writes_to(module, object, effect);
        summary.effects |= is_of_output(module, target) ? EFFECT_REDIRECTS : 0u;
        return summary;
    }
    case NODE_SUBSCRIPT: {
        Node *object = target->u.subscript.value;
        Fact fact = fact_value(module, object);
        Summary summary = summary_write(is_tensor(fact) ? EFFECT_INPLACE : EFFECT_WRITES_ITEM,
                                        origin_of(module, object, LEVEL_SELF));
        if (is_tensor(fact) && !subscript_is_view(module, target) &&
            fact_value(module, target->u.subscript.index).dtype != DTYPE_BOOL)
            summary.effects |= EFFECT_RAISES_ON_DATA;
        return summary;
    }
    default:
        return summary_of(0);
    }
}

// x += y changes a tensor or a list in place; numbers, text and tuples are replaced.
static Summary augmented(Module *module, Node *statement) {
    Node *target = statement->u.aug.target;
    Summary summary = store(module, target);
    Fact fact = fact_value(module, target);
    Fact value = fact_value(module, statement->u.aug.value);
    if (node_is(target, NODE_NAME) && target->u.name.symbol) {
        // The target is a store: what it held is the union over its other bindings, as for any use.
        fact = (Fact){0};
        for (uint32_t i = 0; i < target->u.name.symbol->bindings.len && i < 32; i++)
            fact = fact_join(fact, fact_binding(module, target->u.name.symbol->bindings.items[i]));
    }
    uint32_t fixed = KIND_NUMBER | KIND_STR | KIND_NONE | KIND_SCALAR_READ;
    if (kinds_only(fact.kinds, fixed) || (kinds_only(value.kinds, KIND_STR)))
        return summary;
    if (node_is(statement->u.aug.value,
                NODE_TUPLE)) // only a tuple takes a tuple with +=, or a list, which is rarer
        return summary;
    uint32_t effect = fact.kinds & KIND_TENSOR ? EFFECT_INPLACE : EFFECT_WRITES_ITEM;
    summary_add(&summary, summary_write(effect, origin_of(module, target, LEVEL_SELF)));
    return summary;
}

// ---------------------------------------------------------------- loads and operators

static bool is_constant_number(const Node *node, bool *zero, const SyntaxTree *tree) {
    if (node_is(node, NODE_UNARY_OP))
        node = node->u.unary.operand;
    if (!node_is(node, NODE_CONSTANT) || node->u.constant.kind > CONST_FLOAT)
        return false;
    Str text = node_text(tree, node);
    *zero = true;
    for (size_t i = 0; i < text.len && text.ptr[i] != 'e' && text.ptr[i] != 'E'; i++)
        if (text.ptr[i] >= '1' && text.ptr[i] <= '9')
            *zero = false;
    return true;
}

static uint32_t division_effects(Module *module, Node *left, Node *right, Op op) {
    if (op != OP_DIV && op != OP_FLOORDIV && op != OP_MOD)
        return 0;
    bool zero;
    if (is_constant_number(right, &zero, module->unit->tree))
        return zero ? EFFECT_MAY_RAISE : 0;
    Fact a = fact_value(module, left), b = fact_value(module, right);
    if (kinds_only(a.kinds, KIND_STR))
        return 0;
    if (is_tensor(a) || is_tensor(b)) {
        bool real = op == OP_DIV || a.dtype == DTYPE_FLOAT || b.dtype == DTYPE_FLOAT;
        return is_tensor(b) && !real ? EFFECT_RAISES_ON_DATA : 0;
    }
    return kinds_only(b.kinds, KIND_SCALAR_READ) ? EFFECT_RAISES_ON_DATA | EFFECT_MAY_RAISE
                                                 : EFFECT_MAY_RAISE;
}

static uint32_t subscript_effects(Module *module, Node *node) {
    Fact base = fact_value(module, node->u.subscript.value);
    Node *index = node->u.subscript.index;
    if (node_is(index, NODE_SLICE) && !(base.kinds & KIND_DICT))
        return 0;
    Fact at = fact_value(module, index);
    if (is_tensor(base)) {
        if (is_tensor(at) && at.dtype == DTYPE_BOOL)
            return EFFECT_BREAKS;
        if (!subscript_is_view(module, node))
            return EFFECT_RAISES_ON_DATA;
        return kinds_only(at.kinds, KIND_SCALAR_READ) ? EFFECT_RAISES_ON_DATA : 0;
    }
    if (at.kinds & KIND_TENSOR &&
        at.kinds != KIND_ANY) // an unknown base with a tensor for an index is a tensor
        return at.dtype == DTYPE_BOOL ? EFFECT_BREAKS : EFFECT_RAISES_ON_DATA;
    if (kinds_only(at.kinds, KIND_SCALAR_READ))
        return EFFECT_RAISES_ON_DATA | EFFECT_MAY_RAISE | EFFECT_BREAKS;
    return EFFECT_MAY_RAISE;
}

// collections.defaultdict(list): reading a key that is missing adds it.
static Summary missing_effects(Module *module, Node *subscript) {
    Ref ref = fact_value(module, subscript->u.subscript.value).ref;
    bool adds = ref.kind == REF_EXTERNAL_INSTANCE && ref.name == NAME_OF("collections.defaultdict");
    return adds ? writes_to(module, subscript->u.subscript.value, EFFECT_WRITES_ITEM) : (Summary){0};
}

static uint32_t load_attribute_effects(Module *module, Node *node) {
    return expr_is_pure(module, node) ? 0 : EFFECT_MAY_RAISE;
}

Node *truth_taken(const Node *node) {
    switch ((NodeKind)node->kind) {
    case NODE_IF:
    case NODE_WHILE:
        return node->u.branch.test;
    case NODE_IF_EXP:
        return node->u.if_exp.test;
    case NODE_BOOL_OP:
        return node->u.binary.left;
    case NODE_ASSERT:
        return node->u.assert_.test;
    case NODE_UNARY_OP:
        return node->u.unary.op == OP_NOT ? node->u.unary.operand : NULL;
    default:
        return NULL;
    }
}

static uint32_t test_effects(Module *module, Node *test) {
    return predicate_value(module, test) == PRED_DATA ? EFFECT_BREAKS : 0;
}

static uint32_t context_effects(Module *module, Node *context) {
    Ref ref = node_is(context, NODE_CALL) ? resolve_expr(module, context->u.call.func)
                                          : resolve_expr(module, context);
    if (ref.kind == REF_EXTERNAL && str_starts(name_str(ref.name), STR("torch.")))
        return 0;
    if (ref.kind == REF_EXTERNAL && str_starts(name_str(ref.name), STR("contextlib.nullcontext")))
        return 0;
    return EFFECT_UNKNOWN;
}

static MemoValue compute_own(Module *module, void *subject, Path path, void *context) {
    Node *node = subject;
    (void)path, (void)context;
    if (node->kind == NODE_CALL)
        return (MemoValue){.summary = effects_of_call(module, node)};
    Summary summary = implicit_effects(module, node);
    summary.effects |= load_attribute_effects(module, node);
    return (MemoValue){.summary = summary};
}

static Summary remembered_own(Module *module, Node *node) {
    return memo(module, node, ASPECT_OWN, (Path){0}, compute_own, NULL, anything).summary;
}

static Summary explicit_effects(Module *module, Node *node) {
    if (node->flags & (NODE_STORE | NODE_DEL) && !node_is(node->parent, NODE_AUG_ASSIGN))
        return store(module, node);
    switch ((NodeKind)node->kind) {
    case NODE_CALL:
    case NODE_ATTRIBUTE:
        return remembered_own(module, node);
    case NODE_AUG_ASSIGN: {
        Summary summary = augmented(module, node);
        summary.effects |= division_effects(module, node->u.aug.target, node->u.aug.value, node->u.aug.op);
        return summary;
    }
    case NODE_BIN_OP:
        return summary_of(
            division_effects(module, node->u.binary.left, node->u.binary.right, node->u.binary.op));
    case NODE_SUBSCRIPT: {
        Summary summary = missing_effects(module, node);
        summary.effects |= subscript_effects(module, node);
        return summary;
    }
    case NODE_ASSERT:
        return summary_of(
            EFFECT_MAY_RAISE |
            (predicate_value(module, node->u.assert_.test) == PRED_DATA ? EFFECT_RAISES_ON_DATA : 0u));
    case NODE_RAISE:
        return summary_of(EFFECT_MAY_RAISE);
    case NODE_WITH_ITEM:
        return summary_of(context_effects(module, node->u.with_item.context));
    case NODE_YIELD:
    case NODE_YIELD_FROM:
    case NODE_AWAIT:
        return summary_of(EFFECT_YIELDS);
    case NODE_IMPORT:
    case NODE_IMPORT_FROM:
        return summary_of(EFFECT_WRITES_LOCAL | EFFECT_MAY_RAISE);
    case NODE_FUNCTION_DEF:
    case NODE_CLASS_DEF:
        return summary_of(EFFECT_WRITES_LOCAL);
    case NODE_STMT_ERROR:
    case NODE_EXPR_ERROR:
        return summary_of(EFFECT_UNKNOWN);
    case NODE_FORMATTED_VALUE:
        return summary_of(is_tensor(fact_value(module, node->u.formatted.value)) ? EFFECT_BREAKS : 0u);
    default:
        return summary_of(truth_taken(node) ? test_effects(module, truth_taken(node)) : 0);
    }
}

Summary effects_own(Module *module, Node *node) {
    if (node->flags & NODE_NEW && node->kind != NODE_IF)
        return summary_of(0); // the runtime's calls: they record, and what they were given is a child
    Summary summary = explicit_effects(module, node);
    bool is_load = node->kind == NODE_ATTRIBUTE && !(node->flags & (NODE_STORE | NODE_DEL));
    if (!is_load) // a load's are remembered with the rest of it
        summary_add(&summary, implicit_effects(module, node));
    return summary;
}

// ---------------------------------------------------------------- whole statements

bool runs_elsewhere(const Node *parent, const Node *child) {
    if (parent->kind == NODE_LAMBDA)
        return child == parent->u.lambda.body;
    if (parent->kind != NODE_FUNCTION_DEF)
        return false;
    for (uint32_t i = 0; i < parent->u.function.body.len; i++)
        if (parent->u.function.body.items[i] == child)
            return true;
    return false;
}

static void collect(Module *module, Node *node, Summary *into, int depth, bool raises) {
    if (!raises && node->kind == NODE_RAISE)
        return;
    if (depth > MAX_EFFECT_DEPTH) {
        summary_add(into, anything.summary);
        return;
    }
    summary_add(into, effects_own(module, node));
    for (ChildIter it = ast_children(node); ast_next(&it);)
        if (!runs_elsewhere(node, it.child) && !child_is_eager(module, node, it.child))
            collect(module, it.child, into, depth + 1, raises);
}

Summary effects_in(Module *module, Node *node) {
    Summary summary = {0};
    if (node)
        collect(module, node, &summary, 0, true);
    return summary;
}

Summary effects_in_quiet(Module *module, Node *node) {
    Summary summary = {0};
    collect(module, node, &summary, 0, false);
    return summary;
}

// Of a function that a graph calls as one operator: nothing in it is put off or breaks the graph. What may raise does so before
// a check of the region's end, and what is printed appears at once.
static uint32_t opaque_effects(uint32_t inside) {
    const uint32_t raising =
        EFFECT_MAY_RAISE | EFFECT_RAISES_ON_DATA | EFFECT_BREAKS | EFFECT_UNKNOWN | EFFECT_YIELDS;
    return (inside & ~(uint32_t)(EFFECT_IO | EFFECT_BREAKS)) |
           (inside & EFFECT_IO ? EFFECT_WRITES_GLOBAL : 0u) |
           (inside & raising ? EFFECT_MAY_RAISE | EFFECT_RAISES_ON_DATA : 0u);
}

static MemoValue compute_summary(Module *module, void *subject, Path path, void *context) {
    Node *def = subject;
    Summary summary = {0};
    (void)path, (void)context;
    if (def->kind == NODE_LAMBDA) {
        collect(module, def->u.lambda.body, &summary, 0, true);
    } else {
        for (uint32_t i = 0; i < def->u.function.body.len; i++)
            if (!child_is_eager(module, def, def->u.function.body.items[i]))
                collect(module, def->u.function.body.items[i], &summary, 0, true);
        Scope *scope = map_ptr(&module->unit->scope_of, map_key_ptr(def));
        if (def->flags & NODE_ASYNC || (scope && scope->has_yield))
            summary.effects |= EFFECT_YIELDS;
        if (def->flags & NODE_OPAQUE) // a part of it was lost
            summary_add(&summary, anything.summary);
    }
    summary.effects &= ~(uint32_t)(EFFECT_WRITES_LOCAL | EFFECT_CHANGES_OWN);
    return (MemoValue){.summary = summary};
}

Summary summary_of_function(FuncInfo *func) {
    Summary summary =
        memo(func->module, func->function->node, ASPECT_SUMMARY, (Path){0}, compute_summary, NULL, anything)
            .summary;
    if (func_is_opaque(func))
        summary.effects = opaque_effects(summary.effects);
    return summary;
}

uint32_t effects_of_expr(Module *module, Node *expr) {
    memo_begin(module);
    return summary_effects(effects_in(module, expr));
}

uint32_t effects_of_stmt(Module *module, Node *stmt) {
    memo_begin(module);
    return summary_effects(effects_in(module, stmt));
}

bool stmt_may_print(Module *module, Node *stmt) {
    return effects_of_stmt(module, stmt) & (EFFECT_IO | EFFECT_UNKNOWN);
}

uint32_t effects_of_function(FuncInfo *func) {
    memo_begin(func->module);
    return summary_effects(summary_of_function(func));
}
