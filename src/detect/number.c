// GM405 and GM505: a tensor stands where Python needs a number, so that its value is read.
//     torch.arange(t)   x.view(n, t)   F.pad(x, (0, t))   x[:t]   range(t)   [a, b][t]     GM405
//     torch.zeros(t.item())   x.split(lengths.tolist())                                    GM505: the sizes of the result
// Which arguments of torch's operators are numbers comes from their schemas (torch_wants_number). A number that was read by
// an earlier statement is none of this: the graph ended there.
#include "detect/detect_internal.h"

typedef bool Wanted(Module *module, Node *value);

typedef struct Callee {
    Name name; // "torch.zeros", or "view" of a method
    Name last; // the last part
    bool is_method, is_numpy;
} Callee;

static Name last_part(Name dotted) {
    Str text = name_str(dotted);
    size_t at = text.len;
    while (at && text.ptr[at - 1] != '.')
        at--;
    return intern(str_slice(text, at, text.len));
}

static bool find_callee(Module *module, Node *func, Callee *callee) {
    *callee = (Callee){0};
    Ref ref = resolve_expr(module, func);
    if (ref.kind == REF_EXTERNAL) {
        callee->name = ref.name;
        callee->last = last_part(ref.name);
        callee->is_numpy = str_starts(name_str(ref.name), STR("numpy."));
        return callee->is_numpy || str_starts(name_str(ref.name), STR("torch."));
    }
    if (ref.kind != REF_NONE || !node_is(func, NODE_ATTRIBUTE))
        return false;
    callee->name = callee->last = func->u.attribute.attr;
    callee->is_method = true;
    Fact owner = fact_of(module, func->u.attribute.value);
    return fact_is_array(owner) || (owner.kinds == KIND_ANY && torch_method_is_distinctive(callee->name));
}

// np.zeros((n, np.sum(plan))): the shape.
static bool numpy_wants_number(const Callee *callee, uint32_t at, Name keyword) {
    static const char *const makers[] = {"zeros", "ones", "empty", "full"};
    if (keyword ? keyword != NAME_OF("shape") : at != 0)
        return false;
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        if (str_eq(name_str(callee->last), str_of(makers[i])))
            return true;
    return false;
}

// An argument in the place of a number for which `wanted` holds.
static Node *number_argument(Module *module, const Callee *callee, Node *call, Wanted *wanted) {
    uint32_t at = 0;
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        Node *arg = call->u.call.args.items[i];
        bool is_keyword = node_is(arg, NODE_KEYWORD);
        Name keyword = is_keyword ? arg->u.keyword.name : 0;
        if (is_keyword && !keyword)
            continue;
        bool wants = callee->is_numpy ? numpy_wants_number(callee, at, keyword)
                                      : torch_wants_number(callee->name, callee->is_method, at, keyword);
        if (wants && wanted(module, is_keyword ? arg->u.keyword.value : arg))
            return arg;
        at += !is_keyword;
    }
    return NULL;
}

bool detect_number(Detector *detector, Node *call) {
    Module *module = detector->module;
    if (is_builtin_call(module, call, "range")) {
        for (uint32_t i = 0; i < call->u.call.args.len; i++)
            if (tensor_as_number(module, call->u.call.args.items[i]))
                return detector_add(detector, "GM405", call, call->start, call->end,
                                    STR("range() over a tensor's value"));
        return false;
    }
    Callee callee;
    if (!find_callee(module, call->u.call.func, &callee))
        return false;
    if (number_argument(module, &callee, call, tensor_in_numbers))
        return detector_add(detector, "GM405", call, call->start, call->end,
                            STR("a tensor is used as a Python number"));
    if (is_sized(callee.last) && number_argument(module, &callee, call, reads_here))
        return detector_add(detector, "GM505", call, call->start, call->end,
                            STR("sizes are read from a tensor"));
    return false;
}

// ---------------------------------------------------------------- subscripts

static bool is_number_index(Module *module, Fact base, Node *index) {
    if (node_is(index, NODE_SLICE))
        return tensor_as_number(module, index->u.slice.lower) ||
               tensor_as_number(module, index->u.slice.upper) ||
               tensor_as_number(module, index->u.slice.step);
    Fact fact = fact_of(module, index);
    if (base.kinds == KIND_SEQUENCE)
        return fact_is_array(fact);
    // x[t] gathers rows; by a whole number without dimensions it selects one, whose number is read.
    return fact_is_array(base) && fact.kinds == KIND_TENSOR && fact.rank == 0 && fact.dtype == DTYPE_INT;
}

void detect_index(Detector *detector, Node *subscript) {
    Module *module = detector->module;
    Node *index = subscript->u.subscript.index;
    Fact base = fact_of(module, subscript->u.subscript.value);
    bool many = node_is(index, NODE_TUPLE);
    bool found = !many && is_number_index(module, base, index);
    for (uint32_t i = 0; many && !found && i < index->u.items.items.len; i++)
        found = is_number_index(module, base, index->u.items.items.items[i]);
    if (found)
        detector_add(detector, "GM405", subscript, subscript->start, subscript->end,
                     STR("a tensor is used as an index or the bound of a slice"));
}
