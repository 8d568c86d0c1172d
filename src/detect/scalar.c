// GM401 to GM404 and GM406: the value of a tensor is wanted as a Python object.
//     x.item()                  GM401
//     x.tolist()                GM402
//     int(x)  math.sqrt(x)      GM403   also torch.equal(x, y), torch.is_nonzero(x)
//     np.frexp(a)               GM404   functions that Dynamo has no translation of; one random number: np.random.rand()
//     str(x)  repr(x)  "%s" % x GM406   f"{x}" is put together only when somebody reads it
#include "detect/detect_internal.h"

static bool detect_numpy(Detector *detector, Node *call) {
    Ref ref = resolve_expr(detector->module, call->u.call.func);
    if (ref.kind != REF_EXTERNAL || !str_starts(name_str(ref.name), STR("numpy.")))
        return false;
    Str text = name_str(ref.name);
    Name name = intern(str_slice(text, sizeof "numpy." - 1, text.len));
    if (!numpy_is_traced(name))
        return detector_add(detector, "GM404", call, call->start, call->end,
                            STR("a NumPy function that Dynamo cannot trace"));
    if (!numpy_draws_number(name))
        return false;
    // rand(3) and size=3 give arrays.
    uint32_t limit = str_ends(text, STR(".rand")) || str_ends(text, STR(".randn")) ? 0 : 2;
    if (call->u.call.args.len > limit)
        return false;
    for (uint32_t i = 0; i < call->u.call.args.len; i++) {
        const Node *arg = call->u.call.args.items[i];
        if (node_is(arg, NODE_STARRED) ||
            (node_is(arg, NODE_KEYWORD) && (!arg->u.keyword.name || arg->u.keyword.name == NAME_OF("size"))))
            return false;
    }
    return detector_add(detector, "GM404", call, call->start, call->end,
                        STR("NumPy draws one random number"));
}

static bool detect_text(Detector *detector, Node *call) {
    Module *module = detector->module;
    if (!is_builtin_call(module, call, "str") && !is_builtin_call(module, call, "repr") &&
        !is_builtin_call(module, call, "ascii"))
        return false;
    if (call->u.call.args.len != 1 || !is_array(module, call->u.call.args.items[0]))
        return false;
    return detector_add(detector, "GM406", call, call->start, call->end, STR("a tensor is made text"));
}

bool detect_scalar(Detector *detector, Node *call) {
    Module *module = detector->module;
    if (detect_numpy(detector, call) || detect_text(detector, call))
        return true;
    if (!call_reads_tensor(module, call) || asks_for_truth(module, call))
        return false;
    const Node *func = call->u.call.func;
    Name method = node_is(func, NODE_ATTRIBUTE) ? func->u.attribute.attr : 0;
    if (method == NAME_OF("numpy")) // Dynamo goes on with an array of its own
        return false;
    if (method == NAME_OF("item"))
        return detector_add(detector, "GM401", call, call->start, call->end,
                            STR("a tensor is read as a Python number"));
    if (method == NAME_OF("tolist"))
        return detector_add(detector, "GM402", call, call->start, call->end,
                            STR("a tensor is read as a list of Python numbers"));
    return detector_add(detector, "GM403", call, call->start, call->end,
                        STR("a tensor is converted to a Python value"));
}

// "%s %d" % (x, n)
void detect_percent(Detector *detector, Node *node) {
    Module *module = detector->module;
    if (node->u.binary.op != OP_MOD || fact_of(module, node->u.binary.left).kinds != KIND_STR)
        return;
    Node *right = node->u.binary.right;
    bool tensors = is_array(module, right);
    for (uint32_t i = 0; node_is(right, NODE_TUPLE) && i < right->u.items.items.len; i++)
        tensors = tensors || is_array(module, right->u.items.items.items[i]);
    if (tensors)
        detector_add(detector, "GM406", node, node->start, node->end, STR("a tensor is made text"));
}
