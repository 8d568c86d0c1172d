// Facts about attributes: x.shape of a tensor, self.weight by what the class stores, config.hidden_size.
//
// What a class stores in self.NAME comes from the project layer (AttrInfo): parameters and buffers are tensors, other values
// have the union of the facts of what is assigned. Attributes of configuration objects and of modules outside the project
// are never tensors, but for the parameters of torch's own modules.
#include "analysis/facts_internal.h"

enum { MAX_ATTR_VALUES = 24 };

static bool name_among(Name name, const char *const *words, size_t count) {
    Str text = name_str(name);
    for (size_t i = 0; i < count; i++)
        if (str_eq(text, str_of(words[i])))
            return true;
    return false;
}

// ---------------------------------------------------------------- what a class stores

static Fact stored_values(Module *module, AttrInfo *attr) {
    Fact fact = {0};
    for (uint32_t i = 0; i < attr->values.len; i++) {
        Node *value = attr->values.items[i];
        Fact one = value && i < MAX_ATTR_VALUES ? fact_value(module, value) : fact_any();
        fact = fact_join(fact, one);
    }
    return fact;
}

static ClassInfo *owner_of(ClassInfo *cls, AttrInfo *attr, int depth) {
    if (map_ptr(&cls->attributes, attr->name) == attr || depth > 16)
        return cls;
    for (uint32_t i = 0; i < cls->bases.len; i++) {
        ClassInfo *base = cls->bases.items[i].cls;
        if (cls->bases.items[i].kind == REF_CLASS && base && base != cls &&
            class_find_attr(base, attr->name) == attr)
            return owner_of(base, attr, depth + 1);
    }
    return cls;
}

static Fact compute_attr(Module *module, void *subject, Path path) {
    AttrInfo *attr = subject;
    (void)path;
    if (attr->is_parameter || attr->is_buffer) {
        Fact fact = fact_tensor(3);
        for (uint32_t i = 0; i < attr->values.len; i++)
            if (attr->values.items[i] && fact_value(module, attr->values.items[i]).kinds == KIND_NONE)
                fact = fact_join(fact, fact_make(KIND_NONE, 3));
        return fact;
    }
    Fact annotated = fact_any();
    for (uint32_t i = 0; i < attr->annotations.len && !is_known(annotated); i++)
        if (attr->annotations.items[i])
            annotated = fact_annotation(module, attr->annotations.items[i], (Path){0});
    if (is_known(annotated))
        return annotated;
    Fact fact = stored_values(module, attr);
    return fact.kinds || !attr->values.len ? fact : fact_any();
}

static Fact attr_fact(ClassInfo *cls, AttrInfo *attr) {
    ClassInfo *owner = owner_of(cls, attr, 0);
    Fact fact = facts_memo(owner->module, attr, ASPECT_ATTR, compute_attr, (Path){0});
    return fact.kinds || attr->values.len ? fact : fact_any();
}

Fact fact_class_attr(ClassInfo *cls, Name name) {
    AttrInfo *attr = class_find_attr(cls, name);
    if (attr)
        return attr_fact(cls, attr);
    FuncInfo *method = class_find_method(cls, name);
    if (method) {
        Node *def = method->function->node;
        for (uint32_t i = 0; node_is(def, NODE_FUNCTION_DEF) && i < def->u.function.decorators.len; i++) {
            Name decorator = node_dotted(def->u.function.decorators.items[i]);
            if (decorator == NAME_OF("property") || decorator == NAME_OF("cached_property") ||
                decorator == NAME_OF("functools.cached_property"))
                return fact_return(method, (Path){0});
        }
        return fact_ref(KIND_CALLABLE, (Ref){.kind = REF_METHOD, .cls = cls, .func = method}, 3);
    }
    static const char *const module_words[] = {"training", "_is_hf_initialized"};
    if (class_is_nn_module(cls)) {
        if (name_among(name, module_words, 2))
            return fact_make(KIND_BOOL, 3);
        if (name == NAME_OF("device"))
            return fact_make(KIND_DEVICE, 2);
        if (name == NAME_OF("dtype"))
            return fact_make(KIND_DTYPE, 2);
    }
    return is_config_name(name) ? fact_make(KIND_OBJECT | KIND_DICT, 1) : fact_any();
}

// ---------------------------------------------------------------- attributes of other things

static Fact tensor_attribute(Fact base, Name attr) {
    uint32_t kinds = kinds_of_tensor_attribute(attr);
    if (kinds) {
        Fact fact = fact_make(kinds, base.confidence);
        if (kinds == KIND_SEQUENCE)
            fact.element = KIND_INT;
        if (kinds & KIND_TENSOR)
            fact.dtype = base.dtype;
        return fact;
    }
    return torch_method_flags(attr) ? fact_make(KIND_CALLABLE, base.confidence) : fact_any();
}

