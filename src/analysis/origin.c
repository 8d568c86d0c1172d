// Whose object a value may be: made in this call, a parameter's, or something else that outlives the call.
//
//     y = x + 1            nobody else's
//     v = x.view(-1)[0]    the parameter x's: a view
//     self.cache           the parameter self's
//
// Input: an expression. Output: a set of origins (see effects_internal.h). Names take the union over the bindings that may
// reach them; calls of project functions what their return statements say. What cannot be followed is ORIGIN_OTHER.
#include "analysis/roots.h"
#include "rules/rules.h"

enum { MAX_ORIGIN_BINDINGS = 64, MAX_ORIGIN_ITEMS = 16 };

static uint32_t origin_value(Module *module, Node *expr, Level level);

static Path path_of_level(Level level) {
    return level == LEVEL_SELF ? (Path){0} : path_of((int)level - LEVEL_CONTENTS);
}

static Level level_of_path(Path path) {
    return path.len ? (Level)(path.at[0] + LEVEL_CONTENTS) : LEVEL_SELF;
}

static uint32_t origin_at_all(Module *module, Node *expr) {
    return origin_value(module, expr, LEVEL_SELF) | origin_value(module, expr, LEVEL_CONTENTS);
}

static uint32_t origin_all(Module *module, NodeList items, Level level) {
    uint32_t origin = 0;
    for (uint32_t i = 0; i < items.len; i++) {
        Node *item = items.items[i];
        if (node_is(item, NODE_STARRED))
            origin |= origin_value(module, item->u.value.value, LEVEL_CONTENTS);
        else if (node_is(item, NODE_DICT_ITEM))
            origin |=
                origin_value(module, item->u.dict_item.value, item->u.dict_item.key ? level : LEVEL_CONTENTS);
        else if (node_is(item, NODE_KEYWORD))
            origin |=
                origin_value(module, item->u.keyword.value, item->u.keyword.name ? level : LEVEL_CONTENTS);
        else
            origin |= origin_value(module, item, level);
    }
    return origin;
}

// Either of the two. What is handed back on one way only is surely the object itself on the other.
static uint32_t either_origin(uint32_t one, uint32_t other) {
    const uint32_t unsure = ORIGIN_HANDED | ORIGIN_GUESSED;
    if (!one || !other)
        return one | other;
    return ((one | other) & ~unsure) | (one & other & unsure);
}

// ---------------------------------------------------------------- names

static uint32_t origin_of_parameter(const Node *param, Level level) {
    if (param->u.param.kind == PARAM_KWARGS && level == LEVEL_SELF)
        return 0; // a dictionary of its own
    const NodeList items = param->parent->u.items.items;
    for (uint32_t i = 0; i < items.len && i < ORIGIN_PARAMS; i++)
        if (items.items[i] == param)
            return 1u << i;
    return ORIGIN_OTHER;
}

// x[mask] = y copies y into a tensor.
static bool surely_tensor(Module *module, Node *value) {
    Fact fact = fact_value(module, value);
    return is_tensor(fact) && fact.confidence > 1;
}

// Something is put into the container by a method or a subscript store, so what it holds is not only its display.
static bool is_filled(Module *module, const Symbol *symbol) {
    for (uint32_t i = 0; i < symbol->uses.len; i++) {
        Node *use = symbol->uses.items[i];
        const Node *parent = use->parent;
        if (node_is(parent, NODE_SUBSCRIPT) && parent->u.subscript.value == use &&
            parent->flags & NODE_STORE && !surely_tensor(module, use))
            return true;
        if (!node_is(parent, NODE_ATTRIBUTE) || !node_is(parent->parent, NODE_CALL))
            continue;
        Name method = parent->u.attribute.attr;
        if (method == NAME_OF("append") || method == NAME_OF("extend") || method == NAME_OF("insert") ||
            method == NAME_OF("update") || method == NAME_OF("add") || method == NAME_OF("setdefault"))
            return true;
    }
    return false;
}

