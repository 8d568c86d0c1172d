// What an expression denotes when it is evaluated at its place: the dispatcher over expression kinds, its cache, and the
// public face of the layer's name resolution.
//
// Input: an expression of a parsed module. Output: a set of references, or the one reference that is certain. Each
// expression is evaluated once; one that depends on itself, or lies RESOLVE_MAX_DEPTH steps deep, is unknown. Nothing is
// concluded from spelling: a reference follows bindings, imports, annotations, and what methods assign to self.

#include <stdlib.h>

#include "project/internal.h"

// ---------------------------------------------------------------- displays

static void add_item(Module *module, Node *item, Name container, RefSet *set) {
    Arena *arena = module->project->arena;
    if (node_is(item, NODE_STARRED)) { // [*layers]: their elements
        RefSet inner = {0};
        element_values(module, item->u.value.value, &inner);
        refs_add_element(arena, set, container, refs_freeze(arena, &inner));
    } else {
        refs_add_element(arena, set, container, resolve_values(module, item));
    }
}

static void display_values(Module *module, NodeList items, Name container, RefSet *set) {
    if (items.len == 0)
        refs_add(set, ref_list(module->project->arena, container, NULL));
    for (uint32_t i = 0; i < items.len && set->len < REFS_MAX; i++)
        add_item(module, items.items[i], container, set);
}

static void dict_values(Module *module, NodeList items, RefSet *set) {
    Name dict = NAME_OF("dict");
    if (items.len == 0)
        refs_add(set, ref_list(module->project->arena, dict, NULL));
    for (uint32_t i = 0; i < items.len && set->len < REFS_MAX; i++) {
        const Node *item = items.items[i];
        if (!node_is(item, NODE_DICT_ITEM) || !item->u.dict_item.value)
            continue;
        if (item->u.dict_item.key)
            add_item(module, item->u.dict_item.value, dict, set);
        else
            refs_merge(set, resolve_values(module, item->u.dict_item.value)); // **other
    }
}

static void comprehension_values(Module *module, Node *node, RefSet *set) {
    Node *element = node_is(node, NODE_DICT_COMP) ? node->u.comp.value : node->u.comp.element;
    Name container = node_is(node, NODE_DICT_COMP) ? NAME_OF("dict") : 0;
    refs_add_element(module->project->arena, set, container, resolve_values(module, element));
}

// ---------------------------------------------------------------- elements

void element_values(Module *module, Node *iter, RefSet *set) {
    const RefList *containers = resolve_values(module, iter);
    set->unknown |= containers->unknown;
    for (uint32_t i = 0; i < containers->len; i++) {
        const Ref *ref = &containers->items[i];
        if (ref->kind == REF_LIST && ref->element)
            refs_add(set, *ref->element);
        else if (ref->kind == REF_EXTERNAL_INSTANCE && ref->name == NAME_OF("range"))
            refs_add(set, ref_external_instance(NAME_OF("int")));
        else
            set->unknown |= ref->kind != REF_LIST || containers->len == 1;
    }
}

static Name builtin_called(Module *module, Node *call) {
    if (!node_is(call, NODE_CALL) || !node_is(call->u.call.func, NODE_NAME))
        return 0;
    const RefList *func = resolve_values(module, call->u.call.func);
    return func->len == 1 && func->items[0].kind == REF_BUILTIN ? func->items[0].name : 0;
}

static bool is_method_call(const Node *call, Name method) {
    return node_is(call, NODE_CALL) && node_is(call->u.call.func, NODE_ATTRIBUTE) &&
           call->u.call.func->u.attribute.attr == method;
}

void target_values(Module *module, Node *iter, Node *target, Node *wanted, RefSet *set) {
    for (;;) {
        if (target == wanted) {
            element_values(module, iter, set);
            return;
        }
        if (!node_is(target, NODE_TUPLE) && !node_is(target, NODE_LIST))
            break;
        uint32_t at = 0;
        while (at < target->u.items.items.len && !node_contains(target->u.items.items.items[at], wanted))
            at++;
        if (at == target->u.items.items.len)
            break;
        Node *below = target->u.items.items.items[at];
        Name called = builtin_called(module, iter);
        if (called == NAME_OF("enumerate") && at == 0) {
            refs_add(set, ref_external_instance(NAME_OF("int")));
            return;
        }
        if (called == NAME_OF("enumerate") && at == 1) {
            iter = call_arg(iter, 0, "iterable");
        } else if (called == NAME_OF("zip")) {
            iter = call_arg(iter, at, NULL);
        } else if (is_method_call(iter, NAME_OF("items")) && at == 1) {
            iter = iter->u.call.func->u.attribute.value;
        } else {
            break;
        }
        if (!iter)
            break;
        target = below;
    }
    set->unknown = true;
}