static Fact torch_module_attribute(Name attr) {
    static const char *const tensors[] = {"weight",       "in_proj_weight", "weight_ih_l0",
                                          "weight_hh_l0", "running_mean",   "running_var"};
    static const char *const optional[] = {"bias", "in_proj_bias", "num_batches_tracked"};
    if (name_among(attr, tensors, sizeof tensors / sizeof *tensors))
        return fact_tensor(3);
    if (name_among(attr, optional, sizeof optional / sizeof *optional))
        return fact_make(KIND_TENSOR | KIND_NONE, 3);
    return attr == NAME_OF("training") ? fact_make(KIND_BOOL, 3) : fact_make(KIND_STATIC, 2);
}

// Attributes that mean the same on whatever has them.
static Fact common_attribute(Name attr) {
    if (attr == NAME_OF("shape"))
        return fact_seq(KIND_INT, 2);
    if (attr == NAME_OF("ndim"))
        return fact_make(KIND_INT, 2);
    if (attr == NAME_OF("dtype"))
        return fact_make(KIND_DTYPE, 2);
    if (attr == NAME_OF("device"))
        return fact_make(KIND_DEVICE, 2);
    static const char *const flags[] = {"requires_grad", "is_cuda", "training", "is_leaf"};
    if (name_among(attr, flags, 4))
        return fact_make(KIND_BOOL, 2);
    if (is_config_name(attr))
        return fact_make(KIND_OBJECT | KIND_DICT, 1);
    return fact_any();
}

static bool ends_in_config(Name name) {
    Str text = name_str(name);
    return str_ends(text, STR("Config")) || str_ends(text, STR("Arguments")) || str_ends(text, STR("Args"));
}

// By spelling or by class a configuration: its attributes are plain values.
static bool is_configuration(Fact base, Node *value) {
    if (base.ref.kind == REF_INSTANCE && base.ref.cls && ends_in_config(base.ref.cls->name))
        return true;
    if (base.kinds & KIND_TENSOR && base.kinds != KIND_ANY)
        return false;
    if (node_is(value, NODE_NAME))
        return is_config_name(value->u.name.name);
    return node_is(value, NODE_ATTRIBUTE) && is_config_name(value->u.attribute.attr);
}

static Fact named_result_attribute(Fact base, Name attr) {
    static const char *const fields[] = {"values", "indices", "eigenvalues", "eigenvectors", "Q",         "R",
                                         "U",      "S",       "Vh",          "sign",         "logabsdet", "L",
                                         "LU",     "pivots",  "solution",    "min",          "max"};
    if (base.element == KIND_TENSOR && name_among(attr, fields, sizeof fields / sizeof *fields))
        return fact_tensor(base.confidence);
    return fact_any();
}

Fact fact_attr_of(Module *module, Fact base, Node *value, Name attr) {
    (void)module;
    if (!base.kinds)
        return (Fact){0};
    if (is_tensor(base))
        return tensor_attribute(base, attr);
    if (base.ref.kind == REF_INSTANCE && base.ref.cls) {
        Fact fact = fact_class_attr(base.ref.cls, attr);
        if (!is_known(fact) && is_configuration(base, value))
            return fact_make(KIND_STATIC, 2);
        return fact;
    }
    if (base.ref.kind == REF_EXTERNAL_INSTANCE && base.ref.name) {
        Str name = name_str(base.ref.name);
        if (str_eq(name, STR("torch.finfo")))
            return fact_make(attr == NAME_OF("bits") ? KIND_INT : KIND_FLOAT, 3);
        if (str_eq(name, STR("torch.iinfo")))
            return fact_make(KIND_INT, 3);
        if (base.kinds & KIND_MODULE && str_starts(name, STR("torch.nn.")))
            return torch_module_attribute(attr);
    }
    if (is_configuration(base, value))
        return fact_make(KIND_STATIC, 2);
    if (kinds_only(base.kinds, KIND_DEVICE | KIND_DTYPE | KIND_CALLABLE | KIND_STR | KIND_NUMBER | KIND_NONE))
        return fact_make(KIND_STATIC, 2);
    if (base.kinds == KIND_SEQUENCE)
        return named_result_attribute(base, attr);
    return common_attribute(attr);
}

// A dotted name from an import: torch.float16, math.pi, module.CONSTANT.
static Fact module_member(Module *module, Node *attribute, Fact base, bool *decided) {
    *decided = base.ref.kind == REF_MODULE || (base.ref.kind == REF_EXTERNAL && base.kinds != KIND_DTYPE);
    if (!*decided)
        return fact_any();
    return fact_of_ref(resolve_expr(module, attribute));
}

Fact fact_attribute(Module *module, Node *attribute) {
    Node *value = attribute->u.attribute.value;
    Fact base = fact_value(module, value);
    bool decided;
    Fact member = module_member(module, attribute, base, &decided);
    if (decided)
        return member;
    Fact fact = fact_attr_of(module, base, value, attribute->u.attribute.attr);
    if (fact.kinds != KIND_ANY)
        return fact;
    return fact_of_ref(resolve_expr(module, attribute));
}
