// Which exceptions does Python itself catch around a call that it makes?
//
// Reading an attribute turns an AttributeError of a property into a call of __getattr__, into the default of getattr() or the
// answer of hasattr(); a loop ends at a StopIteration of __next__, and at an IndexError of __getitem__ where there is no
// __iter__; list() and its kin pass over a TypeError of __len__. Input: a function, or the expression that is raised.
// Output: the classes, as bits of SWALLOWS_*. Source: the data model chapter of Python's reference.

#include "project/internal.h"

typedef struct Protocol {
    const char *name; // of a method, or of a builtin exception
    uint32_t classes;
} Protocol;

static uint32_t find(const Protocol *table, size_t count, Name name) {
    for (size_t i = 0; i < count; i++)
        if (str_eq(name_str(name), str_of(table[i].name)))
            return table[i].classes;
    return 0;
}

uint32_t func_swallows(FuncInfo *func) {
    static const Protocol methods[] = {
        {"__getattr__", SWALLOWS_ATTRIBUTE_ERROR},
        {"__getattribute__", SWALLOWS_ATTRIBUTE_ERROR},
        {"__get__", SWALLOWS_ATTRIBUTE_ERROR},
        {"__next__", SWALLOWS_STOP_ITERATION},
        {"__anext__", SWALLOWS_STOP_ITERATION},
        {"__getitem__", SWALLOWS_INDEX_ERROR | SWALLOWS_STOP_ITERATION},
        {"__len__", SWALLOWS_TYPE_ERROR},
        {"__length_hint__", SWALLOWS_TYPE_ERROR},
        {"__iter__", SWALLOWS_TYPE_ERROR},
        {"__del__", SWALLOWS_ALL},
    };
    if (!func->cls || !node_is(func->function->node, NODE_FUNCTION_DEF))
        return 0;
    if (func_is_property(func))
        return SWALLOWS_ATTRIBUTE_ERROR;
    return find(methods, sizeof methods / sizeof *methods, func->function->node->u.function.name);
}

// KeyError and other classes that are in none of these: 0.
static uint32_t builtin_swallowed(Name name) {
    static const Protocol classes[] = {
        {"AttributeError", SWALLOWS_ATTRIBUTE_ERROR},
        {"StopIteration", SWALLOWS_STOP_ITERATION},
        {"StopAsyncIteration", SWALLOWS_STOP_ITERATION},
        {"IndexError", SWALLOWS_INDEX_ERROR},
        {"TypeError", SWALLOWS_TYPE_ERROR},
    };
    return find(classes, sizeof classes / sizeof *classes, name);
}

static uint32_t class_swallowed(ClassInfo *cls) {
    uint32_t classes = 0;
    if (!class_bases_known(cls))
        return SWALLOWS_ALL;
    for (uint32_t i = 0; i < cls->mro_len; i++)
        for (uint32_t k = 0; k < cls->mro[i]->bases.len; k++) {
            const Ref *base = &cls->mro[i]->bases.items[k];
            if (base->kind == REF_BUILTIN)
                classes |= builtin_swallowed(base->name);
            else if (base->kind != REF_CLASS)
                return SWALLOWS_ALL;
        }
    return classes;
}

uint32_t exception_swallowed_by(Module *module, Node *raised) {
    Ref ref = resolve_expr(module, node_is(raised, NODE_CALL) ? raised->u.call.func : raised);
    if (ref.kind == REF_BUILTIN && name_is_builtin_exception(ref.name))
        return builtin_swallowed(ref.name) | SWALLOWS_ANY;
    if (ref.kind == REF_CLASS)
        return class_swallowed(ref.cls) | SWALLOWS_ANY;
    return SWALLOWS_ALL;
}
