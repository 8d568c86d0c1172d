// Facts from annotations: torch.Tensor, Optional[torch.FloatTensor], tuple[torch.Tensor, ...], int | None, "Tensor".
//
// Input: an annotation, and a position inside the value where one is asked for. Output: kinds with confidence 3, or KIND_ANY
// where the annotation says nothing that is understood (Any, type variables, names that do not resolve). Annotations given as
// text are read with a small reader of their own; a name in such text means torch's, typing's or a builtin by its last part.
#include <stdio.h>

#include "analysis/facts_internal.h"

enum { MAX_ANNOTATION_DEPTH = 12 };

static Fact from_node(Module *module, Node *node, Path path, int depth);

static Path rest_of(Path path) {
    Path rest = {.len = (uint8_t)(path.len - 1)};
    memcpy(rest.at, path.at + 1, rest.len);
    return rest;
}

typedef enum Form {
    FORM_NONE,
    FORM_OPTIONAL,
    FORM_UNION,
    FORM_SEQUENCE,
    FORM_TUPLE,
    FORM_DICT,
    FORM_FIRST,
    FORM_LITERAL,
    FORM_TYPE
} Form;

static Form form_of(Str last) {
    static const struct {
        const char *name;
        Form form;
    } forms[] = {{"Optional", FORM_OPTIONAL},   {"Union", FORM_UNION},         {"Tuple", FORM_TUPLE},
                 {"tuple", FORM_TUPLE},         {"List", FORM_SEQUENCE},       {"list", FORM_SEQUENCE},
                 {"Sequence", FORM_SEQUENCE},   {"Iterable", FORM_SEQUENCE},   {"Set", FORM_SEQUENCE},
                 {"set", FORM_SEQUENCE},        {"Collection", FORM_SEQUENCE}, {"Iterator", FORM_SEQUENCE},
                 {"Dict", FORM_DICT},           {"dict", FORM_DICT},           {"Mapping", FORM_DICT},
                 {"OrderedDict", FORM_DICT},    {"Annotated", FORM_FIRST},     {"Final", FORM_FIRST},
                 {"ClassVar", FORM_FIRST},      {"Required", FORM_FIRST},      {"Literal", FORM_LITERAL},
                 {"Type", FORM_TYPE},           {"type", FORM_TYPE},           {"Callable", FORM_TYPE},
                 {"MutableMapping", FORM_DICT}, {"Unpack", FORM_NONE},         {"FrozenSet", FORM_SEQUENCE}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (str_eq(last, str_of(forms[i].name)))
            return forms[i].form;
    return FORM_NONE;
}

static Str last_part(Str dotted) {
    size_t at = dotted.len;
    while (at && dotted.ptr[at - 1] != '.')
        at--;
    return str_slice(dotted, at, dotted.len);
}

static Fact plain(uint32_t kinds, Path path) {
    if (!kinds)
        return fact_any();
    if (!path.len)
        return fact_make(kinds, 3);
    return kinds == KIND_TENSOR ? fact_tensor(3) : fact_any();
}

// ---------------------------------------------------------------- annotations as text

typedef struct Reader {
    const char *at, *end;
    int depth;
} Reader;

static void skip_spaces(Reader *reader) {
    while (reader->at < reader->end && (*reader->at == ' ' || *reader->at == '\n'))
        reader->at++;
}

static bool take(Reader *reader, char c) {
    skip_spaces(reader);
    if (reader->at == reader->end || *reader->at != c)
        return false;
    reader->at++;
    return true;
}

static bool is_word(char c) {
    return c == '_' || c == '.' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

static uint32_t kinds_of_word(Str word) {
    Str last = last_part(word);
    if (str_eq(last, STR("None")))
        return KIND_NONE;
    uint32_t kinds = kinds_of_annotation(intern(last));
    char dotted[96];
    static const char *const prefixes[] = {"torch.", "torch.nn.", "typing.", "numpy."};
    for (size_t i = 0; !kinds && i < sizeof prefixes / sizeof *prefixes && last.len < 60; i++) {
        int len = snprintf(dotted, sizeof dotted, "%s%.*s", prefixes[i], STR_ARG(last));
        kinds = kinds_of_annotation(intern((Str){dotted, (size_t)len}));
    }
    return kinds;
}

static Fact read_union(Reader *reader);

static Fact read_arguments(Reader *reader, Form form) {
    Fact joined = {0}, first = {0}, last = {0};
    uint32_t count = 0;
    do {
        last = read_union(reader);
        joined = fact_join(joined, last);
        if (!count++)
            first = last;
    } while (take(reader, ','));
    take(reader, ']');
    switch (form) {
    case FORM_OPTIONAL:
        return fact_join(joined, fact_make(KIND_NONE, 3));
    case FORM_UNION:
        return joined;
    case FORM_FIRST:
        return first;
    case FORM_TYPE:
        return fact_make(KIND_CALLABLE, 3);
    case FORM_TUPLE:
    case FORM_SEQUENCE:
        return fact_seq(joined.kinds, 3);
    case FORM_DICT: {
        Fact fact = fact_make(KIND_DICT, 3);
        fact.element = last.kinds;
        return fact;
    }
    default:
        return fact_any();
    }
}

static Fact read_one(Reader *reader) {
    skip_spaces(reader);
    const char *start = reader->at;
    while (reader->at < reader->end && is_word(*reader->at))
        reader->at++;
    Str word = {start, (size_t)(reader->at - start)};
    if (!word.len || ++reader->depth > MAX_ANNOTATION_DEPTH) {
        reader->at = reader->end;
        return fact_any();
    }
    if (take(reader, '['))
        return read_arguments(reader, form_of(last_part(word)));
    return str_eq(word, STR("...")) ? (Fact){0} : plain(kinds_of_word(word), (Path){0});
}

static Fact read_union(Reader *reader) {
    Fact fact = read_one(reader);
    while (take(reader, '|'))
        fact = fact_join(fact, read_one(reader));
    return fact;
}

static Fact from_text(Str text, Path path) {
    Reader reader = {text.ptr, text.ptr + text.len, 0};
    Fact fact = read_union(&reader);
    skip_spaces(&reader);
    if (reader.at != reader.end)
        return fact_any();
    return path.len ? (is_tensor(fact) ? fact_tensor(3) : fact_items_of(fact)) : fact;
}

// ---------------------------------------------------------------- annotations as expressions

static Fact from_reference(Module *module, Node *node, Path path) {
    Ref ref = resolve_expr(module, node);
    if (ref.kind == REF_CLASS) {
        if (path.len)
            return fact_any();
        ref.kind = REF_INSTANCE;
        ref.subtypes = true;
        return fact_ref(class_is_nn_module(ref.cls) ? KIND_MODULE : KIND_OBJECT, ref, 3);
    }
    if (ref.kind != REF_EXTERNAL && ref.kind != REF_BUILTIN)
        return fact_any();
    uint32_t kinds = kinds_of_annotation(ref.name);
    if (!kinds && ref.kind == REF_EXTERNAL && torch_module_flags(ref.name))
        kinds = KIND_MODULE;
    Fact fact = plain(kinds, path);
    if (kinds == KIND_MODULE) {
        fact.ref = ref;
        fact.ref.kind = REF_EXTERNAL_INSTANCE;
    }
    return fact;
}

static Fact join_all(Module *module, NodeList items, Path path, int depth) {
    Fact fact = {0};
    for (uint32_t i = 0; i < items.len; i++)
        if (!(node_is(items.items[i], NODE_CONSTANT) && items.items[i]->u.constant.kind == CONST_ELLIPSIS))
            fact = fact_join(fact, from_node(module, items.items[i], path, depth));
    return fact;
}

// Position path.at[0] of tuple[a, b] or tuple[a, ...].
static Fact tuple_position(Module *module, NodeList items, Path path, int depth) {
    bool uniform = items.len == 2 && node_is(items.items[1], NODE_CONSTANT) &&
                   items.items[1]->u.constant.kind == CONST_ELLIPSIS;
    if (path.at[0] == ANY_ITEM || uniform)
        return join_all(module, items, rest_of(path), depth);
    uint32_t at = (uint32_t)path.at[0];
    if (at >= items.len)
        return items.len == 1 ? from_node(module, items.items[0], rest_of(path), depth) : fact_any();
    return from_node(module, items.items[at], rest_of(path), depth);
}

static Fact from_subscript(Module *module, Node *node, Path path, int depth) {
    Name dotted = node_dotted(node->u.subscript.value);
    if (!dotted)
        return fact_any();
    Form form = form_of(last_part(name_str(dotted)));
    Node *index = node->u.subscript.index;
    Node *single[1] = {index};
    NodeList items = node_is(index, NODE_TUPLE) ? index->u.items.items : (NodeList){single, 1};
    switch (form) {
    case FORM_OPTIONAL: {
        Fact fact = from_node(module, index, path, depth);
        return path.len || !is_known(fact) ? fact : fact_join(fact, fact_make(KIND_NONE, 3));
    }
    case FORM_UNION:
        return join_all(module, items, path, depth);
    case FORM_FIRST:
        return items.len ? from_node(module, items.items[0], path, depth) : fact_any();
    case FORM_TYPE:
        return path.len ? fact_any() : fact_make(KIND_CALLABLE, 3);
    case FORM_LITERAL: {
        Fact fact = {0};
        for (uint32_t i = 0; i < items.len; i++)
            fact = fact_join(fact, fact_value(module, items.items[i]));
        return path.len ? fact_any() : fact;
    }
    case FORM_TUPLE:
        if (path.len)
            return tuple_position(module, items, path, depth);
        return fact_seq(join_all(module, items, path, depth).kinds, 3);
    case FORM_SEQUENCE:
        if (path.len)
            return join_all(module, items, rest_of(path), depth);
        return fact_seq(join_all(module, items, path, depth).kinds, 3);
    case FORM_DICT: {
        if (path.len)
            return fact_any();
        Fact fact = fact_make(KIND_DICT, 3);
        fact.element = items.len == 2 ? from_node(module, items.items[1], path, depth).kinds : 0;
        return fact;
    }
    default:
        return from_reference(module, node->u.subscript.value, path);
    }
}

static Fact from_node(Module *module, Node *node, Path path, int depth) {
    if (!node || depth > MAX_ANNOTATION_DEPTH)
        return fact_any();
    switch ((NodeKind)node->kind) {
    case NODE_NAME:
    case NODE_ATTRIBUTE:
        return from_reference(module, node, path);
    case NODE_SUBSCRIPT:
        return from_subscript(module, node, path, depth + 1);
    case NODE_BIN_OP:
        if (node->u.binary.op != OP_OR)
            return fact_any();
        return fact_join(from_node(module, node->u.binary.left, path, depth + 1),
                         from_node(module, node->u.binary.right, path, depth + 1));
    case NODE_CONSTANT:
        if (node->u.constant.kind == CONST_NONE)
            return fact_make(KIND_NONE, 3);
        if (node->u.constant.kind == CONST_STR) {
            Str text;
            if (node_string_value(module->unit->tree, node, module->unit->arena, &text))
                return from_text(text, path);
        }
        return fact_any();
    default:
        return fact_any();
    }
}

Fact fact_annotation(Module *module, Node *annotation, Path path) {
    Fact fact = from_node(module, annotation, path, 0);
    return fact.kinds ? fact : fact_any();
}
