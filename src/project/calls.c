// What a call gives: an instance of the class called, what the function called returns, or for the external calls whose
// meaning is known (torch.compile, partial, deepcopy, ModuleList, Sequential, list ...) what they hand on.
//
// Input: a CALL. Output: references. A class derived from dict that is made from a dict of classes keeps them as its
// elements (transformers' ACT2FN); if it defines __getitem__ itself, its items are instances of them.

#include "project/internal.h"
#include "rules/rules.h"

// ---------------------------------------------------------------- containers

static bool is_sequential(Name name) {
    return name == NAME_OF("torch.nn.Sequential") || name == NAME_OF("torch.nn.modules.container.Sequential");
}

// The elements of the argument, as elements of the new container. Pairs (OrderedDict([("a", A())])) are opened.
static void contained_values(Module *module, Node *arg, Name container, RefSet *set) {
    Arena *arena = module->project->arena;
    RefSet inner = {0}, flat = {0};
    element_values(module, arg, &inner);
    flat.unknown = inner.unknown;
    bool pairs = container == NAME_OF("collections.OrderedDict") || container == NAME_OF("dict");
    for (uint32_t i = 0; i < inner.len; i++) {
        const Ref *ref = &inner.items[i];
        if (pairs && ref->kind == REF_LIST && ref->element) {
            if (ref->element->kind != REF_EXTERNAL_INSTANCE || ref->element->name != NAME_OF("str"))
                refs_add(&flat, *ref->element);
        } else {
            refs_add(&flat, *ref);
        }
    }
    if (flat.len == 0)
        refs_add(set, ref_list(arena, container, NULL));
    refs_add_element(arena, set, container, refs_freeze(arena, &flat));
}

static void container_values(Module *module, const Node *call, Name container, RefSet *set) {
    Arena *arena = module->project->arena;
    NodeList args = call->u.call.args;
    if (args.len == 0)
        refs_add(set, ref_list(arena, container, NULL));
    for (uint32_t i = 0; i < args.len; i++) {
        Node *arg = args.items[i];
        if (node_is(arg, NODE_KEYWORD) && container != NAME_OF("dict") &&
            arg->u.keyword.name != NAME_OF("modules"))
            continue;
        if (node_is(arg, NODE_KEYWORD) && arg->u.keyword.name && container == NAME_OF("dict"))
            refs_add_element(arena, set, container, resolve_values(module, arg->u.keyword.value));
        else
            contained_values(module, node_is(arg, NODE_KEYWORD) ? arg->u.keyword.value : arg, container, set);
    }
}

static void sequential_values(Module *module, const Node *call, Name container, RefSet *set) {
    Arena *arena = module->project->arena;
    NodeList args = call->u.call.args;
    if (args.len == 0)
        refs_add(set, ref_list(arena, container, NULL));
    for (uint32_t i = 0; i < args.len; i++) {
        Node *arg = args.items[i];
        if (node_is(arg, NODE_STARRED)) {
            contained_values(module, arg->u.value.value, container, set);
            continue;
        }
        const RefList *item = node_is(arg, NODE_KEYWORD) ? &REFS_UNKNOWN : resolve_values(module, arg);
        if (item->len && item->items[0].kind == REF_LIST && !is_sequential(item->items[0].name))
            contained_values(module, arg, container, set); // Sequential(OrderedDict(...))
        else
            refs_add_element(arena, set, container, item);
    }
}

// ---------------------------------------------------------------- classes

static bool derives_from_dict(ClassInfo *cls) {
    class_mro(cls);
    for (uint32_t i = 0; i < cls->mro_len; i++)
        for (uint32_t k = 0; k < cls->mro[i]->bases.len; k++) {
            const Ref *base = &cls->mro[i]->bases.items[k];
            bool named = base->kind == REF_EXTERNAL || base->kind == REF_BUILTIN;
            if (named && (base->name == NAME_OF("dict") || base->name == NAME_OF("collections.OrderedDict") ||
                          base->name == NAME_OF("collections.UserDict")))
                return true;
        }
    return false;
}

