// The runtime is bound at module level in one of two forms that pass_runtime_import writes:
//     from . import _graphmend_runtime as _graphmend        (also: import graphmend_runtime as _graphmend, ...)
//     _graphmend = types.ModuleType(__name__ + "._graphmend")   (the embedded form; its source follows)
// Either is found by what is bound, not by the name it is bound to.
#include "analysis/runtime_calls.h"

bool is_runtime_module_name(Name dotted) {
    Str text = name_str(dotted);
    return str_ends(text, STR("graphmend_runtime")) || str_eq(text, STR("graphmend.runtime"));
}

static bool import_binds_runtime(const Node *statement, Name *bound) {
    const Node *const *aliases = (const Node *const *)statement->u.items.items.items;
    uint32_t len = statement->u.items.items.len;
    if (statement->kind == NODE_IMPORT_FROM) {
        aliases = (const Node *const *)statement->u.from.items.items;
        len = statement->u.from.items.len;
    }
    for (uint32_t i = 0; i < len; i++) {
        if (aliases[i]->kind != NODE_ALIAS)
            continue;
        Name name = aliases[i]->u.alias.name;
        bool is_runtime = is_runtime_module_name(name);
        if (statement->kind == NODE_IMPORT_FROM && statement->u.from.module)
            is_runtime = is_runtime || (str_eq(name_str(statement->u.from.module), STR("graphmend")) &&
                                        str_eq(name_str(name), STR("runtime")));
        if (is_runtime) {
            *bound = aliases[i]->u.alias.as ? aliases[i]->u.alias.as : name;
            return true;
        }
    }
    return false;
}

static bool assignment_binds_runtime(Module *module, const Node *statement, Name *bound) {
    const Node *value = statement->u.assign.value;
    if (statement->u.assign.targets.len != 1 || !node_is(statement->u.assign.targets.items[0], NODE_NAME) ||
        !node_is(value, NODE_CALL) || value->flags & NODE_NEW)
        return false;
    if (!str_ends(node_text(module->unit->tree, value), STR(".ModuleType(__name__ + \"._graphmend\")")))
        return false;
    *bound = statement->u.assign.targets.items[0]->u.name.name;
    return true;
}

Node *find_runtime_binding(Module *module, Name *bound) {
    NodeList body = module->unit->tree->module->u.module.body;
    for (uint32_t i = 0; i < body.len; i++) {
        Node *statement = body.items[i];
        if ((statement->kind == NODE_IMPORT || statement->kind == NODE_IMPORT_FROM) &&
            import_binds_runtime(statement, bound))
            return statement;
        if (statement->kind == NODE_ASSIGN && assignment_binds_runtime(module, statement, bound))
            return statement;
    }
    return NULL;
}

// exec(compile(r'''...''', "<graphmend runtime>", "exec"), vars(_graphmend))
static Node *executed_source(Module *module, Node *statement) {
    Node *exec = node_is(statement, NODE_EXPR_STMT) ? statement->u.value.value : NULL;
    Node *compile =
        node_is(exec, NODE_CALL) && exec->u.call.args.len == 2 ? exec->u.call.args.items[0] : NULL;
    if (!node_is(compile, NODE_CALL) || compile->u.call.args.len != 3 || compile->flags & NODE_NEW)
        return NULL;
    Node *const *args = compile->u.call.args.items;
    bool ours = str_eq(node_text(module->unit->tree, args[1]), STR("\"<graphmend runtime>\""));
    return ours && node_is(args[0], NODE_CONSTANT) ? args[0] : NULL;
}

Node *find_embedded_source(Module *module, const Node *binding) {
    NodeList body = module->unit->tree->module->u.module.body;
    Node *source = NULL;
    for (uint32_t i = 0; i < body.len && !source && node_is(binding, NODE_ASSIGN); i++)
        if (body.items[i]->start > binding->start)
            source = executed_source(module, body.items[i]);
    return source;
}

bool is_runtime_call(Module *module, const Node *call) {
    const Node *func = call->u.call.func;
    if (!node_is(func, NODE_ATTRIBUTE) || !node_is(func->u.attribute.value, NODE_NAME))
        return false;
    // Cheap first: nearly every call stops here. The binding is looked for only for names that could be the runtime's.
    Name name = func->u.attribute.value->u.name.name, bound = 0;
    if (!str_starts(name_str(name), STR("_graphmend")))
        return false;
    return find_runtime_binding(module, &bound) && bound == name;
}
