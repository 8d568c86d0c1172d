// Modules that the project hooks into: calling them runs functions that no call names.
//
//     self.head.register_forward_hook(keep)      whatever is called as .head
//     HEAD.register_forward_pre_hook(keep)       a name of a module
//     self.register_full_backward_hook(keep)     instances of the class
//     for m in self.modules(): m.register_...    all modules that the file calls
//     torch.nn.modules.module.register_module_forward_hook(keep)      all modules
//
// Input: all files that say so, found by their text. Output: is what a call calls hooked into? An attribute counts
// whoever has it, where the class is not known. What a call returns (self.get_input_embeddings()) is not followed: what such
// hooks write the runtime sees while tracing.

#include <stdlib.h>

#include "project/internal.h"

enum { MAX_KEPT_DEPTH = 8, MAX_HOOKED_CLASSES = 8 };

// Where a module is kept: an attribute, or a name of a file; or in what a whole file handles.
typedef struct Kept {
    Name attr, global;
    AttrInfo *info; // of the attribute, where its class is known
    bool anything;
} Kept;

// Keys of Project.hooked are names, and pointers (to classes and files), which end in zeros.
enum { HOOKED_ATTR = 1, HOOKED_OF_CLASS = 2, HOOKED_GLOBAL = 3 };

static Kept kept_in(Module *module, Node *expr, int depth);

static Kept kept_in_loop(Module *module, Node *iter, int depth) {
    static const char *const all[] = {"modules", "named_modules", "children", "named_children"};
    Node *func = node_is(iter, NODE_CALL) ? iter->u.call.func : NULL;
    if (node_is(func, NODE_ATTRIBUTE)) {
        for (size_t i = 0; i < sizeof all / sizeof *all; i++)
            if (str_eq(name_str(func->u.attribute.attr), str_of(all[i])))
                return (Kept){.anything = true};
        return kept_in(module, func->u.attribute.value, depth); // self.heads.values()
    }
    if (func && iter->u.call.args.len) // enumerate(self.heads)
        return kept_in(module, iter->u.call.args.items[0], depth);
    return kept_in(module, iter, depth);
}

static Kept kept_by_binding(Module *module, Node *binding, int depth) {
    Node *node = binding->parent;
    if (node_is(binding, NODE_PARAM))
        return (Kept){.anything = true};
    while (node_is(node, NODE_TUPLE) || node_is(node, NODE_LIST))
        node = node->parent;
    if (node_is(node, NODE_ASSIGN))
        return kept_in(module, node->u.assign.value, depth);
    if (node_is(node, NODE_FOR))
        return kept_in_loop(module, node->u.loop.iter, depth);
    if (node_is(node, NODE_COMPREHENSION))
        return kept_in_loop(module, node->u.comprehension.iter, depth);
    return (Kept){0};
}

static Kept kept_by_name(Module *module, Node *name, int depth) {
    const Symbol *symbol = name->u.name.symbol;
    Kept kept = {0};
    bool imported = !symbol || !symbol->bindings.len || symbol->flags & SYM_IMPORT;
    for (uint32_t i = 0; !imported && i < symbol->bindings.len && !kept.attr && !kept.global; i++)
        kept = kept_by_binding(module, symbol->bindings.items[i], depth + 1);
    if (!kept.attr && !kept.global && (imported || symbol->scope->kind == SCOPE_MODULE))
        kept.global = name->u.name.name;
    return kept;
}

static Kept kept_by_attribute(Module *module, Node *attribute) {
    Ref of = resolve_expr(module, attribute->u.attribute.value);
    Name attr = attribute->u.attribute.attr;
    return (Kept){.attr = attr, .info = of.kind == REF_INSTANCE ? class_find_attr(of.cls, attr) : NULL};
}

static Kept kept_in(Module *module, Node *expr, int depth) {
    if (!expr || depth > MAX_KEPT_DEPTH || expr->flags & NODE_NEW)
        return (Kept){0};
    switch ((NodeKind)expr->kind) {
    case NODE_NAME:
        return kept_by_name(module, expr, depth);
    case NODE_ATTRIBUTE:
        return kept_by_attribute(module, expr);
    case NODE_SUBSCRIPT:
        return kept_in(module, expr->u.subscript.value, depth + 1);
    case NODE_TUPLE: // for m in (self.one, self.other)
    case NODE_LIST:
        return (Kept){.anything = true};
    default:
        return (Kept){0};
    }
}

// ---------------------------------------------------------------- what the files say

