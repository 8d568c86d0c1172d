// What calling a module of torch's does, and the hooks that run then.
//
//     self.norm(x)      nn.ReLU(inplace=True)(x)      self.linear = spectral_norm(nn.Linear(4, 4))
//
// Input: a call, or what is called. Output: its effects; EFFECT_UNKNOWN where a hook runs. Whether it was built in place is
// asked of all that it may be.
#include "analysis/effects_internal.h"

// The attribute of the class that a call like self.act(x) runs; NULL when it is something else.
static AttrInfo *called_attribute(Module *module, Node *func, ClassInfo **cls) {
    if (!node_is(func, NODE_ATTRIBUTE))
        return NULL;
    Fact base = fact_value(module, func->u.attribute.value);
    if (base.ref.kind != REF_INSTANCE)
        return NULL;
    *cls = base.ref.cls;
    return class_find_attr(base.ref.cls, func->u.attribute.attr);
}

// self.NAME.register_forward_hook(...), nn.utils.spectral_norm(self.NAME) below the node: the names.
static void collect_hooked(Node *node, Map *names) {
    if (node_is(node, NODE_CALL)) {
        Node *func = node->u.call.func;
        bool hooks = node_is(func, NODE_ATTRIBUTE) &&
                     str_starts(name_str(func->u.attribute.attr), STR("register_")) &&
                     str_ends(name_str(func->u.attribute.attr), STR("hook"));
        if (hooks && node_is(func->u.attribute.value, NODE_ATTRIBUTE))
            map_put(names, func->u.attribute.value->u.attribute.attr, 1);
        for (uint32_t i = 0; i < node->u.call.args.len; i++)
            if (node_is(node->u.call.args.items[i], NODE_ATTRIBUTE))
                map_put(names, node->u.call.args.items[i]->u.attribute.attr, 1);
    }
    for (ChildIter it = ast_children(node); ast_next(&it);)
        collect_hooked(it.child, names);
}

static bool is_hooked_in(const FuncInfo *init, Name attr) {
    MemoValue value;
    if (!memo_get(init->module, init->function->node, ASPECT_HOOKED, &value)) {
        Map *names = ARENA_NEW(init->module->unit->arena, Map);
        collect_hooked(init->function->node, names);
        memo_keep(init->module, names);
        value.pointer = names;
        memo_put(init->module, init->function->node, ASPECT_HOOKED, value);
    }
    return map_get(value.pointer, attr, NULL);
}

static bool has_hook(Module *module, Node *func) {
    ClassInfo *cls = NULL;
    AttrInfo *attr = called_attribute(module, func, &cls);
    FuncInfo *init = attr ? class_find_method(cls, NAME_OF("__init__")) : NULL;
    return (init && is_hooked_in(init, attr->name)) || module_is_hooked(module, func);
}

// It may be a module, or a partial, that was given inplace=True.
static bool built_inplace(Module *module, Node *func) {
    Ref refs[MAX_CANDIDATES];
    bool complete = false, inplace = false;
    uint32_t count = resolve_candidates(module, func, refs, MAX_CANDIDATES, &complete);
    for (uint32_t i = 0; i < count; i++)
        inplace |= refs[i].inplace;
    return inplace;
}

bool module_is_plain(Module *module, Node *func) {
    ClassInfo *cls = NULL;
    AttrInfo *attr = called_attribute(module, func, &cls);
    if (built_inplace(module, func))
        return false;
    for (uint32_t i = 0; attr && i < attr->values.len; i++) {
        Node *value = attr->values.items[i];
        if (!node_is(value, NODE_CALL))
            continue;
        Name dotted = node_dotted(value->u.call.func);
        Ref ref = resolve_expr(
            i < attr->writers.len && attr->writers.items[i] ? attr->writers.items[i]->module : module,
            value->u.call.func);
        Name name = ref.kind == REF_EXTERNAL ? ref.name : dotted;
        if (name && str_starts(name_str(name), STR("torch.nn.utils.")))
            return false; // spectral_norm and kin compute the weight anew at each call
    }
    return !has_hook(module, func);
}

static bool renorms(const Ref *ref) {
    return ref->inplace && torch_module_flags(ref->name) & OP_RAISES_ON_DATA &&
           str_find(name_str(ref->name), STR("Embedding"), NULL);
}

static bool ref_changes_own(const Ref *ref, int nested) {
    if (ref->kind == REF_LIST)
        return ref->element && nested < MAX_NESTED && ref_changes_own(ref->element, nested + 1);
    bool external = ref->kind == REF_EXTERNAL_INSTANCE;
    return ref->moves || (external && (torch_module_flags(ref->name) & OP_INPLACE || renorms(ref)));
}