// Of the value that is unpacked, the level at which the name's is: a, b = t.
static Level level_unpacked(Module *module, const Node *target, const Node *binding, Level level) {
    const Node *assign = target->parent;
    if (level != LEVEL_SELF || !node_is(target, NODE_TUPLE) || !node_is(assign, NODE_ASSIGN) ||
        !tuple_shape(module, assign->u.assign.value).is)
        return LEVEL_CONTENTS;
    for (uint32_t i = 0; i < target->u.items.items.len && i < MAX_ORIGIN_ITEMS; i++) {
        if (node_is(target->u.items.items.items[i], NODE_STARRED))
            return LEVEL_CONTENTS;
        if (target->u.items.items.items[i] == binding)
            return (Level)(LEVEL_ITEM + i);
    }
    return LEVEL_CONTENTS;
}

// for x, y in zip(xs, ys): of what x gets, xs; NULL where that cannot be told.
static Node *iterated_by(Module *module, Node *target, const Node *binding, Node *iter) {
    if (!node_is(target, NODE_TUPLE) || !node_is(iter, NODE_CALL) || iter->flags & NODE_NEW ||
        !is_named(resolve_expr(module, iter->u.call.func), REF_BUILTIN, "zip"))
        return NULL;
    NodeList args = iter->u.call.args, targets = target->u.items.items;
    for (uint32_t i = 0; i < args.len && i < targets.len; i++) {
        if (node_is(args.items[i], NODE_STARRED) || node_is(targets.items[i], NODE_STARRED))
            return NULL;
        if (targets.items[i] == binding)
            return args.items[i];
    }
    return NULL;
}

static uint32_t origin_iterated(Module *module, const Node *binding, Node *iter) {
    Node *one = iterated_by(module, binding->parent, binding, iter);
    if (!one)
        return origin_value(module, iter, LEVEL_CONTENTS);
    return origin_at_all(module, one); // a tensor's items are views of it
}

static uint32_t origin_of_target(Module *module, Node *binding, Level level) {
    Node *node = binding->parent;
    Level inner = level;
    if (node_is(node, NODE_TUPLE) || node_is(node, NODE_LIST) || node_is(node, NODE_STARRED))
        inner = level_unpacked(module, node, binding, level);
    while (node_is(node, NODE_TUPLE) || node_is(node, NODE_LIST) || node_is(node, NODE_STARRED))
        node = node->parent;
    switch (node ? (NodeKind)node->kind : NODE_MODULE) {
    case NODE_ASSIGN:
        return origin_value(module, node->u.assign.value, inner);
    case NODE_ANN_ASSIGN:
        return node->u.ann.value ? origin_value(module, node->u.ann.value, inner) : 0;
    case NODE_NAMED_EXPR:
        return origin_value(module, node->u.named.value, inner);
    case NODE_AUG_ASSIGN:
        return level == LEVEL_SELF ? 0 // the same object as before, or a new one
                                   : origin_value(module, node->u.aug.value, LEVEL_CONTENTS);
    case NODE_FOR:
        return origin_iterated(module, binding, node->u.loop.iter);
    case NODE_COMPREHENSION:
        return origin_iterated(module, binding, node->u.comprehension.iter);
    case NODE_WITH_ITEM:
        return origin_value(module, node->u.with_item.context, LEVEL_SELF);
    default:
        return ORIGIN_OTHER;
    }
}

static MemoValue compute_binding(Module *module, void *subject, Path path, void *context) {
    Node *binding = subject;
    (void)context;
    Level level = level_of_path(path);
    switch ((NodeKind)binding->kind) {
    case NODE_PARAM:
        return (MemoValue){.bits = origin_of_parameter(binding, level)};
    case NODE_NAME:
        return (MemoValue){.bits = binding->flags & NODE_DEL ? 0 : origin_of_target(module, binding, level)};
    case NODE_FUNCTION_DEF:
    case NODE_CLASS_DEF:
    case NODE_EXCEPT_HANDLER:
        return (MemoValue){0};
    default:
        return (MemoValue){.bits = ORIGIN_OTHER};
    }
}

static bool leaves_turn(Node *node) {
    if (node_is(node, NODE_BREAK) || node_is(node, NODE_CONTINUE))
        return true;
    for (ChildIter it = ast_children(node); ast_next(&it);)
        if (node_is_stmt(it.child) && leaves_turn(it.child))
            return true;
    return false;
}