static bool is_hook_name(Name name) {
    Str text = name_str(name);
    return str_starts(text, STR("register_")) && str_ends(text, STR("hook")) &&
           (str_find(text, STR("forward"), NULL) || str_find(text, STR("backward"), NULL));
}

static void note_classes(Module *module, Node *receiver) {
    Ref refs[MAX_HOOKED_CLASSES];
    bool complete;
    uint32_t count = resolve_candidates(module, receiver, refs, MAX_HOOKED_CLASSES, &complete);
    for (uint32_t i = 0; i < count; i++)
        if (refs[i].kind == REF_INSTANCE)
            map_put(&module->project->hooked, map_key_ptr(refs[i].cls), 1);
}

static void note_receiver(Module *module, Node *receiver) {
    Map *hooked = &module->project->hooked;
    bool is_self = node_is(receiver, NODE_NAME) && resolve_expr(module, receiver).kind == REF_INSTANCE;
    note_classes(module, receiver);
    if (is_self)
        return;
    Kept kept = kept_in(module, receiver, 0);
    if (kept.info)
        kept.info->is_hooked = true;
    if (kept.attr)
        map_put(hooked, map_key_pair(kept.attr, kept.info ? HOOKED_OF_CLASS : HOOKED_ATTR), 1);
    if (kept.global)
        map_put(hooked, map_key_pair(kept.global, HOOKED_GLOBAL), 1);
    if (kept.anything)
        map_put(hooked, map_key_ptr(module), 1);
}

static void note_call(Module *module, Node *call) {
    Node *func = call->u.call.func;
    Name name = node_is(func, NODE_ATTRIBUTE) ? func->u.attribute.attr
                : node_is(func, NODE_NAME)    ? func->u.name.name
                                              : 0;
    if (!name || !is_hook_name(name))
        return;
    if (str_starts(name_str(name), STR("register_module_")))
        module->project->all_hooked = true;
    else if (node_is(func, NODE_ATTRIBUTE))
        note_receiver(module, func->u.attribute.value);
}

static void note_module(Module *module) {
    Walk walk = {0};
    walk_list(&walk, module->unit->tree->module->u.module.body);
    for (Node *node; (node = walk_next(&walk));) {
        if (node_is(node, NODE_CALL) && !(node->flags & NODE_NEW))
            note_call(module, node);
        walk_children(&walk, node);
    }
    walk_free(&walk);
}

bool hooks_text(Str bytes) {
    return str_find(bytes, STR("register_"), NULL) && str_find(bytes, STR("hook("), NULL);
}

void hooks_find(Project *project) {
    for (uint32_t i = 0; i < project->modules.len; i++) {
        Module *module = project->modules.items[i];
        if (module->unit && hooks_text(module->unit->tree->source.bytes))
            note_module(module);
    }
}

// ---------------------------------------------------------------- the question

static bool class_is_hooked(ClassInfo *cls) {
    class_mro(cls);
    for (uint32_t i = 0; i < cls->mro_len; i++)
        if (map_get(&cls->module->project->hooked, map_key_ptr(cls->mro[i]), NULL))
            return true;
    return false;
}

static bool attribute_is_hooked(const Map *hooked, const Kept *kept) {
    bool anyones = map_get(hooked, map_key_pair(kept->attr, HOOKED_ATTR), NULL) ||
                   map_get(hooked, map_key_pair(kept->attr, HOOKED_GLOBAL), NULL); // of a file
    return anyones || (kept->info ? kept->info->is_hooked
                                  : map_get(hooked, map_key_pair(kept->attr, HOOKED_OF_CLASS), NULL));
}

bool module_is_hooked(Module *module, Node *func) {
    Project *project = module->project;
    if (project->all_hooked || !project->hooked.len)
        return project->all_hooked;
    Ref refs[MAX_HOOKED_CLASSES];
    bool complete;
    uint32_t count = resolve_candidates(module, func, refs, MAX_HOOKED_CLASSES, &complete);
    for (uint32_t i = 0; i < count; i++)
        if (refs[i].kind == REF_INSTANCE && class_is_hooked(refs[i].cls))
            return true;
    Kept kept = kept_in(module, func, 0);
    return map_get(&project->hooked, map_key_ptr(module), NULL) ||
           (kept.attr && attribute_is_hooked(&project->hooked, &kept)) ||
           (kept.global && map_get(&project->hooked, map_key_pair(kept.global, HOOKED_GLOBAL), NULL));
}
