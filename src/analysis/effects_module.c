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

Summary torch_module_effects(Module *module, Node *call, const Ref *ref) {
    uint32_t flags = torch_module_flags(ref->name);
    Summary summary = {0};
    if (!flags || has_hook(module, call->u.call.func))
        return summary_of(EFFECT_UNKNOWN);
    bool renorms =
        ref->inplace && flags & OP_RAISES_ON_DATA && str_find(name_str(ref->name), STR("Embedding"), NULL);
    if (flags & OP_INPLACE || renorms)
        summary.effects |= EFFECT_INPLACE | EFFECT_INPLACE_SURE; // its own buffers
    if (flags & OP_RANDOM)
        summary.effects |= EFFECT_RNG;
    if (flags & OP_RAISES_ON_DATA)
        summary.effects |= EFFECT_RAISES_ON_DATA;
    if (ref->inplace && !renorms)
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
