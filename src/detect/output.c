// GM3xx: output that Dynamo cannot put into a graph.
//     print(...)                               GM301
//     logger.warning(...), logging.info(...)   GM302   also `if logger.isEnabledFor(...)`
//     warnings.warn(...)                       GM303
// The callee is proved by following bindings: a local function called print or an object called logger is nothing to us.
#include "detect/output.h"

#include "detect/detect_internal.h"

static bool is_logger_ref(Ref ref) {
    if (ref.kind != REF_EXTERNAL_INSTANCE)
        return false;
    Str name = name_str(ref.name);
    return is_logger_factory(ref.name) || str_eq(name, STR("logging.Logger")) ||
           str_eq(name, STR("logging.LoggerAdapter")) || str_eq(name, STR("logging.getLogger"));
}

// A value that is a logger by binding, or a child of one.
static bool is_logger_value(Module *module, Node *value, int depth) {
    enum { MAX_LOGGER_DEPTH = 8 };
    if (depth > MAX_LOGGER_DEPTH)
        return false;
    if (is_logger_ref(resolve_expr(module, value)))
        return true;
    if (node_is(value, NODE_NAME) && value->u.name.symbol && value->u.name.symbol->bindings.len == 1) {
        const Node *binding = value->u.name.symbol->bindings.items[0], *assign = binding->parent;
        return node_is(assign, NODE_ASSIGN) && assign->u.assign.value != binding &&
               node_is(assign->u.assign.value, NODE_CALL) &&
               is_logger_value(module, assign->u.assign.value, depth + 1);
    }
    if (node_is(value, NODE_CALL) && node_is(value->u.call.func, NODE_ATTRIBUTE))
        return str_eq(name_str(value->u.call.func->u.attribute.attr), STR("getChild")) &&
               is_logger_value(module, value->u.call.func->u.attribute.value, depth + 1);
    return false;
}

OutputKind output_kind(Module *module, Node *call) {
    Node *func = call->u.call.func;
    if (node_is(func, NODE_NAME)) {
        Ref ref = resolve_expr(module, func);
        if (ref.kind == REF_BUILTIN)
            return str_eq(name_str(ref.name), STR("print")) ? OUTPUT_PRINT
                                                            : OUTPUT_NONE; // also `show = print`
        if (ref.kind != REF_EXTERNAL)
            return OUTPUT_NONE;
        if (ref_is_external(ref, "builtins.print"))
            return OUTPUT_PRINT;
        if (is_logging_function(ref.name))
            return OUTPUT_LOG;
        return ref_is_external(ref, "warnings.warn") ? OUTPUT_WARN : OUTPUT_NONE;
    }
    if (!node_is(func, NODE_ATTRIBUTE))
        return OUTPUT_NONE;
    Str method = name_str(func->u.attribute.attr);
    if (str_eq(method, STR("warn")) || str_eq(method, STR("print"))) {
        Ref ref = resolve_expr(module, func);
        if (ref_is_external(ref, "warnings.warn"))
            return OUTPUT_WARN;
        if (ref_is_external(ref, "builtins.print"))
            return OUTPUT_PRINT;
    }
    bool caches;
    if (!is_logger_method(func->u.attribute.attr, &caches))
        return OUTPUT_NONE;
    if (is_logger_value(module, func->u.attribute.value, 0))
        return OUTPUT_LOG;
    Ref owner = resolve_expr(module, func->u.attribute.value);
    return owner.kind == REF_EXTERNAL && str_eq(name_str(owner.name), STR("logging")) ? OUTPUT_LOG
                                                                                      : OUTPUT_NONE;
}

static bool is_enabled_for(Module *module, Node *call) {
    if (!node_is(call, NODE_CALL) || !node_is(call->u.call.func, NODE_ATTRIBUTE))
        return false;
    Node *func = call->u.call.func;
    return str_eq(name_str(func->u.attribute.attr), STR("isEnabledFor")) &&
           is_logger_value(module, func->u.attribute.value, 0);
}

void detect_output(Detector *detector, Node *node) {
    if (node_is(node, NODE_IF)) {
        if (is_enabled_for(detector->module, node->u.branch.test))
            detector_add(detector, "GM302", node, node->start, node->u.branch.test->end,
                         STR("a logger is asked for its level"));
        return;
    }
    if (!node_is(node, NODE_CALL))
        return;
    switch (output_kind(detector->module, node)) {
    case OUTPUT_NONE:
        break;
    case OUTPUT_PRINT:
        detector_add(detector, "GM301", node, node->start, node->end, STR("print in compiled code"));
        break;
    case OUTPUT_LOG:
        detector_add(detector, "GM302", node, node->start, node->end, STR("logging in compiled code"));
        break;
    case OUTPUT_WARN:
        detector_add(detector, "GM303", node, node->start, node->end, STR("a warning in compiled code"));
        break;
    }
}