// for layer in self.layers: x = layer(x)
static bool is_turn_of_layers(Module *module, const Node *binding, const Node *use) {
    Node *loop = binding->parent->parent;
    if (!node_is(binding->parent, NODE_ASSIGN) || !node_is(loop, NODE_FOR) || node_contains(loop, use))
        return false;
    Node *iter = loop->u.loop.iter;
    if (node_is(iter, NODE_CALL) &&
        is_named(resolve_expr(module, iter->u.call.func), REF_BUILTIN, "enumerate"))
        iter = fact_call_arg(iter, 0, NULL);
    Ref ref = iter ? resolve_expr(module, iter) : (Ref){0};
    return ref.kind == REF_LIST && ref.name == NAME_OF("torch.nn.ModuleList") && !leaves_turn(loop);
}

// The parameter comes to the use only by way of a loop over layers that has none to run.
static bool needs_no_layers(Module *module, Node *const *reaching, const Node *use) {
    bool layers = false;
    for (; *reaching; reaching++) {
        if (node_is(*reaching, NODE_PARAM))
            continue;
        if (!is_turn_of_layers(module, *reaching, use))
            return false;
        layers = true;
    }
    return layers;
}

static uint32_t origin_of_name(Module *module, Node *name, Level level) {
    Symbol *symbol = name->u.name.symbol;
    Scope *scope = unit_scope_at(module->unit, name);
    if (!symbol || !symbol->bindings.len)
        return ORIGIN_OTHER;
    for (; scope && scope->kind == SCOPE_COMPREHENSION && scope != symbol->scope; scope = scope->parent) {}
    if (scope != symbol->scope || (scope && scope->kind == SCOPE_MODULE))
        return ORIGIN_OTHER;
    if (symbol->bindings.len > MAX_ORIGIN_BINDINGS)
        return ORIGIN_OTHER;
    Node **reaching = symbol->bindings.len > 1 && scope->kind == SCOPE_FUNCTION
                          ? defuse_reaching(module->unit, name)
                          : NULL;
    if (level >= LEVEL_ITEM && !tuple_shape(module, name).is)
        level = LEVEL_CONTENTS;
    Path path = path_of_level(level);
    uint32_t origin = level == LEVEL_CONTENTS && is_filled(module, symbol) ? ORIGIN_OTHER : 0;
    MemoValue limit = {.bits = ORIGIN_OTHER};
    if (reaching && reaching[0]) {
        bool augmented = false, guessed = needs_no_layers(module, reaching, name);
        for (uint32_t i = 0; reaching[i]; i++) {
            augmented |= node_is(reaching[i]->parent, NODE_AUG_ASSIGN);
            uint32_t one =
                memo(module, reaching[i], ASPECT_ORIGIN_BINDING, path, compute_binding, NULL, limit).bits;
            one |= guessed && node_is(reaching[i], NODE_PARAM) ? ORIGIN_GUESSED : 0u;
            origin = either_origin(origin, one);
        }
        if (!augmented)
            return origin;
    }
    for (uint32_t i = 0; i < symbol->bindings.len; i++)
        origin = either_origin(origin, memo(module, symbol->bindings.items[i], ASPECT_ORIGIN_BINDING, path,
                                            compute_binding, NULL, limit)
                                           .bits);
    return origin;
}

// ---------------------------------------------------------------- calls

static uint32_t origin_of_args(Module *module, Node *call, Level level) {
    return origin_all(module, call->u.call.args, level);
}

static uint32_t origin_through(Module *module, Node *call, FuncInfo *func, Level level) {
    uint32_t returned = origin_of_return(func, level), origin = returned & ORIGIN_OTHER;
    for (uint32_t i = 0; i < ORIGIN_PARAMS; i++) {
        if (!(returned & (1u << i)))
            continue;
        Node *arg = argument_of(module, call, func, i);
        origin = either_origin(origin, arg ? origin_at_all(module, arg) : 0);
    }
    return origin ? origin | (returned & ORIGIN_GUESSED) : 0;
}

static uint32_t origin_of_flags(Module *module, Node *operand, uint32_t flags) {
    bool same = flags & (OP_VIEW | OP_INPLACE);
    return same && operand ? origin_value(module, operand, LEVEL_SELF) : 0;
}