// m of m.forward and m.__call__, or what it is itself
static Node *layer_called(Node *func) {
    bool method = node_is(func, NODE_ATTRIBUTE) && (func->u.attribute.attr == NAME_OF("forward") ||
                                                    func->u.attribute.attr == NAME_OF("__call__"));
    return method ? func->u.attribute.value : func;
}

static Summary own_effects(const Ref *refs, uint32_t count) {
    bool changes = false;
    for (uint32_t i = 0; i < count; i++)
        changes |= ref_changes_own(&refs[i], 0);
    return summary_of(changes ? EFFECT_INPLACE | EFFECT_INPLACE_SURE : 0u);
}

Summary own_buffer_effects(Module *module, Node *func) {
    Ref refs[MAX_CANDIDATES];
    bool complete = false;
    uint32_t count = resolve_candidates(module, layer_called(func), refs, MAX_CANDIDATES, &complete);
    return own_effects(refs, count > MAX_SURE ? 0 : count);
}

// The project's layers among those of an nn.Sequential: what their forward does to them.
static void add_inner(Module *module, Node *layer, const Ref *ref, int nested, Summary *into) {
    const Ref *element = ref->kind == REF_LIST ? ref->element : NULL;
    if (!element || nested == MAX_NESTED)
        return;
    FuncInfo *forward =
        element->kind == REF_INSTANCE ? class_find_method(element->cls, NAME_OF("forward")) : NULL;
    if (forward) {
        Summary summary = summary_of_function(forward);
        into->effects |= summary.effects & ~(uint32_t)EFFECT_GIVES_AWAY;
        summary_add(into, summary_passed(summary, 1, origin_of(module, layer, LEVEL_CONTENTS)));
    }
    add_inner(module, layer, element, nested + 1, into);
}

Summary layer_effects(Module *module, Node *func) {
    Ref refs[MAX_CANDIDATES];
    bool complete = false;
    Node *layer = layer_called(func);
    uint32_t count = resolve_candidates(module, layer, refs, MAX_CANDIDATES, &complete);
    count = count > MAX_SURE ? 0 : count;
    Summary summary = own_effects(refs, count);
    for (uint32_t i = 0; i < count; i++)
        add_inner(module, layer, &refs[i], 0, &summary);
    return summary;
}

Summary torch_module_effects(Module *module, Node *call, const Ref *ref) {
    uint32_t flags = torch_module_flags(ref->name);
    Summary summary = {0};
    if (!flags || has_hook(module, call->u.call.func))
        return summary_of(EFFECT_UNKNOWN);
    summary_add(&summary, own_effects(ref, 1));
    if (flags & OP_RANDOM)
        summary.effects |= EFFECT_RNG;
    if (flags & OP_RAISES_ON_DATA)
        summary.effects |= EFFECT_RAISES_ON_DATA;
    if (ref->inplace && !renorms(ref))
        summary_add(&summary, changes_first(module, call));
    return summary;
}

bool runs_hooks(Module *module, Node *call, const FuncInfo *func) {
    Node *callee = call->u.call.func;
    bool forward = func->cls && class_is_nn_module(func->cls) &&
                   func->function->node->kind == NODE_FUNCTION_DEF &&
                   func->function->node->u.function.name == NAME_OF("forward");
    bool direct = node_is(callee, NODE_ATTRIBUTE) && callee->u.attribute.attr == NAME_OF("forward");
    return forward && !direct && module_is_hooked(module, callee);
}

// ---------------------------------------------------------------- methods from a library's class

static bool is_super(Module *module, const Node *object) {
    return node_is(object, NODE_CALL) &&
           is_named(resolve_expr(module, object->u.call.func), REF_BUILTIN, "super");
}

// super().train(), super().__setattr__(name, x): of the first parameter. In __setitem__ the store that runs it counts.
static Summary base_effects(Module *module, const Node *call, Name method) {
    static const char *const dunder[] = {"__setattr__", "__delattr__", "__setitem__", "__delitem__"};
    const FuncInfo *func = function_info(module, call);
    const Node *def = func ? func->function->node : NULL;
    bool by_store = node_is(def, NODE_FUNCTION_DEF) && AMONG(name_str(def->u.function.name), dunder);
    bool writes = is_module_setter(method) || is_container_setter(method) || AMONG(name_str(method), dunder);
    return writes && !by_store ? summary_write(EFFECT_WRITES_ATTR, 1) : (Summary){0};
}

Summary inherited_effects(Module *module, Node *call) {
    Node *func = call->u.call.func;
    Summary summary = {0};
    if (!node_is(func, NODE_ATTRIBUTE))
        return summary;
    Node *object = func->u.attribute.value;
    if (is_super(module, object))
        return base_effects(module, call, func->u.attribute.attr);
    if (node_is(object, NODE_CALL) || resolve_expr(module, object).kind != REF_INSTANCE)
        return summary;
    changes_object(module, call, object, func->u.attribute.attr, &summary);
    return summary;
}