// `receiver` is a use of a list or dict: does the code around it put something in?
void append_values(Module *module, Node *receiver, RefSet *set) {
    Arena *arena = module->project->arena;
    Node *above = receiver->parent;
    if (node_is(above, NODE_SUBSCRIPT) && above->u.subscript.value == receiver &&
        node_is(above->parent, NODE_ASSIGN) && above->flags & NODE_STORE) {
        refs_add_element(arena, set, 0, resolve_values(module, above->parent->u.assign.value));
        return;
    }
    if (!node_is(above, NODE_ATTRIBUTE) || !node_is(above->parent, NODE_CALL) ||
        above->parent->u.call.func != above)
        return;
    Name method = above->u.attribute.attr;
    const Node *call = above->parent;
    if (method == NAME_OF("append") || method == NAME_OF("insert") || method == NAME_OF("add_module") ||
        method == NAME_OF("add")) {
        Node *arg = call_arg(call, method == NAME_OF("append") || method == NAME_OF("add") ? 0 : 1, "module");
        if (arg)
            refs_add_element(arena, set, 0, resolve_values(module, arg));
    } else if (method == NAME_OF("extend") || method == NAME_OF("update")) {
        Node *arg = call_arg(call, 0, NULL);
        RefSet inner = {0};
        if (arg)
            element_values(module, arg, &inner);
        refs_add_element(arena, set, 0, refs_freeze(arena, &inner));
    }
}

static void item_of_instance(const Ref *ref, RefSet *set) {
    FuncInfo *get = class_find_method(ref->cls, NAME_OF("__getitem__"));
    if (get)
        func_result(get, set);
    else
        set->unknown = true;
}

static void subscript_values(Module *module, Node *node, RefSet *set) {
    const RefList *base = resolve_values(module, node->u.subscript.value);
    bool slice = node_is(node->u.subscript.index, NODE_SLICE);
    set->unknown |= base->unknown;
    for (uint32_t i = 0; i < base->len; i++) {
        const Ref *ref = &base->items[i];
        if (ref->kind == REF_INSTANCE)
            item_of_instance(ref, set);
        else if (ref->kind == REF_FUNCTION) // kernel[grid](...)
            refs_add(set, *ref);
        else if (ref->kind != REF_LIST)
            set->unknown = true;
        else if (slice)
            refs_add(set, *ref);
        else if (ref->element)
            refs_add(set, *ref->element);
        else
            set->unknown |= base->len == 1;
    }
}

// ---------------------------------------------------------------- the dispatcher

static void attribute_values(Module *module, Node *node, RefSet *set) {
    Node *base = node->u.attribute.value;
    Name attr = node->u.attribute.attr;
    if (node_is(base, NODE_CALL) && super_values(module, base, attr, set))
        return;
    const RefList *of = resolve_values(module, base);
    set->unknown |= of->unknown || of->len == 0;
    for (uint32_t i = 0; i < of->len; i++)
        ref_attribute(module->project, &of->items[i], attr, set);
}

static void constant_values(const Node *node, RefSet *set) {
    switch (node->u.constant.kind) {
    case CONST_NONE:
        set->none = true;
        break;
    case CONST_STR:
        refs_add(set, ref_external_instance(NAME_OF("str")));
        break;
    case CONST_INT:
        refs_add(set, ref_external_instance(NAME_OF("int")));
        break;
    case CONST_FLOAT:
        refs_add(set, ref_external_instance(NAME_OF("float")));
        break;
    case CONST_TRUE:
    case CONST_FALSE:
        refs_add(set, ref_external_instance(NAME_OF("bool")));
        break;
    default:
        set->unknown = true;
    }
}

static void either(Module *module, Node *a, Node *b, RefSet *set) {
    refs_merge(set, resolve_values(module, a));
    refs_merge(set, resolve_values(module, b));
}

static void lambda_values(Module *module, const Node *node, RefSet *set) {
    FuncInfo *func = module_function_at(module, node);
    refs_add(set, func ? (Ref){.kind = REF_FUNCTION, .func = func} : (Ref){0});
}

static bool all_lists(const RefList *list) {
    for (uint32_t i = 0; i < list->len; i++)
        if (list->items[i].kind != REF_LIST)
            return false;
    return list->len && !list->unknown;
}

// [a] + [b], [a] * n
static void sum_values(Module *module, Node *node, RefSet *set) {
    Op op = node->u.binary.op;
    const RefList *left = resolve_values(module, node->u.binary.left);
    const RefList *right = op == OP_ADD ? resolve_values(module, node->u.binary.right) : NULL;
    if ((op != OP_ADD && op != OP_MUL) || !all_lists(left) || (right && !all_lists(right))) {
        set->unknown = true;
        return;
    }
    refs_merge(set, left);
    if (right)
        refs_merge(set, right);
}