// torch.broadcast_tensors(x, y), torch.from_numpy(a): any of those that may be tensors or hold some.
static uint32_t origin_of_operands(Module *module, Node *call) {
    uint32_t origin = 0;
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        Node *arg = call->u.call.args.items[i];
        Node *value = node_is(arg, NODE_KEYWORD) ? arg->u.keyword.value : arg;
        uint32_t kinds = fact_value(module, value).kinds;
        if (kinds != KIND_STATIC && kinds & (KIND_TENSOR | KIND_SEQUENCE | KIND_NDARRAY | KIND_OBJECT))
            origin |= node_is(arg, NODE_STARRED) ? origin_value(module, arg, LEVEL_CONTENTS)
                                                 : origin_at_all(module, value);
    }
    return origin;
}

// Gives something new that holds its arguments, or what they hold.
static bool is_holder(Name name) {
    static const char *const names[] = {"list",   "tuple",    "dict", "set", "zip",   "enumerate",
                                        "sorted", "reversed", "iter", "map", "filter"};
    return AMONG(name_str(name), names);
}

// Gives an argument, or what it holds.
static bool is_passer(Name name) {
    static const char *const names[] = {"getattr", "memoryview", "min",   "max", "next",
                                        "sum",     "vars",       "super", "abs"};
    return AMONG(name_str(name), names);
}

bool builtin_hands_on(Name name) {
    return is_holder(name) || is_passer(name);
}

static uint32_t origin_of_builtin(Module *module, Node *call, Name name, Level level) {
    if (is_passer(name) || (is_holder(name) && level != LEVEL_SELF))
        return origin_of_args(module, call, LEVEL_CONTENTS) | origin_of_args(module, call, LEVEL_SELF);
    return 0;
}

static uint32_t origin_of_method(Module *module, Node *call, Level level) {
    Node *receiver = call->u.call.func->u.attribute.value;
    Name method = call->u.call.func->u.attribute.attr;
    Fact base = fact_value(module, receiver);
    uint32_t flags = torch_method_flags(method);
    if (is_tensor(base) || (flags && torch_method_is_distinctive(method) && base.ref.kind == REF_NONE))
        return origin_of_flags(module, receiver, flags);
    if (kinds_only(base.kinds, KIND_STR | KIND_NUMBER | KIND_DTYPE | KIND_DEVICE))
        return 0;
    if (kinds_only(base.kinds, KIND_NDARRAY)) // a view, as a rule
        return origin_value(module, receiver, LEVEL_SELF);
    if (kinds_only(base.kinds, KIND_SEQUENCE | KIND_DICT)) {
        bool fresh = method == NAME_OF("copy") || method == NAME_OF("keys") || method == NAME_OF("items") ||
                     method == NAME_OF("values");
        if (level == LEVEL_SELF && fresh)
            return 0;
        return origin_value(module, receiver, LEVEL_CONTENTS) | origin_of_args(module, call, LEVEL_SELF);
    }
    return ORIGIN_OTHER;
}

// self.act, self.heads[i]: something that the class keeps to be called.
static bool is_stored_module(Module *module, Node *func) {
    if (node_is(func, NODE_SUBSCRIPT))
        func = func->u.subscript.value;
    if (!node_is(func, NODE_ATTRIBUTE))
        return false;
    Fact base = fact_value(module, func->u.attribute.value);
    return base.ref.kind == REF_INSTANCE && base.ref.cls && class_is_nn_module(base.ref.cls) &&
           !class_find_method(base.ref.cls, func->u.attribute.attr);
}

// Dynamo's NumPy: np.array(x) copies, np.asarray(x) does not. Where nothing is known of the function, false.
static bool origin_of_numpy(Module *module, Node *call, Name dotted, Level level, uint32_t *origin) {
    Str text = name_str(dotted), prefix = STR("numpy.");
    Name name = str_starts(text, prefix) ? intern(str_slice(text, prefix.len, text.len)) : 0;
    if (!name || !numpy_is_traced(name))
        return false;
    bool view = numpy_gives_view(name) || fact_call_keyword(call, "copy") || fact_call_keyword(call, "out");
    *origin = view || level != LEVEL_SELF
                  ? origin_of_args(module, call, LEVEL_SELF) | origin_of_args(module, call, LEVEL_CONTENTS)
                  : 0;
    return true;
}

