// What an annotation says about a value: an instance of the class it names.
//
// Input: an annotation expression. Output: instances (of the class or a subclass), LIST for list[X] and kin, with `none`
// for Optional. Strings are read when they are a dotted name, or Optional["..."] of one. Any, TypeVar, Callable and what
// is not understood give unknown.

#include "project/internal.h"

static void instances_of(const RefList *types, RefSet *set) {
    set->unknown |= types->unknown || (types->len == 0 && !types->none);
    set->none |= types->none;
    for (uint32_t i = 0; i < types->len; i++) {
        const Ref *ref = &types->items[i];
        bool named = ref->kind == REF_EXTERNAL || ref->kind == REF_BUILTIN;
        if (ref->kind == REF_CLASS)
            refs_add(set, ref_instance(ref->cls, true));
        else if (named && !str_starts(name_str(ref->name), STR("typing")) && ref->name != NAME_OF("object"))
            refs_add(set, ref_external_instance(ref->name));
        else
            set->unknown = true;
    }
}

typedef enum Form {
    FORM_OTHER,
    FORM_OPTIONAL,
    FORM_UNION,
    FORM_LIST,
    FORM_FIRST,
    FORM_TYPE,
    FORM_MAPPING
} Form;

static Form form_of(Str word) {
    static const struct {
        const char *name;
        Form form;
    } forms[] = {
        {"Optional", FORM_OPTIONAL},
        {"Union", FORM_UNION},
        {"List", FORM_LIST},
        {"list", FORM_LIST},
        {"Tuple", FORM_LIST},
        {"tuple", FORM_LIST},
        {"Sequence", FORM_LIST},
        {"Iterable", FORM_LIST},
        {"Iterator", FORM_LIST},
        {"Set", FORM_LIST},
        {"set", FORM_LIST},
        {"Collection", FORM_LIST},
        {"Annotated", FORM_FIRST},
        {"Final", FORM_FIRST},
        {"ClassVar", FORM_FIRST},
        {"Unpack", FORM_OTHER},
        {"Type", FORM_TYPE},
        {"type", FORM_TYPE},
        {"Dict", FORM_MAPPING},
        {"dict", FORM_MAPPING},
        {"Mapping", FORM_MAPPING},
        {"OrderedDict", FORM_MAPPING},
        {"MutableMapping", FORM_MAPPING},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (str_eq(word, str_of(forms[i].name)))
            return forms[i].form;
    return FORM_OTHER;
}

// The head must really be the typing construct or builtin of that name.
static Form head_form(Module *module, Node *head) {
    const RefList *refs = resolve_values(module, head);
    if (refs->len != 1 || refs->unknown)
        return FORM_OTHER;
    const Ref *ref = &refs->items[0];
    if (ref->kind == REF_BUILTIN)
        return form_of(name_str(ref->name));
    if (ref->kind != REF_EXTERNAL)
        return FORM_OTHER;
    Str text = name_str(ref->name);
    bool known = str_starts(text, STR("typing.")) || str_starts(text, STR("typing_extensions.")) ||
                 str_starts(text, STR("collections."));
    return known ? form_of(name_str(name_last(ref->name))) : FORM_OTHER;
}

// "pkg.Class" seen from where the annotation stands.
static void dotted_text_values(Module *module, const Node *at, Str text, RefSet *set) {
    RefSet types = {0};
    size_t end = 0;
    bool more = str_find(text, STR("."), &end);
    Name first = intern(more ? str_slice(text, 0, end) : text);
    Symbol *symbol = scope_lookup(unit_scope_at(module->unit, at), first);
    if (symbol)
        symbol_values(module, symbol, NULL, &types);
    else
        implicit_values(module, first, &types);
    while (more && types.len == 1) {
        text = str_slice(text, end + 1, text.len);
        more = str_find(text, STR("."), &end);
        Ref base = types.items[0];
        types = (RefSet){.unknown = types.unknown};
        ref_attribute(module->project, &base, intern(more ? str_slice(text, 0, end) : text), &types);
    }
    if (more)
        set->unknown = true;
    else
        instances_of(refs_freeze(module->project->arena, &types), set);
}

static bool is_dotted(Str text) {
    for (size_t i = 0; i < text.len; i++) {
        char c = text.ptr[i];
        bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        if (!word && (c != '.' || i == 0 || i + 1 == text.len))
            return false;
    }
    return text.len > 0;
}

static void text_values(Module *module, const Node *at, Str text, RefSet *set) {
    text = str_trim(text);
    if (str_starts(text, STR("Optional[")) && str_ends(text, STR("]"))) {
        set->none = true;
        text = str_trim(str_slice(text, 9, text.len - 1));
    }
    if (is_dotted(text))
        dotted_text_values(module, at, text, set);
    else
        set->unknown = true;
}

static void list_of(Module *module, Node *item, RefSet *set) {
    RefSet inner = {0};
    annotation_values(module, item, &inner);
    refs_add_element(module->project->arena, set, 0, refs_freeze(module->project->arena, &inner));
}

static void subscript_values(Module *module, Node *annotation, RefSet *set) {
    Node *index = annotation->u.subscript.index;
    bool many = node_is(index, NODE_TUPLE);
    uint32_t count = many ? index->u.items.items.len : 1;
    Form form = head_form(module, annotation->u.subscript.value);
    if (form == FORM_OTHER) {
        instances_of(resolve_values(module, annotation->u.subscript.value), set);
        return;
    }
    set->none |= form == FORM_OPTIONAL;
    for (uint32_t i = 0; i < count; i++) {
        Node *item = many ? index->u.items.items.items[i] : index;
        if (node_const(item, CONST_ELLIPSIS))
            continue;
        if (form == FORM_LIST || (form == FORM_MAPPING && i == 1))
            list_of(module, item, set);
        else if (form == FORM_OPTIONAL || form == FORM_UNION || (form == FORM_FIRST && i == 0))
            annotation_values(module, item, set);
        else if (form == FORM_TYPE)
            set->unknown = true;
    }
}

void annotation_values(Module *module, Node *annotation, RefSet *set) {
    Project *project = module->project;
    if (!annotation || project->depth >= RESOLVE_MAX_DEPTH) {
        set->unknown = true;
        return;
    }
    project->depth++;
    Str text;
    if (node_const(annotation, CONST_NONE)) {
        set->none = true;
    } else if (node_is(annotation, NODE_SUBSCRIPT)) {
        subscript_values(module, annotation, set);
    } else if (node_is(annotation, NODE_BIN_OP) && annotation->u.binary.op == OP_OR) {
        annotation_values(module, annotation->u.binary.left, set);
        annotation_values(module, annotation->u.binary.right, set);
    } else if (node_string_value(module->unit->tree, annotation, project->arena, &text)) {
        text_values(module, annotation, text, set);
    } else {
        instances_of(resolve_values(module, annotation), set);
    }
    project->depth--;
}