// Class, or (class, arguments) in a table that makes instances when asked for an item.
static void table_item(const Ref *item, bool instantiates, RefSet *set) {
    if (item->kind == REF_LIST && item->element && instantiates)
        item = item->element;
    if (item->kind == REF_CLASS && instantiates)
        refs_add(set, ref_instance(item->cls, false));
    else if (item->kind == REF_EXTERNAL && instantiates)
        refs_add(set, ref_external_instance(item->name));
    else if (item->kind != REF_LIST)
        refs_add(set, *item);
}

static bool table_values(Module *module, ClassInfo *cls, const Node *call, RefSet *set) {
    Node *arg = call_arg(call, 0, NULL);
    if (!arg || !derives_from_dict(cls))
        return false;
    Arena *arena = module->project->arena;
    bool instantiates = class_find_method(cls, NAME_OF("__getitem__")) != NULL;
    RefSet inner = {0}, items = {0};
    element_values(module, arg, &inner);
    items.unknown = inner.unknown;
    for (uint32_t i = 0; i < inner.len; i++)
        table_item(&inner.items[i], instantiates, &items);
    if (items.len == 0)
        return false;
    refs_add_element(arena, set, NAME_OF("dict"), refs_freeze(arena, &items));
    return true;
}

// ---------------------------------------------------------------- external calls

// *args, **options
static Node *unpacked_argument(const Node *call) {
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        Node *arg = call->u.call.args.items[i];
        if (node_is(arg, NODE_STARRED) || (node_is(arg, NODE_KEYWORD) && !arg->u.keyword.name))
            return arg;
    }
    return NULL;
}

// Modules that take inplace by position, and where: ReLU(True), Dropout(0.1, True).
static Node *inplace_argument(const Node *build, Name dotted) {
    Node *named = call_arg(build, UINT32_MAX, "inplace");
    uint32_t at;
    if (named || !inplace_place(name_last(dotted), &at))
        return named;
    return unpacked_argument(build) ? unpacked_argument(build) : call_arg(build, at, NULL);
}

// nn.Embedding(8, 4, max_norm=1.0) scales its weight in place when it is called.
static bool builds_renorming(const Node *call, Name dotted) {
    bool bag = dotted == NAME_OF("torch.nn.EmbeddingBag");
    if (!bag && dotted != NAME_OF("torch.nn.Embedding"))
        return false;
    const Node *norm =
        unpacked_argument(call) ? unpacked_argument(call) : call_arg(call, bag ? 2 : 3, "max_norm");
    return norm && !node_const(norm, CONST_NONE);
}

// What the call makes works in place, or may: nn.ReLU(inplace=True), partial(F.relu, inplace=flag).
static bool builds_inplace(const Node *call, Name dotted) {
    if (builds_renorming(call, dotted))
        return true;
    const Node *flag = inplace_argument(call, dotted);
    return flag && !node_const(flag, CONST_FALSE);
}

static void compiled_values(Module *module, const Node *call, Name name, RefSet *set) {
    Node *target = call_arg(call, 0, "model");
    if (!target)
        refs_add(set,
                 ref_external_instance(name)); // torch.compile(dynamic=True): still to be given the function
    else
        refs_merge(set, resolve_values(module, target));
}

static void partial_values(Module *module, const Node *call, RefSet *set) {
    Node *target = call_arg(call, 0, NULL);
    const RefList *of = target ? resolve_values(module, target) : &REFS_UNKNOWN;
    set->unknown |= of->unknown;
    for (uint32_t i = 0; i < of->len; i++) {
        Ref ref = of->items[i];
        ref.partial = true;
        ref.inplace |= ref.name && builds_inplace(call, ref.name);
        refs_add(set, ref);
    }
}