static uint32_t origin_of_call_result(Module *module, Node *call, Level level) {
    if (call->flags & NODE_NEW)
        return ORIGIN_OTHER;
    FuncInfo *targets[4];
    Ref callee;
    uint32_t count = call_targets(module, call, targets, 4, &callee), origin = 0;
    Node *first = fact_call_arg(call, 0, NULL);
    if (callee.kind == REF_CLASS)
        return level == LEVEL_SELF
                   ? 0
                   : origin_of_args(module, call, LEVEL_SELF) | origin_of_args(module, call, LEVEL_CONTENTS);
    if (count) {
        for (uint32_t i = 0; i < count; i++)
            origin = either_origin(origin, origin_through(module, call, targets[i], level));
        return origin;
    }
    if (calls_checkpointing(call, &callee))
        return origin_of_applied(module, call, level);
    if (callee.kind == REF_BUILTIN)
        return origin_of_builtin(module, call, callee.name, level);
    if (callee.kind == REF_EXTERNAL_INSTANCE && torch_module_flags(callee.name))
        return origin_of_flags(module, first, torch_module_flags(callee.name) & OP_VIEW);
    if (callee.kind == REF_EXTERNAL) {
        uint32_t flags = flags_as_called(call, callee.name);
        Node *out = fact_call_keyword(call, "out");
        if (flags)
            return (flags & OP_VIEW ? origin_of_operands(module, call)
                                    : origin_of_flags(module, first, flags)) |
                   (out ? origin_at_all(module, out) : 0);
        if (origin_of_numpy(module, call, callee.name, level, &origin))
            return origin;
        uint32_t kinds = kinds_of_external_call(callee.name);
        if (kinds & KIND_TENSOR &&
            !is_higher_order_call(callee.name)) // torch.Tensor(x) shares the elements of x
            return origin_of_operands(module, call);
        if (torch_module_flags(callee.name) || kinds)
            return level == LEVEL_SELF ? 0 : origin_of_args(module, call, LEVEL_SELF);
    }
    // What is not known is taken to make its result from its arguments (self.act(x)), or to hand one of them back.
    if (callee.kind == REF_NONE && first && is_stored_module(module, call->u.call.func) &&
        is_tensor(fact_value(module, first))) {
        origin = origin_of_args(module, call, LEVEL_SELF);
        return origin ? origin | ORIGIN_GUESSED : 0;
    }
    if (node_is(call->u.call.func, NODE_ATTRIBUTE))
        return origin_of_method(module, call, level) |
               (callee.kind == REF_EXTERNAL ? origin_of_args(module, call, LEVEL_SELF) : 0);
    return ORIGIN_OTHER;
}

// Torch's own views are their operand for sure; other calls may hand it back.
static uint32_t origin_of_call(Module *module, Node *call, Level level) {
    uint32_t origin = origin_of_call_result(module, call, level);
    Node *func = call->u.call.func;
    bool is_view =
        node_is(func, NODE_ATTRIBUTE) && torch_method_flags(func->u.attribute.attr) & (OP_VIEW | OP_INPLACE);
    return origin && !is_view ? origin | ORIGIN_HANDED : origin;
}

// ---------------------------------------------------------------- other expressions

static bool is_basic_index(Module *module, Node *index) {
    if (node_is(index, NODE_SLICE))
        return true;
    if (node_is(index, NODE_TUPLE)) {
        for (uint32_t i = 0; i < index->u.items.items.len; i++)
            if (!is_basic_index(module, index->u.items.items.items[i]))
                return false;
        return true;
    }
    Fact fact = fact_value(module, index);
    return !(fact.kinds & (KIND_TENSOR | KIND_SEQUENCE)) || fact.kinds == KIND_ANY;
}

bool subscript_is_view(Module *module, Node *subscript) {
    return is_basic_index(module, subscript->u.subscript.index);
}

// No list or dictionary takes such an index; an integer could pick what the list holds.
static bool is_index_of_tensor(const Node *index) {
    bool some = false;
    if (!node_is(index, NODE_TUPLE))
        return node_is(index, NODE_SLICE);
    for (uint32_t i = 0; i < index->u.items.items.len; i++)
        some |= node_is(index->u.items.items.items[i], NODE_SLICE);
    return some;
}