static void expr_values(Module *module, Node *node, RefSet *set) {
    switch (node->kind) {
    case NODE_NAME:
        name_values(module, node, set);
        break;
    case NODE_ATTRIBUTE:
        attribute_values(module, node, set);
        break;
    case NODE_CALL:
        call_values(module, node, set);
        break;
    case NODE_SUBSCRIPT:
        subscript_values(module, node, set);
        break;
    case NODE_CONSTANT:
        constant_values(node, set);
        break;
    case NODE_FSTRING:
    case NODE_STR_CONCAT:
        refs_add(set, ref_external_instance(NAME_OF("str")));
        break;
    case NODE_LAMBDA:
        lambda_values(module, node, set);
        break;
    case NODE_IF_EXP:
        either(module, node->u.if_exp.body, node->u.if_exp.orelse, set);
        break;
    case NODE_BOOL_OP:
        either(module, node->u.binary.left, node->u.binary.right, set);
        break;
    case NODE_NAMED_EXPR:
        refs_merge(set, resolve_values(module, node->u.named.value));
        break;
    case NODE_AWAIT:
        refs_merge(set, resolve_values(module, node->u.value.value));
        break;
    case NODE_LIST:
    case NODE_TUPLE:
    case NODE_SET:
        display_values(module, node->u.items.items, 0, set);
        break;
    case NODE_DICT:
        dict_values(module, node->u.items.items, set);
        break;
    case NODE_LIST_COMP:
    case NODE_SET_COMP:
    case NODE_DICT_COMP:
    case NODE_GENERATOR_EXP:
        comprehension_values(module, node, set);
        break;
    case NODE_BIN_OP:
        sum_values(module, node, set);
        break;
    default:
        set->unknown = true;
    }
}

const RefList *resolve_values(Module *module, Node *expr) {
    Project *project = module->project;
    if (!expr || expr->flags & NODE_NEW)
        return &REFS_UNKNOWN;
    uintptr_t cached = 0;
    if (map_get(&project->values, map_key_ptr(expr), &cached)) {
        if (!cached)
            project->cycles++;
        return cached ? (const RefList *)cached : &REFS_UNKNOWN;
    }
    if (project->depth >= RESOLVE_MAX_DEPTH)
        return &REFS_UNKNOWN;
    map_put(&project->values, map_key_ptr(expr), 0);
    project->depth++;
    RefSet set = {0};
    expr_values(module, expr, &set);
    project->depth--;
    const RefList *list = refs_freeze(project->arena, &set);
    map_put(&project->values, map_key_ptr(expr), (uintptr_t)list);
    return list;
}

// ---------------------------------------------------------------- the public face

// Lists of different things are still a list; of what, is known only if they agree.
static Ref one_list(const RefList *list) {
    Ref result = list->items[0];
    for (uint32_t i = 0; i < list->len; i++) {
        const Ref *ref = &list->items[i];
        if (ref->kind != REF_LIST)
            return (Ref){0};
        if (ref->name)
            result.name = ref->name;
        if (!ref->element)
            continue;
        if (result.element && !ref_equal(result.element, ref->element))
            return (Ref){.kind = REF_LIST, .name = result.name};
        result.element = ref->element;
    }
    return result;
}

static Ref certain(const RefList *list) {
    if (list->unknown || list->none || list->len == 0)
        return (Ref){0};
    return list->len == 1 ? list->items[0] : one_list(list);
}

Ref resolve_expr(Module *module, Node *expr) {
    return certain(resolve_values(module, expr));
}

uint32_t resolve_candidates(Module *module, Node *expr, Ref *into, uint32_t max, bool *complete) {
    const RefList *list = resolve_values(module, expr);
    uint32_t count = list->len < max ? list->len : max;
    for (uint32_t i = 0; i < count; i++)
        into[i] = list->items[i];
    *complete = !list->unknown && count == list->len;
    return count;
}

Ref resolve_dotted(Project *project, Name dotted) {
    Name head = dotted;
    while (head && !map_get(&project->by_name, head, NULL))
        head = name_parent(head);
    if (!head)
        return ref_external(dotted);
    Ref ref = {.kind = REF_MODULE, .name = head, .module = map_ptr(&project->by_name, head)};
    Str rest = name_str(dotted);
    size_t at = name_str(head).len;
    while (at < rest.len && ref.kind != REF_NONE) {
        Str part = str_slice(rest, at + 1, rest.len);
        size_t end = part.len;
        str_find(part, STR("."), &end);
        RefSet set = {0};
        ref_attribute(project, &ref, intern(str_slice(part, 0, end)), &set);
        ref = set.len == 1 && !set.unknown ? set.items[0] : (Ref){0};
        at += 1 + end;
    }
    return ref;
}

bool ref_is_external(Ref ref, const char *dotted) {
    return (ref.kind == REF_EXTERNAL || ref.kind == REF_BUILTIN) &&
           str_eq(name_str(ref.name), str_of(dotted));
}