// nn.utils.spectral_norm(layer), nn.utils.parametrizations.weight_norm(layer): the layer, and how it is called from then on.
static void handed_on_values(Module *module, Node *first, Name name, RefSet *set) {
    const RefList *of = resolve_values(module, first);
    bool moves = name_last(name) == NAME_OF("spectral_norm");
    set->none |= of->none;
    for (uint32_t i = 0; i < of->len; i++) {
        Ref ref = of->items[i];
        ref.moves |= moves;
        refs_add(set, ref);
    }
}

static void external_values(Module *module, const Node *call, const Ref *ref, RefSet *set) {
    Name name = ref->name;
    Node *first = call_arg(call, name == NAME_OF("typing.cast") ? 1 : 0, NULL);
    if (is_compile_function(name))
        compiled_values(module, call, name, set);
    else if (name == NAME_OF("functools.partial"))
        partial_values(module, call, set);
    else if (is_sequential(name))
        sequential_values(module, call, name, set);
    else if (is_container(name))
        container_values(module, call, name, set);
    else if (first && hands_on_first(name) && !resolve_values(module, first)->unknown)
        handed_on_values(module, first, name, set);
    else
        refs_add(set, (Ref){.kind = REF_EXTERNAL_INSTANCE,
                            .name = name,
                            .inplace = ref->inplace || builds_inplace(call, name)});
}

// getattr(torch, name): some member of torch, written torch.*
static void computed_member(const RefList *of, RefSet *set) {
    set->unknown |= of->unknown || of->len == 0;
    for (uint32_t i = 0; i < of->len; i++)
        refs_add(set, of->items[i].kind == REF_EXTERNAL
                          ? ref_external(name_join(of->items[i].name, NAME_OF("*")))
                          : (Ref){0});
}

static void getattr_values(Module *module, const Node *call, RefSet *set) {
    Node *object = call_arg(call, 0, NULL), *name = call_arg(call, 1, NULL),
         *fallback = call_arg(call, 2, NULL);
    Str text;
    if (!object || !name) {
        set->unknown = true;
        return;
    }
    const RefList *of = resolve_values(module, object);
    if (node_string_value(module->unit->tree, name, module->project->arena, &text)) {
        set->unknown |= of->unknown;
        for (uint32_t i = 0; i < of->len; i++)
            ref_attribute(module->project, &of->items[i], intern(text), set);
    } else {
        computed_member(of, set);
    }
    if (fallback)
        refs_merge(set, resolve_values(module, fallback));
}

static void type_values(Module *module, const Node *call, RefSet *set) {
    Node *object = call->u.call.args.len == 1 ? call_arg(call, 0, NULL) : NULL;
    const RefList *of = object ? resolve_values(module, object) : &REFS_UNKNOWN;
    set->unknown |= of->unknown;
    for (uint32_t i = 0; i < of->len; i++) {
        Ref ref = of->items[i];
        ref.kind = ref.kind == REF_INSTANCE ? REF_CLASS : REF_NONE;
        refs_add(set, ref);
    }
}

static void builtin_values(Module *module, const Node *call, Name name, RefSet *set) {
    if (name == NAME_OF("getattr"))
        getattr_values(module, call, set);
    else if (name == NAME_OF("type"))
        type_values(module, call, set);
    else if (name == NAME_OF("next") && call_arg(call, 0, NULL))
        element_values(module, call_arg(call, 0, NULL), set);
    else if (is_container(name))
        container_values(module, call, name, set);
    else
        refs_add(set, ref_external_instance(name));
}

// ---------------------------------------------------------------- methods that need their receiver