bool is_new_object(Module *module, Node *expr) {
    if (node_is(expr, NODE_SUBSCRIPT))
        return is_index_of_tensor(expr->u.subscript.index) &&
               is_tensor(fact_value(module, expr->u.subscript.value));
    const Symbol *symbol = node_is(expr, NODE_NAME) ? expr->u.name.symbol : NULL;
    if (!symbol || symbol->scope->kind != SCOPE_FUNCTION || symbol->flags & SYM_CELL)
        return false;
    Node **reaching = defuse_reaching(module->unit, expr);
    for (uint32_t i = 0; reaching && reaching[i]; i++) {
        const Node *assign = reaching[i]->parent;
        if (!node_is(assign, NODE_ASSIGN) || !node_is(assign->u.assign.value, NODE_SUBSCRIPT) ||
            !is_new_object(module, assign->u.assign.value))
            return false;
    }
    return reaching && reaching[0];
}

static uint32_t origin_of_attribute(Module *module, Node *attribute) {
    Node *value = attribute->u.attribute.value;
    Fact base = fact_value(module, value);
    if (is_tensor(base)) {
        uint32_t kinds = kinds_of_tensor_attribute(attribute->u.attribute.attr);
        return kinds & KIND_TENSOR || !kinds ? origin_value(module, value, LEVEL_SELF) : 0;
    }
    if (kinds_only(fact_value(module, attribute).kinds,
                   KIND_NUMBER | KIND_STR | KIND_DTYPE | KIND_DEVICE | KIND_NONE))
        return 0;
    return origin_value(module, value, LEVEL_CONTENTS);
}

// t[1] itself, or an item of t[2:]: which item of the tuple t.
static Level level_in_tuple(Module *module, Node *subscript, Level level) {
    bool slice = node_is(subscript->u.subscript.index, NODE_SLICE);
    if (slice ? level < LEVEL_ITEM : level != LEVEL_SELF)
        return LEVEL_CONTENTS;
    uint32_t items = items_of_index(module, subscript->u.subscript.index,
                                    slice ? item_at((uint32_t)level - LEVEL_ITEM) : ALL_ITEMS);
    for (uint32_t i = 0; i < MAX_ORIGIN_ITEMS; i++)
        if (items == item_at(i))
            return (Level)(LEVEL_ITEM + i);
    return LEVEL_CONTENTS;
}

static uint32_t origin_of_subscript(Module *module, Node *subscript, Level level) {
    Node *value = subscript->u.subscript.value;
    if (is_tensor(fact_value(module, value)))
        return subscript_is_view(module, subscript) ? origin_value(module, value, LEVEL_SELF) : 0;
    if (tuple_shape(module, value).is)
        return origin_value(module, value, level_in_tuple(module, subscript, level));
    return origin_value(module, value, LEVEL_CONTENTS);
}

static uint32_t origin_of_display(Module *module, Node *display, Level level) {
    NodeList items = display->u.items.items;
    if (level == LEVEL_SELF)
        return 0;
    bool starred = level == LEVEL_CONTENTS || (uint32_t)level - LEVEL_ITEM >= items.len;
    for (uint32_t i = 0; i < items.len && !starred; i++)
        starred = node_is(items.items[i], NODE_STARRED);
    if (display->kind == NODE_TUPLE && !starred)
        return origin_value(module, items.items[level - LEVEL_ITEM], LEVEL_SELF);
    return origin_all(module, items, LEVEL_SELF) | origin_all(module, items, LEVEL_CONTENTS);
}

static uint32_t origin_of_sum(Module *module, Node *sum, Level level) {
    Node *left = sum->u.binary.left, *right = sum->u.binary.right;
    TupleShape first = tuple_shape(module, left);
    uint32_t item = (uint32_t)level - LEVEL_ITEM;
    if (level >= LEVEL_ITEM && tuple_shape(module, sum).is && item < first.least)
        return origin_value(module, left, level);
    if (level >= LEVEL_ITEM && tuple_shape(module, sum).is && first.exact)
        return origin_value(module, right, (Level)(level - first.least));
    return origin_value(module, left, LEVEL_CONTENTS) | origin_value(module, right, LEVEL_CONTENTS);
}

