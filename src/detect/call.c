// GM6xx: calls and statements that Dynamo cannot trace, whatever the values are. Which they are stands in rules/names.json;
// the callee is proved by following bindings.
//     helper(x)  of a @torch.compiler.disable def    GM601
//     self.lstm(x)                                    GM603
//     time.time()                                     GM604
//     with threading.Lock(): ...                      GM606
//     copy.deepcopy(x)                                GM607
//     x.backward()                                    GM608
//     x.resize_(4)   x.data = y                       GM609
//     except* ValueError: ...                         GM610
#include "detect/detect_internal.h"

static bool is_disabled_ref(Ref ref) {
    return (ref.kind == REF_EXTERNAL || ref.kind == REF_EXTERNAL_INSTANCE) && ref.name &&
           is_disabling(ref.name);
}

static bool is_disabled(const FuncInfo *func) {
    const Node *def = func->function->node;
    for (uint32_t i = 0; node_is(def, NODE_FUNCTION_DEF) && i < def->u.function.decorators.len; i++) {
        Node *decorator = def->u.function.decorators.items[i];
        if (is_disabled_ref(resolve_expr(func->module,
                                         node_is(decorator, NODE_CALL) ? decorator->u.call.func : decorator)))
            return true;
    }
    return false;
}

static Str message_of(const char *code) {
    static const struct {
        const char *code;
        Str message;
    } messages[] = {
        {"GM304", {"output in compiled code", sizeof "output in compiled code" - 1}},
        {"GM602", {"a break is asked for", sizeof "a break is asked for" - 1}},
        {"GM604", {"Dynamo does not trace this function", sizeof "Dynamo does not trace this function" - 1}},
        {"GM605", {"a torch function gives no tensor", sizeof "a torch function gives no tensor" - 1}},
        {"GM607", {"copy in compiled code", sizeof "copy in compiled code" - 1}},
        {"GM608", {"a call into autograd", sizeof "a call into autograd" - 1}},
        {"GM609", {"a tensor's storage is changed", sizeof "a tensor's storage is changed" - 1}},
        {"GM611", {"the frame or module is looked into", sizeof "the frame or module is looked into" - 1}},
    };
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++)
        if (strcmp(messages[i].code, code) == 0)
            return messages[i].message;
    return STR("Dynamo cannot trace this");
}

static bool add(Detector *detector, const char *code, Node *node) {
    return detector_add(detector, code, node, node->start, node->end, message_of(code)) != NULL;
}

// deepcopy of plain containers of plain values is traced.
static bool is_plain_deepcopy(Module *module, const Node *call, Name name) {
    if (!str_eq(name_str(name), STR("copy.deepcopy")) || !call->u.call.args.len)
        return false;
    enum { PLAIN = KIND_BOOL | KIND_INT | KIND_FLOAT | KIND_STR | KIND_NONE | KIND_SEQUENCE | KIND_DICT };
    Fact fact = fact_of(module, call->u.call.args.items[0]);
    bool holds = fact.kinds & (KIND_SEQUENCE | KIND_DICT);
    return !(fact.kinds & ~(uint32_t)PLAIN) &&
           (!holds || (fact.element && !(fact.element & ~(uint32_t)PLAIN)));
}

static bool is_false(const Node *node) {
    return node_is(node, NODE_CONSTANT) && node->u.constant.kind == CONST_FALSE;
}

// Dynamo traces requires_grad_() of a tensor that is made in the graph and stays there. Not of the graph's input.
static bool turns_input_on(const FuncInfo *function, const Node *call) {
    const Node *value = call->u.call.func->u.attribute.value;
    const Node *first = call->u.call.args.len ? call->u.call.args.items[0] : NULL;
    if (is_false(first) || (node_is(first, NODE_KEYWORD) && is_false(first->u.keyword.value)) ||
        !node_is(value, NODE_NAME))
        return false;
    const Symbol *symbol = value->u.name.symbol;
    return function->is_entry && symbol && symbol->flags & SYM_PARAM && symbol->bindings.len == 1;
}

static bool detect_method(Detector *detector, Node *call) {
    Node *func = call->u.call.func;
    Name code = node_is(func, NODE_ATTRIBUTE) ? breaking_method(func->u.attribute.attr) : 0;
    if (!code)
        return false;
    Fact owner = fact_of(detector->module, func->u.attribute.value);
    if (owner.kinds != KIND_TENSOR)
        return false;
    if (func->u.attribute.attr == NAME_OF("requires_grad_") && !turns_input_on(detector->function, call))
        return false;
    return add(detector, name_str(code).ptr, call);
}

bool detect_call(Detector *detector, Node *call) {
    Module *module = detector->module;
    Ref ref = resolve_expr(module, call->u.call.func);
    switch (ref.kind) {
    case REF_FUNCTION:
    case REF_METHOD:
        return is_disabled(ref.func) && detector_add(detector, "GM601", call, call->start, call->end,
                                                     STR("the function is excluded from compilation"));
    case REF_EXTERNAL_INSTANCE:
        if (ref.name && is_recurrent_module(ref.name))
            return detector_add(detector, "GM603", call, call->start, call->end,
                                STR("a recurrent module is called"));
        return is_disabled_ref(ref) && detector_add(detector, "GM601", call, call->start, call->end,
                                                    STR("the function is excluded from compilation"));
    case REF_EXTERNAL:
    case REF_BUILTIN: {
        Name code = breaking_call(ref.name);
        if (!code || is_plain_deepcopy(module, call, ref.name))
            return false;
        return add(detector, name_str(code).ptr, call);
    }
    case REF_NONE:
        return detect_method(detector, call);
    default:
        return false;
    }
}

void detect_with(Detector *detector, Node *item) {
    Node *context = item->u.with_item.context;
    if (!node_is(context, NODE_CALL))
        return;
    Ref ref = resolve_expr(detector->module, context->u.call.func);
    if ((ref.kind == REF_EXTERNAL || ref.kind == REF_BUILTIN) && is_breaking_context(ref.name))
        detector_add(detector, "GM606", item, item->start, item->end,
                     STR("Dynamo cannot trace this context manager"));
}

// x.data = y, where x is not a parameter or another input of the graph: a value that was made here.
void detect_data_store(Detector *detector, Node *attribute) {
    Node *value = attribute->u.attribute.value;
    if (!(attribute->flags & NODE_STORE) || attribute->u.attribute.attr != NAME_OF("data") ||
        !node_is(value, NODE_NAME))
        return;
    const Symbol *symbol = value->u.name.symbol;
    if (!symbol || symbol->flags & SYM_PARAM || fact_of(detector->module, value).kinds != KIND_TENSOR)
        return;
    detector_add(detector, "GM609", attribute, attribute->start, attribute->end,
                 STR("a tensor's storage is replaced"));
}

void detect_handler(Detector *detector, Node *handler) {
    if (handler->flags & NODE_EXCEPT_STAR && handler->u.handler.type)
        detector_add(detector, "GM610", handler, handler->start, handler->u.handler.type->end,
                     STR("Dynamo cannot trace except*"));
}