// module.to(...), items.get(k), items.values(): decided by what the receiver is. True when it was one of these.
static bool receiver_values(Module *module, const Node *call, RefSet *set) {
    const Node *func = call->u.call.func;
    if (!node_is(func, NODE_ATTRIBUTE) || node_is(func->u.attribute.value, NODE_CONSTANT))
        return false;
    const RefList *of = resolve_values(module, func->u.attribute.value);
    Name method = func->u.attribute.attr;
    bool item = method == NAME_OF("get") || method == NAME_OF("pop");
    bool same = method == NAME_OF("values") || method == NAME_OF("copy") || method == NAME_OF("children");
    bool done = false;
    for (uint32_t i = 0; i < of->len; i++) {
        const Ref *ref = &of->items[i];
        bool module_method = ref->kind == REF_INSTANCE && returns_receiver(method) &&
                             class_is_nn_module(ref->cls) && !class_find_method(ref->cls, method);
        module_method |= ref->kind == REF_EXTERNAL_INSTANCE && returns_receiver(method) &&
                         torch_module_flags(ref->name); // nn.Linear(2, 2).eval()
        bool kept = ref->kind == REF_LIST && (same || returns_receiver(method));
        if (ref->kind == REF_LIST && item) {
            if (ref->element)
                refs_add(set, *ref->element);
        } else if (module_method || kept) {
            refs_add(set, *ref);
        } else {
            continue;
        }
        done = true;
    }
    set->unknown |= done && of->unknown;
    return done;
}

// Cls.from_pretrained(...) where the method is an external base class's: an instance of Cls.
static bool constructor_values(Module *module, const Node *call, RefSet *set) {
    const Node *func = call->u.call.func;
    if (!node_is(func, NODE_ATTRIBUTE))
        return false;
    Name method = func->u.attribute.attr;
    if (method != NAME_OF("from_pretrained") && method != NAME_OF("from_config") &&
        method != NAME_OF("_from_config"))
        return false;
    const RefList *of = resolve_values(module, func->u.attribute.value);
    for (uint32_t i = 0; i < of->len; i++) {
        const Ref *ref = &of->items[i];
        if (ref->kind != REF_CLASS || class_find_method(ref->cls, method))
            return false;
        refs_add(set, ref_instance(ref->cls, ref->subtypes));
    }
    return of->len > 0 && !of->unknown;
}

// A method that returns an instance of its own class gives one of the receiver's class.
static void method_result(const Ref *ref, RefSet *set) {
    RefSet result = {0};
    func_result(ref->func, &result);
    set->unknown |= result.unknown;
    set->none |= result.none;
    for (uint32_t i = 0; i < result.len; i++) {
        Ref item = result.items[i];
        if (item.kind == REF_INSTANCE && item.subtypes && ref->cls && item.cls == ref->func->cls) {
            item.cls = ref->cls;
            item.subtypes = ref->subtypes;
        }
        refs_add(set, item);
    }
}

static void one_callee(Module *module, const Node *call, const Ref *ref, RefSet *set) {
    Ref through = {0};
    switch (ref->kind) {
    case REF_CLASS:
        if (!table_values(module, ref->cls, call, set))
            refs_add(set, ref_instance(ref->cls, ref->subtypes));
        break;
    case REF_FUNCTION:
        func_result(ref->func, set);
        break;
    case REF_METHOD:
        method_result(ref, set);
        break;
    case REF_EXTERNAL:
        external_values(module, call, ref, set);
        break;
    case REF_BUILTIN:
        builtin_values(module, call, ref->name, set);
        break;
    case REF_EXTERNAL_INSTANCE:
        if (is_compile_function(ref->name))
            compiled_values(module, call, ref->name, set);
        else
            set->unknown = true;
        break;
    case REF_INSTANCE: {
        RefSet methods = {0};
        ref_attribute(module->project, ref, NAME_OF("__call__"), &methods);
        through = methods.len == 1 && methods.items[0].kind == REF_METHOD ? methods.items[0] : through;
        if (through.func)
            method_result(&through, set);
        else
            set->unknown = true;
        break;
    }
    default:
        set->unknown = true;
    }
}

void call_values(Module *module, Node *call, RefSet *set) {
    if (is_super_call(module, call)) {
        set->unknown = true;
        return;
    }
    if (receiver_values(module, call, set) || constructor_values(module, call, set))
        return;
    const RefList *funcs = resolve_values(module, call->u.call.func);
    set->unknown |= funcs->unknown || funcs->len == 0;
    for (uint32_t i = 0; i < funcs->len; i++)
        one_callee(module, call, &funcs->items[i], set);
}
