// Sets of references: what an expression may denote, built on the stack and frozen into the project's arena.
//
// A set is "unknown" when something it could denote is not among its items, "none" when it may be Python's None. Both are
// kept apart because a call can never land in None, while a name that may be None does not denote its other value.

#include <stdlib.h>

#include "project/internal.h"

const RefList REFS_UNKNOWN = {NULL, 0, true, false};

bool ref_equal(const Ref *a, const Ref *b) {
    if (a->kind != b->kind || a->name != b->name || a->module != b->module || a->cls != b->cls ||
        a->func != b->func)
        return false;
    if (!a->element || !b->element)
        return a->element == b->element;
    return a->element == b->element || ref_equal(a->element, b->element);
}

static bool holds_changing(const Ref *ref) {
    return ref && (ref->inplace || ref->moves || holds_changing(ref->element));
}

void refs_add(RefSet *set, Ref ref) {
    if (ref.kind == REF_NONE) {
        set->unknown = true;
        return;
    }
    for (uint32_t i = 0; i < set->len; i++) {
        if (!ref_equal(&set->items[i], &ref))
            continue;
        set->items[i].subtypes |= ref.subtypes;
        set->items[i].partial |= ref.partial;
        set->items[i].inplace |= ref.inplace;
        set->items[i].moves |= ref.moves;
        if (holds_changing(ref.element))
            set->items[i].element = ref.element;
        return;
    }
    if (set->len == REFS_MAX)
        set->unknown = true;
    else
        set->items[set->len++] = ref;
}

void refs_merge(RefSet *set, const RefList *from) {
    for (uint32_t i = 0; i < from->len; i++)
        refs_add(set, from->items[i]);
    set->unknown |= from->unknown;
    set->none |= from->none;
}

const RefList *refs_freeze(Arena *arena, const RefSet *set) {
    if (set->len == 0 && set->unknown && !set->none)
        return &REFS_UNKNOWN;
    RefList *list = ARENA_NEW(arena, RefList);
    list->len = set->len;
    list->unknown = set->unknown;
    list->none = set->none;
    if (set->len)
        list->items = arena_dup(arena, set->items, sizeof(Ref) * set->len);
    return list;
}

Ref ref_external(Name dotted) {
    return (Ref){.kind = REF_EXTERNAL, .name = dotted};
}

Ref ref_external_instance(Name dotted) {
    return (Ref){.kind = REF_EXTERNAL_INSTANCE, .name = dotted};
}

Ref ref_instance(ClassInfo *cls, bool subtypes) {
    return (Ref){.kind = REF_INSTANCE, .cls = cls, .subtypes = subtypes};
}

Ref ref_list(Arena *arena, Name container, const Ref *element) {
    Ref ref = {.kind = REF_LIST, .name = container};
    if (element)
        ref.element = arena_dup(arena, element, sizeof *element);
    return ref;
}

// An unknown element leaves a LIST without element, so that the container itself stays known.
void refs_add_element(Arena *arena, RefSet *set, Name container, const RefList *elements) {
    if (elements->unknown)
        refs_add(set, ref_list(arena, container, NULL));
    for (uint32_t i = 0; i < elements->len; i++)
        refs_add(set, ref_list(arena, container, &elements->items[i]));
}

Name name_join(Name a, Name b) {
    if (!a || !b)
        return a ? a : b;
    char small[256];
    Str left = name_str(a), right = name_str(b);
    size_t len = left.len + right.len + 1;
    char *text = len <= sizeof small ? small : heap_alloc(len, 1);
    memcpy(text, left.ptr, left.len);
    text[left.len] = '.';
    memcpy(text + left.len + 1, right.ptr, right.len);
    Name joined = intern((Str){text, len});
    if (text != small)
        free(text);
    return joined;
}

static size_t last_dot(Str text) {
    size_t at = text.len;
    while (at > 0 && text.ptr[at - 1] != '.')
        at--;
    return at; // just behind the dot; 0 without one
}

Name name_last(Name dotted) {
    Str text = name_str(dotted);
    return intern(str_slice(text, last_dot(text), text.len));
}

Name name_parent(Name dotted) {
    Str text = name_str(dotted);
    size_t at = last_dot(text);
    return at ? intern(str_slice(text, 0, at - 1)) : 0;
}