static MemoValue compute_origin(Module *module, void *subject, Path path, void *context) {
    Node *expr = subject;
    Level level = level_of_path(path);
    uint32_t origin = 0;
    (void)context;
    switch ((NodeKind)expr->kind) {
    case NODE_NAME:
        origin = origin_of_name(module, expr, level);
        break;
    case NODE_ATTRIBUTE:
        origin = origin_of_attribute(module, expr);
        break;
    case NODE_SUBSCRIPT:
        origin = origin_of_subscript(module, expr, level);
        break;
    case NODE_CALL:
        origin = origin_of_call(module, expr, level);
        break;
    case NODE_IF_EXP:
        origin = either_origin(origin_value(module, expr->u.if_exp.body, level),
                               origin_value(module, expr->u.if_exp.orelse, level));
        break;
    case NODE_BOOL_OP:
        origin = either_origin(origin_value(module, expr->u.binary.left, level),
                               origin_value(module, expr->u.binary.right, level));
        break;
    case NODE_NAMED_EXPR:
        origin = origin_value(module, expr->u.named.value, level);
        break;
    case NODE_STARRED:
        origin = origin_value(module, expr->u.value.value, LEVEL_CONTENTS);
        break;
    case NODE_TUPLE:
    case NODE_LIST:
    case NODE_SET:
    case NODE_DICT:
        origin = origin_of_display(module, expr, level);
        break;
    case NODE_LIST_COMP:
    case NODE_SET_COMP:
    case NODE_GENERATOR_EXP:
        origin = level == LEVEL_SELF ? 0 : origin_at_all(module, expr->u.comp.element);
        break;
    case NODE_UNARY_OP: // +x is x
        if (expr->u.unary.op == OP_UPLUS)
            origin = origin_value(module, expr->u.unary.operand, level);
        break;
    case NODE_BIN_OP: // (a,) + (b,): new, but it holds what the operands hold
        if (level != LEVEL_SELF && !is_tensor(fact_value(module, expr)))
            origin = origin_of_sum(module, expr, level);
        break;
    case NODE_DICT_COMP:
    case NODE_AWAIT:
    case NODE_YIELD:
    case NODE_YIELD_FROM:
        origin = ORIGIN_OTHER;
        break;
    default:
        break;
    }
    const uint32_t unsure = ORIGIN_HANDED | ORIGIN_GUESSED;
    return (MemoValue){.bits = takes_storage(module, expr) ? (origin & ~unsure) | ORIGIN_OTHER : origin};
}

static uint32_t origin_value(Module *module, Node *expr, Level level) {
    if (!expr || node_is(expr, NODE_CONSTANT))
        return 0;
    if (expr->flags & NODE_NEW)
        return ORIGIN_OTHER;
    Path path = path_of_level(level);
    return memo(module, expr, ASPECT_ORIGIN, path, compute_origin, NULL, (MemoValue){.bits = ORIGIN_OTHER})
        .bits;
}

uint32_t origin_of(Module *module, Node *expr, Level level) {
    return origin_value(module, expr, level);
}

uint32_t origin_of_binding(Module *module, Node *binding) {
    return memo(module, binding, ASPECT_ORIGIN_BINDING, (Path){0}, compute_binding, NULL,
                (MemoValue){.bits = ORIGIN_OTHER})
        .bits;
}

// ---------------------------------------------------------------- what a function returns

enum { MAX_SUITES = 100 }; // CPython indents no deeper; chains of elif go on

static uint32_t returned_in(Module *module, Node *node, Level level, int depth) {
    if (node->kind == NODE_FUNCTION_DEF || node->kind == NODE_CLASS_DEF || node_is_expr(node))
        return 0;
    if (depth > MAX_SUITES)
        return ORIGIN_OTHER;
    if (node->kind == NODE_RETURN)
        return origin_value(module, node->u.value.value, level);
    uint32_t origin = 0;
    for (ChildIter it = ast_children(node); ast_next(&it);)
        origin = either_origin(origin, returned_in(module, it.child, level, depth + 1));
    return origin;
}

static MemoValue compute_return(Module *module, void *subject, Path path, void *context) {
    Node *def = subject;
    Level level = level_of_path(path);
    (void)context;
    if (node_is(def, NODE_LAMBDA))
        return (MemoValue){.bits = origin_value(module, def->u.lambda.body, level)};
    uint32_t origin = 0;
    for (uint32_t i = 0; i < def->u.function.body.len; i++)
        origin = either_origin(origin, returned_in(module, def->u.function.body.items[i], level, 0));
    return (MemoValue){.bits = origin};
}

uint32_t origin_of_return(FuncInfo *func, Level level) {
    return memo(func->module, func->function->node, ASPECT_ORIGIN_RETURN, path_of_level(level),
                compute_return, NULL, (MemoValue){.bits = ORIGIN_OTHER})
        .bits;
}
